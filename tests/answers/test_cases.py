"""Answers as folders, with the expected plan and trace. A new case requires no Python.

A case is ``answer.txt``, ``expected.json``, and ``record.json`` or a pair of PDDL files. Of a line
that is no step, the expected trace has the kind of each of its clauses.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from question_subjects import questions

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.questions.kind import kinds
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.scoring.score import score
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.records import from_record

CASES = Path(__file__).parent / "cases"
BLOCKS: dict[str, Any] = {
    "id": "t", "domain": "blocksworld", "init": [["c", "b"], ["a"]], "holding": None,
    "goal": [["on", "a", "b"]],
}  # fmt: skip
PLAN = "pick up red\nstack red on blue\n"
NUMBERS: dict[str, Any] = {"id": "t", "domain": "countdown", "numbers": [4, 5, 6], "target": 15}
ALL = {"plan", "countdown", "question"}


def instance_of(case: Path) -> Instance[Any]:
    if (case / "record.json").exists():
        return from_record(json.loads((case / "record.json").read_text()))
    texts = ((case / name).read_text() for name in ("domain.pddl", "problem.pddl"))
    return given_instance("t", *texts, {})


def judged(record: dict[str, Any], text: str) -> Score:
    (found,) = score([from_record(record)], [{"id": "t", "answer": text}])
    return found


def found(result: Score) -> dict[str, Any]:
    """Return the actual values of the fields in expected.json."""
    trace = ((each, (each.note or "").partition(":")[0]) for each in result.trace)
    return {
        "status": result.verdict.status,
        "strict_status": result.strict.status,
        "correct": result.correct,
        "errors": list(result.errors),
        "reason": result.verdict.reason,
        "plan": None if result.plan is None else [str(step) for step in result.plan],
        "trace": [f"{each.line} {each.action} {each.step or kind}" for each, kind in trace],
    }


@pytest.mark.parametrize("case", sorted(CASES.iterdir()), ids=lambda case: case.name)
def test_answer(case: Path) -> None:
    instance = instance_of(case)
    text = (case / "answer.txt").read_bytes().decode()
    (result,) = score([instance], [{"id": instance.id, "answer": text}])
    assert found(result) == json.loads((case / "expected.json").read_text())


def question_is_right(text: str) -> bool:
    question = next(each for each in questions("ferry") if each.kind == "applicable")
    options = [option[0] for option in question.details["options"]]
    wrong = next(option for option in options if option != question.answer)
    told = text.replace("RIGHT", str(question.answer)).replace("WRONG", wrong)
    return kinds()[question.kind].mark(question, told).correct


@pytest.mark.parametrize(
    ("text", "readers"),
    [
        ("<answer>RIGHT</answer>", ALL),
        ("<answer>WRONG</answer>\n<answer>RIGHT</answer>", ALL),
        ("<answer>WRONG\n<answer>RIGHT</answer>", ALL),
        ("WRONG\n<answer>RIGHT", ALL),
        ("<answer>WRONG</answer>\n<answer>RIGHT", ALL),
        # Operations behind the answer make an answer to countdown unreadable.
        ("<answer>RIGHT</answer>\nWRONG", {"question", "plan"}),
        ("<answer>RIGHT</answer>\n<answer>", ALL),
        ("<think>WRONG</think>\nRIGHT", ALL),
        ("WRONG</think>\nRIGHT", ALL),
        ("<think>WRONG</think>\nRIGHT\n<think>WRONG", {"countdown", "question"}),
        # Text before thinking counts only in answers to questions.
        ("RIGHT\n<think>WRONG</think>", {"question"}),
        ("RIGHT\n<think>WRONG", {"question"}),
        ("<think>RIGHT", set()),
        ("<think>WRONG</think><|channel|>final<|message|>RIGHT", ALL),
    ],
)
def test_the_part_that_counts(text: str, readers: set[str]) -> None:
    in_plan = text.replace("RIGHT", "\n(pick-up a)\n(stack a b)\n").replace(
        "WRONG", "\n(pick-up a)\n"
    )
    in_numbers = text.replace("RIGHT", "4 + 5 + 6").replace("WRONG", "4 * 5 - 6")
    right = {
        "plan": judged(BLOCKS, in_plan).correct,
        "countdown": judged(NUMBERS, in_numbers).correct,
        "question": question_is_right(text),
    }
    assert {reader for reader, is_right in right.items() if is_right} == readers


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("<answer>\n(pick-up a)\n(stack a b)\n</answer>\n(stack a b)\n(pick-up a)\n", False),
        ("First pick up b. The plan:\n(pick-up a)\n(stack a b)\n", False),
        # The first column numbers the rows, and row 0 is the initial state.
        (
            (
                "| No. | Action | Note |\n|---|---|---|\n| 0 | Initial state | |\n"
                "| 1 | (pick-up a) | x |\n| 2 | (stack a b) | y |\n"
            ),
            True,
        ),
    ],
)
def test_what_stands_beside_the_steps_of_a_plan(text: str, is_right: bool) -> None:  # noqa: FBT001
    result = judged(BLOCKS, text)
    assert (result.correct, [*result.errors]) == (is_right, [] if is_right else ["unreadable"])


def test_a_part_of_an_answer_is_not_judged() -> None:
    """Without its first step, it would be a different plan."""
    long = judged(BLOCKS, "unstack blue from orange\n" + "What now?\n" * 100_000 + PLAN)
    assert (long.verdict.status, [*long.errors]) == ("malformed", ["unreadable"])
    assert "characters, at most 1,000,000 are read" in str(long.verdict.reason)
    assert [entry.line for entry in long.trace] == [1]
    assert judged(BLOCKS, "What now?\n" * 9_000 + PLAN).correct
    # What no plan file can be is not judged as one.
    strict = judged(BLOCKS, "(pick-up a)\n" * 100_000).strict
    assert (strict.status, "1,200,000 characters" in str(strict.reason)) == ("malformed", True)


def test_the_lines_of_thinking_are_counted() -> None:
    thinking = "unstack blue from orange\n" * 5_000
    thought = judged(BLOCKS, f"<think>\n{thinking}</think>\n{PLAN}")
    assert thought.correct
    assert [entry.line for entry in thought.trace if entry.step] == [5_003, 5_004]


@pytest.mark.parametrize(("numbers", "is_read"), [(1000, True), (1001, False)])
def test_a_countdown_plan_of_1000_steps_is_read(numbers: int, is_read: bool) -> None:  # noqa: FBT001
    """A plan for n numbers has n - 1 operations and the check of the goal."""
    record = {"id": "t", "domain": "countdown", "numbers": [1] * numbers, "target": numbers}
    steps = [f"(add n1 n{number})" for number in range(2, numbers + 1)]
    read = judged(record, "\n".join([*steps, "(checkgoal n1)"]))
    assert (read.correct, "bad-format" in read.errors) == (is_read, not is_read)
