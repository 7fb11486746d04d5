"""Attempts of real planners in real child processes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from planner_problems import LIMITS, sample

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.planners.attempting import attempt, check_engine
from pddl_pipeline.planners.registry import planner_named, planners
from pddl_pipeline.planners.unified_planning import environment
from pddl_pipeline.validation.features import task_features
from pddl_pipeline.validation.task import task_of

# The known outcomes of planners on samples, if other than a valid plan.
UNSERVED = {
    ("budget-blocksworld", "pyperplan"), ("budget-blocksworld", "tamer"), ("depots", "tamer"),
    ("sokoban", "tamer"), ("budget-blocksworld", "aries"),
}  # fmt: skip
WRONG = {("minigrid", "aries")}
# Searches that drop unpromising states, that draw at random, or whose record has no plan.
GIVES_UP = {
    *((domain, "witness") for domain in domain_names()),
    *((domain, "random") for domain in ("countdown", "depots", "minigrid", "sokoban")),
    *((domain, "tot") for domain in ("countdown", "depots", "minigrid", "sokoban")),
    ("countdown", "rap"),
}
# The sample of each planner that every run of the tests solves, if not the first one. What other
# tables run is left out: Fast Downward, ENHSP, the exact solver and searches with code.
QUICK = {"tamer": "ferry", "aries": "ferry", "enhsp": "ferry", "kstar-topq": "grippers",
         "lpg": "minigrid"}  # fmt: skip
LATER = (
    "fd-",
    "lama",
    "seq-",
    "enhsp-",
    "lpg-",
    "symk-opt",
    "kstar-topk",
    "bfs",
    "dfs",
    "countdown-exact",
)
SILENT = ("symk", "forbiditerative", "tamer", "aries", "lpg")
"""Planners that do not report the number of expanded states."""


NEEDED = {
    domain: {"numeric", "general-numeric"} & task_features(task_of(sample(domain)))
    for domain in domain_names()
}


def serves(planner: str, domain: str) -> bool:
    """Return whether a planner has the features of a domain's sample, and takes less than long."""
    is_one = planner != "countdown-exact" or domain == "countdown"
    is_left_out = planner == "llm" or (domain, planner) == ("sokoban", "aries")
    return NEEDED[domain] <= planners()[planner].features and is_one and not is_left_out


def samples() -> Iterator[Any]:
    for planner in planners():
        suited = [domain for domain in domain_names() if serves(planner, domain)]
        for domain in suited:
            is_quick = domain == QUICK.get(planner, suited[0]) and not planner.startswith(LATER)
            yield pytest.param(domain, planner, marks=() if is_quick else pytest.mark.long)


def skip_if_missing(planner: str) -> None:
    try:
        check_engine(planner_named(planner))
    except EngineError:
        pytest.skip(f"{planner} is not installed")


@pytest.mark.parametrize(
    ("domain", "planner"), [*samples(), ("budget-blocksworld", "pyperplan"), ("minigrid", "aries")]
)
def test_planner_solves_the_sample(domain: str, planner: str) -> None:
    skip_if_missing(planner)
    problem = sample(domain)
    limits = replace(LIMITS, time_s=10) if planner_named(planner).plans.anytime else LIMITS
    done = attempt(planner_named(planner), problem, limits, judge=task_of(problem).judge)
    if (domain, planner) in UNSERVED | GIVES_UP:
        is_unserved = (domain, planner) in UNSERVED
        outcome = Outcome.UNSUPPORTED if is_unserved else Outcome.GAVE_UP
        assert (done.outcome, done.plan) == (outcome, None), done.reason
        return
    assert done.outcome is Outcome.PLAN_FOUND, done.reason
    verdicts = [task_of(problem).judge(plan) for plan in (done.plan or "", *done.further_plans)]
    expected = "invalid" if (domain, planner) in WRONG else "valid"
    assert {str(verdict.status) for verdict in verdicts} == {expected}
    assert (done.statistics.expanded is None) == planner.startswith(SILENT)
    assert done.wall_s > 0
    assert done.memory_mb > 0 or done.wall_s < 0.1  # of one that ends at once, nothing may be seen
    # An exhaustive search counts 16 shortest plans of grippers, 10 of depots and 2 of minigrid.
    best = {"grippers": 16, "depots": 10, "minigrid": 2}.get(domain)
    wanted = best if planner == "kstar-topq" else 5 if planner_named(planner).plans.several else 1
    assert wanted in (None, len({done.plan, *done.further_plans}))


def in_words_of_up(problem: Problem) -> Problem:
    from unified_planning.io import PDDLReader, PDDLWriter

    environment()
    read = PDDLReader().parse_problem_string(problem.domain_pddl, problem.problem_pddl)
    writer = PDDLWriter(read)
    return Problem(writer.get_domain(), writer.get_problem())


def planners_of_up() -> Iterator[Any]:
    for planner in ("enhsp", "enhsp-hmrp", "enhsp-anytime", "lama-first", "lama", "fd-blind"):
        is_numeric = planner.startswith("enhsp")
        for domain in ("countdown", "depots") if is_numeric else ("grippers", "budget-blocksworld"):
            is_quick = (planner, domain) == ("lama-first", "grippers")
            yield pytest.param(domain, planner, marks=() if is_quick else pytest.mark.long)


@pytest.mark.parametrize(("domain", "planner"), list(planners_of_up()))
def test_unified_planning_gives_the_same_plan(domain: str, planner: str) -> None:
    """Unified Planning writes its own form of a problem unchanged; order decides between plans."""
    skip_if_missing(planner)
    chosen, problem = planner_named(planner), in_words_of_up(sample(domain))
    direct = attempt(chosen, problem, LIMITS)
    through = attempt(replace(chosen, command=chosen.engine), problem, LIMITS)
    assert direct.plan
    assert through.outcome is Outcome.PLAN_FOUND, through.reason
    assert through.plan == direct.plan


def test_concurrent_fast_downward_runs() -> None:
    """In a shared directory, runs would overwrite each other's files and return wrong answers."""
    names = [name for name in domain_names() if serves("lama-first", name)]
    problems = [sample(names[number % len(names)]) for number in range(8)]
    with ThreadPoolExecutor(max_workers=8) as pool:
        planner = planner_named("lama-first")
        done = list(pool.map(lambda problem: attempt(planner, problem, LIMITS), problems))
    for problem, each in zip(problems, done, strict=True):
        assert each.outcome is Outcome.PLAN_FOUND, each.reason
        verdict = task_of(problem).judge(each.plan or "")
        assert verdict.status == "valid", verdict.reason


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
        with multiprocessing.get_context(method).Pool(1) as pool:
            found |= set(pool.map(once, range(2)))
    print(found, once())
"""


@pytest.mark.slow("imports the library in processes that are spawned")
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
