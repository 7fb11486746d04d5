"""Long answers are not read in part. Line numbers count all lines, including thinking."""

from __future__ import annotations

from typing import Any

import pytest

from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.scoring.score import score
from pddl_pipeline.translators.records import from_record

RECORD: dict[str, Any] = {
    "id": "t", "domain": "blocksworld", "init": [["c", "b"], ["a"]], "holding": None,
    "goal": [["on", "a", "b"]],
}  # fmt: skip
PLAN = "pick up red\nstack red on blue\n"


def judged(text: str) -> Score:
    (found,) = score([from_record(RECORD)], [{"id": "t", "answer": text}])
    return found


def test_a_part_of_an_answer_is_not_judged() -> None:
    """Without its first step, it would be a different plan."""
    found = judged("unstack blue from orange\n" + "What now?\n" * 20_000 + PLAN)
    assert (found.verdict.status, list(found.errors)) == ("malformed", ["unreadable"])
    assert "characters, at most 200,000 are read" in str(found.verdict.reason)
    assert [entry.line for entry in found.trace] == [1]
    assert judged("What now?\n" * 19_000 + PLAN).correct


def test_what_no_plan_file_can_be_is_not_judged_as_one() -> None:
    found = judged("(pick-up a)\n" * 100_000)
    assert found.strict.status == "malformed"
    assert "1,200,000 characters" in str(found.strict.reason)


def test_thinking_is_not_the_answer() -> None:
    found = judged("<think>\n" + "unstack blue from orange\n" * 5_000 + "</think>\n" + PLAN)
    assert found.correct
    assert [entry.line for entry in found.trace if entry.step] == [5_003, 5_004]


@pytest.mark.parametrize(("numbers", "is_read"), [(1000, True), (1001, False)])
def test_a_countdown_plan_of_1000_steps_is_read(numbers: int, is_read: bool) -> None:  # noqa: FBT001
    """A plan for n numbers has n - 1 operations and the check of the goal."""
    record = {"id": "t", "domain": "countdown", "numbers": [1] * numbers, "target": numbers}
    steps = [f"(add n1 n{number})" for number in range(2, numbers + 1)]
    (found,) = score(
        [from_record(record)], [{"id": "t", "answer": "\n".join([*steps, "(checkgoal n1)"])}]
    )
    assert found.correct == is_read
    assert ("bad-format" in found.errors) != is_read
