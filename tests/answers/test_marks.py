"""Marks around answers: which part counts in a plan, in countdown and in answers to questions."""

from __future__ import annotations

from typing import Any

import pytest
from question_subjects import questions

from pddl_pipeline.questions.kind import kinds
from pddl_pipeline.scoring.score import score
from pddl_pipeline.translators.records import from_record

BLOCKS: dict[str, Any] = {
    "id": "t", "domain": "blocksworld", "init": [["c", "b"], ["a"]], "holding": None,
    "goal": [["on", "a", "b"]],
}  # fmt: skip
ALL = {"plan", "countdown", "question"}
NUMBERS: dict[str, Any] = {"id": "t", "domain": "countdown", "numbers": [4, 5, 6], "target": 15}


def is_right(record: dict[str, Any], text: str) -> bool:
    (found,) = score([from_record(record)], [{"id": "t", "answer": text}])
    return found.correct


def question_is_right(text: str) -> bool:
    question = next(each for each in questions("ferry") if each.kind == "applicable")
    options = [option[0] for option in question.details["options"]]
    wrong = next(option for option in options if option != question.answer)
    found = text.replace("RIGHT", str(question.answer)).replace("WRONG", wrong)
    return kinds()[question.kind].mark(question, found).correct


@pytest.mark.parametrize(
    ("text", "readers"),
    [
        ("<answer>RIGHT</answer>", ALL),
        ("<answer>WRONG</answer>\n<answer>RIGHT</answer>\nWRONG", ALL),
        ("<answer>WRONG\n<answer>RIGHT</answer>", ALL),
        ("<answer>RIGHT</answer>\n<answer>", ALL),
        ("WRONG\n<answer>RIGHT", ALL),
        # An open tag after a closed one decides, but not in countdown.
        ("<answer>WRONG</answer>\n<answer>RIGHT", {"question", "plan"}),
        ("<think>WRONG</think>\nRIGHT", ALL),
        ("WRONG</think>\nRIGHT", ALL),
        ("<think>WRONG</think>\nRIGHT\n<think>WRONG", {"countdown", "question"}),
        # Text before thinking counts only in answers to questions.
        ("RIGHT\n<think>WRONG</think>", {"question"}),
        ("RIGHT\n<think>WRONG", {"question"}),
        ("<think>RIGHT", set()),
    ],
)
def test_the_part_that_counts(text: str, readers: set[str]) -> None:
    in_plan = text.replace("RIGHT", "\n(pick-up a)\n(stack a b)\n").replace(
        "WRONG", "\n(pick-up a)\n"
    )
    in_numbers = text.replace("RIGHT", "4 + 5 + 6").replace("WRONG", "4 * 5 - 6")
    found = {
        "plan": is_right(BLOCKS, in_plan),
        "countdown": is_right(NUMBERS, in_numbers),
        "question": question_is_right(text),
    }
    assert {reader for reader, right in found.items() if right} == readers
