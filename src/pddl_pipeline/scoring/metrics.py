"""Metrics over instances that were tried once or several times. All are exact.

Each takes the trials of one instance, the first attempt first; a mean over instances is made of
what it returns by `intervals.estimate`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import comb

from pddl_pipeline.scoring.trials import Trial

Trials = Sequence[Trial]
"""What one model answered to one instance, in the order of the attempts; at least one."""


def accuracy(trials: Trials) -> Fraction:
    """Return the share of the attempts that are right."""
    return Fraction(sum(trial.right for trial in trials), len(trials))


def strict_accuracy(trials: Trials) -> Fraction:
    """Return the share of the attempts whose text is a valid plan as it stands."""
    return Fraction(sum(trial.strict for trial in trials), len(trials))


def accuracy_at(trials: Trials, k: int) -> int:
    """Return 1 if any of the first `k` attempts is right, else 0.

    This is accuracy@k of Katz et al. (section 6). Where there are fewer attempts, all count.
    """
    return int(any(trial.right for trial in trials[:k]))


def pass_at(trials: Trials, k: int) -> Fraction | None:
    """Return the chance that one of `k` attempts drawn from all of these is right.

    This is the unbiased pass@k of Chen et al. (2021): 1 - C(n-c, k) / C(n, k) for c right ones
    among n. None where there are fewer than `k`.
    """
    if len(trials) < k:
        return None
    right = sum(trial.right for trial in trials)
    return 1 - Fraction(comb(len(trials) - right, k), comb(len(trials), k))


def mean_of(trials: Trials, value: Callable[[Trial], Fraction | None]) -> Fraction | None:
    """Return the mean of a value over the attempts that have it; None where none has."""
    found = known(map(value, trials))
    return sum(found, Fraction(0)) / len(found) if found else None


def known(values: Iterable[Fraction | None]) -> list[Fraction]:
    """Return the values that there are."""
    return [value for value in values if value is not None]
