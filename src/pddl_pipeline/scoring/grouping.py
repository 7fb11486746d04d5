"""The groupings for accuracy: by size, domain, horizon, budget or a field of the data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.scoring.metrics import optimal_cost
from pddl_pipeline.translators import features_of
from pddl_pipeline.translators.domains.budget_blocksworld import HORIZONS, horizon


class AnswerGroup(NamedTuple):
    """A group of instances; tables list groups in this order."""

    order: Fraction
    label: str


_FIRST: Final = Fraction(0)
# Behind all numbers of a field, which have 18 digits at most; see `_DECIMAL`.
_LAST: Final = Fraction(10**18)
UNKNOWN: Final = AnswerGroup(_LAST, "unknown")
NO_BUDGET: Final = AnswerGroup(_LAST, "none")
_DECIMAL: Final = re.compile(r"[+-]?\d{1,18}(\.\d{1,18})?", re.ASCII)


def _horizon(instance: Instance[Any]) -> AnswerGroup:
    length = plan_length(instance)
    if length is None:
        return UNKNOWN
    if not _has_budget(instance):
        return AnswerGroup(Fraction(length), str(length))
    name = horizon(length)
    lengths = HORIZONS[name]
    label = f"{lengths[0]}+" if name == "long" else f"{lengths[0]}-{lengths[-1]}"
    return AnswerGroup(Fraction([*HORIZONS].index(name)), label)


def plan_length(instance: Instance[Any]) -> int | None:
    """Return the number of steps of the cheapest plan if it is known, else of the witness."""
    best = optimal_cost(instance)
    # With costs or durations, the cheapest plan has another number of steps.
    counts_steps = {"costs", "temporal"}.isdisjoint(features_of(instance))
    if counts_steps and best is not None and best.denominator == 1:
        return int(best)
    witness = instance.extras.get("witness")
    return None if witness is None else len(witness)


def _budget(instance: Instance[Any]) -> AnswerGroup:
    if not _has_budget(instance):
        return NO_BUDGET
    best = optimal_cost(instance)
    if instance.budget is None:
        return AnswerGroup(_LAST - 1, "unlimited")
    if best is None:
        return AnswerGroup(_LAST - 2, "limited")
    margin = instance.budget - best
    if margin < 0:
        return AnswerGroup(margin, "below the optimum")
    return AnswerGroup(margin, f"loose +{margin}" if margin else "tight")


def _has_budget(instance: Instance[Any]) -> bool:
    """Return whether instances of this kind may have a budget."""
    return hasattr(instance.record, "budget")


Grouping = Callable[[Instance[Any]], AnswerGroup]
GROUPINGS: Final[dict[str, Grouping]] = {
    "size": lambda instance: AnswerGroup(Fraction(instance.size), str(instance.size)),
    "domain": lambda instance: AnswerGroup(_FIRST, instance.domain),
    "horizon": _horizon,
    "budget": _budget,
}
"""By name of the grouping: the function that returns the group of an instance."""
GROUPING_NAMES: Final = tuple(GROUPINGS)
"""The groupings that need no field, in the order of the help."""


def fields_of(instance: Instance[Any]) -> Mapping[str, Any]:
    """Return the optional fields of a record and the user's own, by name."""
    return {**instance.extras, **instance.extra}


def field_group(value: Any) -> AnswerGroup:
    """Return the group of the value of a field. Numbers, also as text, come in their order."""
    if value is None:
        return UNKNOWN
    text = value if isinstance(value, str) else json.dumps(value, default=str, sort_keys=True)
    return AnswerGroup(Fraction(text) if _DECIMAL.fullmatch(text) else _FIRST, text)
