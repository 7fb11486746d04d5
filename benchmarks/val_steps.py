"""Compare the time of a step of a plan with VAL's: numeric effects and durative actions.

    python benchmarks/val_steps.py VALIDATE [ROUNDS]

VALIDATE is VAL's program. The time of a step is the CPU time of a plan of 2,000 steps less that of
one of 1,000, divided by 1,000: in this process, and as processes of VAL. They are measured in turn;
the smallest time of each in 9 rounds counts.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from clock import cpu_of, cpu_of_process

from pddl_pipeline import read_task
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.validation.task import Task

SHORT = 1_000
NUMERIC = """(define (domain tanks) (:requirements :strips :fluents)
  (:predicates (ready)) (:functions (left) (right))
  (:action pour :parameters () :precondition (and (ready) (>= (left) 1))
    :effect (and (decrease (left) {amount}) (increase (right) {amount}))))
"""
TIMED = """(define (domain tanks) (:requirements :strips :durative-actions)
  (:predicates (ready) (moving))
  (:durative-action pour :parameters () :duration (= ?duration 1)
    :condition (and (at start (ready)) (over all (moving)))
    :effect (and (at start (moving)) (at start (not (ready)))
      (at end (ready)) (at end (not (moving))))))
"""
PROBLEM = """(define (problem p) (:domain tanks) (:init (ready) {values}) (:goal (ready)))"""
VALUES = f"(= (left) {3 * SHORT}) (= (right) 0)"


def plan_of(steps: int, *, timed: bool) -> str:
    """Return a plan of so many steps, one after another."""
    if not timed:
        return "(pour)\n" * steps
    return "".join(f"{step * 1.1:.1f}: (pour) [1]\n" for step in range(steps))


def main() -> None:
    """Print a line for each kind of step."""
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 9
    for name, domain, timed in (
        ("two numeric effects, whole values", NUMERIC.format(amount="1"), False),
        ("two numeric effects, tenths", NUMERIC.format(amount="0.1"), False),
        ("durative action", TIMED, True),
    ):
        problem = PROBLEM.format(values="" if timed else VALUES)
        plans = [plan_of(steps, timed=timed) for steps in (SHORT, 2 * SHORT)]
        task, times = read_task(domain, problem), list[list[float]]()
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / name for name in ("domain", "problem", "short", "long")]
            for file, text in zip(files, (domain, problem, *plans), strict=True):
                file.write_text(text, encoding="utf-8")
            first, second, *given = map(str, files)
            said = subprocess.run(
                [program, first, second, *given], capture_output=True, check=False
            )
            if said.stdout.count(b"Plan valid") != len(given):
                raise SystemExit(f"{name}: VAL does not say that the plans are valid")
            for _ in range(rounds):
                own = [cpu_of(partial(judge, task, plan)) for plan in plans]
                val = [cpu_of_process([program, first, second, each]) for each in given]
                times.append([*own, *val])
        short, long, val_short, val_long = map(min, zip(*times, strict=True))
        ratio = (long - short) / (val_long - val_short)
        print(f"{name}: {(long - short) / SHORT * 1e6:.1f} µs, {ratio:.1f} times VAL's", flush=True)


def judge(task: Task, plan: str) -> None:
    """Judge a plan, which is valid."""
    if task.judge(plan).status is not Status.VALID:
        raise SystemExit("a plan is not valid")


if __name__ == "__main__":
    main()
