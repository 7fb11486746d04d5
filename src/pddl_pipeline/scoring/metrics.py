"""The metrics of answers: one entry of `METRICS` each. All values are exact.

A metric gives each judged answer a value, and each instance a value from those of its attempts.
`intervals.estimate` computes the mean over instances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import Number
from pddl_pipeline.scoring.judging import Score

NODE_LIMIT: Final = 500
"""The maximum number of nodes that a search may expand (CATS, section 5)."""


def mean(values: Sequence[Number], _k: int = 1) -> Fraction | None:
    """Return the mean of the values of the attempts, or None without values; ignore `k`."""
    return Fraction(sum(values)) / len(values) if values else None


def accuracy_at(right: Sequence[Number], k: int) -> Fraction:
    """Return 1 if any of the first `k` attempts is correct, else 0.

    This is accuracy@k of Katz et al. (section 6). If there are fewer attempts, all of them count.

    Args:
        right: 1 for each correct attempt, 0 for each wrong one, in order.
        k: number of attempts that count.
    """
    return Fraction(any(right[:k]))


def pass_at(right: Sequence[Number], k: int) -> Fraction | None:
    """Return the probability that one of `k` attempts, drawn from all of these, is correct.

    This is the unbiased pass@k of Chen et al. (2021): 1 - C(n-c, k) / C(n, k) for c correct ones
    among n. Return None if there are fewer than `k` attempts. See `accuracy_at` for the arguments.
    """
    if len(right) < k:
        return None
    return 1 - Fraction(comb(len(right) - int(sum(right)), k), comb(len(right), k))


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
    return max(1 - Fraction(expanded, NODE_LIMIT), Fraction(0))


def known(values: Iterable[Number | None]) -> list[Number]:
    """Return the values that are not None."""
    return [value for value in values if value is not None]


def _correct(score: Score, _: Instance[Any]) -> int:
    return int(bool(score.correct))


def _optimality(score: Score, instance: Instance[Any]) -> Fraction | None:
    best = optimal_cost(instance)
    return None if best is None else optimality(score.verdict.cost if score.correct else None, best)


def _efficiency(score: Score, _: Instance[Any]) -> Fraction | None:
    expanded = score.answer.expanded
    return None if expanded is None or not score.correct else efficiency(expanded)


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric of answers."""

    name: str
    """Key of the value in JSON and CSV."""
    heading: str
    """Heading of the column; ``{k}`` stands for the k of accuracy@k and pass@k."""
    of_answer: Callable[[Score, Instance[Any]], Number | None]
    """Returns the value of a judged answer, or None if it has none."""
    of_attempts: Callable[[Sequence[Number], int], Fraction | None] = mean
    """Returns the value of an instance from k and those of its attempts, in order."""
    is_rare: bool = False
    """Whether a table has the column only if a row has a value; JSON and CSV have all metrics."""
    is_share: bool = True
    """Whether the table has the value in percent."""
    has_interval: bool = False
    """Whether the table has the confidence interval beside the value."""
    needs_k: bool = False
    """Whether it has no value for a group in which no instance has k judged attempts; a table has
    the column only if an instance has several."""
    has_count: bool = False
    """Whether the cell has the number of instances if some have no value."""


PUBLISHED: Final = "published"
"""The metric of published verdicts, which only the table by model has."""
OF_READ: Final = "accuracy_of_read"
"""Accuracy of the answers from which a plan was read; a table has it if some were not read."""
METRICS: Final = (
    Metric("strict", "strict (%)", lambda score, _: int(score.strictly_correct)),
    Metric("accuracy", "accuracy (%)", _correct, has_interval=True),
    Metric(OF_READ, "of read (%)", lambda score, _: None if score.unread else _correct(score, _),
        is_rare=True),
    Metric(
        "accuracy_at", "accuracy@{k} (%)", _correct, accuracy_at, is_rare=True, needs_k=True
    ),
    Metric(
        "pass_at", "pass@{k} (%)", _correct, pass_at, is_rare=True, needs_k=True, has_count=True,
    ),
    Metric("optimality", "optimality", _optimality, is_rare=True, is_share=False),
    Metric("efficiency", "efficiency", _efficiency, is_rare=True, is_share=False),
    Metric(PUBLISHED, "published (%)",
        lambda score, _: None if score.answer.published is None else int(score.answer.published),
        is_rare=True),
)  # fmt: skip
"""All metrics, in the order of the columns. To add a metric, add an entry here."""
