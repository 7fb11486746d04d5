"""Text around countdown answers: words such as ``then``, boxes, remarks, checks."""

from __future__ import annotations

import json

import pytest

from pddl_pipeline import score
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.translators.records import from_record

FOUR = from_record({"id": "a", "domain": "countdown", "numbers": [4, 5, 6, 10], "target": 24})
RIGHT = "(10 - 6) * 5 + 4"
STEPS = "10 - 6 = 4\n4 * 5 = 20\n20 + 4 = 24"
PDDL = "(subtract n4 n3) (multiply n2 n4) (add n1 n2) (checkgoal n1)"


def scored(answer: str) -> Score:
    (found,) = score([FOUR], [{"id": "a", "answer": answer}])
    return found


@pytest.mark.parametrize(
    "words",
    ["then", "Next,", "so", "and then", "we get", "This gives", "gives", "Thus,", "Finally:",
     "hence", "Therefore,", "Now", "which makes", "First", "**And**", "- Then", "4. Then"],
)  # fmt: skip
def test_words_of_order_before_a_step_hide_nothing(words: str) -> None:
    assert not scored(f"{STEPS}\n{words} 24 + 1 = 25").correct
    assert scored(f"10 - 6 = 4\n{words} 4 * 5 = 20\n20 + 4 = 24").correct


def test_words_of_order_within_a_line() -> None:
    assert scored("First 10 - 6 = 4, then 4 * 5 = 20; and finally, 20 + 4 = 24.").correct
    assert not scored(f"{STEPS}, then 24 + 1 = 25").correct
    assert scored("Thence 4 + 5 * (10 - 6)").correct


@pytest.mark.parametrize(
    "answer",
    [
        f"{RIGHT} = 24\n\\boxed{{24}}",
        f"{STEPS}\nSo it is $\\boxed{{ 24 }}$.",
        f"{RIGHT} = \\boxed{{24}}",
        f"${RIGHT}$ = $\\boxed{{24}}$",
        f"<answer>{RIGHT} = \\boxed{{24}}</answer>",
        f"Answer: {RIGHT} = \\boxed{{24}}",
        f"\\boxed{{{RIGHT}}}\nwhich is \\boxed{{24}}",
        f"{PDDL}\n\\boxed{{24}}",
        "4 + 5 \\times (10 - 6)\n\\boxed{24}",
    ],
)
def test_a_box_with_the_target_alone_says_nothing(answer: str) -> None:
    assert scored(answer).correct


@pytest.mark.parametrize(
    "answer",
    ["\\boxed{24}", "The result is\n\\boxed{24}", f"{RIGHT}\nAnswer: 24",
     f"{RIGHT}\nAnswer: \\boxed{{24}}", f"{RIGHT}\n\\boxed{{4 + 5}}"],
)  # fmt: skip
def test_a_number_that_nothing_reaches_is_no_answer(answer: str) -> None:
    assert not scored(answer).correct


@pytest.mark.parametrize(
    "answer",
    [
        f"Answer: {RIGHT} = 24 (using each number once)",
        f"{RIGHT} (each number is used once).",
        RIGHT.replace("*", "\\*"),
        f"Sure! {RIGHT} = 24",
        "\u7b54\u6848\uff1a(10-6)*5+4",
        json.dumps({"answer": RIGHT}),
        json.dumps({"answer": STEPS}, indent=1),
        f"```json\n{json.dumps({'answer': RIGHT})}\n```",
    ],
)
def test_remarks_greetings_and_objects(answer: str) -> None:
    assert scored(answer).correct


@pytest.mark.parametrize(
    "answer",
    [f"{RIGHT} (+ one)", f"{RIGHT} (plus 1)", '{"answer": "24"}', '{"answer": ""}',
     f'{{"answer": "4 + 5", "other": "{RIGHT}"}}', '{"answer": "\\x"}'],
)  # fmt: skip
def test_what_is_more_than_a_remark_is_not_passed_over(answer: str) -> None:
    assert not scored(answer).correct


@pytest.mark.parametrize("heading", ["Verification:", "**Check:**", "### Check", "Let's verify:"])
def test_what_checks_an_answer_is_not_the_answer(heading: str) -> None:
    assert scored(f"{RIGHT}\n\n{heading}\n{STEPS}").correct
    assert scored(f"{RIGHT} = 24\n{heading}\n10 - 6 = 4\n4 * 5 = 20").correct
    assert not scored(f"4 + 5 + 6 + 10\n{heading}\n{STEPS}").correct
    undecided = scored(f"4 + 5 + 6 + 10\n{heading}\n4 + 5 = 9\n{RIGHT}")
    assert [str(error) for error in undecided.errors] == ["bad-format"]
    assert scored(f"{heading}\n{STEPS}").correct
