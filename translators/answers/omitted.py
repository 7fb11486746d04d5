"""Completes steps whose sentences leave out objects that the state determines.

``Load c3 onto the ferry`` is at the place of the ferry. The state before the step decides, and
never the goal or what would make the step applicable.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress

from pddl_pipeline.model.errors import NotJudged, PlanSyntaxError, StepFails
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.shortening import shortened
from pddl_pipeline.translators.answers.roles import UNSAID
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

    A step that is not applicable leaves the state unchanged; the plan fails there in any case, and
    ends before the first step behind it whose objects are open.

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
    state, failed = task.initial_state(), False
    for index, step in enumerate(steps):
        if UNSAID in step.arguments:
            try:
                arguments = _arguments(index, step, implied[step.action], state, task)
            except Open:
                if failed:
                    return found
                raise
            found.append(step._replace(arguments=arguments))
        else:
            found.append(step)
        if index < last:
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


def _arguments(
    index: int, step: Step, facts: Iterable[str], state: State, task: Task
) -> tuple[str, ...]:
    arguments = list(step.arguments)
    said = [fact.split() for fact in facts]
    parameters = task.vocabulary.actions[step.action].parameters
    fitting = [task.vocabulary.candidates(each.types) for each in parameters]
    while UNSAID in arguments:
        options = [
            _fillings(fact, arguments, state, fitting)
            for fact in sorted(said, key=lambda fact: len(_missing(fact, arguments)))
            if _missing(fact, arguments)
        ]
        found = next((fillings for fillings in options if len(fillings) == 1), None)
        if found is None:
            # In order, since that of facts differs from one process to the next.
            every = [each for many in options for each in sorted(many, key=_in_order)]
            raise Open(index, _unclear(step, every))
        for slot, name in found[0].items():
            arguments[slot] = name
    return tuple(arguments)


def _in_order(filling: Mapping[int, str]) -> list[tuple[int, str]]:
    return sorted(filling.items())


def _unclear(step: Step, fillings: Sequence[Mapping[int, str]]) -> str:
    names = dict.fromkeys(name for filling in fillings for name in filling.values())
    which = " or ".join(f"'{name}'" for name in names)
    which = f"it may be {shortened(which)}" if which else "the state determines none"
    return f"the step '{step.action}' leaves out an object: {which}"


def _missing(fact: Sequence[str], arguments: Sequence[str]) -> set[int]:
    """Return the arguments of a fact that are still open."""
    slots = {int(word[1:-1]) for word in fact if word.startswith("{")}
    return {slot for slot in slots if arguments[slot] == UNSAID}


def _fillings(
    fact: Sequence[str],
    arguments: Sequence[str],
    state: State,
    fitting: Sequence[Collection[str]],
) -> list[dict[int, str]]:
    """Return the objects for the open arguments of a fact with which it holds in the state."""
    found: list[dict[int, str]] = []
    slots = [int(word[1:-1]) if word.startswith("{") else None for word in fact[1:]]
    for name, *objects in state.facts:
        if name != fact[0] or len(objects) != len(slots):
            continue
        filling: dict[int, str] = {}
        for slot, each in zip(slots, objects, strict=True):
            if slot is None or (arguments[slot] not in {UNSAID, each} or each not in fitting[slot]):
                break
            if arguments[slot] == UNSAID:
                filling[slot] = each
        else:
            found.append(filling)
    return found
