"""Tasks of PDDL as black boxes, and paths as plans."""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from countdown_by_hand import walked
from hypothesis import given
from hypothesis import strategies as st
from places import DATA as PUBLIC_DATA

from pddl_pipeline import read_task
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
from pddl_pipeline.translators import translate_and_read
from pddl_pipeline.translators.domains.countdown import Countdown
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.task import Task

MANY = Bounds(10**6)
FORMS = {"blocksworld", "sokoban", "countdown"}


def bridged(record: dict[str, Any]) -> tuple[Task, Bridge]:
    problem, task = translate_and_read(from_record({"id": "a", **record}))
    return task, bridge_of(task, problem.domain_pddl, problem.problem_pddl)


def shortest(task: Task, bridge: Bridge) -> int:
    """Return the steps of a breadth-first plan, which the validator accepts."""
    found = breadth_first(bridge.space, MANY, SearchEffort())
    assert found.path
    plan = bridge.plan(found.path)
    assert task.judge(plan).status == "valid"
    return len(plan)


@pytest.mark.parametrize("domain", domain_names())
@pytest.mark.parametrize("search", [breadth_first, depth_first])
def test_the_sample_of_every_domain(domain: str, search: Any) -> None:
    texts = [(domain_folder(domain) / name).read_text() for name in ("domain.pddl", "p01.pddl")]
    task = read_task(*texts)
    bridge = bridge_of(task, *texts)
    assert (bridge.form is not None) == (domain in FORMS)
    found = search(bridge.space, MANY, SearchEffort())
    verdict = task.judge(bridge.plan(found.path))
    assert verdict.status == "valid", verdict.reason


@st.composite
def towers(draw: st.DrawFn) -> tuple[list[list[str]], list[tuple[str, str]]]:
    """Stacks of two to five blocks, and who is to be on whom."""
    blocks = [f"b{number}" for number in range(draw(st.integers(2, 5)))]
    stacks: list[list[str]] = []
    for block in draw(st.permutations(blocks)):
        place = draw(st.integers(0, len(stacks)))
        if place == len(stacks):
            stacks.append([])
        stacks[place].append(block)
    order = draw(st.permutations(blocks))
    cuts = draw(st.sets(st.integers(2, len(order))))
    pairs = [(order[n], order[n - 1]) for n in range(1, len(order)) if n not in cuts]
    return stacks, pairs


@given(towers())
def test_blocksworld_by_the_fewest_steps(
    given_towers: tuple[list[list[str]], list[tuple[str, str]]],
) -> None:
    stacks, pairs = given_towers
    goal = [["on", upper, lower] for upper, lower in pairs]
    record = {"domain": "blocksworld", "init": stacks, "holding": None, "goal": goal}
    task, bridge = bridged(record)
    assert bridge.form
    assert shortest(task, bridge) == len(cheapest_plan(stacks, pairs, (1, 1, 1, 1)).steps)


def test_blocksworld_in_other_words() -> None:
    """The names of a variant, which the steps of the plan have too."""
    folder = domain_folder("blocksworld") / "variants"
    domain = next(
        file for file in folder.glob("*.pddl") if "pickup" in file.read_text()
    ).read_text()
    text = """(define (problem p) (:domain blocksworld) (:objects a b)
        (:init (clear a) (on-table b) (arm-empty) (on a b)) (:goal (and (on b a))))"""
    task = read_task(domain, text)
    bridge = bridge_of(task, domain, text)
    assert bridge.form
    found = breadth_first(bridge.space, MANY, SearchEffort())
    plan = bridge.plan(found.path or ())
    assert [step.action for step in plan] == ["unstack", "putdown", "pickup", "stack"]
    assert task.judge(plan).status == "valid"


@pytest.mark.parametrize(
    "goal", ["(handempty)", "(holding a)", "(not (clear b))", "(and (on b a) (holding a))"]
)
def test_goals_that_the_form_lacks_are_searched_as_pddl(goal: str) -> None:
    domain = (domain_folder("blocksworld") / "domain.pddl").read_text()
    text = f"""(define (problem p) (:domain blocksworld) (:objects a b)
        (:init (clear a) (clear b) (ontable a) (ontable b) (handempty)) (:goal {goal}))"""
    task = read_task(domain, text)
    bridge = bridge_of(task, domain, text)
    assert bridge.form is None
    found = breadth_first(bridge.space, MANY, SearchEffort())
    assert (found.path is None) == ("on b a" in goal)
    if found.path:
        assert task.judge(bridge.plan(found.path)).status == "valid"


@pytest.mark.parametrize("seed", range(12))
def test_sokoban_by_the_fewest_steps(seed: int) -> None:
    """Against a search over the states of the PDDL, where stones have names."""
    rng = Random(seed)
    cells = [(x, y) for x in range(4) for y in range(3)]
    picked = rng.sample(cells, 7)
    signs = dict(zip(picked, "@$$..##", strict=True))
    rows = ["".join(signs.get((x, y), " ") for x in range(4)) for y in range(3)]
    task, bridge = bridged(
        {"domain": "sokoban", "map": ["######", *(f"#{r}#" for r in rows), "######"]}
    )
    assert bridge.form
    found = breadth_first(bridge.space, MANY, SearchEffort())
    other = breadth_first(world_bridge(task).space, MANY, SearchEffort())
    assert (found.path is None) == (other.path is None)
    if found.path and other.path:
        assert len(found.path) == len(other.path) == shortest(task, bridge) + 1


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
    folder = domain_folder("sokoban")
    domain, text = ((folder / name).read_text() for name in ("domain.pddl", "p01.pddl"))
    changed = re.sub(old, new, text)
    assert changed != text
    assert bridge_of(read_task(domain, changed), domain, changed).form is None


@pytest.mark.parametrize("numbers", ["exact", "float"])
@given(seed=st.integers(0, 10**6), size=st.integers(1, 5))
def test_countdown_plans(numbers: str, seed: int, size: int) -> None:
    floats = numbers == "float"
    start, target = walked(size, Random(seed))
    task, bridge = bridged({"domain": "countdown", "numbers": start, "target": target})
    assert bridge.form
    found = countdown_bridge(task, floats=floats, tolerance=1e-6 if floats else 0)
    assert found
    path = depth_first(found.space, MANY, SearchEffort()).path
    assert path
    plan = found.plan(path)
    assert len(plan) == size
    verdict = task.judge(plan)
    assert verdict.status == "valid" or (floats and verdict.status == "invalid")


def test_a_path_over_floats_gives_the_plan_that_floats_claim() -> None:
    record = {"domain": "countdown", "numbers": [1, 10**9, 10**9 + 1], "target": 10**9 + 1}
    task, _ = bridged(record)
    bridge = countdown_bridge(task, floats=True)
    assert bridge
    found = breadth_first(bridge.space, MANY, SearchEffort())
    verdict = task.judge(bridge.plan(found.path or ()))
    assert verdict.status == "invalid"
    assert "checkgoal" not in str(verdict.failed_step)
    assert verdict.failed_step == 3


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
    record = {
        "domain": "blocksworld", "init": [["a", "b"]], "holding": None, "goal": [["on", "a", "b"]]
    }  # fmt: skip
    _, bridge = bridged(record)
    start = bridge.space.start
    jump = {
        "clear": ["a"],
        "on-table": ["b"],
        "arm-empty": True,
        "holding": None,
        "on": [("a", "b")],
    }
    with pytest.raises(Unsound, match=r"\(step 1\)"):
        bridge.plan([start, jump])


DATA = PUBLIC_DATA / "autotos"


@pytest.mark.skipif(not DATA.is_dir(), reason="the public datasets are not here")
@pytest.mark.parametrize(
    ("name", "length"), [pytest.param("p05", 20, marks=pytest.mark.long), ("p06", 35)]
)
def test_published_lengths(name: str, length: int) -> None:
    texts = [
        (DATA / "sokoban" / file).read_text()
        for file in ("domain.pddl", f"test_instances/{name}.pddl")
    ]
    task = read_task(*texts)
    bridge = bridge_of(task, *texts)
    assert bridge.form
    assert shortest(task, bridge) == length
