"""Countdown answers that call themselves wrong, or that make false claims."""

from __future__ import annotations

from typing import Any

import pytest

from pddl_pipeline import score
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.translators.records import from_record


def scored(numbers: list[int], target: int, text: str, **fields: Any) -> Score:
    record = {"id": "t", "domain": "countdown", "numbers": numbers, "target": target, **fields}
    (found,) = score([from_record(record)], [{"id": "t", "answer": text}])
    return found


def judged(numbers: list[int], target: int, text: str) -> tuple[bool, list[str]]:
    found = scored(numbers, target, text)
    return found.correct, list(map(str, found.errors))


@pytest.mark.parametrize(
    "text",
    [
        "Wrong: (8-3+1)*4 = 24\nso there is none.",
        "It is not possible: (8-3+1)*4",
        "<answer>not. (8-3+1)*4</answer>",
        "Isn't it: (8-3+1)*4",
    ],
)
def test_what_is_denied_is_no_answer(text: str) -> None:
    assert judged([8, 3, 1, 4], 24, text) == (False, ["bad-format"])


@pytest.mark.parametrize("text", ["-5 + 29", "<answer>- 5 + 29</answer>", "Answer: \u2013 5 + 29"])
def test_a_dash_before_all_is_a_minus(text: str) -> None:
    assert judged([5, 29], 24, text) == (True, [])
    assert judged([5, 29], 34, text) == (False, ["not-target"])


@pytest.mark.parametrize(
    "text",
    [
        "- 8 - 3 = 5\n- 5 + 1 = 6\n- 6 * 4 = 24",
        "1) 8 - 3 = 5\n2) 5 + 1 = 6\n3) 6 * 4 = 24",
        "8 - 3 = 5\n5 + 1 = 6\n6 * 4 = 24\nThe answer is 24.",
    ],
)
def test_items_of_lists_and_last_words(text: str) -> None:
    assert judged([8, 3, 1, 4], 24, text) == (True, [])


@pytest.mark.parametrize("first", ["8 - 3 = 6 = 5", "8 - 3 = 5 = 6 = 7", "8 - 3 = 5 = 6"])
def test_every_claim_of_a_step_is_checked(first: str) -> None:
    text = f"{first}\n5 + 1 = 6\n6 * 4 = 24"
    assert judged([8, 3, 1, 4], 24, text) == (False, ["unknown-number"])
    # The steps themselves are right, so the validators do not disagree.
    assert scored([8, 3, 1, 4], 24, text).verdict.status == "invalid"


def test_positive_division_is_not_by_minus_one() -> None:
    rules = {"negatives": True, "division": "positive"}
    found = scored([5, 4, 2, 3], 1, "5 + 4 / (2 - 3)", rules=rules)
    assert (found.correct, list(found.errors)) == (False, ["precondition"])
    assert "divides by a negative number" in str(found.verdict.reason)
    rules = {"negatives": True, "division": "nonzero"}
    assert scored([5, 4, 2, 3], 1, "5 + 4 / (2 - 3)", rules=rules).correct
