"""CPU time of rewards and scores of tasks that are new, and of tasks in a circle.

    python benchmarks/unseen_tasks.py [COUNT]

A training set has many tasks, and each is seen a few times: keeping a task seldom helps.
Countdown has 4 numbers; blocksworld has 5 blocks, as records and as PDDL. The smallest of three
rounds is printed, each with other tasks. In a circle, the second and third time count.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from pddl_pipeline import load_records, reward, score
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.operations import ACTIONS, combine
from pddl_pipeline.translators import translate
from pddl_pipeline.translators.records import from_record

Answered = tuple[list[Instance[Any]], list[str]]
"""Tasks, and an answer to each."""


def countdown_rows(count: int, seed: int, off: int = 0) -> list[dict[str, Any]]:
    """Return rows with expressions that miss their targets by ``off``."""
    rng, rows = random.Random(seed), []
    while len(rows) < count:
        first, *others = numbers = [rng.randint(1, 99) for _ in range(4)]
        values, text = [first], str(first)
        for sign, number in zip(rng.choices("+*-", k=3), others, strict=True):
            values.append(int(combine(ACTIONS[sign], values[-1], number)))
            text = f"({text} {sign} {number})"
        if min(values) >= 0:
            rows.append({"nums": numbers, "target": values[-1] + off, "answer": text})
    return rows


def countdown(count: int, seed: int, off: int = 0) -> Answered:
    """Return the tasks and answers of `countdown_rows`."""
    rows = countdown_rows(count, seed, off)
    fields = [{"numbers": row["nums"], "target": row["target"]} for row in rows]
    records = [{"id": f"c{n}", "domain": "countdown", **each} for n, each in enumerate(fields)]
    return [*map(from_record, records)], [row["answer"] for row in rows]


def blocks(count: int, seed: int) -> Answered:
    """Return records of 5 blocks, and plans that take all apart before they build a tower."""
    rng, found, plans = random.Random(seed), [], []
    for number in range(count):
        tower, start = (rng.sample("abcde", 5) for _ in range(2))
        stacks = [start[:3], start[3:]]
        goal = [["on", upper, lower] for lower, upper in pairwise(tower)]
        record = {"id": f"b{number}", "domain": "blocksworld", "init": stacks, "goal": goal}
        apart = [pair for stack in stacks for pair in reversed([*pairwise(stack)])]
        plans.append(
            "".join(f"(unstack {upper} {lower})\n(put-down {upper})\n" for lower, upper in apart)
            + "".join(f"(pick-up {up})\n(stack {up} {low})\n" for low, up in pairwise(tower))
        )
        found.append(from_record({"holding": None, **record}))
    return found, plans


def pddl_rows(count: int, seed: int) -> list[dict[str, Any]]:
    """Return the tasks and plans of `blocks` as rows with PDDL."""
    tasks, plans = blocks(count, seed)
    texts = [vars_of(task) for task in tasks]
    return [{**text, "answer": plan} for text, plan in zip(texts, plans, strict=True)]


def vars_of(task: Instance[Any]) -> dict[str, str]:
    """Return the PDDL of a task as the fields of a row."""
    found = translate(task)
    return {"id": task.id, "domain_pddl": found.domain_pddl, "problem_pddl": found.problem_pddl}


def as_pddl(given: Answered) -> Answered:
    """Return the same tasks, given as PDDL."""
    return [*load_records([vars_of(task) for task in given[0]])], given[1]


def rewarded(given: Answered) -> None:
    """Compute the reward of each answer."""
    for task, answer in zip(*given, strict=True):
        reward(task, answer)


def scored(given: Answered) -> None:
    """Score each answer."""
    pairs = zip(*given, strict=True)
    for _ in score(given[0], [{"id": task.id, "answer": answer} for task, answer in pairs]):
        pass


def rows_rewarded(rows: list[dict[str, Any]]) -> None:
    """Compute the reward of each row."""
    for row in rows:
        reward(row)


def rows_scored(rows: list[dict[str, Any]]) -> None:
    """Score each row."""
    for _ in score(rows):
        pass


def measure(
    name: str, make: Callable[[int, int], Any], work: Callable[[Any], None], n: int
) -> None:
    """Print the smallest CPU time per answer of three rounds, each with n other tasks."""
    best = float("inf")
    for seed in range(3):
        given = make(n, seed)
        start = time.process_time()
        work(given)
        best = min(best, time.process_time() - start)
    print(f"{name}: {best / n * 1e6:.0f} µs", flush=True)


def circle(name: str, given: Answered) -> None:
    """Print the CPU time per reward of the second and third time that tasks are seen."""
    rewarded(given)
    start, count = time.process_time(), len(given[0])
    rewarded(given)
    rewarded(given)
    print(f"{name}: {(time.process_time() - start) / count / 2 * 1e6:.0f} µs", flush=True)


def main() -> None:
    """Print a line for each measurement."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for off, kind in enumerate(("right", "wrong")):
        for where, make, judge, judge_all in (
            ("task", countdown, rewarded, scored),
            ("row", countdown_rows, rows_rewarded, rows_scored),
        ):
            made = lambda n, seed, make=make, off=off: make(n, seed, off)  # noqa: E731
            measure(f"countdown, {kind}, {where}: reward", made, judge, count)
            measure(f"countdown, {kind}, {where}: score", made, judge_all, count)
    few = count // 3
    measure("5 blocks, record: reward", blocks, rewarded, few)
    measure("5 blocks, record: score", blocks, scored, few)
    measure("5 blocks, PDDL: reward", lambda n, seed: as_pddl(blocks(n, seed)), rewarded, few)
    measure("5 blocks, PDDL: score", lambda n, seed: as_pddl(blocks(n, seed)), scored, few)
    measure("5 blocks, PDDL in a row: reward", pddl_rows, rows_rewarded, few)
    for size in (900, 1200):
        circle(f"{size} countdown tasks in a circle", countdown(size, 7))
        circle(f"{size} tasks of 5 blocks in a circle", blocks(size, 7))


if __name__ == "__main__":
    main()
