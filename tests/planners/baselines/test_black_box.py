"""The planners bfs and dfs, as processes within limits."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from countdown_by_hand import walked
from failing_code import BLOCKS, MOVES
from places import ROOT
from planner_problems import LIMITS, hard_blocksworld, sample

from pddl_pipeline import translate
from pddl_pipeline.model.attempt import Attempt, Outcome
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.verdict import Verdict
from pddl_pipeline.planners.attempt import attempt
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.task import task_of

EXAMPLE = ROOT / "examples" / "search-code" / "blocksworld.md"
GOOD = EXAMPLE.read_text()
RETURN = "return found"
UNSTACK = "add(clear - {upper} | {lower}, table, on - {(upper, lower)}, upper)"
TO_THE_TABLE = "add(clear | {lower}, table | {upper}, on - {(upper, lower)}, None)"


def countdown(numbers: list[int], target: int) -> Problem:
    record = {"id": "a", "domain": "countdown", "numbers": numbers, "target": target}
    return translate(from_record(record))


def run(planner: str, problem: Problem, limits: Limits = LIMITS) -> tuple[Attempt, Verdict | None]:
    done = attempt(planner_named(planner), problem, limits)
    if done.plan is None:
        return done, None
    return done, task_of(problem).judge(done.plan)


def unsolved(planner: str, problem: Problem) -> tuple[Outcome, str]:
    done, verdict = run(planner, problem)
    assert verdict is None
    return done.outcome, done.reason or ""


@pytest.fixture
def code(tmp_path: Path) -> Any:
    def written(text: str) -> str:
        (tmp_path / "code.py").write_text(text)
        return f"code={tmp_path / 'code.py'}"

    return written


@pytest.mark.parametrize("size", [4, 5, 6, 30, 50])
def test_depth_first_countdown(size: int) -> None:
    numbers = list(range(1, size + 1))
    target = sum(numbers)
    if size < 10:
        numbers, target = walked(size, Random(7))  # whose sixth number takes a second
    done, verdict = run("dfs", countdown(numbers, target))
    assert verdict, done.reason
    assert (verdict.status, verdict.steps) == ("valid", size)


@pytest.mark.parametrize("seconds", [2, pytest.param(4, marks=pytest.mark.long)])
@pytest.mark.parametrize("order", ["first", "last"])
def test_fifty_numbers_fit(order: str, seconds: int) -> None:
    """With order=first, the 7,350 successors of a state are generated only when needed."""
    problem = countdown(list(range(1, 51)), 10**40 + 1)
    planner = f"dfs:states=50000,seconds={seconds},order={order}"
    done, _ = run(planner, problem, Limits(120, 500 * 2**20))
    assert (done.outcome, done.reason) == (
        Outcome.GAVE_UP,
        f"dfs: Gave up: no goal within {seconds} s",
    )
    assert done.memory_mb < 400


def test_what_floats_claim_is_judged() -> None:
    problem = countdown([1, 10**9, 10**9 + 1], 10**9 + 1)
    done, verdict = run("bfs:numbers=float", problem)
    assert done.outcome is Outcome.PLAN_FOUND
    assert verdict
    assert verdict.status == "invalid"
    assert unsolved("bfs", problem)[0] is Outcome.CLAIMS_UNSOLVABLE


@pytest.mark.parametrize(
    ("planner", "outcome", "reason"),
    [
        ("bfs", Outcome.CLAIMS_UNSOLVABLE, "Unsolvable: none of the "),
        ("dfs", Outcome.CLAIMS_UNSOLVABLE, "Unsolvable: none of "),
        ("dfs:states=1", Outcome.CLAIMS_UNSOLVABLE, "Unsolvable: none of "),
        ("bfs:zeros=no", Outcome.GAVE_UP, "Gave up: none of the "),
        ("dfs:numbers=float", Outcome.GAVE_UP, "Gave up: none of "),
        ("bfs:states=10", Outcome.GAVE_UP, "no goal among 10 states, the most to remember"),
    ],
)
def test_without_a_plan(planner: str, outcome: Outcome, reason: str) -> None:
    found, said = unsolved(planner, countdown([3, 5, 7, 9], 4999))
    assert found is outcome
    assert reason in said


def test_the_clock_of_the_search() -> None:
    outcome, reason = unsolved("bfs:seconds=0.2", hard_blocksworld())
    assert (outcome, reason) == (Outcome.GAVE_UP, "bfs: Gave up: no goal within 0.2 s")


def test_memory_is_bounded_by_the_limit() -> None:
    done, _ = run("bfs", hard_blocksworld(), Limits(60, 100 * 2**20))
    assert done.outcome is Outcome.MEMOUT
    assert done.memory_mb < 200


def test_the_order_of_successors() -> None:
    problem = sample("grippers")
    first, last = (run(f"dfs:order={order}", problem)[0].plan for order in ("first", "last"))
    assert first
    assert last
    assert first != last


@pytest.mark.parametrize("planner", ["bfs", "dfs"])
def test_always_the_same_plan(planner: str) -> None:
    problem = sample("depots")
    assert run(planner, problem)[0].plan == run(planner, problem)[0].plan


@pytest.mark.parametrize("planner", ["bfs", "dfs"])
def test_code_in_a_models_answer(planner: str, code: Any) -> None:
    done, verdict = run(f"{planner}:{code(GOOD)}", sample("blocksworld"))
    assert verdict, done.reason
    assert verdict.status == "valid"
    if planner == "bfs":
        assert verdict.steps == 6


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "unparsable-response: succ: found no function whose name says 'succ'"),
        (GOOD.replace(RETURN, "return 1 / 0"), "succ-exception: succ: ZeroDivisionError: "),
        (GOOD.replace(RETURN, "import os; os._exit(0)"), "process ended with exit status 0"),
        (GOOD.replace(RETURN, "raise SystemExit"), "succ-exception: succ: SystemExit"),
        (GOOD.replace(RETURN, "while True: pass"), "succ-timeout: succ: took more than 1 s"),
        (GOOD.replace(RETURN, "return succ(state)"), "succ-exception: succ: RecursionError"),
        (GOOD.replace(RETURN, "return 7"), "succ-exception: succ: TypeError"),
        (GOOD.replace("return all", "return list"), "isgoal-exception: isgoal: TypeError"),
        (GOOD.replace("held = ", "held = state.pop('holding') #"), "input-changed: succ changed {"),
        (BLOCKS, "succ-soundness: 1 blocks are clear, 2 on the table"),
        (GOOD.replace(RETURN, "return []"), "code: none of the 1 states is a goal"),
        (GOOD.replace(UNSTACK, TO_THE_TABLE), "succ-soundness: no step leads from {"),
    ],
)  # fmt: skip
def test_code_that_fails_is_told_in_a_line(text: str, reason: str, code: Any) -> None:
    outcome, said = unsolved(f"bfs:{code(text)}", sample("blocksworld"))
    assert outcome is Outcome.GAVE_UP
    assert reason in said
    assert "\n" not in said


def test_a_wrong_goal_test_is_a_claim_that_is_judged(code: Any) -> None:
    text = f"{GOOD}\n".replace("return all", "return any")
    done, verdict = run(f"bfs:{code(text)}", sample("blocksworld"))
    assert done.outcome is Outcome.PLAN_FOUND
    assert verdict
    assert verdict.status == "invalid"


def test_code_for_sokoban_without_stones_in_the_way(code: Any) -> None:
    text = MOVES.replace("grid[a][b] != 1", "grid[a][b] != 1 and (a, b) not in state['at-stone']")
    outcome, reason = unsolved(f"bfs:{code(text)}", sample("sokoban"))
    assert outcome is Outcome.GAVE_UP
    assert "code: none of the " in reason


def test_code_is_for_three_domains(code: Any) -> None:
    outcome, reason = unsolved(f"dfs:{code(GOOD)}", sample("ferry"))
    assert outcome is Outcome.UNSUPPORTED
    assert "the setting code applies only to blocksworld, Sokoban and countdown" in reason


def test_numbers_are_a_setting_of_countdown() -> None:
    outcome, reason = unsolved("bfs:numbers=float", sample("ferry"))
    assert outcome is Outcome.UNSUPPORTED
    assert "the settings numbers and zeros apply only to countdown" in reason
