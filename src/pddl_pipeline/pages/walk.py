"""A plan as the states that it goes through, with the reason where it ends early."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from pddl_pipeline.model.errors import NotJudged, PlanSyntaxError
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.validation.explanation import Unsatisfied
from pddl_pipeline.validation.hybrid import MOST_STATES
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.plan_reader import given_plan, read_plan
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.transition_system import step_words

if TYPE_CHECKING:
    from pddl_pipeline.validation.execution import Happening
    from pddl_pipeline.validation.plan_reader import PlanSource

_MOST_FRAMES: Final = 1000
_MOST_FACTS: Final = 1_000_000
"""Facts of all states together, which are in memory at the same time."""
_FEWEST_FRAMES: Final = 20


class WalkFrame(NamedTuple):
    """A state of a walk, and the step that led to it."""

    number: int
    """1-based position of the last step; 0 for the initial state."""
    steps: tuple[Step, ...]
    """The step, or the simultaneous steps; none for the initial state."""
    state: State
    """The state after the step; if the step fails, the state before it."""
    cost: Number | None = None
    missing_goals: tuple[Unsatisfied, ...] | None = ()
    """The parts of the goal that do not hold; None if that is not known."""
    failed: bool = False
    unsatisfied: tuple[Unsatisfied, ...] = ()
    """The conditions of the failed step, or of the goal after the last step, that do not hold."""
    reason: str = ""
    """Why the step fails, if no condition says it."""
    time: Number | None = None
    """When it happens, in a plan with durations."""
    events: tuple[str, ...] = ()
    """What happens then, as `Happening.steps`."""


class Walk(NamedTuple):
    """A plan, the verdict on it, and the states that it goes through."""

    task: Task
    plan: Plan | None
    """None if the text cannot be read as steps."""
    verdict: Verdict
    frames: tuple[WalkFrame, ...]
    """The initial state first, or the state before the last steps of a long plan; empty if the
    initial state is not known."""
    left_out: int = 0
    """Number of steps at the end that are not shown, although no step before them fails."""
    budget: Number | None = None


def walk_of(
    task: Task, plan: PlanSource, verdict: Verdict | None = None, budget: Number | None = None
) -> Walk:
    """Return the walk of a plan, which need not be valid.

    Args:
        task: the task.
        plan: the plan, as for `Task.judge`.
        verdict: the verdict to show, if it is not that of `Task.judge`.
        budget: the maximum cost, if there is one.

    Raises:
        InputError: the file of the plan cannot be read.
    """
    given = given_plan(plan)
    verdict = task.judge(given, budget) if verdict is None else verdict
    steps = _steps(given)
    try:
        first = task.initial_state()
    except NotJudged:
        return Walk(task, steps, verdict, (), budget=budget)
    facts = max(1, len(first.facts) + len(first.values))
    # All states are in memory at once, so tasks with many facts get fewer.
    most = max(_FEWEST_FRAMES, min(_MOST_FRAMES, _MOST_FACTS // facts))
    # Of a long plan that fails, the last steps are shown, of others the first.
    end = verdict.failed_step or (len(steps or ()) if verdict.status is Status.INVALID else 0)
    frames = [_frame(task, 0, (), first), *islice(_frames(task, steps, end - most), most + 1)]
    frames = frames[1:] if end > most and len(frames) > 1 else frames[: most + 1]
    left_out = 0 if frames[-1].failed else len(steps or ()) - frames[-1].number
    if task.vocabulary.snaps and verdict.status.is_read:
        happenings = _in_flow if task.vocabulary.is_hybrid else _happenings
        frames += happenings(task, steps or Plan(), verdict, most)
    if task.vocabulary.snaps and verdict.status is Status.INVALID:
        fault = _fault_in_time(task, steps or Plan(), verdict, frames[-1].state)
        # It is the last happening, unless there are too many to show.
        if 1 < len(frames) <= most:
            frames[-1] = fault._replace(time=frames[-1].time, events=frames[-1].events)
        else:
            frames.append(fault)
    elif verdict.status is Status.MALFORMED or not (left_out or task.vocabulary.snaps):
        frames[-1] = _at_the_end(frames[-1], verdict)
    return Walk(task, steps, verdict, tuple(frames), left_out, budget)


def _steps(given: str | Plan) -> Plan | None:
    with suppress(PlanSyntaxError):
        return given if isinstance(given, Plan) else read_plan(given)
    return None


def _frames(task: Task, plan: Plan | None, start: int = 0) -> Iterator[WalkFrame]:
    """Yield the frames after the initial one, up to the first step that fails.

    With a positive `start`, those of the steps up to this number are left out; the first frame is
    then the state after them.
    """
    if not plan or task.vocabulary.snaps or not all(e.judged for e in task.facts.unsupported):
        return
    # The steps before the wrong one are shown, although the validator judges none of them.
    wrong = _first_wrong(task, plan)
    known = plan if wrong is None else Plan(plan[: wrong[0]])
    number, state = 0, task.initial_state()
    for happening in task.narrate(known):
        group = plan[number : number + len(happening.steps)]
        number += len(group)
        if happening.after is None:
            yield _failed(task, number, group, happening)
            return
        state = happening.after
        if number >= start:
            yield _frame(task, number, group if number > start else (), state)
    if wrong is not None:
        step = plan[wrong[0] : wrong[0] + 1]
        yield _frame(task, number + 1, step, state, failed=True, reason=wrong[1])


def _happenings(task: Task, plan: Plan, _: Verdict, most: int) -> Iterator[WalkFrame]:
    """Yield a frame for each happening of a plan with durations, up to the first that fails."""
    for number, each in enumerate(islice(task.narrate(plan), most), start=1):
        failed = each.after is None
        frame = _frame(
            task, number, (), each.after or each.before, failed=failed,
            reason="; ".join(failure.reason for failure in each.failures),
        )  # fmt: skip
        yield frame._replace(time=each.time, events=tuple(each.steps))


def _in_flow(task: Task, plan: Plan, verdict: Verdict, most: int) -> Iterator[WalkFrame]:
    """Yield a frame for each time at which something happens in PDDL+, and one for the end."""
    trace, number = task.trace_in_time(plan, verdict.delta), 0
    groups = groupby(trace.happenings[:MOST_STATES], itemgetter(0))
    for number, (time, found) in enumerate(islice(groups, most - 2), start=1):
        group = list(found)
        frame = _frame(task, number, (), group[-1][-1])
        yield frame._replace(time=time, events=tuple(_event(*each[1:3]) for each in group))
    if trace.state is not None:
        # Curves have floats, and happenings exact times.
        ends = [time for time, _ in trace.points[-1:]]
        ends += [float(time) for time, *_ in trace.happenings[-1:]]
        yield _frame(task, number + 1, (), trace.state)._replace(time=Fraction(max(ends)))


def _event(name: Ground, kind: str) -> str:
    """Return what happens as `Happening.steps` does."""
    action, _, moment = name[0].partition(" ")
    what = moment if kind == "step" else kind
    words = step_words(name) if moment in {"start", "end"} else (action or kind, *name[1:])
    return f"{atom_text(words)}{what and ' - '}{what}"


def _first_wrong(task: Task, plan: Plan) -> tuple[int, str] | None:
    """Return the index of the first step that is no action of the task, and why; or None."""
    try:
        task.read_plan(plan)
    except PlanSyntaxError as error:
        return (error.step or 1) - 1, error.message
    return None


def _frame(  # noqa: PLR0913 -- the fields of a frame
    task: Task,
    number: int,
    steps: Sequence[Step],
    state: State,
    *,
    failed: bool = False,
    unsatisfied: Sequence[Unsatisfied] = (),
    reason: str = "",
) -> WalkFrame:
    """Return a frame with its cost and the goals that it misses."""
    # The state of a plan with durations does not have the time.
    is_known = not (number and task.vocabulary.snaps)
    cost = task.cost(state, number - len(steps) if failed else number) if is_known else None
    missing = None
    with suppress(NotJudged):
        missing = tuple(task.unsatisfied(state))
    distinct = tuple(dict.fromkeys(unsatisfied))
    return WalkFrame(number, tuple(steps), state, cost, missing, failed, distinct, reason)


def _failed(task: Task, number: int, group: Sequence[Step], happening: Happening) -> WalkFrame:
    state, missing = happening.before, list[Unsatisfied]()
    with suppress(NotJudged):
        missing = [found for step in group for found in task.unsatisfied(state, step)]
    reason = "" if missing else "; ".join(failure.reason for failure in happening.failures)
    return _frame(task, number, group, state, failed=True, unsatisfied=missing, reason=reason)


def _at_the_end(frame: WalkFrame, verdict: Verdict) -> WalkFrame:
    """Return the last frame with why it is the last, or the parts of the goal that do not hold."""
    if frame.missing_goals and not frame.failed and verdict.status is not Status.MALFORMED:
        return frame._replace(unsatisfied=frame.missing_goals)
    is_fine = verdict.status.is_valid is not False
    return frame if is_fine else frame._replace(reason=frame.reason or verdict.reason or "")


def _fault_in_time(task: Task, steps: Plan, verdict: Verdict, state: State) -> WalkFrame:
    """Return the frame of the failing step of a timed plan, or of the end that misses the goal.

    The state is that of the last frame, which in PDDL+ is the one that fails.
    """
    at, reason = verdict.failed_step, verdict.reason or ""
    found = [Unsatisfied(each, reason) for each in verdict.unsatisfied]
    if task.vocabulary.is_hybrid:
        found = []  # the reason has the values
    else:
        for happening in task.narrate(steps):
            state = happening.before if happening.after is None else happening.after
    return _frame(
        task, at or len(steps), steps[at - 1 : at] if at else (), state, failed=at is not None,
        unsatisfied=found, reason=reason,
    )  # fmt: skip
