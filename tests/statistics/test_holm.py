"""Holm's correction by hand, and beside the values of statsmodels."""

from __future__ import annotations

import pytest

from pddl_pipeline.statistics.significance import holm


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        # By hand: 3 * 0.01, then 2 * 0.02, and no less than that before it: 1 * 0.03.
        ([0.03, 0.01, 0.02], [0.04, 0.03, 0.04]),
        # `multipletests(values, method="holm")` of statsmodels 0.15.0.
        ([0.01, 0.04, 0.03, 0.005, 0.04], [0.04, 0.09, 0.09, 0.025, 0.09]),
        ([0.2, 0.6, 0.9], [0.6, 1, 1]),
        ([], []),
    ],
)
def test_holms_correction(values: list[float], expected: list[float]) -> None:
    assert holm(values) == pytest.approx(expected)
