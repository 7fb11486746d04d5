"""Attempts and trials that are counted, against lists of all of them."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from score_trials import countdown, scored

from pddl_pipeline.scoring.metrics import accuracy_at, mean, pass_at
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.scoring.score_rows import group_rows, model_rows
from pddl_pipeline.scoring.tally import Tally


@given(st.lists(st.none() | st.integers(1, 12), max_size=40))
def test_each_number_of_an_attempt_is_given_once(given_numbers: list[int | None]) -> None:
    numbers, used = Judge([]), set[int]()
    for each in given_numbers:
        found = numbers.number("a", None, each)
        if each is not None and each in used:
            assert found is None
            continue
        assert found not in used
        assert found == each or each is None
        used.add(found or 0)
    assert numbers.number("a", "another", 1) == numbers.number("b", None, None) == 1


@given(st.permutations(range(1, 30)), st.integers(1, 40), st.data())
def test_trials_are_in_the_order_of_their_numbers(
    order: list[int], k: int, data: st.DataObject
) -> None:
    right = data.draw(st.lists(st.booleans(), min_size=len(order), max_size=len(order)))
    tally = Tally([countdown("a")])
    for number in order:
        tally.add(scored("a", int(right[number - 1]), number))
    values = list(map(int, right))
    (row,) = model_rows(tally, k)
    assert (row.answers, row.most) == (len(order), len(order))
    expected = {"accuracy": mean(values)}
    if k <= len(order):
        expected |= {"accuracy_at": accuracy_at(values, k), "pass_at": pass_at(values, k)}
    for name, value in expected.items():
        estimate = row.estimates[name]
        assert estimate.value == value


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("xy")), min_size=1, max_size=30))
def test_attempts_are_grouped_by_a_field_of_the_answers(found: list[tuple[bool, str]]) -> None:
    tally = Tally([countdown("a")], by=["note"])
    for number, (right, note) in enumerate(found, start=1):
        tally.add(scored("a", int(right), number, row={"note": note}))
    rows = group_rows(tally, "note", 1)
    assert [row.group for row in rows] == sorted({note for _, note in found})
    for row in rows:
        of_group = [right for right, note in found if note == row.group]
        estimate = row.estimates["accuracy"]
        assert (row.answers, estimate.value) == (
            len(of_group),
            Fraction(sum(of_group), len(of_group)),
        )
