"""What counts of an answer once it is judged, without its text."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.scoring.judging import Score

NODE_BUDGET: Final = 500
"""Nodes that a search of CATS may expand (section 5)."""


class Trial(NamedTuple):
    """A judged answer."""

    attempt: int
    """See `Score.attempt`."""
    right: bool
    """Whether the plan that was found in it is valid, and within the budget."""
    strict: bool
    """Whether its text as it stands is such a plan."""
    published: bool | None = None
    """Whether the file's own authors found it right, where the file tells it."""
    agrees: bool | None = None
    """Whether the verdict is theirs, in the reading that they judged; None where they tell none."""
    optimality: Fraction | None = None
    """See `optimality`; None where the cost of the cheapest plan is not known."""
    efficiency: Fraction | None = None
    """See `efficiency`; None where it is wrong, or does not tell how many nodes were expanded."""


def trial_of(score: Score, instance: Instance[Any]) -> Trial:
    """Return what counts of an answer whose verdict is settled."""
    best, right, expanded = optimal_cost(instance), score.correct, score.answer.expanded
    cost = score.verdict.cost if right else None
    strict = score.strict.status is Status.VALID and score.strict.within_budget is not False
    published = score.answer.published
    judged = strict if score.answer.published_strict else right
    return Trial(
        score.attempt or 1,
        right,
        strict,
        published,
        None if published is None else judged == published,
        None if best is None else optimality(cost, best),
        efficiency(expanded) if right and expanded is not None else None,
    )


def optimal_cost(instance: Instance[Any]) -> Fraction | None:
    """Return the cost of the cheapest plan, where the record tells it."""
    told = instance.extras.get("optimal_cost")
    return None if told is None else Fraction(told)


def optimality(cost: Number | None, best: Fraction) -> Fraction:
    """Return 1 / (1 + cost / best), at most 1/2: equation 4 of CATS (Zhang and Liu 2025).

    Args:
        cost: of the plan; None where the task failed, which counts 0.
        best: of the cheapest plan. Where that is 0, so is the optimality of any dearer plan.
    """
    if cost is None:
        return Fraction(0)
    return best / (best + cost) if best else Fraction(int(cost == 0), 2)


def efficiency(expanded: int) -> Fraction:
    """Return 1 - expanded / 500, not below 0: equation 4 of CATS, of a task that was solved."""
    return max(1 - Fraction(expanded, NODE_BUDGET), Fraction(0))
