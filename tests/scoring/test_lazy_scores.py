"""What a score computes when it is asked for: the trace, and why a text is no plan file."""

from __future__ import annotations

import pickle
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline import score
from pddl_pipeline.model.answer import LazyTrace, TraceLine, Treatment
from pddl_pipeline.model.errors import PlanSyntaxError
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.plan_reader import is_in_format, read_steps

LINES = (
    TraceLine(1, "x", Treatment.DROPPED, None, "no step"),
    TraceLine(2, "y", Treatment.USED, 1),
)


def scored(text: str) -> Score:
    record = {"id": "a", "domain": "countdown", "numbers": [3, 4, 5, 6], "target": 24}
    (found,) = score([from_record(record)], [{"id": "a", "answer": text}])
    return found


def test_a_trace_is_written_once_and_only_when_it_is_used() -> None:
    write = Mock(return_value=LINES)
    trace = LazyTrace(write)
    write.assert_not_called()
    assert (len(trace), list(trace), trace[1], trace[:1]) == (2, list(LINES), LINES[1], LINES[:1])
    assert trace == LINES
    assert trace == LazyTrace(lambda: LINES)
    assert trace != LINES[:1]
    assert (hash(trace), repr(trace)) == (hash(LINES), repr(LINES))
    assert pickle.loads(pickle.dumps(LazyTrace(lambda: LINES))) == LINES  # noqa: S301 -- own data
    write.assert_called_once()


@pytest.mark.parametrize(
    ("text", "status", "reason", "place"),
    [
        ("(3+5-4)*6", "malformed", "found '*6', expected '(' at the start of a step", (1, 8)),
        ("The answer\n", "malformed", "found 'The answer', expected", (1, 1)),
        ("(add n1 n3)\noops", "malformed", "found 'oops', expected", (2, 1)),
        ("", "malformed", "the answer is empty", (None, None)),
        ("(add n1 n9)", "malformed", "step 1 (add n1 n9)", (1, 1)),
        ("(add n1 n3)", "invalid", "goal not satisfied", (None, None)),
        ("(add n1 n3)(subtract n1 n2)(multiply n1 n4)(checkgoal n1)", "valid", "", (None, None)),
    ],
)
def test_the_strict_verdict_has_its_reason(
    text: str, status: str, reason: str, place: tuple[int | None, int | None]
) -> None:
    found = scored(text)
    assert (found.strict_status, found.strict.status) == (status, status)
    assert str(found.strict.reason or "").startswith(reason)
    assert (found.strict.line, found.strict.column) == place
    assert found.strictly_correct == (status == "valid")


PARTS = st.sampled_from(
    ["(a b)", "(a", ")", "(", "0.5: ", "3: (a)", "[1]", "[0.1]", "; c", "\n", "\r", " ", "x", "*6",
     "(1+2)", "\0", "\x1a", "\ufeff", "(a ;c\nb)", ";", "()"]
)  # fmt: skip


@given(st.lists(PARTS, max_size=8).map("".join))
def test_a_text_in_the_format_is_read(text: str) -> None:
    fault = ""
    try:
        read_steps(text)
    except PlanSyntaxError as error:
        fault = error.message
    assert is_in_format(text) == (fault in {"", "this step has no time stamp, but others do"})


def test_a_data_frame_of_scores_that_were_taken_is_refused() -> None:
    row = {"nums": [3, 4, 5, 6], "target": 24, "answer": "(3 + 5 - 4) * 6"}
    scores = score([row, row])
    assert [len(scores.columns()["correct"]) for _ in range(2)] == [2, 2]
    assert len(list(scores)) == 2
    with pytest.raises(ValueError, match="found 2 scores taken before"):
        scores.columns()
