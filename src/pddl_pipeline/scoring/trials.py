"""The result of a judged answer, without its text."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.scoring.judging import Score

NODE_BUDGET: Final = 500
"""Maximum number of nodes that a search of CATS may expand (section 5)."""


class Trial(NamedTuple):
    """The result of a judged answer."""

    attempt: int
    """See `Score.attempt`."""
    right: bool
    """Whether the plan found in the answer is valid, and within the budget."""
    strict: bool
    """Whether the unchanged text is a valid plan within the budget."""
    published: bool | None = None
    """See `Answer.published`."""
    agrees: bool | None = None
    """Whether the verdict is the same as the published one, for the reading that was published.

    None if there is no published verdict."""
    optimality: Fraction | None = None
    """See `optimality`; None if the cost of the cheapest plan is unknown."""
    efficiency: Fraction | None = None
    """See `efficiency`; None if the answer is wrong, or the number of expanded nodes is unknown."""


def trial_of(score: Score, instance: Instance[Any]) -> Trial:
    """Return the trial of an answer that has a verdict."""
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
    """Return the cost of the cheapest plan, or None if the record does not have it."""
    cost = instance.extras.get("optimal_cost")
    return None if cost is None else Fraction(cost)


def optimality(cost: Number | None, best: Fraction) -> Fraction:
    """Return 1 / (1 + cost / best), at most 1/2: equation 4 of CATS (Zhang and Liu 2025).

    Args:
        cost: cost of the plan; None if the task was not solved, which counts 0.
        best: cost of the cheapest plan. If it is 0, the optimality of a more expensive plan is 0.
    """
    if cost is None:
        return Fraction(0)
    return best / (best + cost) if best else Fraction(int(cost == 0), 2)


def efficiency(expanded: int) -> Fraction:
    """Return 1 - expanded / 500, at least 0: equation 4 of CATS, for a solved task."""
    return max(1 - Fraction(expanded, NODE_BUDGET), Fraction(0))
