"""The name that an error message suggests."""

from __future__ import annotations

import pytest

from pddl_pipeline.model.suggestion import did_you_mean


@pytest.mark.parametrize(
    ("name", "known", "near"),
    [
        ("ab", ["abc", "Ab", "aB"], "Ab"),
        ("AB", ["a-b", "aB"], "aB"),
        ("Q", ["answer", "q"], "q"),
        ("feri", ["ferry", "depots"], "ferry"),
        ("x", ["ferry"], None),
    ],
)
def test_a_name_that_differs_only_in_case_comes_first(
    name: str, known: list[str], near: str | None
) -> None:
    assert did_you_mean(name, known) == (f"; did you mean '{near}'?" if near else "")
