"""Steps that were found to be actions of a task: plans of one task have most steps in common."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter, itemgetter
from typing import Final

from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.validation.plan_reader import GivenSteps, Steps

_MOST: Final = 400
_NAMES: Final = itemgetter(slice(2))
_TIME: Final = attrgetter("time")


def step_names(plan: Sequence[Step]) -> tuple[tuple[object, ...], ...]:
    """Return the action and the arguments of each step."""
    return tuple(map(_NAMES, plan))


def untimed(plan: Sequence[Step]) -> bool:
    """Return whether no step has a time stamp."""
    return list(map(_TIME, plan)).count(None) == len(plan)


class KnownSteps:
    """The steps of former plans, at most 400, which are actions of a task."""

    def __init__(self) -> None:
        self._words: dict[tuple[object, ...], list[str]] = {}

    def of(self, plan: Plan) -> Steps | None:
        """Return the steps of a plan if all are known and none has a time stamp, else None."""
        found = list(map(self._words.get, step_names(plan)))
        words = [each for each in found if each is not None]
        return GivenSteps(plan, words) if len(words) == len(found) and untimed(plan) else None

    def add(self, plan: Plan, steps: Steps) -> None:
        """Remember the steps of a plan, which are all actions of the task."""
        if steps.times:
            return
        if len(self._words) + len(plan) > _MOST:
            self._words.clear()
        names = step_names(plan[:_MOST])
        self._words.update(zip(names, steps.words, strict=False))
