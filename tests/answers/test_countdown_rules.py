"""The rules by which a countdown answer counts: a row has a text and what it must be."""

from __future__ import annotations

import pytest

from pddl_pipeline import score
from pddl_pipeline.translators.records import from_record

RIGHT, WRONG = "(3+5-4)*6", "3*4+5+6"
STEPS = "3 + 5 = 8\n8 - 4 = 4\n4 * 6 = 24"
TASK = from_record({"id": "t", "domain": "countdown", "numbers": [3, 4, 5, 6], "target": 24})
UNREADABLE = {"bad-format", "bad-operator"}
ROWS: dict[str, list[str]] = {
    "valid": [
        f"{RIGHT} = 24",
        f"{WRONG} = 23. That is wrong. {RIGHT} = 24",
        f"{RIGHT} = (8 - 4)*6 = 4*6 = 24",
        STEPS,
        f"Answer: {RIGHT}\n\nVerification:\n{STEPS}",
        f"Answer: {WRONG} = 23\nNo, that is wrong. {RIGHT} = 24",
        '{"expression": "(3+5-4)*6", "value": 24}',
        "{'answer': '(3+5-4)*6'}",
    ],
    "false-value": [
        f"{RIGHT} = 25",
        f"{RIGHT} = (9-4)*6 = 24",
        '{"expression": "(3+5-4)*6", "value": 23}',
    ],
    "not-target": [
        f"{RIGHT} = 24\nFinal answer: {WRONG} = 23",
    ],
    "unknown-number": ["3 + 5 = 9\n9 - 4 = 5\n5 * 6 = 24"],
    "unused-number": ["4 * 6 = 24", "3 + 5 = 8. 8 - 4 = 4."],
    "bad-operator": [f"{RIGHT}^2", f"Answer: sqrt({RIGHT})"],
    "bad-format": [
        f"{WRONG} = 23\n{RIGHT} = 24",
        f"Option 1: {RIGHT} = 24 (recommended)\nOption 2: {WRONG} = 23",
        f"{RIGHT} = 24 or equivalently 6*(3+5-4) = 24",
        f"{RIGHT} = 24. I also considered {WRONG} = 23.",
        f"<answer>{RIGHT}</answer> or <answer>{WRONG}</answer>",
        f"{RIGHT} = 24. That is wrong. {WRONG} = 23",
        f"{RIGHT} = 24. Wait, is that right? 3+5 = 8, 8-4 = 4, 4*6 = 24. Yes!",
        f"{RIGHT} = 24, for a total of 25",
        f"The following is not a solution:\n\nAnswer: {RIGHT}",
        f"Answer: 4 + 5\n{RIGHT} = 24",
        '{"answer": "3*4+5+6", "rejected": "(3+5-4)*6"}',
        f"{STEPS}\n24 + 1 = 25",
        "3 + 5 = 8 - 4 = 4 * 6 = 24",
        "3 + 5 = 8\n- 4 = 4\n* 6 = 24",
        "a = 3 + 5\nb = a - 4\nb * 6 = 24",
        "Add 3 and 5 to get 8, subtract 4 to get 4, then multiply by 6 to get 24.",
        f"A: {RIGHT} = 24\nB: {WRONG} = 23\nI choose answer A.",
        f"(a) {WRONG} = 23\n(b) {RIGHT} = 24\nThe correct one is (b).",
        f"A: {RIGHT} = 24\nB: {WRONG} = 23\nI choose answer B.",
        '{"steps": [{"operation": "add", "operands": [3, 5], "result": 8}]}',
        f"{RIGHT} = 24 or {WRONG} = 23",
        f"{WRONG} = 23 or {RIGHT} = 24",
        f"Either {RIGHT} or {WRONG}",
        f"{RIGHT} = 24 or {WRONG} = 23, I can't decide.",
        f"{RIGHT} = 24. And {WRONG} = 23.",
        f"{RIGHT} = 24\n6 - 5 = 1",
        f"{RIGHT} = 24, then add 4 to get 28",
        f"{RIGHT} = 24. That is wrong.",
        f"{RIGHT} = 24\nThis does not work.",
        f"{RIGHT} = 24\nThere is no solution.",
        f"Is {RIGHT} = 24? No.",
        f"{RIGHT} = 24\nWait, this uses 4 twice, so it is invalid.",
        f"You can't use {RIGHT}.",
        f"Here is an example of a wrong answer.\n{RIGHT} = 24",
        f"I considered {RIGHT} = 24 but chose 6*4 = 24.",
        f"{RIGHT} (plus 1)",
        f"{RIGHT} (+ one)",
        f"{RIGHT}\nAnswer: none",
        f"{RIGHT}\nAnswer: 24",
        f"\\boxed{{{WRONG}}}\n{RIGHT} = 24",
        "4 * 6 = 24\n8 - 4 = 4\n3 + 5 = 8",
        f"Solution 1:\n{STEPS}\n\nSolution 2:\n3*4 = 12\n12+5 = 17\n17+6 = 23",
        "Four times six is twenty-four.",
    ],
}


@pytest.mark.parametrize(
    ("expected", "text"), [(name, text) for name in ROWS for text in ROWS[name]]
)
def test_each_text_is_what_the_rules_say(expected: str, text: str) -> None:
    (found,) = score([TASK], [{"id": "t", "answer": text}])
    errors = list(map(str, found.errors))
    assert expected in (errors or ["valid"])
    assert found.correct == (expected == "valid")
    assert expected in UNREADABLE or not UNREADABLE.intersection(errors)


def test_the_reason_names_the_statement_that_is_not_accounted_for() -> None:
    (found,) = score([TASK], [{"id": "t", "answer": f"{RIGHT} = 24\n6 - 5 = 1"}])
    assert (found.verdict.reason, found.verdict.line) == ("6 - 5 stands behind the answer", 2)


def test_the_trace_says_which_lines_are_outside_the_answer() -> None:
    (found,) = score([TASK], [{"id": "t", "answer": f"Well.\nAnswer: {RIGHT}\nDone"}])
    assert [line.note for line in found.trace][::5] == ["outside the answer line"] * 2
