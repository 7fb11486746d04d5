"""Fast Downward: its outcomes, and the same ones without its driver."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import write_script
from planner_outcomes import UNSOLVABLE, Case, adapted, altered, blocks, command_of
from planner_problems import LIMITS, hard_blocksworld, mixed_blocksworld, sample

from pddl_pipeline.model.attempt import Attempt, Outcome
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners import attempting
from pddl_pipeline.planners.fast_downward import driver_ending, parts_command, with_memory_limit
from pddl_pipeline.planners.registry import planner_named

_SEVEN = "?a ?b ?c ?d ?e ?f ?g"


def driver_of(planner: str) -> tuple[str, ...]:
    """Return the command line of the driver."""
    return command_of(planner_named(planner)).words()


def wide() -> Problem:
    """Return a problem whose translation takes long: ten million ground actions."""
    objects = " ".join(f"o{number}" for number in range(10))
    return Problem(
        f"""(define (domain wide) (:predicates (p {_SEVEN}) (q ?a))
          (:action act :parameters ({_SEVEN}) :precondition (q ?a) :effect (p {_SEVEN})))""",
        f"""(define (problem w) (:domain wide) (:objects {objects})
          (:init {" ".join(f"(q {each})" for each in objects.split())})
          (:goal (p {" ".join(["o1"] * 7)})))""",
    )


FERRY, COSTS = sample("ferry"), sample("budget-blocksworld")
MAKESPAN = f"{FERRY.problem_pddl.rstrip()[:-1]}(:metric minimize (total-time)))"
AXIOM = blocks("(or (on b1 b2) (forall (?x) (or (on b1 b2) (on ?x b1))))")
CLOSED = Problem(
    """(define (domain doors) (:predicates (open ?d) (seen ?d))
      (:action look :parameters (?d) :precondition (open ?d) :effect (seen ?d)))""",
    "(define (problem p) (:domain doors) (:objects d) (:init) (:goal (seen d)))",
)
# The only action that applies has a known cost; the value that the other one needs is missing.
NO_TOLL = Problem(
    """(define (domain d) (:requirements :strips :action-costs)
      (:predicates (p) (q) (r)) (:functions (total-cost) - number (toll) - number)
      (:action go :parameters () :precondition (p) :effect (and (q) (increase (total-cost) 1)))
      (:action pay :parameters () :precondition (r)
       :effect (and (q) (increase (total-cost) (toll)))))""",
    """(define (problem x) (:domain d) (:init (= (total-cost) 0))
      (:goal (q)) (:metric minimize (total-cost)))""",
)
_SMALL = Limits(time_s=60, memory_bytes=80 << 20)
_TINY = Limits(time_s=60, memory_bytes=70 << 20)
CLAIM, UNSUPPORTED = Outcome.CLAIMS_UNSOLVABLE, Outcome.UNSUPPORTED
INPUT, TIMEOUT, MEMOUT = Outcome.INPUT_ERROR, Outcome.TIMEOUT, Outcome.MEMOUT
CASES = {
    "solved": Case("lama-first", FERRY, optimal=False),
    "several plans": Case("lama", COSTS),
    "optimal": Case(
        "seq-opt-lmcut", COSTS, cost=52, optimal=True, figures={"claimed_cost": 52, "expanded": 13}
    ),
    "figures": Case(
        "lama-first", sample("blocksworld"),
        figures={"expanded": 9, "evaluated": 10, "generated": 22},
    ),
    "optimal in length": Case("fd-blind", sample("grippers"), cost=8, optimal=True),
    "makespan": Case("seq-opt-lmcut", replace(FERRY, problem_pddl=MAKESPAN), optimal=True),
    "any search": Case("fd:lazy_greedy([ff()], preferred=[ff()])", sample("depots")),
    "nothing to do": Case("lama-first", blocks("(clear b1)"), cost=0),
    "no total-cost": Case("seq-opt-lmcut", altered(COSTS, "(= (total-cost) 0)", ""), cost=52),
    "cost of a fraction": Case(
        "seq-opt-lmcut", altered(COSTS, "-cost) 1)", "-cost) 1.5)"), optimal=True
    ),
    "cost of another name": Case(
        "lama-first", altered(COSTS, "total-cost", "total-price"), UNSUPPORTED
    ),
    # The translator proves it, and writes a small unsolvable task for the search.
    "unsolvable, translator": Case("lama-first", CLOSED, CLAIM,
                                   "the search claims that there is no plan"),
    "unsolvable, search": Case("fd-blind", UNSOLVABLE, CLAIM,
                               "the search claims that there is no plan"),
    "unsolvable, a value is missing": Case("lama-first", NO_TOLL, CLAIM),
    "incomplete search": Case("fd:ehc(ff())", UNSOLVABLE, Outcome.GAVE_UP,
                              "an incomplete search ended without a plan"),
    "bounded search": Case("fd:lazy_greedy([ff()],bound=1)", FERRY, Outcome.GAVE_UP),
    "unsupported, translator": Case("lama-first", sample("countdown"), UNSUPPORTED,
                                    "the translator does not accept the problem"),
    "unsupported, search": Case("seq-opt-lmcut", AXIOM, UNSUPPORTED,
                                "does not support a part of the problem"),
    "unsupported, not declared": Case(
        "lama-first", altered(CLOSED, "(seen ?d))\n", "(seen ?d)) (:functions (at ?d) - object)\n"),
        UNSUPPORTED, "the translator does not accept the problem: object fluents not supported",
    ),
    "broken PDDL": Case("lama-first", replace(FERRY, problem_pddl="(define (problem x"), INPUT,
                        "could not read"),
    "unknown heuristic": Case("fd:astar(lmcot())", FERRY, INPUT,
                              "^Fast Downward: the search options are not accepted: .*lmcot"),
    "broken search": Case("fd:astar(", FERRY, INPUT, "the search options are not accepted: "),
    "time, translator": Case("lama-first", wide(), TIMEOUT, "stopped at the time limit",
                             Limits(time_s=0.4)),
    "time, search": Case("fd-blind", hard_blocksworld(), TIMEOUT, "stopped at the time limit",
                         Limits(time_s=0.8)),
    "CPU time": Case("fd-blind", hard_blocksworld(), TIMEOUT, "stopped at the CPU time limit",
                     Limits(time_s=60, cpu_s=0.5)),
    "memory, translator": Case("lama-first", wide(), MEMOUT, "the translator ran out of memory",
                               _TINY),
    "memory, start": Case("lama-first", FERRY, MEMOUT, "the translator ran out of memory",
                          Limits(time_s=60, memory_bytes=12 << 20)),
    "memory, search": Case("fd-blind", mixed_blocksworld(12), MEMOUT,
                           "^Fast Downward: the search ran out of memory$", _SMALL),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_outcome(name: str) -> None:
    CASES[name].check()


def result(done: Attempt) -> tuple[object, ...]:
    """Return what an attempt says about the problem, without its measurements."""
    figures = done.statistics
    if done.outcome in (TIMEOUT, MEMOUT):
        return done.outcome, done.reason, done.hit, done.plan, done.optimal
    return (
        done.outcome, done.reason, done.hit, done.plan, done.further_plans, done.optimal,
        figures.expanded, figures.evaluated, figures.generated, figures.claimed_cost,
    )  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name == "optimal" else pytest.mark.long) for name in CASES],
)
def test_the_driver_is_not_missed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    statuses, read = [], attempting.read_attempt

    def reading(*given: Any) -> Attempt:
        statuses.append(given[-1].status)
        return read(*given)

    monkeypatch.setattr(attempting, "read_attempt", reading)
    case = CASES[name]
    planner = case.chosen
    start = command_of(planner)
    assert start.adapt is not None
    assert start.adapt(driver_of(planner.name), case.limits)[0] == "/bin/sh"
    direct = case.check()
    driven = case._replace(
        planner=replace(planner, command=replace(start, adapt=with_memory_limit))
    ).check()
    assert result(direct) == result(driven)
    assert statuses[0] == statuses[1]


def test_a_missing_file_is_an_input_error() -> None:
    def elsewhere(command: tuple[str, ...]) -> tuple[str, ...]:
        return tuple("missing.pddl" if word == "problem.pddl" else word for word in command)

    Case(adapted("lama-first", elsewhere), FERRY, INPUT).check()


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        (10, CLAIM),
        (13, Outcome.GAVE_UP),
        (21, TIMEOUT),
        (23, TIMEOUT),
        (24, MEMOUT),
        (-24, TIMEOUT),
    ],
)
def test_exit_codes_that_no_case_has(code: int, outcome: Outcome) -> None:
    ending = driver_ending("x", f"search exit code: {code}\n", code & 255)
    assert ending is not None
    assert ending.outcome is outcome


_PART = """
import os, sys
print("part", *sys.argv[1:], flush=True)
code = int(os.environ["CODE"])
if code < 0:
    os.kill(os.getpid(), -code)
open("output.sas", "w").close()
sys.exit(code)
"""


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an installation of the real driver with parts that end as the environment says."""
    home = tmp_path_factory.mktemp("installed")
    real = Path(driver_of("lama-first")[1]).parent
    shutil.copytree(real / "driver", home / "driver", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(real / "fast-downward.py", home)
    translator = home / "builds/release/bin/fast_downward/translate"
    translator.mkdir(parents=True)
    translator.with_name("__init__.py").touch()
    (translator / "__init__.py").touch()
    (translator / "__main__.py").write_text(_PART.replace("CODE", "TRANSLATE"))
    search = home / "builds/release/bin/downward"
    write_script(search, f"#!{sys.executable}\n{_PART.replace('CODE', 'SEARCH')}")
    return home


OTHER_ENDS = [
    *((code, 0) for code in (10, 20, 21, 30, 31, -6, -9, -11)),
    *((0, code) for code in (0, 11, 13, 22, 23, 24, 32, 33, 34, -6, -11, -15, -24)),
]


@pytest.mark.parametrize(
    ("translate", "search"),
    [
        (1, 0),
        (-24, 0),
        (0, 12),
        (0, -9),
        *(pytest.param(*ends, marks=pytest.mark.long) for ends in OTHER_ENDS),
    ],
)
def test_every_exit_code_and_signal_is_passed_on(
    translate: int, search: int, installation: Path, tmp_path: Path
) -> None:
    driver = (
        sys.executable, str(installation / "fast-downward.py"), "--plan-file", "plan",
        "--log-level", "info", "--alias", "lama", "domain.pddl", "problem.pddl",
    )  # fmt: skip
    direct = parts_command(driver, 1000)
    assert direct is not None
    for file in ("domain.pddl", "problem.pddl"):
        (tmp_path / file).touch()
    codes = {"TRANSLATE": str(translate), "SEARCH": str(search)}
    found = []
    for command in (direct, with_memory_limit(driver, LIMITS)):
        done = subprocess.run(
            command, cwd=tmp_path, env={**os.environ, **codes}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        parts = [line for line in done.stdout.splitlines() if line[:5] == "part "]
        ending = driver_ending("Fast Downward", done.stdout, done.returncode)
        found.append((done.returncode, parts, ending))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["--alias", "seq-sat-fdss-2023"], []),
        (["--alias", "lama-second"], []),
        (["--search-time-limit", "5s"], ["--search-options", "--search", "astar(blind())"]),
        ([], ["--translate-options", "--full-encoding", "--search-options", "--search", "x"]),
        ([], ["--search-options", "--search", "--help"]),
        (["--log-level", "debug"], []),
    ],
    ids=["portfolio", "unknown alias", "search time", "translator", "help", "log level"],
)
def test_the_driver_keeps_what_it_does_beyond_that(before: list[str], after: list[str]) -> None:
    planner, driver = planner_named("lama-first"), driver_of("fd-blind")
    command = (*driver[:6], *before, *driver[6:8], *after)
    adapt = command_of(planner).adapt
    assert adapt is not None
    assert adapt(command, LIMITS) == with_memory_limit(command, LIMITS)


def test_the_driver_is_used_in_an_installation_with_other_files(tmp_path: Path) -> None:
    command = driver_of("lama-first")
    elsewhere = (command[0], str(tmp_path / "fast-downward.py"), *command[2:])
    assert parts_command(elsewhere, 1000) is None
    assert parts_command(command, 1000) is not None
