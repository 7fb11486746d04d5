"""Countdown solutions in the forms in which models write them; the truth is known."""

from __future__ import annotations

from random import Random

import pytest
from countdown_writers import (
    RETRACTIONS,
    Way,
    in_prose,
    in_sentence,
    marked,
    random_way,
    told_alone,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from pddl_pipeline import score
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.translators.records import from_record


def scored(numbers: list[int], target: int, *texts: str) -> list[Score]:
    record = {"id": "a", "domain": "countdown", "numbers": numbers, "target": target}
    return list(score([from_record(record)], [{"id": "a", "answer": text} for text in texts]))


def two_ways(random: Random) -> tuple[list[int], Way, Way]:
    """Return numbers, a way that ends with a whole number, and a way that ends with another."""
    while True:
        numbers = [
            random.randint(1, random.choice([9, 30, 1500])) for _ in range(random.randint(2, 6))
        ]
        right, wrong = random_way(random, numbers), random_way(random, numbers)
        if right.value.denominator == 1 and right.value != wrong.value and right.value < 10**12:
            return numbers, right, wrong


def writings(way: Way, random: Random) -> list[str]:
    return [
        told_alone(way, random), told_alone(way, random), in_prose(told_alone(way, random), random),
        in_prose(in_sentence(way, random), random), in_prose(marked(way, random), random),
    ]  # fmt: skip


def changed(way: Way, random: Random) -> str:
    """Return a right answer that is taken back for another one."""
    first, second = marked(way, random), marked(way, random)
    return f"{first}{random.choice(RETRACTIONS)}{second}"


def both(first: Way, second: Way, random: Random) -> list[str]:
    """Return texts whose answer is the second way."""
    return [
        f"{marked(first, random)}{random.choice(RETRACTIONS)}{marked(second, random)}",
        f"{in_sentence(first, random)}{random.choice(RETRACTIONS)}{in_sentence(second, random)}",
        f"{told_alone(first, random)}\n\n{marked(second, random)}",
        f"{marked(first, random)}\n\n{marked(second, random)}",
    ]


def is_marked(text: str) -> bool:
    """Return whether the answer stands behind a mark, and has nothing else behind it."""
    tags = ("</answer>", "</answer>\n", "}.")
    return text.endswith(tags) and text.count("=") == 0


def check(random: Random) -> None:
    """Check that right texts are accepted or unreadable, and that no other text is accepted."""
    numbers, right, wrong = two_ways(random)
    target = int(right.value)
    good = [*writings(right, random), *both(wrong, right, random)]
    for text, found in zip(good, scored(numbers, target, *good), strict=True):
        unread = "bad-format" in found.errors or "bad-operator" in found.errors
        assert found.correct or unread, (numbers, target, text, found.errors)
        assert not (unread and is_marked(text)), (numbers, target, text, found.verdict.reason)
        assert unread or len(found.plan or ()) == len(numbers)
    bad = [*writings(wrong, random), *both(right, wrong, random)]
    for text, found in zip(bad, scored(numbers, target, *bad), strict=True):
        assert not found.correct, (numbers, target, text)


@given(st.integers(0, 2**32))
def test_texts_whose_truth_is_known(seed: int) -> None:
    check(Random(seed))


@pytest.mark.long
@settings(max_examples=800)
@given(st.integers(0, 2**32))
def test_many_texts_whose_truth_is_known(seed: int) -> None:
    check(Random(seed))
