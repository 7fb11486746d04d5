"""Holm's correction by hand, and beside the values of statsmodels."""

from __future__ import annotations

import pytest

from pddl_pipeline.statistics.significance import holm


def test_by_hand() -> None:
    """3 * 0.01, then 2 * 0.02, and no less than that before it: 1 * 0.03."""
    assert holm([0.03, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.01, 0.04, 0.03, 0.005, 0.04], [0.04, 0.09, 0.09, 0.025, 0.09]),
        ([0.2, 0.6, 0.9], [0.6, 1, 1]),
    ],
)
def test_as_statsmodels(values: list[float], expected: list[float]) -> None:
    """`multipletests(values, method="holm")` of statsmodels 0.15.0."""
    assert holm(values) == pytest.approx(expected)


def test_no_test_has_no_p() -> None:
    assert holm([]) == []
