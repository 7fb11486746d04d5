"""Frames of answers: columns beside their own, in their order, under their index."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pddl_pipeline import load_records
from pddl_pipeline.integrations.pandas import score_frame
from pddl_pipeline.model.errors import InputError

RIGHT, WRONG = "(5 + 3 - 4) * 6 = 24", "5 * 4 + 3 + 6"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.jsonl"
    record = {"domain": "countdown", "numbers": [3, 4, 5, 6], "target": 24}
    path.write_text("".join(json.dumps({"id": name, **record}) + "\n" for name in ("7", "a")))
    return path


def test_verdicts_stand_beside_the_answers(data: Path) -> None:
    answers = [RIGHT, WRONG, np.nan, RIGHT, RIGHT]
    df = pd.DataFrame({"id": ["a", "a", "7", None, 7], "answer": answers}, index=[3, 3, 1, 0, 9])
    before = df.copy(deep=True)
    scored = score_frame(df, data)
    pd.testing.assert_frame_equal(df, before)
    pd.testing.assert_frame_equal(scored[["id", "answer"]], before)
    assert scored["status"].tolist() == ["valid", "invalid", "malformed", "undecided", "valid"]
    assert scored["correct"].tolist() == [True, False, False, pd.NA, True]
    assert scored["correct"].mean() == 0.5
    assert scored["errors"].tolist() == [[], ["not-target"], ["bad-format"], [], []]
    assert "'id'" in scored["reason"].iloc[3]
    assert scored["plan"].iloc[0][-1].startswith("(checkgoal")
    assert scored["steps"].iloc[0] == scored["cost"].iloc[0] == 4
    assert (scored["strict_status"] != "valid").all()


def test_instances_and_columns_of_other_names(data: Path) -> None:
    df = pd.DataFrame({"puzzle": ["a"], "response": [RIGHT], "answer": ["not this"]})
    known = pd.DataFrame({"problem_id": ["a"], "response": [RIGHT]})
    for scored in (
        score_frame(df, load_records(data), id="puzzle", answer="response"),
        score_frame(known, data),
    ):
        assert scored["correct"].tolist() == [True]


def test_a_frame_without_rows(data: Path) -> None:
    scored = score_frame(pd.DataFrame({"id": [], "answer": []}), data)
    assert len(scored) == 0
    assert {"status", "correct", "plan"} <= set(scored.columns)


TWICE = "column '{}' occurs twice"


@pytest.mark.parametrize(
    ("columns", "row", "message"),
    [
        (["id", "answer_"], ["a", RIGHT], r"the field 'answer', found .*; did you mean 'answer_'"),
        (["id", "answer", "id"], ["a", RIGHT, "b"], TWICE.format("id")),
        (["id", "answer", "answer"], ["a", RIGHT, "b"], TWICE.format("answer")),
        (["id", "answer", "status"], ["a", RIGHT, "ok"], "column 'status' already exists"),
        (["id", "samples"], ["a", [RIGHT, "no"]],
         r"found 2 answers in 1 row, expected one in each; df\.explode"),
    ],
)  # fmt: skip
def test_columns_that_are_missing_or_there_already(
    data: Path, columns: list[str], row: list[object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        score_frame(pd.DataFrame([row], columns=columns), data)


def test_a_row_has_one_answer(data: Path) -> None:
    said = [{"role": "user", "content": "?"}, {"role": "assistant", "content": RIGHT}]
    scored = score_frame(pd.DataFrame({"id": ["a", "a"], "messages": [said, said[:1]]}), data)
    assert scored["correct"].tolist() == [True, pd.NA]
    df = pd.DataFrame({"id": ["a"], "samples": [[RIGHT, "no"]]})
    assert score_frame(df.explode("samples"), data)["correct"].tolist() == [True, False]
