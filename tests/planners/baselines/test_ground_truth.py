"""ground-truth against an independent search over the validator's own successors."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import pytest
from baseline_runs import blocks, drawn, given_of, run
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from planner_outcomes import command_of
from planner_problems import sample
from record_strategies import records

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.fast_downward import PLANNERS
from pddl_pipeline.search.baseline import UnsupportedTask
from pddl_pipeline.translators import translate_and_read
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.task import Task


class TooManyStates(Exception):
    """The task has too many states for the slow search."""


def dijkstra(task: Task, most: int = 3000) -> Number | None:
    """Return the cost of a cheapest plan, None without one. Costs are unit costs or total-cost."""
    start = task.initial_state()
    costs = task.facts.metric is not None
    number = count()
    queue: list[tuple[Number, int, Any]] = [(0, next(number), start)]
    done: set[frozenset[Any]] = set()
    while queue:
        spent, _, state = heappop(queue)
        key = frozenset(state.facts)
        if key in done:
            continue
        if task.goal_holds(state):
            return spent
        done.add(key)
        if len(done) > most:
            raise TooManyStates
        for _, after in task.successors(state):
            total = after.values["total-cost",] if costs else spent + 1
            heappush(queue, (total, next(number), after))
    return None


def commands() -> dict[str, tuple[str, ...]]:
    (planner,) = (each for each in PLANNERS if each.name == "seq-opt-lmcut")
    return {planner.name: command_of(planner).words()}


@pytest.mark.parametrize("way", ["sweep", "uniform cost", "downward"])
@pytest.mark.parametrize("seed", range(4))
def test_every_way_gives_the_cheapest_plan_of_blocks(seed: int, way: str, tmp_path: Path) -> None:
    # The sweep does not accept goals with facts other than `on`.
    init, goal, _ = drawn(seed, "abcd")
    more = [] if way == "sweep" else [["handempty"]]
    problem = blocks(init, [*(["on", *pair] for pair in goal), *more])
    given = given_of(problem, tmp_path, commands=commands())
    done = run("ground-truth", given, states=5 if way == "downward" else 10**6)
    assert done.verdict.cost == dijkstra(given.task)
    assert list(tmp_path.glob("downward-*")) == []


@settings(max_examples=12)
@given(data=st.data())
@pytest.mark.parametrize("domain", ["ferry", "grippers", "minigrid"])
def test_small_tasks_of_every_kind(
    domain: str, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    problem, task = translate_and_read(from_record(data.draw(records(domain))))
    try:
        expected = dijkstra(task, 300)
    except TooManyStates:
        reject()
    given = given_of(problem, tmp_path_factory.mktemp("truth"))
    done = run("ground-truth", given, states=10**5)
    if expected is None:
        assert done.finding.plan is None
        assert done.finding.proof
    else:
        assert done.verdict.cost == expected


ROADS = """(define (domain roads) (:requirements :action-costs)
  (:predicates (at ?x) (road ?x ?y)) (:functions (total-cost) (toll ?x ?y))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
   :effect (and (at ?y) (not (at ?x)) (increase (total-cost) (toll ?x ?y)))))"""


@pytest.mark.parametrize(
    ("roads", "best"),
    [
        ("sg5 sa1 ag1", "sag"),  # the first plan found is not the cheapest
        ("sa1 sb0 bc0 cg2 ag1", "sag"),  # both cost 2; the longer plan is found first
        ("sa0 ab0 bg0 sc0 cg0", "scg"),
    ],
)
def test_the_cheapest_plan_and_of_those_the_shortest(roads: str, best: str, tmp_path: Path) -> None:
    each = [(road[0], road[1], road[2]) for road in roads.split()]
    init = " ".join(f"(road {x} {y}) (= (toll {x} {y}) {toll})" for x, y, toll in each)
    problem = (
        f"(define (problem p) (:domain roads) (:objects {' '.join({*roads} - set(' 0125'))})"
        f" (:init (at s) (= (total-cost) 0) {init}) (:goal (at g))"
        " (:metric minimize (total-cost)))"
    )
    done = run("ground-truth", given_of(Problem(ROADS, problem), tmp_path))
    assert [step.arguments for step in done.finding.plan or ()] == list(pairwise(best))


def test_what_is_too_large_without_fast_downward_is_unsupported(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedTask, match="more than 5 states"):
        run("ground-truth", given_of(sample("ferry"), tmp_path), states=5)


def test_fast_downward_may_prove_that_there_is_no_plan(tmp_path: Path) -> None:
    problem = blocks([["a"], ["b"], ["c"]], [["on", "a", "b"], ["on", "b", "a"]])
    done = run("ground-truth", given_of(problem, tmp_path, commands=commands()), states=3)
    assert (done.finding.plan, done.finding.proof) == (None, True)
