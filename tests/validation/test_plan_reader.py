"""The strict plan reader: what it accepts, and the position of errors."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.model.errors import PlanSyntaxError
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.validation.plan_reader import read_plan

NAMES = st.text("abyz09-_", max_size=8).map("x".__add__)
STEPS = st.builds(Step, NAMES, st.lists(NAMES, max_size=4).map(tuple))


@given(st.lists(STEPS, max_size=8))
def test_printed_plan_is_read_back(steps: list[Step]) -> None:
    """Also with capitals, comments, blanks and time stamps."""
    text = str(Plan(tuple(steps)))
    noisy = text.upper().replace("\n", " ; (no step)\r\n\t").replace("(", "( ")
    stamped = "".join(f"{n}.5: {line} [1]\n" for n, line in enumerate(text.splitlines()))
    for written in (text, f"\ufeff{noisy}", stamped):
        assert [step[:2] for step in read_plan(written)] == [step[:2] for step in steps]


@pytest.mark.parametrize(
    "text",
    [
        "(a b)\n(c)\n",
        "\ufeff(a b)\r\n(c)\r\n; cost = 2 (unit cost)\r\n",
        "(A B) ( c )",
        "; a comment with ( and )\n(a\n  b)\n\n(c) ; and one more",
        "0: (a b) [1]\n1.5: (c) [0.001]",
        "2: (c)\n0.000: (a b)\n",
        "0.: (a b)\n1.: (c) [2.]",
        "(a b) [1]\n(c)[0.5]",
        "(a b)\n(c) [1]",
        "(a b)\n(c)\0",
        "(a b)\r\n(c)\r\n\x1a",
        "(a b)\n(c)\n; end\0\x1a\0\n",
    ],
)
def test_forms_of_one_plan(text: str) -> None:
    assert [str(step) for step in read_plan(text).steps] == ["(a b)", "(c)"]


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("(a b)\nmove c\n", 2, 1, "found 'move c', expected '(' at the start of a step"),
        ("(a b)\n(c d", 2, 5, "found the end of the text, expected an argument or ')'"),
        ("(a, b)", 1, 3, "found ', b)', expected an argument or ')'"),
        ("(a (b))", 1, 4, "found '(b))', expected an argument or ')'"),
        ("()", 1, 2, "found ')', expected the action's name"),
        ("```\n(a)\n```", 1, 1, "found '```', expected '(' at the start of a step"),
        ("1. (a)", 1, 1, "found '1. (a)', expected '(' at the start of a step"),
        ("(a) []", 1, 5, "found '[]', expected a duration such as [5] after a step"),
        ("(a) [-1]", 1, 5, "found '[-1]', expected a duration such as [5] after a step"),
        ("-1: (a)", 1, 1, "found '-1: (a)', expected a time stamp such as 0.5:"),
        (".5: (a)", 1, 1, "found '.5: (a)', expected a time stamp such as 0.5:"),
        ("(a)\0(b)", 1, 4, "found '\\x00(b)', expected '(' at the start of a step"),
        ("\0\n\0", 1, 1, "found '\\x00', expected '(' at the start of a step"),
        ("\x1a", 1, 1, "found '\\x1a', expected '(' at the start of a step"),
        ("(a)\n  (b))", 2, 6, "found ')', expected '(' at the start of a step"),
        ("0: (a)\n(b)", 2, 1, "this step has no time stamp, but others do"),
        ("(\x00)", 1, 2, "found '\\x00)', expected the action's name"),
        ("(a\u00a0b)", 1, 3, "found '\\xa0b)', expected an argument or ')'"),
        ("(pic\u212a)", 1, 5, "found '\u212a)', expected an argument or ')'"),
        (
            "(a) ; comment\rnonsense\n",
            1,
            15,
            "found 'nonsense', expected '(' at the start of a step",
        ),
    ],
)
def test_faults_have_a_place(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(PlanSyntaxError) as caught:
        read_plan(text)
    assert (caught.value.line, caught.value.column, caught.value.message) == (line, column, message)


@given(st.text(alphabet="(a b)0:.[];\n\t-x,`", max_size=40))
def test_any_text_is_a_plan_or_an_error_with_a_place_in_it(text: str) -> None:
    place: int | None = 1
    try:
        read_plan(text)
    except PlanSyntaxError as error:
        place = error.line
    assert place in range(1, text.count("\n") + 2)


@pytest.mark.parametrize("end", ["\n", "", " ; comment\n"])
def test_a_long_plan_is_read_in_a_moment(end: str) -> None:
    """On one line or on many, in time that grows with the length and not with its square."""
    text = f"(move a b){end}" * 60_000
    began = time.process_time()
    assert len(read_plan(text)) == 60_000
    assert time.process_time() - began < 5.0
