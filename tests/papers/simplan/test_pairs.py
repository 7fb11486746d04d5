"""Tests of the training pairs of SimPlan's ranker."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli, check_mistake
from places import ROOT, SUPPORT

from pddl_pipeline.papers.simplan.pairs import (
    Header,
    Pair,
    Solved,
    left_out_facts,
    make_pairs,
    solved,
)
from pddl_pipeline.search.world import world_of
from pddl_pipeline.translators import read_instance
from pddl_pipeline.translators.datasets import load_records

FERRY = {
    "id": "f", "domain": "ferry", "locations": ["l0", "l1", "l2"], "cars": ["c0", "c1"],
    "at": {"c0": "l1", "c1": "l1"}, "aboard": None, "ferry": "l0", "goal": {"c0": "l2"},
}  # fmt: skip
PLAN = "(sail l0 l1) (board c0 l1) (sail l1 l2) (debark c0 l2)"


def ferries(*goals: str) -> list[Solved]:
    found = load_records(
        [{**FERRY, "id": f"f{n}", "goal": {"c0": goal}} for n, goal in enumerate(goals)]
    )
    return [solved(each, PLAN.replace("l2", goal)) for each, goal in zip(found, goals, strict=True)]


def made(data: list[Solved], **settings: Any) -> tuple[Header, list[Pair]]:
    header, pairs = make_pairs(data, **settings)
    return header, list(pairs)


def test_hard_negatives_are_those_of_section_4_2() -> None:
    """The paper's examples are its three kinds of negatives in Ferry."""
    _, (sail, board, _, debark) = made(ferries("l2"), permutations=0)
    assert board.query == (
        "<INITIAL> c0 is at l1 <INITIAL> c1 is at l1 <INITIAL> the ferry is empty "
        "<INITIAL> the ferry is at l1 <GOAL> c0 is at l2"
    )
    assert debark.negatives["opposite"] == ("board c0 at l2",)
    assert sail.negatives["swapped"] == ("sail from l1 to l0",)
    assert board.negatives["random"] == ("board c1 at l1",)


def test_history_keeps_the_initial_state() -> None:
    header, (sail, *_, last) = made(ferries("l2"), permutations=0, history=True)
    assert header.history
    assert last.query == f"{sail.query} " + " ".join(
        f"<ACTION> {x}" for x in ("sail from l0 to l1", "board c0 at l1", "sail from l1 to l2")
    )


NAME = re.compile(r"\b[cl]\d+")


def test_permutations_rename_the_objects_and_nothing_else() -> None:
    def shapes(pairs: list[Pair]) -> set[str]:
        """Return the training pairs with objects named by their first appearance."""
        found = set()
        for text in (f"{x.query} {x.action} {x.negatives}" for x in pairs if x.split == "train"):
            names = [*dict.fromkeys(NAME.findall(text))]
            found.add(NAME.sub(lambda x, names=names: f"{x[0][0]}{names.index(x[0])}", text))
        return found

    data = ferries("l2", "l0", "l2", "l0", "l2", "l0")
    header, own = made(data, permutations=0)
    _, new = made(data, permutations=5, names=9)
    assert {each.split for each in own} == {"train", "dev"}
    assert {"c0", "c29", "l0"} <= {*header.names}
    assert shapes(new) == shapes(own)
    used = NAME.findall(" ".join(each.query for each in new if each.split == "train"))
    assert {*used} == {f"{kind}{number}" for kind in "cl" for number in range(9)}


def test_a_map_that_all_instances_share_is_left_out() -> None:
    """As in Appendix D.1: connections and open places; which places are locked differs."""
    files = load_records(ROOT / "examples" / "minigrid.jsonl")
    worlds = [world_of(read_instance(each)) for each in files]
    assert {fact[0] for fact in left_out_facts(worlds[:2])} == {"conn", "open"}


def test_a_domain_of_others_is_written_in_pddl(cli: Cli, tmp_path: Path) -> None:
    for file in (SUPPORT / "foreign_pddl" / "gripper").glob("*.pddl"):
        text = file.read_text().replace(" left right)", ")")
        constants = text.replace("(:predicates", "(:constants left right) (:predicates")
        (tmp_path / file.name).write_text(constants)
    done = cli("simplan", "data", ".", "-o", "pairs.jsonl", "--permutations", "2")
    assert done.status == 0, done.err
    header, *pairs = map(json.loads, (tmp_path / "pairs.jsonl").read_text().splitlines())
    assert (header["type"], header["history"]) == ("header", False)
    assert all(each["query"].startswith("<INITIAL> (") for each in pairs)
    drops = [each for each in pairs if each["action"].startswith("(drop")]
    assert {re.findall(r"\w+", each["action"])[-1] for each in drops} <= {"left", "right"}
    assert drops[0]["negatives"]["opposite"] == [drops[0]["action"].replace("drop", "pick")]


def test_mistakes_in_data(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "two.jsonl").write_text(
        f"{json.dumps(FERRY)}\n{(ROOT / 'examples' / 'blocksworld.jsonl').read_text()}"
    )
    done = cli("simplan", "data", "two.jsonl", "-o", "pairs.jsonl")
    check_mistake(done, "found blocksworld, expected ferry")
    monkeypatch.setattr("pddl_pipeline.model.extras.find_spec", lambda _: None)
    settings = "simplan:reward=ranker,path=two.jsonl"
    done = cli("run", "two.jsonl", "--planner", settings, "-o", "runs")
    check_mistake(done, 'requires torch; fix: pip install "pddl-pipeline[ranker]"')
