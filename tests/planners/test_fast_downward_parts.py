"""Fast Downward without its driver: the same plans, outcomes, reasons and exit statuses."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from planner_problems import LIMITS, hard_blocksworld, mixed_blocksworld, sample

from pddl_pipeline.model.attempt import Attempt, Outcome
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners import attempt as attempts
from pddl_pipeline.planners.attempt import attempt
from pddl_pipeline.planners.fast_downward import driver_ending, parts_command, with_memory_limit
from pddl_pipeline.planners.registry import planner_named

_TWO_WAYS = "(:objects b1 b2) (:init (clear b1) (clear b2) (ontable b1) (ontable b2) (handempty))"
_STATIC = """(define (domain doors) (:predicates (open ?d) (seen ?d))
  (:action look :parameters (?d) :precondition (open ?d) :effect (seen ?d)))"""
_SEVEN = "?a ?b ?c ?d ?e ?f ?g"


def driver_of(planner: str) -> tuple[str, ...]:
    """Return the command line of the driver."""
    command = planner_named(planner).command
    assert command is not None
    return command()


def blocks(goal: str) -> Problem:
    text = f"(define (problem p) (:domain blocksworld) {_TWO_WAYS} (:goal {goal}))"
    return Problem(sample("blocksworld").domain_pddl, text)


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


UNSOLVABLE = blocks("(and (on b1 b2) (on b2 b1))")
AXIOM = blocks("(or (on b1 b2) (forall (?x) (or (on b1 b2) (on ?x b1))))")
CLOSED = Problem(
    _STATIC, "(define (problem p) (:domain doors) (:objects d) (:init) (:goal (seen d)))"
)
GARBAGE = replace(sample("ferry"), problem_pddl="(define (problem x")
_SMALL = Limits(time_s=60, memory_bytes=80 << 20)
_TINY = Limits(time_s=60, memory_bytes=70 << 20)
CASES: dict[str, tuple[str, Problem, Limits, Outcome, str]] = {
    "solved": ("lama-first", sample("ferry"), LIMITS, Outcome.PLAN_FOUND, ""),
    "several plans": ("lama", sample("budget-blocksworld"), LIMITS, Outcome.PLAN_FOUND, ""),
    "optimal": ("seq-opt-lmcut", sample("budget-blocksworld"), LIMITS, Outcome.PLAN_FOUND, ""),
    "any search": ("fd:lazy_greedy([ff()], preferred=[ff()])", sample("depots"), LIMITS,
                   Outcome.PLAN_FOUND, ""),
    "nothing to do": ("lama-first", blocks("(clear b1)"), LIMITS, Outcome.PLAN_FOUND, ""),
    # The translator proves it, and writes a small unsolvable task for the search.
    "unsolvable, translator": ("lama-first", CLOSED, LIMITS, Outcome.CLAIMS_UNSOLVABLE,
                               "the search claims that there is no plan"),
    "unsolvable, search": ("fd-blind", UNSOLVABLE, LIMITS, Outcome.CLAIMS_UNSOLVABLE,
                           "the search claims that there is no plan"),
    "incomplete search": ("fd:ehc(ff())", UNSOLVABLE, LIMITS, Outcome.GAVE_UP,
                          "an incomplete search ended without a plan"),
    "unsupported, translator": ("lama-first", sample("countdown"), LIMITS, Outcome.UNSUPPORTED,
                                "the translator does not accept the problem"),
    "unsupported, search": ("seq-opt-lmcut", AXIOM, LIMITS, Outcome.UNSUPPORTED,
                            "does not support a part of the problem"),
    "broken PDDL": ("lama-first", GARBAGE, LIMITS, Outcome.INPUT_ERROR, "could not read"),
    "unknown heuristic": ("fd:astar(lmcot())", sample("ferry"), LIMITS, Outcome.INPUT_ERROR,
                          "the search options are not accepted: "),
    "broken search": ("fd:astar(", sample("ferry"), LIMITS, Outcome.INPUT_ERROR,
                      "the search options are not accepted: "),
    "time, translator": ("lama-first", wide(), Limits(time_s=0.6), Outcome.TIMEOUT,
                         "stopped at the time limit"),
    "time, search": ("fd-blind", hard_blocksworld(), Limits(time_s=1), Outcome.TIMEOUT,
                     "stopped at the time limit"),
    "CPU time": ("fd-blind", hard_blocksworld(), Limits(time_s=60, cpu_s=0.5), Outcome.TIMEOUT,
                 "stopped at the CPU time limit"),
    "memory, translator": ("lama-first", wide(), _TINY, Outcome.MEMOUT,
                           "the translator ran out of memory"),
    "memory, start": ("lama-first", sample("ferry"), Limits(time_s=60, memory_bytes=12 << 20),
                      Outcome.MEMOUT, "the translator ran out of memory"),
    "memory, search": ("fd-blind", mixed_blocksworld(12), _SMALL, Outcome.MEMOUT,
                       "the search ran out of memory"),
}  # fmt: skip


@pytest.fixture
def statuses(monkeypatch: pytest.MonkeyPatch) -> list[int | None]:
    """Collect the exit status of every attempt's planner."""
    found: list[int | None] = []
    read = attempts.read_attempt

    def reading(*given: Any) -> Attempt:
        found.append(given[-1].status)
        return read(*given)

    monkeypatch.setattr(attempts, "read_attempt", reading)
    return found


def result(done: Attempt) -> tuple[object, ...]:
    """Return what an attempt says about the problem, without its measurements."""
    figures = done.statistics
    if done.outcome in (Outcome.TIMEOUT, Outcome.MEMOUT):
        return done.outcome, done.reason, done.hit, done.plan, done.optimal
    return (
        done.outcome, done.reason, done.hit, done.plan, done.further_plans, done.optimal,
        figures.expanded, figures.evaluated, figures.generated, figures.claimed_cost,
    )  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_driver_is_not_missed(case: str, statuses: list[int | None]) -> None:
    name, problem, limits, outcome, reason = CASES[case]
    planner = planner_named(name)
    assert planner.adapt is not None
    assert planner.adapt(driver_of(name), limits)[0] == "/bin/sh"
    direct = attempt(planner, problem, limits)
    driven = attempt(replace(planner, adapt=with_memory_limit), problem, limits)
    assert result(direct) == result(driven)
    assert statuses[0] == statuses[1]
    assert direct.outcome is outcome
    assert reason in (direct.reason or "")


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
    """Return an installation of the real driver with parts that end as told."""
    home = tmp_path_factory.mktemp("installed")
    real = Path(driver_of("lama-first")[1]).parent
    shutil.copytree(real / "driver", home / "driver", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(real / "fast-downward.py", home)
    translator = home / "builds/release/bin/fast_downward/translate"
    translator.mkdir(parents=True)
    translator.with_name("__init__.py").touch()
    (translator / "__init__.py").touch()
    (translator / "__main__.py").write_text(_PART.replace('"CODE"', '"TRANSLATE"'))
    search = home / "builds/release/bin/downward"
    search.write_text(f"#!{sys.executable}\n{_PART.replace(chr(34) + 'CODE', chr(34) + 'SEARCH')}")
    search.chmod(0o755)
    return home


ENDS = [
    *((code, 0) for code in (1, 10, 20, 21, 30, 31, -6, -9, -11, -24)),
    *((0, code) for code in (0, 11, 12, 13, 22, 23, 24, 32, 33, 34, -6, -9, -11, -15, -24)),
]


@pytest.mark.parametrize(("translate", "search"), ENDS)
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
    found = [
        subprocess.run(
            command, cwd=tmp_path, env={**os.environ, **codes}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )
        for command in (direct, with_memory_limit(driver, LIMITS))
    ]  # fmt: skip
    assert found[0].returncode == found[1].returncode
    parts = [[line for line in each.stdout.splitlines() if line[:5] == "part "] for each in found]
    assert parts[0] == parts[1]
    endings = [driver_ending("Fast Downward", each.stdout, each.returncode) for each in found]
    assert endings[0] == endings[1]


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
    assert planner.adapt is not None
    assert planner.adapt(command, LIMITS) == with_memory_limit(command, LIMITS)


def test_the_driver_is_used_in_an_installation_with_other_files(tmp_path: Path) -> None:
    command = driver_of("lama-first")
    elsewhere = (command[0], str(tmp_path / "fast-downward.py"), *command[2:])
    assert parts_command(elsewhere, 1000) is None
    assert parts_command(command, 1000) is not None
