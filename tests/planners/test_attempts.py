"""Real planners in real child processes: outcomes, limits, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from heapq import heappop, heappush
from itertools import pairwise
from pathlib import Path
from random import Random
from threading import Event, Thread, Timer

import psutil
import pytest

from pddl_pipeline import read_task, translate
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.planners.attempt import attempt
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.planners.supervision import Stopped
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.translators.registry import translator
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

LIMITS = Limits(time_s=120)
# Far too much for any of the planners here.
HARD_COUNTDOWN = {
    "id": "hard",
    "domain": "countdown",
    "numbers": [83, 97, 89, 79, 73, 71, 67, 61, 59, 53, 47, 43],
    "target": 987654321,
}


def sample(name: str) -> Problem:
    folder = domain_folder(name)
    return Problem((folder / "domain.pddl").read_text(), (folder / "p01.pddl").read_text())


def hard_blocksworld() -> Problem:
    blocks = [f"b{number}" for number in range(40)]
    goal = [["on", x, y] for y, x in pairwise(blocks)]
    init = [blocks[start::3] for start in range(3)]
    record = {"id": "hard", "domain": "blocksworld", "init": init, "holding": None, "goal": goal}
    return translate(from_record(record))


def mixed_blocksworld(count: int) -> Problem:
    """Solved in a moment, but not optimally for a long time."""
    blocks = [f"b{number}" for number in range(count)]
    mixed = Random(4).sample(blocks, count)
    goal = [["on", x, y] for x, y in pairwise(mixed)]
    record = {"id": "m", "domain": "blocksworld", "init": [blocks], "holding": None, "goal": goal}
    return translate(from_record(record))


@pytest.fixture
def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail if a process or a private directory of the test's attempts outlives it."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    assert not [process for process in psutil.process_iter() if _is_in(process, tmp_path)]
    assert not list(tmp_path.glob("pddl-pipeline-*"))


def _is_in(process: psutil.Process, folder: Path) -> bool:
    try:
        return str(folder) in " ".join([process.cwd(), *process.cmdline()])
    except psutil.Error:
        return False


SUITED = [
    (domain, planner)
    for domain in domain_names()
    for planner in ("enhsp", "lama-first", "lama", "seq-opt-lmcut", "fd-blind")
    if planner == "enhsp" or "numeric" not in translator(domain).features
]


@pytest.mark.parametrize(("domain", "planner"), SUITED)
def test_planner_solves_the_sample(domain: str, planner: str) -> None:
    problem = sample(domain)
    done = attempt(planner_named(planner), problem, LIMITS)
    assert done.outcome is Outcome.PLAN_FOUND, done.reason
    assert done.plan is not None
    verdict = read_task(problem.domain, problem.problem).judge(done.plan)
    assert verdict.status == "valid", verdict.reason
    assert done.expanded is not None
    assert done.wall_s > 0
    assert done.memory_mb > 1


def cheapest(task: Task) -> Number:
    """Return the cost of the cheapest plan, by uniform-cost search over all states."""
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


@pytest.mark.parametrize("planner", ["seq-opt-lmcut", "fd-blind"])
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
    problem = translate(from_record(record))
    task = read_task(problem.domain, problem.problem)
    done = attempt(planner_named(planner), problem, LIMITS)
    assert task.judge(done.plan or "").cost == cheapest(task)


def test_forty_concurrent_fast_downward_runs() -> None:
    """In one shared directory, runs overwrite each other's files and give wrong answers."""
    names = [name for name in domain_names() if "numeric" not in translator(name).features]
    problems = [sample(names[number % len(names)]) for number in range(40)]
    with ThreadPoolExecutor(max_workers=40) as pool:
        planner = planner_named("lama-first")
        done = list(pool.map(lambda problem: attempt(planner, problem, LIMITS), problems))
    for problem, each in zip(problems, done, strict=True):
        assert each.outcome is Outcome.PLAN_FOUND, each.reason
        verdict = read_task(problem.domain, problem.problem).judge(each.plan or "")
        assert verdict.status == "valid", verdict.reason


def test_a_plan_that_misses_the_target_is_found_out() -> None:
    """ENHSP compares doubles with a tolerance: 1/716539 counts as 0 for it."""
    record = {"id": "a", "domain": "countdown", "numbers": [1, 97, 89, 83], "target": 0}
    problem = translate(from_record(record))
    done = attempt(planner_named("enhsp"), problem, LIMITS)
    assert done.outcome is Outcome.PLAN_FOUND
    verdict = read_task(problem.domain, problem.problem).judge(done.plan or "")
    assert verdict.status == "invalid"
    assert "1/716539 = 0 is false" in (verdict.reason or "")


@pytest.mark.parametrize(
    ("planner", "record"),
    [
        ("enhsp", {"id": "a", "domain": "countdown", "numbers": [1, 1], "target": 24}),
        (
            "lama-first",
            {
                "id": "a",
                "domain": "blocksworld",
                "init": [["b1", "b2"]],
                "holding": None,
                "goal": [["on", "b1", "b2"], ["on", "b2", "b1"]],
            },
        ),
    ],
)
def test_unsolvable_is_a_claim(planner: str, record: dict[str, object]) -> None:
    done = attempt(planner_named(planner), translate(from_record(record)), LIMITS)
    assert done.outcome is Outcome.CLAIMS_UNSOLVABLE
    assert done.plan is None


def test_unsupported_names_what_is_missing() -> None:
    done = attempt(planner_named("lama-first"), sample("countdown"), LIMITS)
    assert done.outcome is Outcome.UNSUPPORTED
    assert "GENERAL_NUMERIC_PLANNING" in (done.reason or "")


def test_what_unified_planning_cannot_read_is_unsupported() -> None:
    broken = replace(sample("blocksworld"), problem="(define (problem x) (:domain y))")
    done = attempt(planner_named("lama-first"), broken, LIMITS)
    assert done.outcome is Outcome.UNSUPPORTED
    assert "Unified Planning cannot read the problem" in (done.reason or "")


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize(
    ("planner", "problem"),
    [
        ("enhsp", translate(from_record(HARD_COUNTDOWN))),
        ("seq-opt-lmcut", hard_blocksworld()),
    ],
)
def test_time_limit_ends_everything(planner: str, problem: Problem, tmp_path: Path) -> None:
    log = tmp_path / "logs" / "engine.log"
    done = attempt(planner_named(planner), problem, Limits(time_s=4), log=log)
    assert done.outcome is Outcome.TIMEOUT
    assert done.hit == "time"
    assert 4 <= done.wall_s < 5
    assert log.read_text()


@pytest.mark.usefixtures("nothing_left")
def test_anytime_planner_keeps_its_best_plan_at_the_time_limit() -> None:
    problem = mixed_blocksworld(16)
    done = attempt(planner_named("lama"), problem, Limits(time_s=8))
    assert done.outcome is Outcome.PLAN_FOUND, done.reason
    assert done.hit == "time"
    assert read_task(problem.domain, problem.problem).judge(done.plan or "").status == "valid"


@pytest.mark.usefixtures("nothing_left")
def test_memory_limit_ends_everything() -> None:
    problem = hard_blocksworld()
    done = attempt(planner_named("fd-blind"), problem, Limits(time_s=60, memory_bytes=400 << 20))
    assert done.outcome is Outcome.MEMOUT
    assert done.hit == "memory"
    assert done.memory_mb < 700


@pytest.mark.usefixtures("nothing_left")
def test_stop_ends_an_attempt() -> None:
    stop = Event()
    Timer(4, stop.set).start()
    begin = time.monotonic()
    with pytest.raises(Stopped):
        attempt(planner_named("fd-blind"), hard_blocksworld(), LIMITS, stop=stop)
    assert time.monotonic() - begin < 12


RUN_HARD = """
import sys
from pathlib import Path
from pddl_pipeline import solve
solve(Path(sys.argv[1]), Path(sys.argv[2]), "enhsp")
"""


def test_nothing_outlives_a_killed_caller(tmp_path: Path) -> None:
    problem = translate(from_record(HARD_COUNTDOWN))
    domain_file, problem_file = tmp_path / "d.pddl", tmp_path / "p.pddl"
    domain_file.write_text(problem.domain)
    problem_file.write_text(problem.problem)
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    caller = subprocess.Popen(
        [sys.executable, "-c", RUN_HARD, domain_file, problem_file], env=environment
    )
    deadline = time.monotonic() + 60
    family: list[psutil.Process] = []
    while not any("java" in process.name() for process in family):
        assert time.monotonic() < deadline, "Java did not start"
        time.sleep(0.1)
        family = psutil.Process(caller.pid).children(recursive=True)
    caller.send_signal(signal.SIGKILL)
    caller.wait()
    _, alive = psutil.wait_procs(family, timeout=10)
    assert not [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize(
    ("limits", "outcome"),
    [
        (Limits(time_s=0.05), Outcome.TIMEOUT),
        (Limits(time_s=60, memory_bytes=1 << 20), Outcome.MEMOUT),
    ],
)
@pytest.mark.parametrize("planner", ["lama-first", "lama", "enhsp"])
def test_limits_hold_before_the_engine_starts(
    planner: str, limits: Limits, outcome: Outcome
) -> None:
    """Unified Planning reads and writes the problem first, and that counts."""
    done = attempt(planner_named(planner), sample("blocksworld"), limits)
    assert (done.outcome, done.plan) == (outcome, None)


@pytest.mark.usefixtures("nothing_left")
def test_killed_child_is_a_crash_and_leaves_no_engine(tmp_path: Path) -> None:
    """As when the system runs out of memory and picks a process to kill."""

    def kill() -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            family = [p for p in psutil.Process().children(recursive=True) if _is_in(p, tmp_path)]
            if any("java" in process.name() for process in family):
                next(p for p in family if "pddl_pipeline.planners.child" in p.cmdline()).kill()
                return
            time.sleep(0.1)

    killer = Thread(target=kill)
    killer.start()
    done = attempt(planner_named("enhsp"), translate(from_record(HARD_COUNTDOWN)), LIMITS)
    killer.join()
    assert done.outcome is Outcome.CRASH
    assert "signal 9" in (done.reason or "")


@pytest.mark.parametrize("planner", ["lama-first", "seq-opt-lmcut", "enhsp"])
def test_goal_that_holds_at_the_start(planner: str) -> None:
    problem = sample("blocksworld")
    done_already = replace(
        problem, problem=problem.problem.replace("(on b1 b2) (on b2 b3)", "(clear b3)")
    )
    assert done_already != problem
    done = attempt(planner_named(planner), done_already, Limits(time_s=30))
    assert (done.outcome, done.plan) == (Outcome.PLAN_FOUND, "")


def test_missing_initial_value_is_no_proof_of_unsolvability() -> None:
    problem = sample("countdown")
    broken = replace(problem, problem=problem.problem.replace("(= (value n4) 6)", ""))
    done = attempt(planner_named("enhsp"), broken, LIMITS)
    assert done.outcome is Outcome.INPUT_ERROR
    assert done.reason == "a numeric fluent has no initial value"


def test_makespan_without_time_is_the_number_of_steps() -> None:
    problem = sample("ferry")
    text = problem.problem.rstrip()[:-1] + "(:metric minimize (total-time)))"
    done = attempt(planner_named("seq-opt-lmcut"), replace(problem, problem=text), LIMITS)
    verdict = read_task(problem.domain, text).judge(done.plan or "")
    assert (verdict.status, verdict.cost) == ("valid", verdict.steps)
