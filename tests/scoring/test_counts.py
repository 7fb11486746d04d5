"""Attempts and trials that are counted, against lists of all of them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from score_trials import countdown, scored

from pddl_pipeline.pages.score_tables import score_tables
from pddl_pipeline.scoring.grouping import Group
from pddl_pipeline.scoring.metrics import accuracy_at, mean, pass_at
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.scoring.score_rows import model_rows
from pddl_pipeline.scoring.tally import Tally, Trial, Trials

WRONG, RIGHT = (Trial(bool(right), None, (right,)) for right in (0, 1))


@given(st.lists(st.none() | st.integers(1, 12), max_size=40))
def test_attempts_are_numbered_as_by_a_list(given_numbers: list[int | None]) -> None:
    numbers, used, answers = Judge([]), set[int](), 0
    for each in given_numbers:
        found = numbers.number("a", None, each)
        if each is not None and each in used:
            assert found is None
            continue
        answers += 1
        used |= set() if each is None else {each}
        assert found == (each or answers)
    assert numbers.number("a", "another", 1) == numbers.number("b", None, None) == 1


@given(st.permutations(range(1, 30)), st.integers(1, 40), st.data())
def test_counted_trials_are_those_of_a_list(order: list[int], k: int, data: st.DataObject) -> None:
    right = data.draw(st.lists(st.booleans(), min_size=len(order), max_size=len(order)))
    trials = Trials(kept=max(k, 5))
    for number in order:
        trials.add(number, RIGHT if right[number - 1] else WRONG)
    values = trials.values(0)
    assert len(trials) == len(order)
    assert values[:k] == [int(each) for each in right[:k]]
    assert mean(values) == Fraction(sum(right), len(right))
    assert accuracy_at(values, k) == accuracy_at(list(map(int, right)), k)
    assert pass_at(values, k) == pass_at(list(map(int, right)), k)


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("xy")), min_size=1, max_size=30))
def test_parts_by_group_are_put_together_in_order(found: list[tuple[bool, str]]) -> None:
    parts = {name: Trials(kept=3) for name in "xy"}
    for number, (right, name) in enumerate(found, start=1):
        trial = Trial(right, None, (int(right),), (Group(Fraction(0), name),))
        parts[name].add(number, trial)
    together = Trials.together(parts.values())
    assert len(together) == len(found)
    assert together.values(0)[:3] == [int(right) for right, _ in found[:3]]
    assert sum(together.values(0)) == sum(right for right, _ in found)


def test_memory_is_that_of_the_first_attempts() -> None:
    tally = Tally([countdown("a")], kept=3)
    for number in range(1, 5_001):
        tally.add(scored("a", number % 7 == 0, number))
    (trials,) = tally.models[None].trials["a"].values()
    assert len(list(trials.distinct())) == 3 + 2
    (row,) = model_rows(tally, 3)
    assert (row.answers, row.most) == (5_000, 5_000)
    estimate = row.estimates["accuracy"]
    assert estimate is not None
    assert estimate.value == Fraction(714, 5_000)


def test_more_first_attempts_than_are_stored_is_an_error() -> None:
    with pytest.raises(ValueError, match="k is 4, but the tally stores only the first 3"):
        score_tables(Tally([countdown("a")], kept=3), (), 4)
