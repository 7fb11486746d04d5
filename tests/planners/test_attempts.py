"""Attempts of real planners in real child processes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from heapq import heappop, heappush
from pathlib import Path
from typing import Any

import pytest
from planner_problems import LIMITS, sample

from pddl_pipeline import translate
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.planners.attempt import attempt, check_engine
from pddl_pipeline.planners.registry import planner_named, planners
from pddl_pipeline.planners.unified_planning import environment
from pddl_pipeline.translators import translate_and_read
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.features import task_features
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task, task_of


def features(domain: str) -> frozenset[str]:
    problem = sample(domain)
    return task_features(task_of(problem))


# The known outcomes of planners on samples, if other than a valid plan.
UNSERVED = {
    ("budget-blocksworld", "pyperplan"),
    ("budget-blocksworld", "tamer"),
    ("depots", "tamer"),
    ("sokoban", "tamer"),
    ("budget-blocksworld", "aries"),
}
WRONG = {("minigrid", "aries")}
# Searches that drop unpromising states, that draw at random, or whose record has no plan.
GIVES_UP = {
    *((domain, "witness") for domain in domain_names()),
    *((domain, "random") for domain in ("countdown", "depots", "minigrid", "sokoban")),
    *((domain, "tot") for domain in ("countdown", "depots", "minigrid", "sokoban")),
    ("countdown", "rap"),
}
ONE_DOMAIN = {"countdown-exact": "countdown"}
"""Planners that support only one domain."""
SLOW = {("sokoban", "aries")}
SUITED = [
    (domain, planner.name)
    for domain in domain_names()
    for planner in planners().values()
    if {"numeric", "general-numeric"} & features(domain) <= planner.features
    and ONE_DOMAIN.get(planner.name, domain) == domain
    and (domain, planner.name) not in SLOW
    and planner.name != "llm"  # needs a model
]
SPECIAL = UNSERVED | WRONG | GIVES_UP


def samples() -> Iterator[Any]:
    """Yield each suited pair. One domain of a planner is quick, another one for the next planner.

    Pairs with a special outcome are quick, too. The other ones are marked long.
    """
    domains, names = domain_names(), list(planners())
    for domain, planner in SUITED:
        suited = [each for each in domains if (each, planner) in SUITED]
        place = suited.index(domain) - names.index(planner)
        is_quick = place % len(suited) == 0 or (domain, planner) in SPECIAL
        yield pytest.param(domain, planner, marks=() if is_quick else pytest.mark.long)


SILENT = ("symk", "forbiditerative", "tamer", "aries", "lpg")
"""Planners that do not report the number of expanded states."""


def is_missing(planner: str) -> bool:
    try:
        check_engine(planner_named(planner))
    except EngineError:
        return True
    return False


@pytest.mark.parametrize(("domain", "planner"), list(samples()))
def test_planner_solves_the_sample(domain: str, planner: str) -> None:
    if is_missing(planner):
        pytest.skip(f"{planner} is not installed")
    problem = sample(domain)
    done = attempt(planner_named(planner), problem, LIMITS)
    if (domain, planner) in UNSERVED:
        assert (done.outcome, done.plan) == (Outcome.UNSUPPORTED, None), done.reason
        return
    if (domain, planner) in GIVES_UP:
        assert (done.outcome, done.plan) == (Outcome.GAVE_UP, None), done.reason
        return
    assert done.outcome is Outcome.PLAN_FOUND, done.reason
    task = task_of(problem)
    verdicts = [task.judge(plan) for plan in (done.plan or "", *done.further_plans)]
    expected = "invalid" if (domain, planner) in WRONG else "valid"
    assert {str(verdict.status) for verdict in verdicts} == {expected}
    assert (done.statistics.expanded is None) == planner.startswith(SILENT)
    assert done.wall_s > 0
    assert done.memory_mb > 1
    if planner_named(planner).multi_plan and planner != "kstar-topq":
        assert len(verdicts) == 5
        assert len({done.plan, *done.further_plans}) == 5


def in_words_of_up(problem: Problem) -> Problem:
    from unified_planning.io import PDDLReader, PDDLWriter  # noqa: PLC0415

    environment()
    read = PDDLReader().parse_problem_string(problem.domain_pddl, problem.problem_pddl)
    writer = PDDLWriter(read)
    return Problem(writer.get_domain(), writer.get_problem())


def planners_of_up() -> Iterator[Any]:
    """Yield suited pairs: one for each planner is quick, the other ones are marked long."""
    domains = ("countdown", "grippers", "budget-blocksworld", "depots")
    quick = {"enhsp": 0, "enhsp-hmrp": 3, "enhsp-anytime": 2, "lama-first": 1, "lama": 2,
             "fd-blind": 3}  # fmt: skip
    for planner, chosen in quick.items():
        for place, domain in enumerate(domains):
            if (domain, planner) in SUITED:
                marks = () if place == chosen else pytest.mark.long
                yield pytest.param(domain, planner, marks=marks)


@pytest.mark.parametrize(("domain", "planner"), list(planners_of_up()))
def test_unified_planning_gives_the_same_plan(domain: str, planner: str) -> None:
    """Unified Planning writes its own form of a problem unchanged; order decides between plans."""
    chosen, problem = planner_named(planner), in_words_of_up(sample(domain))
    if is_missing(planner):
        pytest.skip(f"{planner} is not installed")
    direct = attempt(chosen, problem, LIMITS)
    through = attempt(replace(chosen, command=None), problem, LIMITS)
    assert direct.plan
    assert through.outcome is Outcome.PLAN_FOUND, through.reason
    assert through.plan == direct.plan


@pytest.mark.parametrize("domain", ["grippers", "depots", "minigrid"])
def test_all_best_plans_are_those_that_exhaustive_search_counts(domain: str) -> None:
    if is_missing("kstar-topq"):
        pytest.skip("kstar-topq is not installed")
    problem = sample(domain)
    done = attempt(planner_named("kstar-topq"), problem, LIMITS)
    task = task_of(problem)
    assert len({done.plan, *done.further_plans}) == shortest_plans(task)


def shortest_plans(task: Task) -> int:
    """Return the number of plans with the fewest steps, by counting the paths to each state."""
    start = task.initial_state()
    ways = {frozenset(start.facts): (1, start)}
    seen = set(ways)
    while ways:
        goals = sum(count for count, state in ways.values() if task.goal_holds(state))
        if goals:
            return goals
        layer: dict[frozenset[Ground], tuple[int, State]] = {}
        for count, state in ways.values():
            for _, after in task.successors(state):
                key = frozenset(after.facts)
                if key not in seen:
                    layer[key] = (layer.get(key, (0, after))[0] + count, after)
        seen |= layer.keys()
        ways = layer
    return 0


def cheapest(task: Task) -> Number:
    """Return the cost of a cheapest plan, by uniform-cost search over all states."""
    queue: list[tuple[Number, int, State]] = [(0, 0, task.initial_state())]
    done: set[frozenset[Ground]] = set()
    count = 0
    while queue:
        cost, _, state = heappop(queue)
        if task.goal_holds(state):
            return cost
        if frozenset(state.facts) not in done:
            done.add(frozenset(state.facts))
            for _, after in task.successors(state):
                count += 1
                heappush(queue, (after.values["total-cost",], count, after))
    raise AssertionError("no plan")


@pytest.mark.parametrize(
    "planner", ["seq-opt-lmcut", "fd-blind", "enhsp-opt-hrmax", "enhsp-opt-blind", "symk-opt",
                "symk-topk", "kstar-topk", "kstar-topq"]
)  # fmt: skip
@pytest.mark.parametrize("put_down", [1, 20])
def test_optimal_planners_give_the_cheapest_plan(planner: str, put_down: int) -> None:
    record = {
        "id": "a",
        "domain": "budget-blocksworld",
        "init": [["b1", "b2", "b3"], ["b4"]],
        "holding": None,
        "goal": [["on", "b1", "b4"], ["on", "b4", "b2"]],
        "costs": {"pick-up": 1, "unstack": 2, "put-down": put_down, "stack": 3},
        "budget": None,
    }
    problem, task = translate_and_read(from_record(record))
    if is_missing(planner):
        pytest.skip(f"{planner} is not installed")
    done = attempt(planner_named(planner), problem, LIMITS)
    assert done.optimal
    assert task.judge(done.plan or "").cost == cheapest(task)


@pytest.mark.parametrize(
    ("workers", "count"),
    [
        (16, 16),
        pytest.param(40, 40, marks=pytest.mark.long),
        pytest.param(20, 200, marks=pytest.mark.long),
    ],
)
def test_concurrent_fast_downward_runs(workers: int, count: int) -> None:
    """In a shared directory, runs would overwrite each other's files and return wrong answers."""
    names = [name for name in domain_names() if not features(name) & {"numeric"}]
    problems = [sample(names[number % len(names)]) for number in range(count)]
    with ThreadPoolExecutor(max_workers=workers) as pool:
        planner = planner_named("lama-first")
        done = list(pool.map(lambda problem: attempt(planner, problem, LIMITS), problems))
    for problem, each in zip(problems, done, strict=True):
        assert each.outcome is Outcome.PLAN_FOUND, each.reason
        verdict = task_of(problem).judge(each.plan or "")
        assert verdict.status == "valid", verdict.reason


def test_a_plan_that_misses_the_target_is_found_out() -> None:
    """ENHSP compares doubles with a tolerance: 1/716539 counts as 0 for it."""
    record = {"id": "a", "domain": "countdown", "numbers": [1, 97, 89, 83], "target": 0}
    problem = translate(from_record(record))
    done = attempt(planner_named("enhsp"), problem, LIMITS)
    assert done.outcome is Outcome.PLAN_FOUND
    verdict = task_of(problem).judge(done.plan or "")
    assert verdict.status == "invalid"
    assert "1/716539 = 0 is false" in (verdict.reason or "")


FORKING = """
import multiprocessing, sys
from pathlib import Path
from pddl_pipeline import solve

domain, problem = map(Path, sys.argv[1:])


def once(_: object = None) -> str:
    return str(solve(domain, problem, "lama-first").attempt.outcome)


if __name__ == "__main__":
    found = {once()}
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            found |= set(pool.map(once, range(3)))
    print(found, once())
"""


def test_library_in_processes_that_were_forked_and_spawned(tmp_path: Path) -> None:
    """Each process has its own warm process, even if its parent had one."""
    script = tmp_path / "script.py"
    script.write_text(FORKING)
    folder = domain_folder("ferry")
    done = subprocess.run(
        [sys.executable, "-W", "error", script, folder / "domain.pddl", folder / "p01.pddl"],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.stdout == "{'plan-found'} plan-found\n", done.stderr
    assert done.stderr == ""
