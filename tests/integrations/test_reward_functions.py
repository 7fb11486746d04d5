"""Reward functions in the styles of TRL and verl, called as these call them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pddl_pipeline.integrations.trl import plan_reward
from pddl_pipeline.integrations.verl import compute_score
from pddl_pipeline.model.errors import InputError

RECORD: dict[str, Any] = {
    "id": "bw", "domain": "blocksworld", "init": [["a"], ["b"]], "holding": None,
    "goal": [["on", "a", "b"]],
}  # fmt: skip
RIGHT, HALF, UNREAD = "pick up a, then stack a on b", "(pick-up a)", "I give up."
VALUES = pytest.approx([1, 0.3, 0])


def as_trl_calls(completions: list[Any], **columns: Any) -> list[float]:
    """Call the function as ``GRPOTrainer`` does: by keyword, with more than the columns."""
    return plan_reward(
        prompts=["p"] * len(completions), completions=completions,
        completion_ids=[[1]] * len(completions), trainer_state=object(), **columns,
    )  # fmt: skip


@pytest.mark.parametrize("record", [RECORD, json.dumps(RECORD)])
def test_trl_texts_and_messages(record: object) -> None:
    texts = [RIGHT, HALF, UNREAD]
    assert as_trl_calls(texts, record=[record] * 3, other=[1, 2, 3]) == VALUES
    silent = [[], [{"role": "assistant", "content": None}]]
    assert as_trl_calls(silent, record=[record] * 2) == [0, 0]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({}, "found no fields; expected 'record', PDDL texts, or the fields of a record"),
        ({"record": [RECORD]}, "found 1 values for 2 completions"),
        ({"record": [{**RECORD, "goal": 7}] * 2}, "'goal'"),
    ],
)
def test_trl_errors(columns: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        as_trl_calls([RIGHT, HALF], **columns)


def test_verl() -> None:
    assert [
        compute_score(
            data_source="blocks", solution_str=text, ground_truth=json.dumps(RECORD), extra_info={}
        )
        for text in (RIGHT, HALF, UNREAD)
    ] == VALUES
    with pytest.raises(InputError, match="expected 'record'"):
        compute_score("f", RIGHT, "42", {"split": "train"}, sandbox_fusion_url=None)
