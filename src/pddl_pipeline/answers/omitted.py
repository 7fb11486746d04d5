"""Completes steps whose clauses leave out objects that the state determines.

``Load c3 onto the ferry`` is at the place of the ferry. The state before the step decides, and
never the goal or what would make the step applicable.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress

from pddl_pipeline.answers.frames import UNSAID
from pddl_pipeline.model.errors import NotJudged, PlanSyntaxError, StepFails
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task


def completed(
    steps: Sequence[Step], task: Task, implied: Mapping[str, Sequence[str]]
) -> list[Step] | str:
    """Return the steps with the objects that are left out, or why an object is open.

    A step that is not applicable leaves the state unchanged; the plan fails there in any case, and
    ends before the first step behind it whose objects are open.

    Args:
        steps: the steps, with `UNSAID` for an object that is left out.
        task: the task.
        implied: by action, the facts that determine objects, with ``{0}``, ``{1}``, … for them.
    """
    if all(UNSAID not in step.arguments for step in steps) or task.facts.unsupported:
        return list(steps)
    found: list[Step] = []
    state, failed = task.initial_state(), False
    for step in steps:
        if UNSAID in step.arguments:
            arguments = _arguments(step, implied.get(step.action, ()), state, task)
            if isinstance(arguments, str):
                return found if failed else arguments
            found.append(step._replace(arguments=arguments))
        else:
            found.append(step)
        failed |= not _follow(found[-1], task, state)
    return found


def _follow(step: Step, task: Task, state: State) -> bool:
    """Apply a step to the state, and return whether it is applicable; else the state stays."""
    with suppress(NotJudged):
        try:
            task.read_plan(Plan([step]))
            task.apply(step, state)
        except (PlanSyntaxError, StepFails):
            return False
    return True


def _arguments(step: Step, facts: Iterable[str], state: State, task: Task) -> tuple[str, ...] | str:
    arguments = list(step.arguments)
    parameters = task.vocabulary.actions[step.action].parameters
    fitting = [task.vocabulary.candidates(each.types) for each in parameters]
    said = [fact.split() for fact in facts]
    while UNSAID in arguments:
        open_facts = [
            fact for fact in said if any(arguments[slot] == UNSAID for slot in _slots(fact))
        ]
        options = [_fillings(fact, arguments, state, fitting) for fact in open_facts]
        found = next((fillings for fillings in options if len(fillings) == 1), None)
        if found is None:
            names = sorted({name for many in options for each in many for name in each.values()})
            which = f"it may be {' or '.join(names)}" if names else "the state determines none"
            return f"the step '{step.action}' leaves out an object: {which}"
        for slot, name in found[0].items():
            arguments[slot] = name
    return tuple(arguments)


def _slots(fact: Sequence[str]) -> list[int]:
    return [int(word[1:-1]) for word in fact if word.startswith("{")]


def _fillings(
    fact: Sequence[str],
    arguments: Sequence[str],
    state: State,
    fitting: Sequence[Collection[str]],
) -> list[dict[int, str]]:
    """Return the objects for the open arguments of a fact with which it holds in the state."""
    found: list[dict[int, str]] = []
    slots = _slots(fact)
    for name, *objects in state.facts:
        if name != fact[0] or len(objects) != len(slots):
            continue
        pairs = list(zip(slots, objects, strict=True))
        if all(arguments[slot] in (UNSAID, each) and each in fitting[slot] for slot, each in pairs):
            found.append({slot: each for slot, each in pairs if arguments[slot] == UNSAID})
    return found
