"""Kaplan-Meier curves against a calculation by hand."""

from __future__ import annotations

import pytest

from pddl_pipeline.statistics.survival import event_curve

TIMES, EVENTS = [1, 2, 2, 3, 5, 6], [True, True, False, True, False, True]


def test_the_share_of_events_by_time() -> None:
    curve = event_curve(TIMES, EVENTS)
    # 1 - 5/6, 1 - 5/6 * 4/5, 1 - 5/6 * 4/5 * 2/3, and then all that remain.
    assert [point.share for point in curve.points] == pytest.approx([1 / 6, 1 / 3, 5 / 9, 5 / 9, 1])
    assert (curve.number, curve.events) == (6, 4)
    assert curve.share_at(0.5) == 0
    assert curve.share_at(2.5) == pytest.approx(1 / 3)
    assert curve.quantile(0.5) == 3
    assert all(point.low < point.share < point.high for point in curve.points[:-1])


def test_without_an_event_no_share_is_reached() -> None:
    curve = event_curve([4, 2], [False, False])
    assert [(point.time, point.share) for point in curve.points] == [(2, 0), (4, 0)]
    assert curve.quantile(0.1) is None
    assert curve.share_at(9) == 0
