"""Kaplan-Meier curves of the time until an event, with censored times, computed by SciPy."""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np


class Point(NamedTuple):
    """The share of events up to a time."""

    time: float
    share: float
    low: float | None
    """`low` and `high`: the 95 % interval by the log-log method; None where it has none, such as at
    a share of 1."""
    high: float | None


@dataclass(frozen=True, slots=True)
class EventCurve:
    """One minus the Kaplan-Meier estimate: the share of events by time."""

    points: tuple[Point, ...]
    """A point for each time with an event or a censored time, in order."""
    number: int
    """The number of observations."""
    events: int

    def share_at(self, time: float) -> float:
        """Return the share of events up to a time."""
        at = bisect_right([point.time for point in self.points], time)
        return self.points[at - 1].share if at else 0.0

    def quantile(self, share: float) -> float | None:
        """Return the first time at which the share is reached; None if it is not."""
        return next((point.time for point in self.points if point.share >= share), None)


def event_curve(times: Sequence[float], events: Sequence[bool]) -> EventCurve:
    """Return the Kaplan-Meier curve.

    Args:
        times: the time of each observation's event, or the time at which it was censored.
        events: whether each observation has the event.
    """
    from scipy.stats import CensoredData, ecdf  # noqa: PLC0415 -- extra

    if not any(events):
        points = tuple(Point(time, 0.0, None, None) for time in sorted(set(times)))
        return EventCurve(points, len(times), 0)
    data = CensoredData.right_censored(np.array(times), ~np.array(events, dtype=bool))
    survival: Any = ecdf(data).sf
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # where the method has no interval
        ends: Any = survival.confidence_interval(method="log-log")
    points = tuple(
        Point(float(time), 1 - float(share), _complement(high), _complement(low))
        for time, share, low, high in zip(
            survival.quantiles, survival.probabilities, ends.low.probabilities,
            ends.high.probabilities, strict=True,
        )
    )  # fmt: skip
    return EventCurve(points, len(times), sum(events))


def _complement(share: float) -> float | None:
    return None if np.isnan(share) else 1 - float(share)
