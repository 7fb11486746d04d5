"""Measure exact counts of countdown's solutions: CPU seconds, ratios and memory by size.

    python benchmarks/counting.py [--sizes 4-9] [--instances 10] [--slow]

The numbers are random from 1 to 99, and the targets are the ends of random walks. The peer counts
as the paper does, by a walk over all paths, in plain Python, for the same instances in the same
run, and the benchmark stops if the counts differ. Each size runs in a separate process, since the
memory of a process only grows.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import resource
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations
from statistics import median
from typing import Any, NamedTuple

from clock import cpu_of
from rich.console import Console
from rich.table import Table

from pddl_pipeline.countdown.counts import count_solutions
from pddl_pipeline.model.limits import parse_range


class Times(NamedTuple):
    """The CPU seconds of each instance of a size, and the peak memory of the process in MiB."""

    ours: list[float]
    paths: list[float]
    memory: float


def instance(size: int, rng: random.Random) -> tuple[list[int], int]:
    """Return numbers and a target at which a random walk ends."""
    while True:
        numbers = [rng.randint(1, 99) for _ in range(size)]
        state = [Fraction(number) for number in numbers]
        while len(state) > 1:
            state = rng.choice(list(following(state)))
        if state[0].denominator == 1:
            return numbers, int(state[0])


def following(state: list[Fraction]) -> Iterator[list[Fraction]]:
    """Yield the states after one step."""
    for i, j in permutations(range(len(state)), 2):
        x, y = state[i], state[j]
        rest = [state[k] for k in range(len(state)) if k not in (i, j)]
        made = [x + y, x * y] if i < j else []
        made += [x - y] if x >= y else []
        made += [x / y] if y else []
        for value in made:
            yield [*rest, value]


def paths(numbers: list[int], target: int) -> int:
    """Return the number of solutions, by a walk over all paths."""

    def ends(state: list[Fraction]) -> int:
        if len(state) == 1:
            return int(state[0] == target)
        return sum(map(ends, following(state)))

    return ends([Fraction(number) for number in numbers])


def times(size: int, count: int, *, slow: bool) -> Times:
    """Return the times and the memory for the instances of a size."""
    rng = random.Random(size)
    instances = [instance(size, rng) for _ in range(count)]
    ours = [counted(count_solutions, *each) for each in instances]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    theirs = [counted(paths, *each) for each in instances] if size < 6 + slow else []
    if theirs and [found for _, found in theirs] != [found for _, found in ours]:
        sys.exit(f"size {size}: the counts differ")
    return Times(*([time for time, _ in each] for each in (ours, theirs)), memory)


def counted(count: Callable[[list[int], int], int], *task: Any) -> tuple[float, int]:
    """Return the CPU seconds of a count and the count."""
    found: list[int] = []
    return cpu_of(lambda: found.append(count(*task))), found[0]


def ratio(peer: list[float], ours: list[float]) -> str:
    """Return the median over the instances of the peer's time divided by this project's."""
    if not peer:
        return "-"
    return f"{median(a / max(b, 1e-6) for a, b in zip(peer, ours, strict=True)):.3g}"


def main() -> None:
    """Print one line per size."""
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS)
    parser.add_argument("--sizes", type=parse_range, default=range(4, 10))
    parser.add_argument("--instances", type=int, default=10)
    parser.add_argument("--slow", action="store_true", help="Run the peer at one more size.")
    options = parser.parse_args()
    title = "Counting all solutions of countdown, CPU seconds"
    table = Table("size", "instances", "median s", "max s", "peak MiB", "all paths / ours",
                  title=title)  # fmt: skip
    for size in options.sizes:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            found = pool.apply(times, (size, options.instances), {"slow": options.slow})
        table.add_row(
            str(size), str(options.instances), f"{median(found.ours):.4f}",
            f"{max(found.ours):.4f}", f"{found.memory:.0f}",
            ratio(found.paths, found.ours),
        )  # fmt: skip
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
