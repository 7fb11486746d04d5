"""Comparisons of models: differences, tests and corrections by hand, and what is not compared."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest
from score_trials import budgeted, countdown, scored

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.scoring.comparison import (
    PairComparison,
    PairResult,
    comparison_json,
    comparison_tables,
    comparisons,
    not_compared,
)
from pddl_pipeline.scoring.tally import Tally

INSTANCES = [countdown(f"i{number}") for number in range(20)]
# Right answers of single attempts: a and b differ at 9 instances (8 to 1), a and c at 6 (6 to 0).
RIGHT = {
    "a": "11111111111111100000",
    "b": "00000000111111110000",
    "c": "11111111100000000000",
}


def tally(right: Mapping[str | None, str]) -> Tally:
    """Return the tally of models by their answers: 1 right, 0 wrong, - none, ? no verdict."""
    found = Tally(INSTANCES)
    for model, signs in right.items():
        for instance, sign in zip(INSTANCES, signs, strict=False):
            score = scored(instance.id, int(sign == "1"), model=model)
            if sign == "?":
                score = replace(score, verdict=Verdict(Status.UNDECIDED))
            if sign != "-":
                found.add(score)
    return found


def result(row: PairComparison) -> PairResult:
    return row.result


def test_three_models_are_three_pairs_with_p_by_hand() -> None:
    rows = comparisons(tally(RIGHT))
    assert [row.models for row in rows] == [("a", "b"), ("a", "c"), ("b", "c")]
    first, second, third = map(result, rows)
    assert (first.only, first.difference) == ((8, 1), Fraction(7, 20))
    assert first.shares == (Fraction(15, 20), Fraction(8, 20))
    assert first.means.test == "exact McNemar test"
    # Of 9 instances that differ, 8 or 9 on one side; of 6 all; of 15, 7 or fewer on one side.
    by_hand = [2 * (9 + 1) / 2**9, 2 / 2**6, 2 * sum(comb(15, k) for k in range(8)) / 2**15]
    assert [each.means.p for each in (first, second, third)] == pytest.approx(by_hand)
    assert (second.only, third.only) == ((6, 0), (7, 8))
    # The least p three times, the next one twice and no less, the largest once.
    assert [first.p_holm, second.p_holm, third.p_holm] == pytest.approx([3 / 32, 3 / 32, 1])


def test_the_seed_is_that_of_the_resamples() -> None:
    """The first of n attempts is right, at n instances: differences of 1/1, 1/2, …, 1/7."""
    found = Tally(INSTANCES)
    for number in range(7):
        found.add(scored(f"i{number}", 0, model="b"))
        for attempt in range(1, number + 2):
            found.add(scored(f"i{number}", int(attempt == 1), attempt, model="a"))
    by_seed = [result(comparisons(found, seed)[0]) for seed in (1, 1, 2)]
    assert by_seed[0].means.interval == by_seed[1].means.interval != by_seed[2].means.interval
    assert by_seed[0].means.p == by_seed[2].means.p == 2 / 2**7


def test_only_shared_instances_with_a_verdict_count() -> None:
    (row,) = comparisons(tally({"a": "111?--11", "b": "-0-0-010"}))
    assert (row.answered, row.shared) == ((5, 5), 3)
    assert (result(row).shares, result(row).only) == ((1, Fraction(1, 3)), (2, 0))
    (table,) = comparison_tables([row]).values()
    assert table.rows[0][:6] == ("a", "b", "3 of 7", "100.00", "33.33", "66.67")
    assert table.rows[0][6].endswith(" (n<5)")


SEVERAL = [
    *((number, right, attempt, "a") for number in range(4) for attempt, right in ((1, 1), (2, 1))),
    *((number, int(attempt == 2 and number < 2), attempt, "b")
      for number in range(4) for attempt in (1, 2)),
]  # fmt: skip
ONE_MORE = [
    *((number, int(model == "a"), 1, model) for number in range(6) for model in "ab"),
    (0, 1, 2, "b"),
]


@pytest.mark.parametrize(
    ("answers", "shares", "p"),
    [
        # 1/2, 1/2, 1, 1: only equal signs have a sum as large. Eight answers would have 2 / 2**8.
        (SEVERAL, (1, Fraction(1, 4)), 2 / 2**4),
        # One more answer to one instance is no single answer.
        (ONE_MORE, (1, Fraction(1, 12)), 2 / 2**6),
    ],
)
def test_several_answers_are_one_value_of_the_instance(
    answers: list[tuple[int, int, int, str]], shares: tuple[Number, Number], p: float
) -> None:
    found = Tally(INSTANCES)
    for number, right, attempt, model in answers:
        found.add(scored(f"i{number}", right, attempt, model=model))
    compared = result(*comparisons(found))
    assert (compared.shares, compared.means.test, compared.means.p) == (shares, "sign-flip test", p)


def test_models_without_a_shared_instance_are_named() -> None:
    rows = comparisons(tally({"a": "11", "b": "--1111", "c": "1"}))
    assert [row.shared for row in rows] == [0, 1, 0]
    assert list(not_compared(rows)) == [
        "a and b: not compared, they share no answered instance (2 and 4 answered)",
        "b and c: not compared, they share no answered instance (4 and 1 answered)",
    ]
    # Without the others, the correction is for a single pair.
    assert result(rows[1]).p_holm == result(rows[1]).means.p == 1
    (table,) = comparison_tables(rows).values()
    assert len(table.rows) == 1
    lines = [json.loads(line) for line in comparison_json(rows).splitlines()]
    assert (lines[0]["shared"], lines[0]["p"], lines[0]["difference"]) == (0, None, None)


def test_many_pairs_without_a_shared_instance_are_counted() -> None:
    right: dict[str | None, str] = {str(n): "-" * n + "1" for n in range(10)}
    found = list(not_compared(comparisons(tally(right))))
    assert found[20:] == ["and 25 more that share no answered instance"]


def test_several_domains_have_rows_and_a_correction_of_their_own() -> None:
    instances = [*INSTANCES[:8], budgeted("b1", None), budgeted("b2", None)]
    found = Tally(instances)
    for model in "ab":
        for each in instances:
            found.add(scored(each.id, int(model == "a" or each.id == "b1"), model=model))
    rows = comparisons(found)
    assert [(row.domain, row.shared) for row in rows] == [
        (None, 10), ("budget-blocksworld", 2), ("countdown", 8),
    ]  # fmt: skip
    p = [result(row).means.p for row in rows]
    assert p == pytest.approx([2 / 2**9, 1, 2 / 2**8])
    assert [result(row).p_holm for row in rows] == pytest.approx([2 / 2**9, 1, 4 / 2**8])
    assert [table.headings[2] for table in comparison_tables(rows).values()] == ["shared", "domain"]


def test_an_interval_that_contradicts_p_is_marked() -> None:
    rows = comparisons(tally({"a": "11111", "b": "00011"}))
    (table,) = comparison_tables(rows).values()
    cells = dict(zip(table.headings, table.rows[0], strict=True))
    assert (cells["95 % interval"], cells["p"]) == ("20.0 to 100.0 (p decides)", "0.2500")
    assert json.loads(comparison_json(rows))["interval_agrees"] is False


def test_json_has_numbers() -> None:
    line = json.loads(comparison_json(comparisons(tally(RIGHT))).splitlines()[0])
    low, high = line.pop("difference_interval")
    assert -1 <= low < 0.35 < high <= 1
    assert line == {
        "table": "compare", "first": "a", "second": "b", "domain": None, "first_instances": 20,
        "second_instances": 20, "shared": 20, "few": False, "interval_agrees": True,
        "first_accuracy": 0.75, "second_accuracy": 0.4,
        "first_better": 8, "second_better": 1, "difference": 0.35,
        "test": "exact McNemar test", "p": 0.0390625, "p_holm": 0.09375,
    }  # fmt: skip


def test_a_small_p_is_no_zero() -> None:
    instances = [countdown(f"i{number}") for number in range(40)]
    found = Tally(instances)
    for each in instances:
        found.add(scored(each.id, 1, model=None))
        found.add(scored(each.id, 0, model="b"))
    (table,) = comparison_tables(comparisons(found)).values()
    assert table.rows[0][0] == "-"
    assert table.rows[0][-2:] == ("<0.0001", "<0.0001")
