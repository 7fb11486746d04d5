"""The planner countdown-exact, as a process within limits."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from baseline_runs import given_of, run
from countdown_by_hand import walked
from planner_outcomes import Case, altered, countdown
from planner_problems import HARD_COUNTDOWN, sample

from pddl_pipeline.countdown.counts import count_solutions
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.search.baseline import UnsupportedTask

PLANNER = "countdown-exact"
NUMBERS, TARGET = walked(9, Random(9))
NINE = countdown(*NUMBERS, target=TARGET)
CASES = {
    **{
        f"{size} numbers": Case(
            PLANNER, countdown(*numbers, target=target), cost=size, figures={"claimed_cost": size}
        )
        for size in (1, 4, 7)
        for numbers, target in [walked(size, Random(size))]
    },
    "proof, 1 number": Case(PLANNER, countdown(3, target=4), Outcome.CLAIMS_UNSOLVABLE),
    "proof, 4 numbers": Case(PLANNER, countdown(1, 2, 3, 4, target=79), Outcome.CLAIMS_UNSOLVABLE),
    "another domain": Case(
        PLANNER, sample("ferry"), Outcome.UNSUPPORTED, "not the countdown domain"
    ),
}
LONG = {
    "beyond reach": Case(
        PLANNER, countdown(*HARD_COUNTDOWN["numbers"], target=987654321987654321), Outcome.GAVE_UP,
        "12 numbers are beyond exact reach",
    ),
    "9 numbers": Case(PLANNER, NINE, cost=9),
}  # fmt: skip


@pytest.mark.parametrize("name", [*CASES, *(pytest.param(n, marks=pytest.mark.long) for n in LONG)])
def test_outcome(name: str) -> None:
    (CASES | LONG)[name].check()


@pytest.mark.parametrize(("numbers", "target"), [([3], 4), ([1, 2, 3, 4], 79)])
def test_the_cases_of_a_proof_have_no_solution(numbers: list[int], target: int) -> None:
    assert count_solutions(numbers, target) == 0


def test_what_gives_up_says_what_it_would_need(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve in this process, with one reduction."""
    from pddl_pipeline.countdown import exact as countdown_exact

    monkeypatch.setattr(countdown_exact, "_TRIES", ((3, 2),))
    answer = countdown_exact.solve_exact([83, 97, 89, 79, 73, 71, 67, 61, 59, 53, 47, 43], 10**15)
    assert (answer.plan, answer.proof) == (None, False)
    assert "12 numbers are beyond exact reach" in answer.reason


@pytest.mark.parametrize(
    ("log", "status", "outcome"),
    [
        ("Values: 9\nGave up: no plan in 180 reductions\n", 12, Outcome.GAVE_UP),
        ("Values: 9\nUnsolvable: none\n", 11, Outcome.CLAIMS_UNSOLVABLE),
        ("Out of memory\n", 22, Outcome.MEMOUT),
        ("Input error: domain.pddl:1:1: found x\n", 33, Outcome.INPUT_ERROR),
        ("Unsupported: another domain\n", 34, Outcome.UNSUPPORTED),
        ("Traceback …\nMemoryError\n", 1, Outcome.MEMOUT),
        ("Values: 9\n", 11, None),
        ("", -11, None),
    ],
)
def test_how_an_end_without_a_plan_is_read(log: str, status: int, outcome: Outcome | None) -> None:
    """A process that ends without its last line makes no claim: it is a crash."""
    ending = planner_named(PLANNER).log.ending(log, status)
    assert (ending.outcome if ending else None) is outcome


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("active", "live"), ("n4", "m4"), ("(= (value n1) 3)", "(= (value n1) 0.5)"),
        ("(= (value n1) 3)", "(= (value n1) -3)"), ("(= (value n1) 3)", ""), ("(active n1)", ""),
        ("(increase (value ?a) (value ?b))", "(increase (value ?a) (* 2 (value ?b)))"),
        ("(numactive) 4", "(numactive) 5"),
    ],
)  # fmt: skip
def test_what_is_not_countdown_is_refused(old: str, new: str, tmp_path: Path) -> None:
    problem = altered(sample("countdown"), old, new)
    with pytest.raises(UnsupportedTask, match="not the countdown domain"):
        run(PLANNER, given_of(problem, tmp_path))


def test_stored_runs_keep_their_keys() -> None:
    """These parts of a run's key are as in version 1.0, so that no stored run is repeated."""
    planner = planner_named("countdown-exact")
    assert (planner.options, planner.needs.record) == ({"setting": ""}, False)
