"""Ticks of logarithmic axes: enough of them, at round numbers, on a range of any width."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from matplotlib.axis import Axis
from matplotlib.ticker import FuncFormatter, Locator, MaxNLocator, NullFormatter, NullLocator

_MOST: Final = 8
_FEWEST: Final = 3
_SERIES: Final = ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 5, 7))
"""The numbers of a decade that may have a tick, from few to many."""


def log_ticks(low: float, high: float) -> list[float]:
    """Return three to eight round numbers in a range of positive numbers, to label its axis.

    A narrow range has the ticks of a linear axis; it may then have fewer than three.
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for series in _SERIES:
        values = (m * 10.0**power for power in range(first, last + 1) for m in series)
        ticks = [value for value in values if low <= value <= high]
        if len(ticks) > _MOST:
            step = math.ceil(len(ticks) / _MOST)
            return ticks[::step]
        if len(ticks) >= _FEWEST:
            return ticks
    found = MaxNLocator(4, steps=[1, 2, 5, 10]).tick_values(low, high)
    return [float(value) for value in found if low <= value <= high and value > 0]


def use_log_ticks(axis: Axis) -> None:
    """Label a logarithmic axis at the numbers of `log_ticks`, written out: 0.1, 1, 1,000."""
    axis.set_major_locator(_LogTicks())
    axis.set_major_formatter(FuncFormatter(lambda value, _: plain_number(value)))
    axis.set_minor_locator(NullLocator())
    axis.set_minor_formatter(NullFormatter())


def plain_number(value: float) -> str:
    """Return a number as text without an exponent, rounded to six digits."""
    digits = max(0, 5 - math.floor(math.log10(abs(value)))) if value else 0
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


class _LogTicks(Locator):
    """Finds the ticks of the range that is shown when it is drawn."""

    def __call__(self) -> Sequence[float]:
        axis: Any = self.axis
        low, high = sorted(axis.get_view_interval())
        return self.tick_values(low, high)

    def tick_values(self, vmin: float, vmax: float) -> Sequence[float]:
        """Return the ticks of a range; see `Locator.tick_values`."""
        return log_ticks(vmin, vmax) if 0 < vmin < vmax < math.inf else []
