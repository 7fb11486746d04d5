"""Stored calls: nothing is asked twice, nothing is lost, settings are not mixed."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from scripted_model import GOAL, SUCC, WRONG_GOAL, ScriptedModel, Stopped

from pddl_pipeline.endpoints.settings import Reply
from pddl_pipeline.model.errors import InputError, StoreError
from pddl_pipeline.papers.autotos.checks import Stage
from pddl_pipeline.papers.autotos.conversations import CallStore, Conditions, Conversation, converse
from pddl_pipeline.papers.autotos.loop import OPENINGS, CheckOutcome, Request
from pddl_pipeline.planners.foreign_code.guarded import Category, Failure, function_in
from pddl_pipeline.planners.foreign_code.process import CodeSource
from pddl_pipeline.search.black_boxes.domain import fault_of

REPLIES = [SUCC, *8 * [WRONG_GOAL], GOAL]


class QuickChecks:
    """Checks that run no code: a goal test with ``in`` is wrong. They may stop."""

    def __init__(self, most: int = 100) -> None:
        self.checked, self._most = 0, most

    def check(self, reply: str, function: str, _: Mapping[str, CodeSource]) -> CheckOutcome:
        if self.checked == self._most:
            raise Stopped
        self.checked += 1
        if "in state" in reply and function == "isgoal":
            again = fault_of("stored", text=f"Again {reply}")
            failure = Failure(Category.ISGOAL_SOUNDNESS, "isgoal", "wrong", again)
            return CheckOutcome(Stage.GOAL_TESTS, function_in(reply, function), failure)
        return CheckOutcome(Stage.COMPLETENESS, function_in(reply, function))


def hold(folder: Path, model: ScriptedModel, checks: QuickChecks, number: int = 1) -> Conversation:
    conditions = Conditions(OPENINGS["24game"], checks, 10)
    with CallStore(folder, {"model": "scripted"}) as store:
        return converse(number, conditions, model, store)


@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_asked_twice_after_a_kill(seed: int, tmp_path: Path) -> None:
    """Kill before a reply, between a reply and its checks, and in the middle of a line."""
    chance, file = random.Random(seed), tmp_path / "runs" / "calls.jsonl"
    whole = hold(tmp_path / "whole", ScriptedModel(REPLIES), QuickChecks())
    found, asked = None, list[int]()
    for _ in range(50):
        most = chance.sample([chance.randrange(4), 100], 2)
        model = ScriptedModel(REPLIES, most[0])
        with suppress(Stopped):
            found = hold(file.parent, model, QuickChecks(most[1]))
        asked += [len(messages) for messages in model.asked]
        if found is not None:
            break
        # A crash may write a part of the next line.
        torn = chance.choice([0, chance.randrange(1, 40)])
        stored = file.read_bytes()
        file.write_bytes(stored + b"".join(stored.splitlines(keepends=True)[-1:])[:torn])
    assert (found, len(asked)) == (whole, len(REPLIES))
    assert asked == sorted(set(asked))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"model": "other"}, 'model "scripted", found "other"'),
        ({"model": "scripted", "seed": 1}, "seed null, found 1"),
        ({}, 'model "scripted", found null'),
    ],
)
def test_other_settings_need_another_folder(
    changed: dict[str, Any], message: str, tmp_path: Path
) -> None:
    hold(tmp_path / "runs", ScriptedModel(REPLIES), QuickChecks())
    before = (tmp_path / "runs" / "calls.jsonl").read_bytes()
    said = f"{message}.*other settings need another folder"
    with pytest.raises(InputError, match=said):
        CallStore(tmp_path / "runs", changed)
    assert (tmp_path / "runs" / "calls.jsonl").read_bytes() == before


def test_a_folder_of_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"has 'notes\.txt' but no"):
        CallStore(tmp_path, {})
    assert [path.name for path in tmp_path.iterdir() if path.name[0] != "."] == ["notes.txt"]


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    with CallStore(tmp_path, {}), pytest.raises(StoreError, match="another process"):
        CallStore(tmp_path, {})


@pytest.mark.parametrize(
    "line",
    ["{}", "[1]", "no JSON", '{"kind": "outcome", "repetition": 1}', '{"kind":"reply"}', "null"],
)
def test_a_damaged_line_is_named(line: str, tmp_path: Path) -> None:
    with CallStore(tmp_path / "runs", {}) as store:
        store.add_reply(1, Request("succ", "Write it."), Reply("text", "stop"))
    with (tmp_path / "runs" / "calls.jsonl").open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(StoreError, match=r"calls\.jsonl:2: found no stored call"):
        CallStore(tmp_path / "runs", {})


def test_a_request_that_does_not_follow_is_an_error(tmp_path: Path) -> None:
    hold(tmp_path / "runs", ScriptedModel(REPLIES), QuickChecks())
    file = tmp_path / "runs" / "calls.jsonl"
    prompt = json.loads(file.read_text().splitlines()[2])["prompt"]
    file.write_text(file.read_text().replace(json.dumps(prompt), '"Something else."'))
    with pytest.raises(StoreError, match="repetition 1, call 2: the stored request does not"):
        hold(tmp_path / "runs", ScriptedModel(REPLIES), QuickChecks())
