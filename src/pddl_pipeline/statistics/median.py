"""The median of a sample, with an interval by the bootstrap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_RESAMPLES: Final = 9_999


def median_interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % percentile interval of the median of a sample.

    The resamples have a fixed seed, so that the same values give the same interval.

    Args:
        values: at least two numbers.

    Raises:
        ValueError: there are fewer values.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3.
    """
    import numpy as np  # noqa: PLC0415 -- SciPy and what it brings are of an extra
    from scipy.stats import bootstrap  # noqa: PLC0415

    found = bootstrap(
        (np.asarray(values, dtype=float),), np.median, n_resamples=_RESAMPLES,
        confidence_level=0.95, method="percentile", rng=np.random.default_rng(0),
    )  # fmt: skip
    interval = found.confidence_interval
    return float(interval.low), float(interval.high)
