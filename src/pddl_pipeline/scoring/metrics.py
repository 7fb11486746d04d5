"""Metrics over instances with one or more attempts. All are exact.

Each function takes the trials of one instance, in the order of the attempts. `intervals.estimate`
computes the mean of the results over instances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import comb

from pddl_pipeline.scoring.trials import Trial

Trials = Sequence[Trial]
"""The answers of one model to one instance, in the order of the attempts; at least one."""


def accuracy(trials: Trials) -> Fraction:
    """Return the share of the attempts that are correct."""
    return Fraction(sum(trial.right for trial in trials), len(trials))


def strict_accuracy(trials: Trials) -> Fraction:
    """Return the share of the attempts whose unchanged text is a valid plan."""
    return Fraction(sum(trial.strict for trial in trials), len(trials))


def accuracy_at(trials: Trials, k: int) -> int:
    """Return 1 if any of the first `k` attempts is correct, else 0.

    This is accuracy@k of Katz et al. (section 6). If there are fewer attempts, all of them count.
    """
    return int(any(trial.right for trial in trials[:k]))


def pass_at(trials: Trials, k: int) -> Fraction | None:
    """Return the probability that one of `k` attempts, drawn from all of these, is correct.

    This is the unbiased pass@k of Chen et al. (2021): 1 - C(n-c, k) / C(n, k) for c correct ones
    among n. Return None if there are fewer than `k` attempts.
    """
    if len(trials) < k:
        return None
    right = sum(trial.right for trial in trials)
    return 1 - Fraction(comb(len(trials) - right, k), comb(len(trials), k))


def mean_of(trials: Trials, value: Callable[[Trial], Fraction | None]) -> Fraction | None:
    """Return the mean of a value over the attempts that have it, or None if none has it."""
    found = known(map(value, trials))
    return sum(found, Fraction(0)) / len(found) if found else None


def known(values: Iterable[Fraction | None]) -> list[Fraction]:
    """Return the values that are not None."""
    return [value for value in values if value is not None]
