"""Completes steps whose sentences leave out objects that the state determines.

``Load c3 onto the ferry`` is at the place of the ferry. The state before the step decides, and
never the goal or what would make the step applicable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from pddl_pipeline.model.errors import NotJudged, PlanSyntaxError, StepFails
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.translators.answers.frames import UNSAID
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task


class Open(Exception):
    """The state leaves open which object a step has."""

    def __init__(self, index: int, message: str) -> None:
        super().__init__(message)
        self.index = index
        """0-based position of the step."""


def completed(
    steps: Sequence[Step], task: Task, implied: Mapping[str, Sequence[str]]
) -> list[Step]:
    """Return the steps with the objects that their sentences leave out.

    A step that is not applicable leaves the state unchanged; the plan fails there in any case.

    Args:
        steps: the steps, with `UNSAID` for an object that is left out.
        task: the task.
        implied: by action, the facts that determine objects, with ``{0}``, ``{1}``, … for them.

    Raises:
        Open: no object or several objects are possible.
    """
    if all(UNSAID not in step.arguments for step in steps) or task.facts.unsupported:
        return list(steps)
    last = max(index for index, step in enumerate(steps) if UNSAID in step.arguments)
    found: list[Step] = []
    state = task.initial_state()
    for index, step in enumerate(steps):
        if UNSAID in step.arguments:
            arguments = _arguments(index, step, implied[step.action], state, task)
            found.append(step._replace(arguments=arguments))
        else:
            found.append(step)
        if index < last:
            _follow(found[-1], task, state)
    return found


def _follow(step: Step, task: Task, state: State) -> None:
    """Apply a step to the state, which stays the same if the step is not applicable."""
    with suppress(PlanSyntaxError, StepFails, NotJudged):
        task.read_plan(Plan([step]))
        task.apply(step, state)


def _arguments(
    index: int, step: Step, facts: Iterable[str], state: State, task: Task
) -> tuple[str, ...]:
    arguments = list(step.arguments)
    said = [fact.split() for fact in facts]
    parameters = task.vocabulary.actions[step.action].parameters
    fitting = [task.vocabulary.candidates(each.types) for each in parameters]
    while UNSAID in arguments:
        options = [
            (slot, _objects(fact, slot, arguments, state, fitting[slot]))
            for fact in said
            for slot in _missing(fact, arguments)
            if len(_missing(fact, arguments)) == 1
        ]
        found = next(((slot, objects) for slot, objects in options if len(objects) == 1), None)
        if found is None:
            raise Open(index, _unclear(step, [name for _, objects in options for name in objects]))
        arguments[found[0]] = found[1][0]
    return tuple(arguments)


def _unclear(step: Step, objects: Sequence[str]) -> str:
    which = " or ".join(f"'{name}'" for name in dict.fromkeys(objects))
    which = f"it may be {which}" if which else "the state determines none"
    return f"the step '{step.action}' leaves out an object: {which}"


def _missing(fact: Sequence[str], arguments: Sequence[str]) -> set[int]:
    """Return the arguments of a fact that are still open."""
    slots = {int(word[1:-1]) for word in fact if word.startswith("{")}
    return {slot for slot in slots if arguments[slot] == UNSAID}


def _objects(
    fact: Sequence[str],
    slot: int,
    arguments: Sequence[str],
    state: State,
    candidates: Iterable[str],
) -> list[str]:
    """Return the candidates for an argument for which a fact holds in the state."""
    found = []
    for name in candidates:
        said = [name if index == slot else each for index, each in enumerate(arguments)]
        if tuple(word.format(*said) for word in fact) in state.facts:
            found.append(name)
    return found
