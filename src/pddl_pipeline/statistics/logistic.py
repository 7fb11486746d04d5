"""Logistic regression with Firth's penalised likelihood, for small and separated samples.

If a covariate predicts all outcomes, the maximum-likelihood estimate is infinite. Firth's penalty
(1993) keeps it finite; intervals and p-values are those of the profile penalised likelihood (Heinze
and Schemper 2002). SciPy takes long to import and is imported where used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_PRECISION: Final = 1e-7
"""Of the derivatives at the maximum."""
_END_PRECISION: Final = 1e-5
"""Of the ends of intervals."""
_FARTHEST: Final = 60.0
"""The largest coefficient at which an end of an interval is looked for."""
_LEVEL: Final = 0.95

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient: the logarithm of an odds ratio."""

    name: str
    estimate: float
    low: float | None
    """`low` and `high`: the 95 % interval; None if the end is not finite."""
    high: float | None
    p: float


@dataclass(frozen=True, slots=True)
class LogisticFit:
    """A fitted model."""

    coefficients: tuple[Coefficient, ...]
    """The intercept, then one for each covariate."""
    number: int
    """The number of observations."""
    is_separated: bool
    """Whether the maximum-likelihood estimate does not exist."""


def logistic_fit(
    outcomes: Sequence[bool], covariates: Mapping[str, Sequence[float]]
) -> LogisticFit | None:
    """Fit a logistic regression with an intercept.

    Args:
        outcomes: the outcome of each observation.
        covariates: the values of each covariate, by its name.

    Returns:
        The fit; None if a covariate is determined by the others, so that its coefficient is not
        identifiable, or there are no observations.
    """
    from scipy.stats import chi2  # noqa: PLC0415 -- extra

    y = np.array(outcomes, dtype=float)
    x = np.column_stack([np.ones(len(y)), *(np.array(v, dtype=float) for v in covariates.values())])
    if len(y) == 0 or np.linalg.matrix_rank(x) < x.shape[1]:
        return None
    model = _Model(x, y)
    best = model.maximum(np.zeros(x.shape[1]), None)
    drop = float(chi2.ppf(_LEVEL, 1)) / 2
    found = []
    for at, name in enumerate(("intercept", *covariates)):
        null = model.profile(best, at, 0.0)
        p = float(chi2.sf(2 * max(0.0, model.likelihood(best) - null), 1))
        low, high = (model.end(best, at, sign, drop) for sign in (-1, 1))
        found.append(Coefficient(name, float(best[at]), low, high, p))
    return LogisticFit(tuple(found), len(y), is_separated(outcomes, covariates))


def is_separated(outcomes: Sequence[bool], covariates: Mapping[str, Sequence[float]]) -> bool:
    """Return whether the maximum-likelihood estimate does not exist (Albert and Anderson 1984)."""
    from scipy.optimize import linprog  # noqa: PLC0415 -- extra

    x = np.column_stack([np.ones(len(outcomes)), *covariates.values()])
    signed = x * np.where(np.array(outcomes), 1.0, -1.0)[:, None]
    # A direction in which no observation becomes less likely, and some become more likely.
    found: Any = linprog(-signed.sum(axis=0), A_ub=-signed, b_ub=np.zeros(len(x)), bounds=(-1, 1))
    return bool(-found.fun > _PRECISION)


class _Model:
    """The penalised likelihood of a sample."""

    def __init__(self, x: Floats, y: Floats) -> None:
        self._x = x
        self._y = y

    def likelihood(self, b: Floats) -> float:
        """Return the logarithm of the penalised likelihood."""
        linear = self._x @ b
        plain = float(self._y @ linear - np.logaddexp(0, linear).sum())
        sign, log_determinant = np.linalg.slogdet(self._information(b))
        return plain + log_determinant / 2 if sign > 0 else -np.inf

    def _weights(self, b: Floats) -> tuple[Floats, Floats]:
        chance = np.exp(-np.logaddexp(0, -(self._x @ b)))
        return chance, chance * (1 - chance)

    def _information(self, b: Floats) -> Floats:
        _, weights = self._weights(b)
        found: Floats = self._x.T @ (self._x * weights[:, None])
        return found

    def _score(self, b: Floats) -> Floats:
        chance, weights = self._weights(b)
        inverse = np.linalg.pinv(self._information(b))
        leverage = weights * np.einsum("ij,jk,ik->i", self._x, inverse, self._x)
        found: Floats = self._x.T @ (self._y - chance + leverage * (0.5 - chance))
        return found

    def maximum(self, start: Floats, fixed: int | None) -> Floats:
        """Return the coefficients of the maximum, one of them fixed or none."""
        from scipy.optimize import minimize  # noqa: PLC0415 -- extra

        free = [at for at in range(len(start)) if at != fixed]
        found = start.copy()

        def coefficients(values: Floats) -> Floats:
            found[free] = values
            return found

        if free:
            done: Any = minimize(
                lambda values: -self.likelihood(coefficients(values)),
                start[free],
                jac=lambda values: -self._score(coefficients(values))[free],
                method="BFGS",
                options={"gtol": _PRECISION},
            )
            found = coefficients(done.x)
        return found

    def profile(self, best: Floats, at: int, value: float) -> float:
        """Return the largest likelihood with one coefficient fixed at a value."""
        start = best.copy()
        start[at] = value
        return self.likelihood(self.maximum(start, at))

    def end(self, best: Floats, at: int, sign: int, drop: float) -> float | None:
        """Return where the profile is less than the maximum by `drop`, below or above it."""
        from scipy.optimize import brentq  # noqa: PLC0415 -- extra

        wanted, middle = self.likelihood(best) - drop, float(best[at])
        far = 1.0
        while self.profile(best, at, middle + sign * far) > wanted:
            far *= 2
            if far > _FARTHEST:
                return None
        ends = sorted((middle, middle + sign * far))
        return float(
            brentq(lambda value: self.profile(best, at, value) - wanted, *ends, xtol=_END_PRECISION)
        )
