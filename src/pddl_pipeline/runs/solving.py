"""Run a planner on a problem and judge its plans: its results are claims until checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.model.attempt import Attempt, Outcome
from pddl_pipeline.model.errors import ErrorKind, check_type
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits, check_limits
from pddl_pipeline.model.notebook import notebook_html
from pddl_pipeline.model.number import Number, number_fields, number_json
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.result import improvements_json, improvements_of
from pddl_pipeline.model.verdict import Opinion, Opinions, Status, Verdict
from pddl_pipeline.planners.attempting import AnswersPlace, Stop, attempt
from pddl_pipeline.planners.plan_files import Report
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.registry import (
    choose_planner,
    decider_of,
    lacking,
    others_for,
    planner_named,
)
from pddl_pipeline.translators import has_referee
from pddl_pipeline.translators.given_pddl import recognise
from pddl_pipeline.translators.judging import judge_plan
from pddl_pipeline.validation.features import task_features
from pddl_pipeline.validation.given_objects import Given
from pddl_pipeline.validation.task import Task, given_texts, task_from_texts
from pddl_pipeline.validation.version import VERDICT_VERSION

_FAILURES: Final = (Outcome.CRASH, Outcome.GAVE_UP, Outcome.UNSUPPORTED, Outcome.INPUT_ERROR)
EXHAUSTIVE: Final = "bfs:states=1000000"
"""The planner that checks claims in domains without a complete solver."""
EXHAUSTIVE_S: Final = 30.0
"""Its time limit."""


def check_claim(  # noqa: PLR0913 -- what an attempt needs
    planner: Planner,
    claim: Attempt,
    task: Task,
    texts: Problem,
    limits: Limits,
    *,
    instance: Instance[object] | None,
    stop: Stop | None,
) -> Solution:
    """Check a claim that there is no plan: by the record, a complete solver, or exhaustive search.

    The record has a plan, or a field ``solvable``. The check has the limits of the claim's attempt,
    exhaustive search at most a million states and 30 s; it is not counted in the attempt's time.

    Returns:
        The solution, confirmed, or with a ``disputed`` verdict if there is a plan. If the check
        does not decide, the reason says why.

    Raises:
        EngineError, Stopped: as for `attempt`.
    """

    def checked(says: str, confirmed_by: str | None = None) -> Solution:
        return Solution(
            planner, replace(claim, reason=f"{claim.reason}; {says}"), None, confirmed_by
        )

    def disputed(judge: str, says: str) -> Solution:
        opinions = Opinions({judge: Opinion(Status.VALID)})
        reason = f"{claim.reason}; but {says}"
        verdict = Verdict(
            Status.DISPUTED, reason=reason, opinions=opinions, code=ErrorKind.DISPUTED
        )
        return Solution(planner, claim, verdict)

    # What is known already comes first: a plan, a label, and a planner that decides the domain.
    if texts.witness and task.judge("\n".join(texts.witness)).status is Status.VALID:
        return disputed("record", f"the record has the plan {' '.join(texts.witness)}")
    label = str(instance.extra.get("solvable")).lower() if instance else ""
    decider = decider_of(_domain_of(task, texts, instance))
    if decider is None and label == "false":
        return checked("confirmed by the record", "the record")
    if decider == planner:
        return Solution(planner, claim, None, planner.name)
    if decider is None:
        decider = planner_named(EXHAUSTIVE)
        limits = replace(limits, time_s=min(limits.time_s, EXHAUSTIVE_S))
    check, name = attempt(decider, texts, limits, stop=stop), decider.name.partition(":")[0]
    if check.outcome is Outcome.CLAIMS_UNSOLVABLE:
        states = f"exhaustive search of {check.statistics.expanded:,} states"
        by = name if decider.claims.complete_for else states
        return checked(f"confirmed by {by}", by)
    if check.plan is not None and task.judge(check.plan).status is Status.VALID:
        steps = " ".join(map(str, task.read_plan(check.plan)))
        return disputed(name, f"{name} finds {steps or 'the empty plan'}")
    if label == "true":
        return disputed("record", "the record says that there is one")
    return checked(f"not confirmed: {check.reason or f'{name} finds no valid plan'}")


def _domain_of(task: Task, texts: Problem, instance: Instance[object] | None) -> str:
    """Return the name of a task's domain; empty if it is not a domain of this project."""
    if instance is not None:
        return instance.domain if has_referee(instance) else ""
    known = recognise(task, texts.domain_pddl, texts.problem_pddl)
    return known.domain if known else ""


@dataclass(frozen=True, slots=True)
class Solution:
    """A planner's claim and the verdict on it.

    Its truth value is that of the verdict, and False without a plan.
    """

    planner: Planner
    attempt: Attempt
    verdict: Verdict | None
    """The verdict on the claimed plan; None if there is no plan. If one of several plans is not
    valid, the verdict on that plan, since the planner claims all of them. A claim that there is no
    plan is ``disputed`` if `check_claim` finds one."""
    confirmed_by: str | None = None
    """What confirms the claim that there is no plan; None if nothing does."""
    others: tuple[str, ...] = ()
    """Installed planners that may do better than the default one."""

    def __bool__(self) -> bool:
        return self.verdict is not None and bool(self.verdict)

    def __repr__(self) -> str:
        judged = f", {self.verdict.status}" if self.verdict is not None else ""
        outcome, wall_s = self.attempt.outcome, self.attempt.wall_s
        return f"<Solution {self.planner.name}: {outcome}{judged}, {wall_s:.2f} s>"

    def _repr_html_(self) -> str:
        return notebook_html(self)

    @property
    def plan(self) -> str | None:
        """Text of the claimed plan, in IPC format; None if there is none."""
        return self.attempt.plan

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``solve --json``."""
        attempt, verdict = self.attempt, self.verdict
        return {
            "planner": self.planner.name,
            "outcome": attempt.outcome,
            "status": None if verdict is None else verdict.status,
            "plan": None if attempt.plan is None else attempt.plan.splitlines(),
            **number_fields("cost", None if verdict is None else verdict.cost),
            "steps": None if verdict is None else verdict.steps,
            "semantics": None if verdict is None else verdict.semantics,
            "delta": number_json(None if verdict is None else verdict.delta),
            "reason": attempt.reason if verdict is None else verdict.reason,
            "verdict_version": None if verdict is None else VERDICT_VERSION,
            "wall_s": round(attempt.wall_s, 3),
            "cpu_s": round(attempt.cpu_s, 3),
            "memory_mb": round(attempt.memory_mb, 1),
            "optimal": attempt.optimal,
            **asdict(attempt.statistics),
            "hit": attempt.hit,
            "measured": attempt.measured,
            "improvements": improvements_json(improvements_of(attempt.improvements) or None),
        }


def solve(  # noqa: PLR0913 -- what an attempt needs
    domain: Given,
    problem: Given = None,
    planner: str | None = None,
    limits: Limits | None = None,
    *,
    lenient: bool = False,
    report: Report = bool,
) -> Solution:
    """Run a planner on a problem and judge its plan.

    Args:
        domain: path, text or object, as for `read_task`.
        problem: path, text or object; None if the domain is an object that has both.
        planner: name of a planner; None selects Kairos for temporal problems, ENHSP for numeric
            ones and Fast Downward for all others.
        limits: limits of all processes of the attempt together; None for the papers' 30 minutes
            and 3.5 GiB.
        lenient: whether to read the problem leniently, as `read_task` does. The planner gets the
            problem without what is ignored.
        report: is called with the best valid plan so far while the planner goes on, at most once a
            second.

    Raises:
        InputError: the PDDL cannot be read, or the name of the planner is unknown.
        EngineError: the planner cannot be started on this machine.
        TypeError: an argument has a different type.
        Interrupted: the user pressed Ctrl-C; it has the best valid plan.
    """
    if isinstance(problem, str) and not isinstance(domain, str | PathLike):
        raise TypeError("problem: found a text beside an object; name a planner with planner=")
    check_type("planner", planner, str | None, "the name of a planner, or None")
    domain_pddl, problem_pddl = given_texts(domain, problem, lenient=lenient)
    task = task_from_texts(domain_pddl, problem_pddl)
    chosen = planner_named(planner) if planner is not None else choose_planner(task_features(task))
    texts = Problem(domain_pddl[0], problem_pddl[0])
    solution = solve_task(chosen, task, texts, check_limits(limits), report=report)
    decider = decider_of(_domain_of(task, texts, None)) if planner is None else None
    return replace(solution, others=(decider.name,)) if decider else solution


def solve_task(  # noqa: PLR0913 -- what an attempt needs
    planner: Planner,
    task: Task,
    texts: Problem,
    limits: Limits,
    *,
    instance: Instance[object] | None = None,
    stop: Stop | None = None,
    answers: Path | None = None,
    report: Report = bool,
) -> Solution:
    """Run a planner on a task and judge its plans; see `solve` and `attempt`.

    If the task's instance is given, `judge_plan` judges the plans. `answers` is the file for the
    answers of a language model, if it is to outlive the attempt.
    """
    features = task_features(task)
    missing = lacking(planner, features)
    if missing:
        # `max` because a set has no order: always the same one.
        reason = f"{planner.name} does not support {max(missing)} problems"
        return Solution(planner, Attempt(Outcome.UNSUPPORTED, reason=reason), None)
    place = AnswersPlace(file=answers) if instance is None else AnswersPlace(instance.id, answers)
    delta = planner.claims.delta
    judge = partial(_judge, task=task, instance=instance, delta=delta)
    done = attempt(
        planner, texts, limits, stop=stop, answers=place,
        judge=None if planner.plans.several else judge, report=report,
    )  # fmt: skip
    if done.outcome is Outcome.CLAIMS_UNSOLVABLE:
        return check_claim(planner, done, task, texts, limits, instance=instance, stop=stop)
    others = others_for(planner, features) if done.outcome in _FAILURES else []
    if others and "temporal" in features and planner.name == choose_planner(features).name:
        reason = f"{done.reason}; others support such tasks: {', '.join(others)}"
        return Solution(planner, replace(done, reason=reason), None, others=tuple(others))
    plans = () if done.plan is None else (done.plan, *done.further_plans)
    # The last plan was judged while the planner ran; only another text is judged again.
    judged = {improvement.text: improvement.verdict for improvement in done.improvements}
    verdict = judged.get(done.plan or "")
    if verdict is None:
        verdict = judge_plans(plans, task, instance, delta)
    return Solution(planner, done, verdict)


def _judge(
    plan: str, task: Task, instance: Instance[object] | None, delta: Number | None
) -> Verdict:
    if instance is None:
        return task.judge(plan, delta=delta)
    return judge_plan(plan, task, instance, delta)


def judge_plans(
    plans: Sequence[str],
    task: Task,
    instance: Instance[object] | None,
    delta: Number | None = None,
) -> Verdict | None:
    """Return the verdict on the best of a planner's plans, which is the first.

    If another one is not valid, return the verdict on that plan. Without plans, return None. The
    arguments are as for `judge_plan`.
    """
    best: Verdict | None = None
    for number, plan in enumerate(plans, start=1):
        verdict = _judge(plan, task, instance, delta)
        # One false plan of a top-k planner makes its run false.
        if number > 1 and verdict.status is not Status.VALID:
            return verdict.replace(reason=f"plan {number} of {len(plans)}: {verdict.reason}")
        best = verdict if best is None else best
        if best.status is not Status.VALID:
            break
    return best
