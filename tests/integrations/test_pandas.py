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
    scored = score_frame(df, load_records(data), id="puzzle", answer="response")
    assert scored["correct"].tolist() == [True]
    known = pd.DataFrame({"problem_id": ["a"], "response": [RIGHT]})
    assert score_frame(known, data)["correct"].tolist() == [True]


def test_a_frame_without_rows(data: Path) -> None:
    scored = score_frame(pd.DataFrame({"id": [], "answer": []}), data)
    assert len(scored) == 0
    assert {"status", "correct", "plan"} <= set(scored.columns)


def test_columns_that_are_missing_or_there_already(data: Path) -> None:
    df = pd.DataFrame({"id": ["a"], "answer_": [RIGHT]})
    with pytest.raises(InputError, match=r"the field 'answer', found .*; did you mean 'answer_'"):
        score_frame(df, data)
    for name in ("id", "answer"):
        twice = pd.DataFrame([["a", RIGHT, "b"]], columns=["id", "answer", name])
        with pytest.raises(InputError, match=f"several columns are named '{name}'"):
            score_frame(twice, data)
    with pytest.raises(InputError, match="column 'status' already exists"):
        score_frame(df.assign(status="ok"), data, answer="answer_")


def test_a_row_has_one_answer(data: Path) -> None:
    said = [{"role": "user", "content": "?"}, {"role": "assistant", "content": RIGHT}]
    scored = score_frame(pd.DataFrame({"id": ["a", "a"], "messages": [said, said[:1]]}), data)
    assert scored["correct"].tolist() == [True, pd.NA]
    df = pd.DataFrame({"id": ["a"], "samples": [[RIGHT, "no"]]})
    with pytest.raises(InputError, match=r"'samples': found 2 answers in a row.*df\.explode"):
        score_frame(df, data)
    assert score_frame(df.explode("samples"), data)["correct"].tolist() == [True, False]
