"""Compare Algorithm 1 with plain Python on fractions: CPU seconds per instance and ratios.

    python benchmarks/generation.py [--sizes 4,5,6,7,8,10,20,30,40,50] [--walks 100000] [--rounds 5]

Plain Python is the direct implementation of the algorithm: `random.Random`, `Fraction`, `Counter`.
Both use the same numbers, make all walks, and choose the target. In each round, one instance by the
project and one by plain Python are measured on new numbers; the table shows the median of the
ratios. Both use one core. Compilation, once per machine, comes first and is printed separately. The
steps after the choice, the replay of one walk and the check of its plan, are included only in the
instances per second.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from fractions import Fraction
from statistics import median

from clock import cpu_of
from rich.console import Console
from rich.table import Table

from pddl_pipeline.countdown.frequencies import frequencies
from pddl_pipeline.generators.countdown import WalkSettings, least_frequent
from pddl_pipeline.generators.generating import generate_sizes, generators

CONSOLE = Console(width=110)
ANY = range(10**1000)


def plain(numbers: list[int], walks: int, rng: random.Random) -> int:
    """Return the target of Algorithm 1, computed in plain Python."""
    start = [Fraction(number) for number in numbers]
    counts: Counter[Fraction] = Counter()
    for _ in range(walks):
        left = start.copy()
        while len(left) > 1:
            first, second = rng.randrange(len(left)), rng.randrange(len(left) - 1)
            second += second >= first
            x, y = left[first], left[second]
            operator = rng.choice("+-*/")
            if operator == "+":
                left[first] = x + y
            elif operator == "*":
                left[first] = x * y
            elif operator == "-" and x >= y:
                left[first] = x - y
            elif operator == "/" and y:
                left[first] = x / y
            else:
                continue
            del left[second]
        counts[left[0]] += 1
    whole = {value: count for value, count in counts.items() if value.denominator == 1}
    least = min(whole.values())
    return int(rng.choice([value for value, count in whole.items() if count == least]))


def ours(numbers: list[int], walks: int, rng: random.Random) -> None:
    """Choose a target in the same way as `generate`."""
    found = frequencies(numbers, walks, rng.getrandbits(48))
    least_frequent(found, ANY, rng)


def rate(size: int, walks: int) -> float:
    """Return instances per second, including records and the checks of the witnesses."""
    settings, number = WalkSettings(walks=walks), 3
    method = generators()["countdown"]["cd"]

    def work() -> None:
        for _ in generate_sizes(method, settings, sizes=range(size, size + 1), number=number):
            pass

    return number / cpu_of(work)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS)
    parser.add_argument("--sizes", default="4,5,6,7,8,10,20,30,40,50")
    parser.add_argument("--walks", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rng = random.Random(1)
    first = cpu_of(lambda: ours([1, 2, 3], 10, rng))
    CONSOLE.print(f"compiled, or loaded from the cache, in {first:.1f} s")
    table = Table("size", "ours s", "plain s", "plain / ours", "least, most", "instances/s",
                  title=f"Algorithm 1, {options.walks:,} walks")  # fmt: skip
    for size in map(int, options.sizes.split(",")):
        pairs = []
        for _ in range(options.rounds):
            numbers = [rng.randint(1, 99) for _ in range(size)]
            mine = cpu_of(lambda n=numbers: ours(n, options.walks, rng))
            pairs.append((mine, cpu_of(lambda n=numbers: plain(n, options.walks, rng))))
        ratios = sorted(other / mine for mine, other in pairs)
        table.add_row(
            str(size), f"{median(p[0] for p in pairs):.3f}", f"{median(p[1] for p in pairs):.2f}",
            f"{median(ratios):.1f}", f"{ratios[0]:.1f}, {ratios[-1]:.1f}",
            f"{rate(size, options.walks):.1f}",
        )  # fmt: skip
    CONSOLE.print(table)


if __name__ == "__main__":
    main()
