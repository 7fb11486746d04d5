"""Firth's logistic regression against values that are known in closed form."""

from __future__ import annotations

import math

import pytest

from pddl_pipeline.statistics.logistic import is_separated, logistic_fit

GROUPS = {"group": [0.0] * 8 + [1.0] * 6}


def outcomes(first: int, second: int) -> list[bool]:
    return [at < first for at in range(8)] + [at < second for at in range(6)]


@pytest.mark.parametrize(("first", "second"), [(3, 0), (8, 0), (5, 2), (4, 3)])
def test_two_groups_have_half_a_case_added_to_each_cell(first: int, second: int) -> None:
    """For a saturated model, Firth's estimate is that of the counts plus one half."""
    found = logistic_fit(outcomes(first, second), GROUPS)
    assert found is not None
    intercept, group = found.coefficients
    low, high = (math.log((k + 0.5) / (n - k + 0.5)) for k, n in ((first, 8), (second, 6)))
    assert intercept.estimate == pytest.approx(low, abs=1e-6)
    assert group.estimate == pytest.approx(high - low, abs=1e-6)
    assert found.is_separated == (0 in (first, second) or 8 in (first, second))
    assert group.low is not None
    assert group.high is not None
    assert group.low < group.estimate < group.high
    assert (group.p < 0.05) == (not group.low < 0 < group.high)


def test_a_complete_separation_has_finite_intervals_and_a_small_p() -> None:
    found = logistic_fit(outcomes(8, 0), GROUPS)
    assert found is not None
    assert found.is_separated
    assert found.coefficients[1].p < 0.001


def test_a_covariate_that_others_determine_is_not_identifiable() -> None:
    twice = GROUPS | {"again": [2 * value for value in GROUPS["group"]]}
    assert logistic_fit(outcomes(3, 1), twice) is None
    assert logistic_fit([], {"group": []}) is None


def test_separation_by_a_number_is_recognised() -> None:
    assert is_separated([False, False, True, True], {"x": [1.0, 2.0, 3.0, 4.0]})
    assert not is_separated([False, True, False, True], {"x": [1.0, 2.0, 3.0, 4.0]})
