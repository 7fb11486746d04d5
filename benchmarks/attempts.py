"""Measure the overhead of an attempt over the planner: wall-clock and CPU time, in pairs.

    python benchmarks/attempts.py [--only downward,start,long,scale,queue] [--rounds 15]

Each attempt is paired with the bare command of the same planner on the same files, started by
`subprocess` in a separate directory; the order alternates from pair to pair. The benchmark reports
the median, the minimum and the maximum of the ratios of these pairs, since the load of the machine
changes from minute to minute. The CPU time of an attempt includes the runner, the warm process, the
supervisor and the planner; the kernel counts it in steps of 10 ms. Bare Fast Downward is its driver
with the options that Unified Planning gives it. Bare ENHSP is its JAR file under Java's default
flags, as a user would start it by hand.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import psutil
from clock import wall_of
from rich.console import Console
from rich.table import Table

from pddl_pipeline import load_records, translate
from pddl_pipeline.model.attempt import Attempt
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.pddl_domains import domain_folder, domain_names, domain_text
from pddl_pipeline.planners.attempting import attempt
from pddl_pipeline.planners.java import find_java
from pddl_pipeline.planners.planner import DOMAIN, PROBLEM, Command
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.runs.jobs import Job, JobQueue
from pddl_pipeline.runs.running import LocalPool, lost, run_jobs
from pddl_pipeline.runs.store import RunStore
from pddl_pipeline.translators.records import from_record

LIMITS = Limits(time_s=300)
CONSOLE = Console(width=140)
_BOXES = """(define (domain boxes)
  (:predicates (there ?b))
  (:action take :parameters (?b) :precondition (there ?b) :effect (not (there ?b))))
"""


def sample(domain: str) -> Problem:
    """Return the sample problem of a domain."""
    return Problem(domain_text(domain), (domain_folder(domain) / "p01.pddl").read_text())


def countdown(numbers: list[int], target: int) -> Problem:
    """Return a countdown problem."""
    record = {"id": "a", "domain": "countdown", "numbers": numbers, "target": target}
    return translate(from_record(record))


def tower(blocks: int) -> Problem:
    """Return a blocksworld problem: reverse one tower."""
    names = [f"b{index}" for index in range(blocks)]
    goal = [["on", above, below] for above, below in pairwise(names)]
    record = {"id": "a", "domain": "blocksworld", "init": [names], "holding": None, "goal": goal}
    return translate(from_record(record))


def carrying(balls: int) -> Problem:
    """Return a grippers problem: move all balls to the other room."""
    names = [f"ball{index}" for index in range(balls)]
    record = {
        "id": "a", "domain": "grippers", "robots": {"robot1": ["l1", "r1"]},
        "rooms": ["room1", "room2"], "balls": names,
        "at": {"robot1": "room1", **dict.fromkeys(names, "room1")},
        "goal": dict.fromkeys(names, "room2"),
    }  # fmt: skip
    return translate(from_record(record))


class Cost(NamedTuple):
    """What a run took, in seconds."""

    wall: float
    cpu: float


class Pair(NamedTuple):
    """An attempt and the bare command, run one after the other."""

    ours: Cost
    planner_wall: float
    """Wall-clock time of the planner within the attempt."""
    bare: Cost


def bare(planner: str, problem: Problem) -> Cost:
    """Return the cost of a planner's bare command."""
    chosen = planner_named(planner)
    command = list(chosen.start.words()) if isinstance(chosen.start, Command) else []
    if chosen.needs_java:
        command[0] = str(find_java())
    with TemporaryDirectory() as folder:
        (Path(folder) / DOMAIN).write_text(problem.domain_pddl)
        (Path(folder) / PROBLEM).write_text(problem.problem_pddl)
        return cost_of(lambda: subprocess.run(command, cwd=folder, capture_output=True, check=True))


def cost_of(work: Callable[[], object]) -> Cost:
    """Return the cost of a call, including this process's children and those of the warm one."""
    before = _cpu_s()
    wall = wall_of(work)
    return Cost(wall, _cpu_s() - before)


def _cpu_s() -> float:
    this = psutil.Process()
    return sum(sum(process.cpu_times()[:4]) for process in (this, *this.children()))


def pairs(planner: str, problem: Problem, rounds: int) -> list[Pair]:
    """Return the costs of attempts and of bare commands."""
    chosen, found = planner_named(planner), []
    for number in range(rounds):
        done: list[Attempt] = []
        first = bare(planner, problem) if number % 2 else None
        ours = cost_of(lambda: done.append(attempt(chosen, problem, LIMITS)))  # noqa: B023
        found.append(Pair(ours, done[0].wall_s, first or bare(planner, problem)))
    return found


def compare(title: str, inputs: list[tuple[str, str, Problem]], rounds: int) -> Table:
    """Return the table that compares attempts with bare commands."""
    table = Table("input", "planner", "bare s", "ours s", "wall: ours / bare", "CPU: ours / bare",
                  "beside the planner ms", title=title)  # fmt: skip
    for name, planner, problem in inputs:
        pairs(planner, problem, 1)
        ours = pairs(planner, problem, rounds)
        table.add_row(
            name, planner, f"{median(p.bare.wall for p in ours):.3f}",
            f"{median(p.ours.wall for p in ours):.3f}",
            _spread([p.ours.wall / p.bare.wall for p in ours]),
            _spread([p.ours.cpu / p.bare.cpu for p in ours]),
            f"{median(1000 * (p.ours.wall - p.planner_wall) for p in ours):.0f}",
        )  # fmt: skip
    return table


def _spread(ratios: list[float]) -> str:
    """Return the median of ratios, with the smallest and the largest one."""
    return f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def downward(rounds: int) -> Table:
    """Return the table of Fast Downward on small problems."""
    inputs = [
        ("blocksworld", "lama-first", sample("blocksworld")),
        ("ferry", "fd-blind", sample("ferry")),
        ("budget-blocksworld", "seq-opt-lmcut", sample("budget-blocksworld")),
        ("sokoban", "lama-first", sample("sokoban")),
    ]
    return compare("Fast Downward on small problems", inputs, rounds)


def start(rounds: int) -> Table:
    """Return the table of small problems, whose time is mostly the start of processes."""
    inputs = [("countdown 4", "enhsp", countdown([3, 4, 5, 6], 24))]
    inputs += [(name, "lama-first", sample(name)) for name in domain_names() if name != "countdown"]
    return compare("Small problems", inputs, max(3, rounds // 2))


def long(rounds: int) -> Table:
    """Return the table of problems that take up to ten seconds."""
    inputs = [
        ("countdown 8", "enhsp", countdown([31, 76, 70, 17, 48, 78, 61, 81], 5758)),
        ("blocksworld 45", "enhsp", tower(45)),
        ("blocksworld 60", "lama-first", tower(60)),
        ("blocksworld 90", "lama-first", tower(90)),
        ("grippers 12", "fd-blind", carrying(12)),
    ]
    return compare("Longer problems", inputs, max(3, rounds // 4))


def scale(_: int) -> Table:
    """Return the table of a hundred small runs by one worker and by two."""
    table = Table("runs", "-j 1 s", "-j 2 s", "times as fast", title="Two workers")
    with JobQueue(["lama-first"], LIMITS) as queued:
        for instance in _ferries(100):
            queued.add(instance)
        jobs = list(queued.jobs())
    for _ in range(3):
        seconds = [wall_of(lambda w=workers: _run(jobs, LocalPool(w))) for workers in (1, 2)]
        table.add_row("100", *(f"{s:.2f}" for s in seconds), f"{seconds[0] / seconds[1]:.2f}")
    return table


def _ferries(count: int) -> Iterator[Instance[Any]]:
    cars = [f"c{index}" for index in range(8)]
    places = [f"l{index}" for index in range(5)]
    for number in range(count):
        at = {car: places[(number + 2 * index) % 5] for index, car in enumerate(cars)}
        record = {
            "id": f"f{number}", "domain": "ferry", "locations": places, "cars": cars, "at": at,
            "aboard": None, "ferry": "l0", "goal": dict.fromkeys(cars, places[number % 5]),
        }  # fmt: skip
        yield from_record(record)


def _run(jobs: list[Job], pool: LocalPool) -> None:
    with TemporaryDirectory() as folder, RunStore(Path(folder)) as store:
        if not all(summary.solved for summary in run_jobs(jobs, store, pool)):
            sys.exit("a run has no valid plan")


def queue(_: int) -> Table:
    """Return the runner's memory while it reads a folder of PDDL and runs it without planners."""
    table = Table("problems", "runner MiB", "minutes", title="100,000 problems of 10 KB queued")
    process, started = psutil.Process(), time.monotonic()

    def note(what: str) -> None:
        memory = f"{process.memory_info().rss / 2**20:.0f}"
        table.add_row(what, memory, f"{(time.monotonic() - started) / 60:.1f}")

    pool = LocalPool(2)
    submit = pool.executor.submit

    def at_once(_: Callable[..., Any], job: Job, __: object) -> Any:
        return submit(lost, job, "left out")

    pool.executor.submit = at_once  # type: ignore[method-assign]
    with TemporaryDirectory() as place, JobQueue(["lama-first"], LIMITS) as jobs:
        _write_large_problems(Path(place, "data"), 100_000)
        note("before")
        for count, instance in enumerate(load_records(Path(place, "data")), start=1):
            jobs.add(instance)
            if count in (1000, 10_000, 50_000, 100_000):
                note(f"{count:,} read")
        with RunStore(Path(place, "runs")) as store:
            for count, _ in enumerate(run_jobs(jobs.jobs(), store, pool), start=1):
                if count in (1000, 10_000, 50_000, 100_000):
                    note(f"{count:,} run")
    return table


def _write_large_problems(folder: Path, count: int) -> None:
    """Write problems of 10 KB: rows of boxes, one of which must be removed."""
    folder.mkdir()
    (folder / "domain.pddl").write_text(_BOXES)
    for number in range(count):
        names = [f"box-{number:06}-{index:03}" for index in range(260)]
        facts = " ".join(f"(there {name})" for name in names)
        (folder / f"boxes-{number}.pddl").write_text(
            f"(define (problem boxes-{number}) (:domain boxes)\n(:objects {' '.join(names)})\n"
            f"(:init {facts})\n(:goal (not (there {names[-1]}))))\n"
        )


BENCHMARKS = {"downward": downward, "start": start, "long": long, "scale": scale, "queue": queue}


def main() -> None:
    """Print the requested tables."""
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS)
    parser.add_argument("--only", default=",".join(BENCHMARKS))
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    for name in options.only.split(","):
        if name not in BENCHMARKS:
            sys.exit(f"unknown benchmark '{name}', known: {', '.join(BENCHMARKS)}")
        CONSOLE.print(BENCHMARKS[name](options.rounds))


if __name__ == "__main__":
    main()
