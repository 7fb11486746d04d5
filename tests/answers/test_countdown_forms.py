"""Countdown answers in all supported forms, and the steps read from them."""

from __future__ import annotations

from typing import Any

import pytest

from pddl_pipeline import score
from pddl_pipeline.model.answer import Treatment
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.translators.records import from_record

FOUR = {"numbers": [4, 5, 6, 10], "target": 24}
EIGHTS = {"numbers": [3, 3, 8, 8], "target": 24}
PLAN = "(subtract n4 n3) (multiply n2 n4) (add n1 n2) (checkgoal n1)"
STEPS = "(subtract n4 n3) (multiply n1 n2) (add n1 n4) (checkgoal n1)"
FRACTIONS = "(divide n3 n1) (subtract n2 n3) (divide n4 n2) (checkgoal n4)"


def scored(fields: dict[str, Any], answer: str) -> Score:
    instance = from_record({"id": "a", "domain": "countdown", **fields})
    (found,) = score([instance], [{"id": "a", "answer": answer}])
    return found


def plan_of(found: Score) -> str:
    return " ".join(map(str, found.plan or ()))


@pytest.mark.parametrize(
    "answer",
    [
        "4 + 5 * (10 - 6)",
        "4 + 5 * (10 - 6) = 24",
        "24 = 4 + 5 * (10 - 6)",
        "4 + 5 x (10 \u2212 6)",
        "4+5X(10\u20136)",
        "4 + 5 \u00d7 (10 - 6)",
        "4 + 5 \u00b7 [10 - 6]",
        "**4 + 5 * (10 - 6)**",
        "`4 + 5 * (10 - 6)`.",
        "Let me see: 10 and 6 are near.\nSo we have\n4 + 5 * (10 - 6) = 24",
        "Steps:\n10 - 6 = 5\nAnswer: 4 + 5 * (10 - 6) = 24",
        "Answer: 4 + 5 = 9\nAnswer: 4 + 5 * (10 - 6)",
        "**Final answer:** 4 + 5 * (10 - 6)",
        "### Final Answer\n\n$4 + 5 \\times (10 - 6) = 24$",
        "So, the answer is (4 + 5 * (10 - 6)).",
        "Final answer: \\boxed{4 + 5 \\cdot (10 - 6)}",
        "\\boxed{1} and \\boxed{4 + 5 \\times \\left(10 - 6\\right)} it is",
        "<answer>1 + 1</answer> no.\n<ANSWER>\n4 + 5 * (10 - 6)\n</ANSWER> it is",
        "<answer>4 + 5 * (10 - 6)",
        "<answer>10 - 6 = 5\nAnswer: 4 + 5 * (10 - 6)</answer>",
        "<answer>1 + 1</answer>\nAnswer: 4 + 5 * (10 - 6)",
        "\u202e4 + 5\u200b * (10 - 6)\x00",
    ],
)
def test_expressions(answer: str) -> None:
    found = scored(FOUR, answer)
    assert (found.verdict.status, plan_of(found), found.errors) == ("valid", PLAN, ())


@pytest.mark.parametrize(
    "answer",
    [
        "Steps:\n10 - 6 = 4 (left: 4 4 5)\n4 * 5 = 20 (left: 4 20)\n20 + 4 = 24 (left: 24)",
        "1. **10 - 6 = 4** (left: 4 4 5)\n2) `4 \u00d7 5 = 20`\n- 20 + 4 = 24.",
        "Step 1: 10 - 6 = 4\n**Step 2:** 4 * 5 = 20\nStep 3. 20 + 4 = 24",
        "* 10 - 6 = 4\n> 4 * 5 = 20, remaining: 4 20\n\n20 + 4 = 24",
        '["10-6=4", "4*5=20", "20+4=24"]',
        "['10-6=4',\n '4*5=20',\n '20+4=24']",
        "10-6=4, 4*5=20; 20+4=24",
        "10 - 6 = 4\n4 * 5 + 4 = 24",
        "<answer>10 - 6 = 4\n4 * 5 = 20\n20 + 4 = 24</answer>",
        "Answer:\n10 - 6 = 4\n4 * 5 = 20\n20 + 4 = 24",
    ],
)
def test_steps(answer: str) -> None:
    found = scored(FOUR, answer)
    assert (found.verdict.status, plan_of(found), found.errors) == ("valid", STEPS, ())


@pytest.mark.parametrize(
    "answer",
    [
        "8 / 3 = 8/3\n3 - 8/3 = 1/3\n8 / (1/3) = 24",
    ],
)
def test_fractions_are_exact(answer: str) -> None:
    found = scored(EIGHTS, answer)
    assert (found.verdict.status, plan_of(found), found.errors) == ("valid", FRACTIONS, ())


def test_divisions_of_fractions_are_told_by_the_numbers_left() -> None:
    found = scored({"numbers": [3, 2, 6, 1], "target": 5}, "3 / 2 = 3/2\n6 / 3/2 = 4\n4 + 1 = 5")
    assert plan_of(found) == "(divide n1 n2) (divide n3 n1) (add n3 n4) (checkgoal n3)"
    found = scored({"numbers": [0, 4, 3], "target": 0}, "0 / 4 / 3 = 0")
    assert plan_of(found) == "(divide n1 n2) (divide n1 n3) (checkgoal n1)"


TRACE = """Current State: 7:[5, 8, 10], Operations: []
Exploring Operation: 10-8=2, Resulting Numbers: [5, 2]
Generated Node #0,0: 7:[5, 2] Operation: 10-8=2
Moving to Node #0,0
Current State: 7:[5, 2], Operations: ['10-8=2']
Exploring Operation: 5*2=10, Resulting Numbers: [10]
10,7 unequal: No Solution
Current State: 7:[5, 2], Operations: ['10-8=2']
Exploring Operation: 5+2=7, Resulting Numbers: [7]
"""


def test_trace_of_a_search() -> None:
    three = {"numbers": [5, 8, 10], "target": 7}
    found = scored(three, f"{TRACE}7,7 equal: Goal Reached\n")
    assert (plan_of(found), found.correct) == (
        "(subtract n3 n2) (add n1 n3) (checkgoal n1)", True,
    )  # fmt: skip
    found = scored(three, TRACE)
    assert (found.plan, found.errors) == (None, ("bad-format",))


@pytest.mark.parametrize(
    ("answer", "plan"),
    [
        ("-5 + 8 + 4", "(subtract n2 n1) (add n2 n3) (checkgoal n2)"),
        ("-5 - 4 + 8", "(add n1 n3) (subtract n2 n1)"),
        ("-(5 - 8) + 4", "(subtract n1 n2) (subtract n3 n1) (checkgoal n3)"),
        ("8 - -4 - 5", "(add n2 n3) (subtract n2 n1) (checkgoal n2)"),
        ("4 * -5 + 8", "(multiply n3 n1) (subtract n2 n3) (checkgoal n2)"),
    ],
)
def test_signs_are_worked_out(answer: str, plan: str) -> None:
    found = scored({"numbers": [5, 8, 4], "target": 7}, answer)
    assert plan_of(found).startswith(plan)


@pytest.mark.parametrize("answer", ["-5 + 8 = 3\n3 + 4 = 7", "5 - 8 = -3\n-3 + 10 = 7"])
def test_negative_numbers_of_steps_are_found_again(answer: str) -> None:
    numbers = [5, 8, 4] if answer.startswith("-") else [5, 8, 10]
    rules = {"negatives": True}
    assert scored({"numbers": numbers, "target": 7, "rules": rules}, answer).correct


def test_minus_the_target_is_not_the_target() -> None:
    found = scored(FOUR, "-(4 + 5 * (10 - 6))")
    assert (found.verdict.status, found.errors) == ("invalid", ("not-target",))
    assert found.verdict.reason == "the result is -24, not 24"


def test_one_number() -> None:
    assert scored({"numbers": [5], "target": 5}, "Answer: 5").correct
    assert scored({"numbers": [5], "target": 5}, "[5]").correct
    assert scored({"numbers": [5], "target": 6}, "5").errors == ("not-target",)


def test_steps_of_pddl_are_used_as_they_are() -> None:
    steps = PLAN.split(") ")
    found = scored(FOUR, "My plan:\n" + ")\n".join(steps))
    assert (plan_of(found), found.correct) == (PLAN, True)
    assert [line.action for line in found.trace[1:]] == [Treatment.USED] * 4
    found = scored(FOUR, ")".join([*steps[:3], ""]))
    assert (len(found.plan or ()), found.errors) == (3, ("goal",))


def test_trace_tells_every_line() -> None:
    found = scored(FOUR, "Well.\n\n 10 - 6 = 4 \n4 * 5 + 4 = 24\nAnswer: 4 + 5 * (10 - 6)\nDone")
    told = [(line.line, line.action, line.step, line.note) for line in found.trace]
    assert told == [
        (1, "dropped", None, "outside the answer line"),
        (3, "dropped", None, "outside the answer line"),
        (4, "dropped", None, "outside the answer line"),
        (5, "changed", 1, "read as (subtract n4 n3)"),
        (5, "changed", 2, "read as (multiply n2 n4)"),
        (5, "changed", 3, "read as (add n1 n2)"),
        (5, "changed", 4, "read as (checkgoal n1)"),
        (6, "dropped", None, "outside the answer line"),
    ]
