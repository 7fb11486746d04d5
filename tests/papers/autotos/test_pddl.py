"""Tasks of PDDL as black boxes, and paths as plans."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from countdown_by_hand import walked
from hypothesis import assume, given
from hypothesis import strategies as st
from places import DATA

from pddl_pipeline import read_task
from pddl_pipeline.generators.blocks import block_names, random_stacks
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.search.baseline import SearchEffort
from pddl_pipeline.search.black_boxes.bridges import (
    Bridge,
    Unsound,
    bridge_of,
    countdown_bridge,
    plan_along,
    world_bridge,
)
from pddl_pipeline.search.blocks_states import cheapest_plan
from pddl_pipeline.search.space import Bounds, breadth_first, depth_first
from pddl_pipeline.translators import translate
from pddl_pipeline.translators.domains.countdown import Countdown
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.task import Task

MANY = Bounds(10**6)
FORMS = {"blocksworld", "sokoban", "countdown"}


def bridged(domain: str, problem: str) -> tuple[Task, Bridge]:
    task = read_task(domain, problem)
    return task, bridge_of(task, domain, problem)


def bridged_record(domain: str, **record: Any) -> tuple[Task, Bridge]:
    problem = translate(from_record({"id": "a", "domain": domain, **record}))
    return bridged(problem.domain_pddl, problem.problem_pddl)


def texts(folder: Path, problem: str = "p01.pddl") -> tuple[str, str]:
    return (folder / "domain.pddl").read_text(), (folder / problem).read_text()


def actions(task: Task, bridge: Bridge, search: Any = breadth_first) -> list[str]:
    """Return the actions of the plan of a search, which the validator accepts."""
    plan = bridge.plan(search(bridge.space, MANY, SearchEffort()).path)
    assert task.judge(plan).status == "valid"
    return [step.action for step in plan]


@pytest.mark.parametrize("domain", domain_names())
@pytest.mark.parametrize("search", [breadth_first, depth_first])
def test_the_sample_of_every_domain(domain: str, search: Any) -> None:
    task, bridge = bridged(*texts(domain_folder(domain)))
    assert (bridge.form is not None) == (domain in FORMS)
    assert actions(task, bridge, search)


@given(st.integers(2, 5), st.randoms(use_true_random=False))
def test_blocksworld_by_the_fewest_steps(size: int, random: Random) -> None:
    stacks, target = (random_stacks(random, block_names(size)) for _ in range(2))
    pairs = [(upper, lower) for stack in target for lower, upper in pairwise(stack)]
    assume(pairs)
    goal = [["on", *pair] for pair in pairs]
    task, bridge = bridged_record("blocksworld", init=stacks, holding=None, goal=goal)
    assert bridge.form
    assert len(actions(task, bridge)) == len(cheapest_plan(stacks, pairs, (1, 1, 1, 1)).steps)


TABLE = """(define (problem p) (:domain blocksworld) (:objects a b)
    (:init (clear a) (clear b) (ontable a) (ontable b) (handempty)) (:goal {}))"""


def test_blocksworld_in_other_words() -> None:
    """The names of a variant, which the steps of the plan have too."""
    folder = domain_folder("blocksworld") / "variants"
    domain = next(text for file in folder.glob("*.pddl") if "pickup" in (text := file.read_text()))
    problem = """(define (problem p) (:domain blocksworld) (:objects a b)
        (:init (clear a) (on-table b) (arm-empty) (on a b)) (:goal (and (on b a))))"""
    task, bridge = bridged(domain, problem)
    assert bridge.form
    assert actions(task, bridge) == ["unstack", "putdown", "pickup", "stack"]


@pytest.mark.parametrize("goal", ["(handempty)", "(holding a)", "(not (clear b))"])
def test_goals_that_the_form_lacks_are_searched_as_pddl(goal: str) -> None:
    domain, _ = texts(domain_folder("blocksworld"))
    task, bridge = bridged(domain, TABLE.format(goal))
    assert bridge.form is None
    assert len(actions(task, bridge)) < 3
    _, unsolvable = bridged(domain, TABLE.format("(and (on b a) (holding a))"))
    assert breadth_first(unsolvable.space, MANY, SearchEffort()).exhausted


@pytest.mark.parametrize(
    ("seed", "length"), [(0, 0), (1, 12), (8, 9), (13, 7), (17, 16), (28, 13), (31, 14)]
)
def test_sokoban_by_the_fewest_steps(seed: int, length: int) -> None:
    """Against a search over the states of the PDDL, where stones have names."""
    cells = list("@$$..#" + " " * 14)
    Random(seed).shuffle(cells)
    rows = [f"#{''.join(cells[at : at + 5])}#" for at in (0, 5, 10, 15)]
    task, bridge = bridged_record("sokoban", map=["#######", *rows, "#######"])
    assert bridge.form
    for space in (bridge.space, world_bridge(task).space):
        assert len(breadth_first(space, MANY, SearchEffort()).path or ()) == length
    assert not length or len(actions(task, bridge)) == length - 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"\(move-dir pos-2-2 [^)]*\)", ""),
        (r"\(at-goal stone-01\)", "(not (at-goal stone-01))"),
        (r"\(at-goal stone-01\)", "(at player-01 pos-2-2)"),
        (r"\(at-goal stone-01\)", ""),
        (r"\(is-goal pos-4-2\)", "(is-goal pos-1-1)"),
        (r"\(at stone-01 [^)]*\)", ""),
    ],
)
def test_sokoban_that_means_something_else_is_searched_as_pddl(old: str, new: str) -> None:
    domain, text = texts(domain_folder("sokoban"))
    changed, times = re.subn(old, new, text)
    assert times
    assert bridged(domain, changed)[1].form is None


@pytest.mark.parametrize("floats", [False, True])
@given(seed=st.integers(0, 10**6), size=st.integers(1, 5))
def test_countdown_plans(*, floats: bool, seed: int, size: int) -> None:
    start, target = walked(size, Random(seed))
    task, bridge = bridged_record("countdown", numbers=start, target=target)
    assert bridge.form
    found = countdown_bridge(task, floats=floats, tolerance=1e-6 if floats else 0)
    plan = found.plan(depth_first(found.space, MANY, SearchEffort()).path)
    assert len(plan) == size
    assert task.judge(plan).status in ({"valid", "invalid"} if floats else {"valid"})


def test_a_path_over_floats_gives_the_plan_that_floats_claim() -> None:
    numbers = [1, 10**9, 10**9 + 1]
    task, _ = bridged_record("countdown", numbers=numbers, target=numbers[-1])
    bridge = countdown_bridge(task, floats=True)
    assert bridge
    path = breadth_first(bridge.space, MANY, SearchEffort()).path
    verdict = task.judge(bridge.plan(path or ()))
    assert (verdict.status, verdict.failed_step) == ("invalid", 3)


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ([[3, 5], [8]], "(add n1 n2) (checkgoal n1)"),
        ([[3, 5], [2]], "(subtract n2 n1) (checkgoal n2)"),
        ([[3, 5], [0.6]], "(divide n1 n2) (checkgoal n1)"),
        ([[3, 5], [Fraction(5, 3)]], "(divide n2 n1) (checkgoal n2)"),
        ([(3, 5), (1.666667,)], "(divide n2 n1) (checkgoal n2)"),
        ([[4, 4, 1], [4, 4]], "(multiply n1 n3) (checkgoal n1)"),
        ([[0, 7], [7]], "(add n1 n2) (checkgoal n1)"),
        # What is exact comes before what is near.
        ([[10**9, 1], [10**9 - 1]], "(subtract n1 n2) (checkgoal n1)"),
        ([[1e9, 1.0], [1e9 - 1]], "(subtract n1 n2) (checkgoal n1)"),
    ],
)
def test_steps_behind_numbers(path: list[Any], steps: str) -> None:
    instance = Countdown(tuple(map(int, path[0])), 1)
    assert " ".join(map(str, plan_along(instance, path))) == steps


@pytest.mark.parametrize(
    "path", [[[3, 5], [9]], [[3, 5, 7], [3]], [[3, 5, 7], [1, 2]], [[3, 5], [3, 5]], [[3, 5], []]]
)
def test_numbers_that_no_step_makes(path: list[Any]) -> None:
    with pytest.raises(Unsound, match="no step leads from"):
        plan_along(Countdown(tuple(path[0]), 1), path)


def test_a_jump_is_no_plan() -> None:
    _, bridge = bridged_record(
        "blocksworld", init=[["a", "b"]], holding=None, goal=[["on", "a", "b"]]
    )
    jump = {**bridge.space.start, "clear": ["a"], "on-table": ["b"], "on": [("a", "b")]}
    with pytest.raises(Unsound, match=r"\(step 1\)"):
        bridge.plan([bridge.space.start, jump])


@pytest.mark.long
@pytest.mark.skipif(not DATA.is_dir(), reason="the public datasets are not here")
@pytest.mark.parametrize(("name", "length"), [("p05", 20), ("p06", 35)])
def test_published_lengths(name: str, length: int) -> None:
    task, bridge = bridged(*texts(DATA / "autotos" / "sokoban", f"test_instances/{name}.pddl"))
    assert bridge.form
    assert len(actions(task, bridge)) == length
