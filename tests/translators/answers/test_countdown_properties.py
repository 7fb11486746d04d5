"""Properties of reading countdown answers: written plans are read back completely."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any, NamedTuple

from hypothesis import assume, given
from hypothesis import strategies as st

from pddl_pipeline import score
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.scoring.score import Score
from pddl_pipeline.translators.answers.lines import lines_of
from pddl_pipeline.translators.records import from_record

PIECES = [
    "4", "5", "6", "10", "9", "24", "46", "1.5", "8/3", "-3", "+", "-", "*", "/", "x", "(", ")",
    "[", "]", ",", "=", " ", " ", "\n", "\n", "\u2212", "\u00d7", "**", "!", "sqrt(", "Answer:",
    "<answer>", "</answer>", "\\boxed{", "}", "Steps:", "1. ", "- ", "(left: 4)", "(add n1 n2)",
    "(checkgoal n1)", "(add n1 n9)", "Current State: 24:[4, 5], Operations: ['4+5=9']",
    "Exploring Operation: 9+6=15, ", "24,24 equal: Goal Reached", '"4+5=9"', "10 - 6 = 4\n",
    "4 * 5 = 20\n", "4 + 5 * (10 - 6)", "[4, 5, 6, 10]\n", "[4, 5, 4]\n", "[4.0, 20]\n", "[24]",
]  # fmt: skip
PRINTED = str.maketrans("*-/", "\u00d7\u2212\u00f7")


def scored(fields: dict[str, Any], *answers: str) -> list[Score]:
    instance = from_record({"id": "a", "domain": "countdown", **fields})
    return list(score([instance], [{"id": "a", "answer": answer} for answer in answers]))


@given(text=st.text() | st.lists(st.sampled_from(PIECES)).map("".join), own=st.booleans())
def test_any_text_has_a_verdict_and_a_whole_trace(text: str, *, own: bool) -> None:
    fields = {"numbers": [4, 5, 6, 10], "target": 24}
    (found,) = scored({**fields, "rules": {"negatives": True}} if own else fields, text)
    assert found.verdict.status in (Status.VALID, Status.INVALID, Status.MALFORMED)
    assert bool(found.errors) != (found.verdict.status is Status.VALID)
    assert list(dict.fromkeys(line.line for line in found.trace)) == [
        line.number for line in lines_of(text)
    ]
    assert [line.line for line in found.trace] == sorted(line.line for line in found.trace)
    steps = [line.step for line in found.trace if line.step is not None]
    assert steps == list(range(1, len(found.plan or ()) + 1))


class Walk(NamedTuple):
    """A way to combine all numbers, in words."""

    numbers: list[int]
    target: int
    expression: str
    steps: list[str]


def shown(value: Fraction) -> str:
    """Return a number's text. Fractions are in parentheses, as 3/2/3 could be two divisions."""
    return str(value) if value.denominator == 1 else f"({value})"


@st.composite
def walks(draw: st.DrawFn) -> Walk:
    """Draw numbers, and operations on them that the paper's rules allow."""
    numbers = draw(st.lists(st.integers(0, 30), min_size=2, max_size=7))
    board = [(Fraction(number), str(number)) for number in numbers]
    steps = []
    while len(board) > 1:
        (x, left), (y, right) = (board.pop(draw(st.integers(0, len(board) - 1))) for _ in range(2))
        allowed = ["+", "*", *(["-"] if x >= y else []), *(["/"] if y else [])]
        sign = draw(st.sampled_from(allowed))
        z = {"+": x + y, "-": x - y, "*": x * y, "/": x / y if y else None}[sign]
        assert z is not None
        steps.append(f"{shown(x)} {sign} {shown(y)} = {z}")
        board.append((z, f"({left} {sign} {right})"))
    ((target, expression),) = board
    assume(target.denominator == 1)
    return Walk(numbers, int(target), expression, steps)


@given(walks(), st.sampled_from(["+", "-"]))
def test_a_way_that_is_told_is_read_as_a_valid_plan(walk: Walk, before: str) -> None:
    fields = {"numbers": walk.numbers, "target": walk.target}
    told = [
        walk.expression,
        f"{walk.expression} = {walk.target}",
        f"Answer: {walk.expression[1:-1]}",
        f"<answer>{walk.expression.translate(PRINTED)}</answer>",
        f"{before}({before}{walk.expression})",
        "Steps:\n" + "\n".join(f"{step} (left: 1)" for step in walk.steps),
        "\n".join(f"{number}. {step}" for number, step in enumerate(walk.steps, start=1)),
        json.dumps([step.replace(" ", "") for step in walk.steps]),
    ]
    for answer, found in zip(told, scored(fields, *told), strict=True):
        assert found.verdict.status is Status.VALID, (answer, found.verdict)
        assert len(found.plan or ()) == len(walk.numbers)


@given(walks())
def test_a_plan_that_was_read_is_read_again(walk: Walk) -> None:
    fields = {"numbers": walk.numbers, "target": walk.target}
    (found,) = scored(fields, walk.expression)
    (again,) = scored(fields, str(found.plan))
    assert list(map(str, again.plan or ())) == list(map(str, found.plan or ()))
    assert (again.verdict.status, again.strict.status) == (Status.VALID, Status.VALID)
