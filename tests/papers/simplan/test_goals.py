"""Tests of goal orders: from landmarks, exact, and as SimPlan's questions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pddl_pipeline.model.limits import Limits
from pddl_pipeline.papers.simplan import goals as simplan_goals
from pddl_pipeline.papers.simplan.goals import (
    Case,
    Pair,
    confirmed,
    door_pairs,
    is_selected,
    nearer_pairs,
    order_cases,
    orders_of_doors,
    orders_of_task,
    reasonable_pairs,
)
from pddl_pipeline.papers.simplan.landmark_graph import landmark_graph
from pddl_pipeline.papers.simplan.test_sets import TEST_SETS
from pddl_pipeline.papers.study import Workbench, studies
from pddl_pipeline.questions.fluents import fluents_of
from pddl_pipeline.questions.goal_orders import goal_orders
from pddl_pipeline.questions.kind import Stage, kind_named
from pddl_pipeline.questions.question_files import read_questions
from pddl_pipeline.translators import read_instance, translate
from pddl_pipeline.translators.records import from_record

TOP, MIDDLE, BOTTOM = ("on", "b1", "b2"), ("on", "b2", "b3"), ("on", "b3", "b4")
TOWER: dict[str, Any] = {
    "id": "tower", "domain": "blocksworld", "init": [["b1"], ["b2"], ["b3"], ["b4"]],
    "holding": None, "goal": [list(TOP), list(MIDDLE), list(BOTTOM)],
}  # fmt: skip
NEAR, FAR = ("open", "p2"), ("open", "p4")
CORRIDOR: dict[str, Any] = {
    "id": "corridor", "domain": "minigrid", "floorplan": ["..L.L."], "robot": "p0", "goal": "p5",
    "keys": {"key0": {"shape": "shape0", "at": "p1"}}, "locks": {"p2": "shape0", "p4": "shape0"},
}  # fmt: skip


def stage_of(record: dict[str, Any]) -> Stage:
    task = read_instance(from_record(record))
    return Stage(task, fluents_of(task), None, 1000)


def test_a_tower_is_built_from_below_as_a_whole() -> None:
    """Its ends have no order of their own."""
    graph = stage_of(TOWER).graph
    assert orders_of_task(graph, [TOP, MIDDLE, BOTTOM], [TOP, MIDDLE, BOTTOM]) == {
        frozenset((TOP, MIDDLE)): MIDDLE,
        frozenset((MIDDLE, BOTTOM)): BOTTOM,
        frozenset((TOP, BOTTOM)): BOTTOM,
    }
    assert goal_orders(graph, 0, [TOP, BOTTOM]) == []
    assert orders_of_task(graph, [TOP, BOTTOM], [TOP, BOTTOM]) == {}


def test_landmarks_link_the_ends_by_two_orders() -> None:
    graph = landmark_graph(translate(from_record(TOWER)), Limits(time_s=30))
    pairs = list(reasonable_pairs(graph, [TOP, MIDDLE, BOTTOM]))
    assert {pair[:2] for pair in pairs} == {(BOTTOM, MIDDLE), (MIDDLE, TOP), (BOTTOM, TOP)}
    (selected,) = filter(is_selected, pairs)
    assert selected == Pair(BOTTOM, TOP, {"order": "reasonable", "edges": 2})


def test_the_outer_door_comes_first_by_every_method() -> None:
    stage = stage_of(CORRIDOR)
    exact = orders_of_doors(stage.prepared_world, stage.goals[0])
    assert exact == {frozenset((NEAR, FAR)): NEAR}
    assert (NEAR, FAR, "necessary") in goal_orders(stage.graph, 0, [NEAR, FAR])
    graph = landmark_graph(translate(from_record(CORRIDOR)), Limits(time_s=30))
    assert [pair[:2] for pair in door_pairs(graph)] == [(NEAR, FAR)]


@pytest.mark.parametrize(
    "change",
    [
        {"goal": "p3"},  # the second door is not needed
        {"robot": "p3", "goal": "p0"},  # the key cannot be reached
        # No key for the second door.
        {
            "locks": {"p2": "shape0", "p4": "shape1"},
            "keys": {**CORRIDOR["keys"], "key1": {"shape": "shape1", "at": "p5"}},
        },
    ],
)
def test_doors_that_no_plan_needs_have_no_order(change: dict[str, Any]) -> None:
    stage = stage_of({**CORRIDOR, **change})
    assert orders_of_doors(stage.prepared_world, stage.goals[0]) == {}


def test_nearer_goals_are_those_of_fewer_actions() -> None:
    record = {
        "id": "f", "domain": "ferry", "locations": ["l0", "l1", "l2"], "cars": ["c0", "c1"],
        "ferry": "l0", "at": {"c0": "l1", "c1": "l0"}, "aboard": None,
        "goal": {"c0": "l2", "c1": "l2"},
    }  # fmt: skip
    needed = {"actions_needed": {"(at c1 l2)": 3, "(at c0 l2)": 4}}
    pair = Pair(("at", "c1", "l2"), ("at", "c0", "l2"), needed)
    assert list(nearer_pairs(stage_of(record))) == [pair]


def test_agreement_is_seen_from_the_landmarks() -> None:
    pairs = [Pair(BOTTOM, TOP, {}), Pair(MIDDLE, TOP, {})]
    both = [frozenset((BOTTOM, TOP)), frozenset((MIDDLE, TOP)), frozenset((BOTTOM, MIDDLE))]
    exact = {both[0]: BOTTOM, both[1]: TOP, both[2]: BOTTOM}
    cases = order_cases("g", pairs, both, exact, {})
    assert cases == Counter([
        Case("g", "an order", "the same order", "no order"),
        Case("g", "an order", "the opposite order", "no order"),
        Case("g", "no order", "an order", "no order"),
    ])  # fmt: skip
    found = [confirmed(cases, "g", alone=alone) for alone in (False, True)]
    assert [*found, confirmed(cases, "other", alone=False)] == [(1, 2), (0, 2), (0, 0)]


def test_the_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = [each for each in TEST_SETS if each.store in {"blocksworld-simple", "minigrid-simple"}]
    monkeypatch.setattr(simplan_goals, "TEST_SETS", small)
    bench = Workbench(tmp_path, number=1, sizes_given=[4], time_s=30)
    findings = studies()["simplan-goal-ordering"].run(bench)
    file = tmp_path / "questions.jsonl"
    found = list(read_questions(file))
    assert len(found) == sum(int(row[5]) for row in findings.tables[0].table.rows)
    assert {each.kind for each in found} <= {"nearer-goal", "first-goal"}
    for question in found:
        kind = kind_named(question.kind)
        assert kind.mark(question, kind.answer_text(question)).correct
    blocks_and_doors, blocks, *table_7 = findings.comparisons
    cases = [(row[1], int(row[4])) for row in findings.tables[1].table.rows]
    assert blocks_and_doors.ours[0].of == sum(n for said, n in cases if said == "an order")
    assert (blocks_and_doors.ours[0].of or 0) >= (blocks.ours[0].of or 0)
    assert {each.verdict for each in table_7} == {"not compared"}
