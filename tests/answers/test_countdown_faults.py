"""Faults of countdown answers: their kinds and messages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pddl_pipeline import load_records, score, translate
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.translators.records import from_record

PLAN = "(subtract n4 n3) (multiply n2 n4) (add n1 n2) (checkgoal n1)"
FOUR = {"numbers": [4, 5, 6, 10], "target": 24}


def scored(fields: dict[str, Any], answer: str) -> Score:
    instance = from_record({"id": "a", "domain": "countdown", **fields})
    (found,) = score([instance], [{"id": "a", "answer": answer}])
    return found


@pytest.mark.parametrize(
    ("answer", "errors", "reason"),
    [
        ("", "bad-format", "the answer contains no expression and no steps"),
        ("No idea.", "bad-format", "found 'No', expected a number"),
        ("24", "bad-format", "the answer contains no expression"),
        ("Answer: 24", "bad-format", "the answer line contains no expression"),
        ("10-6=4\n4*5=20\n20+4=24\nAnswer: None", "bad-format", "the answer line contains no"),
        (
            "10-6=4\n4*5=20\n20+4=24\n<answer></answer>",
            "bad-format",
            "the tag <answer> contains no",
        ),
        ("4 + 5 * (10 - 6", "bad-format", "found '(' without ')'"),
        ("4 + 5 * 10 - 6)", "bad-format", "found ')' without '('"),
        ("10/5(6 + 4)", "bad-format", "a/b(c) is (a/b)*c or a/(b*c)"),
        ("4 + 5 * (10 - 6) = 48", "false-value", "4 + 5 * (10 - 6) is 24, not 48"),
        ("4 + 5 + 6 + 10 = 24", "not-target false-value", "the result is 25, not 24"),
        ("4 + 5 6 * 10", "bad-format", "found '6', expected an operator"),
        ("4 + * 5 - 6 + 10", "bad-format", "found '*', expected a number"),
        ("2**3*3", "bad-operator", "'**' is not one of the operators"),
        ("4 ^ 5 + 6 - 10", "bad-operator", "'^' is not one of the operators"),
        ("10 // 5 * 6 + 4", "bad-operator", "'//' is not one of the operators"),
        ("10 % 6 * 5 + 4", "bad-operator", "'%' is not one of the operators"),
        ("4! + 5 - 10 + 6", "bad-operator", "'!' is not one of the operators"),
        ("sqrt(4) * 10 + 5", "bad-operator", "'sqrt' is a function"),
        ("__import__('os').system('x')", "bad-operator", "'__import__' is a function"),
        ("10 - 6 = 4\n4 ^ 5 = 1024\n1024 + 4 = 1028", "bad-operator unknown-number", "'^' is"),
        ("46 - 5 - 10", "unknown-number fewer-steps unused-number not-target", "46 is not among"),
        ("1.5 * 6 + 5 + 10", "unknown-number unused-number", "1.5 is not among"),
        ("4 + 4 + 6 + 10", "unknown-number unused-number", "4 is not among the numbers left"),
        ("10 - 6 = 5\n4 * 5 + 4 = 24", "unknown-number", "10 - 6 is 4, not 5"),
        ("10 - 6 = 4\n4 * 5 = 20\n20 + 4 = 25", "unknown-number", "20 + 4 is 24, not 25"),
        ("8 / 3 = 2.67\n5 + 6 = 11", "unknown-number", "8 is not among the numbers left"),
        ("4 + 5 * 4", "fewer-steps unused-number", "is not among"),
        ("10 + 6 + 5", "fewer-steps unused-number not-target", "operations: 2, expected 3"),
        ("10 + 6 + 5 + 4 + 3", "more-steps", "3 is not among"),
        ("4 + 5 + 6 + 10", "not-target", "the result is 25, not 24"),
        ("10 / (5 - 6) - 4", "not-target precondition", "5 - 6 is negative"),
        ("10 / (6 - 6) - 4 + 5", "unknown-number", "6 is not among"),
        ("(add n1 n9)", "unknown-object", "unknown object 'n9'"),
        ("(add n1 n2)\n(add n3 n2)", "unknown-number", "step 2 (add n3 n2): n2 is used up"),
        ("(add n1 n1)", "unknown-number", "step 1 (add n1 n1): a number with itself"),
        ("(checkgoal n1)", "precondition", "step 1 (checkgoal n1): 4 numbers left"),
    ],
)  # fmt: skip
def test_faults(answer: str, errors: str, reason: str) -> None:
    found = scored(FOUR, answer)
    assert not found.correct
    assert set(errors.split()) <= set(found.errors)
    assert reason in (found.verdict.reason or "")


def test_line_of_a_fault_is_that_of_the_answer() -> None:
    found = scored(FOUR, "Steps:\n\n10 - 6 = 4\n46 + 4 = 50")
    assert (found.verdict.status, found.verdict.line) == ("malformed", 4)


def test_steps_are_kept_where_they_can_be_written() -> None:
    found = scored(FOUR, "4 + 5 + 6 + 10")
    assert (found.verdict.status, found.verdict.steps, len(found.plan or ())) == ("invalid", 4, 4)
    assert scored(FOUR, "46 - 5 - 10").plan is None


def test_division_by_zero() -> None:
    found = scored({"numbers": [5, 5, 8], "target": 3}, "8 / (5 - 5)")
    assert (found.verdict.status, found.errors) == ("invalid", ("precondition",))
    assert "8 / 0 divides by 0" in (found.verdict.reason or "")


@pytest.mark.parametrize(("name", "answer"), [("n", "4 + 5 * (10 - 6)"), ("n", PLAN), ("q", PLAN)])
def test_pddl_that_was_given(tmp_path: Path, name: str, answer: str) -> None:
    """Only PDDL steps are read if the numbers' objects have other names than the project's."""
    texts = translate(from_record({"id": "a", "domain": "countdown", **FOUR}))
    renamed = re.sub(r"\bn(\d)", rf"{name}\1", texts.problem_pddl)
    (tmp_path / "domain.pddl").write_text(texts.domain_pddl)
    (tmp_path / "a.pddl").write_text(renamed)
    (instance,) = load_records(tmp_path)
    told = re.sub(r"\bn(\d)", rf"{name}\1", answer)
    (found,) = score([instance], [{"id": "a", "answer": told}])
    assert found.correct
