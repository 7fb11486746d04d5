"""The planner countdown-exact, as a process within limits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from countdown_by_hand import walked
from planner_problems import HARD_COUNTDOWN, LIMITS, sample

from pddl_pipeline import solve, translate
from pddl_pipeline.countdown.counts import count_solutions
from pddl_pipeline.model.attempt import Attempt, Outcome
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners import own_process as countdown_process
from pddl_pipeline.planners.attempt import attempt
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.translators.records import from_record

PLANNER = "countdown-exact"


def countdown(numbers: list[int], target: int) -> Problem:
    record = {"id": "a", "domain": "countdown", "numbers": numbers, "target": target}
    return translate(from_record(record))


def attempted(problem: Problem, limits: Limits = LIMITS) -> Attempt:
    return attempt(planner_named(PLANNER), problem, limits)


@pytest.mark.parametrize("size", [1, 2, 4, 7, 9])
def test_a_valid_plan(size: int) -> None:
    numbers, target = walked(size, Random(size))
    problem = countdown(numbers, target)
    result = solve(problem.domain_pddl, problem.problem_pddl, PLANNER)
    assert result.attempt.outcome is Outcome.PLAN_FOUND, result.attempt.reason
    assert result.verdict is not None
    assert result.verdict.status == "valid"
    assert result.attempt.statistics.claimed_cost == size == result.verdict.cost
    assert (result.attempt.statistics.expanded or 0) > 0


@pytest.mark.parametrize(("numbers", "target"), [([3], 4), ([3, 3], 7), ([1, 2, 3, 4], 79)])
def test_a_proof(numbers: list[int], target: int) -> None:
    done = attempted(countdown(numbers, target))
    assert done.outcome is Outcome.CLAIMS_UNSOLVABLE
    assert count_solutions(numbers, target) == 0


@pytest.mark.long
def test_it_gives_up_and_says_what_it_would_need() -> None:
    done = attempted(translate(from_record(HARD_COUNTDOWN | {"target": 987654321987654321})))
    assert done.outcome is Outcome.GAVE_UP
    assert "12 numbers are beyond exact reach" in (done.reason or "")


def test_what_gives_up_says_what_it_would_need(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve in this process, with one reduction."""
    from pddl_pipeline.countdown import exact as countdown_exact  # noqa: PLC0415

    monkeypatch.setattr(countdown_exact, "_COMPILED_TRIES", ((3, 2),))
    answer = countdown_exact.solve_exact([83, 97, 89, 79, 73, 71, 67, 61, 59, 53, 47, 43], 10**15)
    assert (answer.plan, answer.proof) == (None, False)
    assert "12 numbers are beyond exact reach" in answer.reason


@pytest.mark.parametrize(
    ("log", "status", "outcome"),
    [
        ("Values: 9\nGave up: no plan in 35 reductions\n", 12, Outcome.GAVE_UP),
        ("Values: 9\nUnsolvable: none\n", 11, Outcome.CLAIMS_UNSOLVABLE),
        ("Out of memory\n", 22, Outcome.MEMOUT),
        ("Input error: domain.pddl:1:1: found x\n", 33, Outcome.INPUT_ERROR),
        ("Unsupported: numba is missing\n", 34, Outcome.UNSUPPORTED),
        ("Traceback …\nMemoryError\n", 1, Outcome.MEMOUT),
        ("Values: 9\n", 11, None),
        ("", -11, None),
    ],
)
def test_how_an_end_without_a_plan_is_read(log: str, status: int, outcome: Outcome | None) -> None:
    """A process that ends without its last line makes no claim: it is a crash."""
    ending = planner_named(PLANNER).ending(log, status)
    assert (ending.outcome if ending else None) is outcome


def renamed(problem: Problem, old: str, new: str) -> Problem:
    return Problem(problem.domain_pddl.replace(old, new), problem.problem_pddl.replace(old, new))


@pytest.mark.parametrize(
    "problem",
    [
        sample("ferry"),
        renamed(sample("countdown"), "active", "live"),
        renamed(sample("countdown"), "n4", "m4"),
        renamed(sample("countdown"), "(= (value n1) 3)", "(= (value n1) 0.5)"),
        renamed(sample("countdown"), "(= (value n1) 3)", "(= (value n1) -3)"),
        renamed(sample("countdown"), "(= (value n1) 3)", ""),
        renamed(sample("countdown"), "(active n1)", ""),
        renamed(sample("countdown"), "(increase (value ?a) (value ?b))",
                "(increase (value ?a) (* 2 (value ?b)))"),
        renamed(sample("countdown"), "(numactive) 4", "(numactive) 5"),
    ],
)  # fmt: skip
def test_what_is_not_countdown_is_refused(problem: Problem) -> None:
    done = attempted(problem)
    assert done.outcome is Outcome.UNSUPPORTED
    assert "not the countdown domain" in (done.reason or "")


def test_a_memory_limit_is_reported_as_such() -> None:
    problem = countdown(*walked(9, Random(9)))
    done = attempted(problem, Limits(time_s=120, memory_bytes=60 << 20))
    assert done.outcome is Outcome.MEMOUT


@pytest.mark.long
def test_two_processes_that_compile_at_once(tmp_path: Path) -> None:
    problem = countdown(*walked(8, Random(8)))
    (tmp_path / "d").write_text(problem.domain_pddl)
    (tmp_path / "p").write_text(problem.problem_pddl)
    started = [
        subprocess.Popen(
            [sys.executable, "-m", countdown_process.__name__, "d", "p", f"plan{at}"],
            cwd=tmp_path, env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")},
        )
        for at in range(2)
    ]  # fmt: skip
    assert [process.wait(120) for process in started] == [0, 0]
    assert (tmp_path / "plan0").read_text() == (tmp_path / "plan1").read_text() != ""
    assert list((tmp_path / "cache").rglob("*.nbc"))


def test_stored_runs_keep_their_keys() -> None:
    """These parts of a run's key are as in version 1.0, so that no stored run is repeated."""
    planner = planner_named("countdown-exact")
    assert (planner.options, planner.reads_record) == ({"setting": ""}, False)
