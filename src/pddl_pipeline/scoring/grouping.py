"""By what accuracy is told apart: size, domain, horizon, budget."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.scoring.trials import optimal_cost
from pddl_pipeline.translators import features_of


class Group(NamedTuple):
    """A group of instances; groups are listed in the order of these."""

    order: Fraction
    label: str


_FIRST: Final = Fraction(0)
_LAST: Final = Fraction(10**18)
_UNKNOWN: Final = Group(_LAST, "unknown")
# Lengths of cost-optimal plans, up to the last of each: CATS, appendix A. Odd lengths, which only
# a block in the hand at the beginning makes, go with the next one.
_HORIZONS: Final = {"2-8": 8, "10-14": 14}
_LONG: Final = "16+"


def _size(instance: Instance[Any]) -> Group:
    return Group(Fraction(instance.size), str(instance.size))


def _domain(instance: Instance[Any]) -> Group:
    return Group(_FIRST, instance.domain)


def _horizon(instance: Instance[Any]) -> Group:
    length = plan_length(instance)
    if length is None:
        return _UNKNOWN
    if not _has_budget(instance):
        return Group(Fraction(length), str(length))
    label = next((name for name, last in _HORIZONS.items() if length <= last), _LONG)
    return Group(Fraction([*_HORIZONS, _LONG].index(label)), label)


def plan_length(instance: Instance[Any]) -> int | None:
    """Return how many steps the plan has that is known: the cheapest one, or else the witness."""
    best = optimal_cost(instance)
    if best is not None and best.denominator == 1 and "costs" not in features_of(instance):
        return int(best)
    witness = instance.extras.get("witness")
    return None if witness is None else len(witness)


def _budget(instance: Instance[Any]) -> Group:
    if not _has_budget(instance):
        return Group(_LAST, "none")
    best = optimal_cost(instance)
    if instance.budget is None:
        return Group(_LAST - 1, "unlimited")
    if best is None:
        return Group(_LAST - 2, "limited")
    margin = instance.budget - best
    if margin < 0:
        return Group(margin, "below the optimum")
    return Group(margin, f"loose +{margin}" if margin else "tight")


def _has_budget(instance: Instance[Any]) -> bool:
    """Whether an instance is of a kind that may have a budget."""
    return hasattr(instance.record, "budget")


GROUPINGS: Final[dict[str, Callable[[Instance[Any]], Group]]] = {
    "size": _size,
    "domain": _domain,
    "horizon": _horizon,
    "budget": _budget,
}
"""By name of the grouping: the group of an instance."""
