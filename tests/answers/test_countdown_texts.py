"""Countdown answers: tables of texts with their verdicts, and properties of expressions.

``countdown.jsonl`` has the verdicts of a careful reader. ``countdown_forms.jsonl`` has, for each
rule, texts with all mistakes, and the plan or a part of the reason where the rule is about them.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from countdown_writers import ALL_SIGNS, expression, random_way
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline import translate
from pddl_pipeline.answers.countdown.expression import reaches, read_expression, worked_out
from pddl_pipeline.answers.countdown.statements import plain
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.scoring.score import score
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.records import from_record

FOUR = {"numbers": [4, 5, 6, 10], "target": 24}
RIGHT = "(10 - 6) * 5 + 4"
PDDL = "(subtract n4 n3) (multiply n2 n4) (add n1 n2) (checkgoal n1)"
UNREADABLE = {"bad-format", "bad-operator"}


def rows(name: str) -> list[dict[str, Any]]:
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def scored(text: str, row: dict[str, Any] = FOUR) -> Score:
    fields = {name: row[name] for name in ("numbers", "target", "rules") if name in row}
    instance = from_record({"id": "t", "domain": "countdown", **fields})
    (found,) = score([instance], [{"id": "t", "answer": text}])
    return found


@pytest.mark.parametrize("row", rows("countdown_forms.jsonl"), ids=lambda row: row["kind"])
def test_a_text_is_read_as_its_row_says(row: dict[str, Any]) -> None:
    found = scored(row["text"], row)
    plan = " ".join(map(str, found.plan or ()))
    assert ([*found.errors], row.get("plan", plan)) == (row["errors"], plan)
    assert row.get("reason", "") in (found.verdict.reason or "")
    assert found.correct == (not found.errors)
    assert found.verdict.status != "disputed"


@cache
def careful() -> list[tuple[dict[str, Any], Score]]:
    return [(row, scored(row["text"], row)) for row in rows("countdown.jsonl")]


def test_no_wrong_text_is_accepted_and_no_right_one_called_wrong() -> None:
    assert len(careful()) >= 321
    assert [
        (row["text"], found.errors)
        for row, found in careful()
        if found.correct != (row["verdict"] == "valid")
        and (found.correct or (row["verdict"] == "valid" and UNREADABLE.isdisjoint(found.errors)))
    ] == []


def test_most_texts_have_the_verdict_of_a_careful_reader() -> None:
    """Operations in words, named values, running totals and most withdrawn attempts are unread."""
    same = 0
    for row, found in careful():
        # A false value beside other mistakes is one of several.
        kind = {(): "valid", ("false-value",): "false-value"}.get(found.errors, "wrong")
        same += kind == row["verdict"] and row.get("error", "") in {*found.errors, ""}
    assert same >= 270


def test_the_trace_has_every_line() -> None:
    for row, found in careful():
        lines = [at for at, line in enumerate(row["text"].split("\n"), 1) if line.strip()]
        assert list(dict.fromkeys(line.line for line in found.trace)) == lines
        assert all(line.note or line.step for line in found.trace)


def test_the_trace_names_steps_and_what_is_outside_the_answer() -> None:
    found = scored("Well.\n\n 10 - 6 = 4 \n4 * 5 + 4 = 24\nAnswer: 4 + 5 * (10 - 6)\nDone")
    steps = [(5, at, f"read as {step})") for at, step in enumerate(PDDL[:-1].split(") "), 1)]
    outside = [(line, None, "outside the answer line") for line in (1, 3, 4, 6)]
    told = [(line.line, line.step, line.note) for line in found.trace]
    assert told == [*outside[:3], *steps, outside[3]]
    pddl = scored("My plan:\n" + PDDL.replace(") ", ")\n"))
    assert [line.action for line in pddl.trace[1:]] == ["used"] * 4


def test_line_of_a_fault_is_that_of_the_answer() -> None:
    for text in ("Steps:\n\n10 - 6 = 4\n46 + 4 = 50", f"{RIGHT} = 24\n\n\n6 - 5 = 1"):
        assert scored(text).verdict.line == 4


@pytest.mark.parametrize(("name", "answer"), [("n", RIGHT), ("n", PDDL), ("q", PDDL)])
def test_pddl_that_was_given(name: str, answer: str) -> None:
    """Only PDDL steps are read if the numbers' objects have other names than the project's."""
    texts = translate(from_record({"id": "a", "domain": "countdown", **FOUR}))
    both = (texts.problem_pddl, answer)
    problem, told = (re.sub(r"\bn(\d)", rf"{name}\1", each) for each in both)
    instance = given_instance("a", texts.domain_pddl, problem, {})
    (found,) = score([instance], [{"id": "a", "answer": told}])
    assert found.correct


@given(st.integers(0, 2**32))
def test_an_expression_that_is_written_is_read_back_equal(seed: int) -> None:
    random = Random(seed)
    numbers = [random.randint(1, 99) for _ in range(random.randint(2, 7))]
    way = random_way(random, numbers)
    text = plain(expression(way, random, random.choice(ALL_SIGNS))).replace("{", "(")
    worked = worked_out(text.replace("[", "(").replace("]", ")"))
    assert (worked.value, list(worked.numbers)) == (way.value, sorted(numbers))
    assert way.value.denominator > 1 or reaches(text, numbers, int(way.value))


@given(st.lists(st.integers(1, 9), min_size=2, max_size=60))
def test_signs_and_parentheses_are_exact(numbers: list[int]) -> None:
    text = "-" + "-(".join(map(str, numbers)) + ")" * (len(numbers) - 1)
    value = Fraction(0)
    for number in reversed(numbers):
        value = number - value
    worked = worked_out(text)
    assert worked.value == value - 2 * numbers[0]
    assert len(read_expression(text)[0]) == len(numbers)
