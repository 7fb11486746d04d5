"""Compare the distributions of generated datasets with the papers': plan lengths and horizons.

    python benchmarks/distributions.py [--domains ferry,minigrid] [--presets simple,complex]
        [--count 50] [--time-limit 60s] [--store FOLDER] [--seeds 8] [--plot docs/distributions.png]

SimPlan, Table 8: mean lengths of the plans that LAMA finds. Runs in the store are not repeated.
CATS, Appendix A: horizons of 1,008 tasks, compared with those of generated tasks by a chi-square
test for homogeneity, and with their exact distribution, which is computed from all states.
`--domains ""` skips the runs, `--seeds 0` skips CATS.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import erfc, exp, gamma, sqrt
from pathlib import Path
from statistics import mean, stdev

from clock import cpu_of
from rich.console import Console
from rich.table import Table

from pddl_pipeline import run
from pddl_pipeline.generators.blocks import block_names
from pddl_pipeline.generators.generating import generate_preset, generate_sizes, generators
from pddl_pipeline.model.limits import Limits, parse_duration
from pddl_pipeline.search.blocks_states import cheapest_plan
from pddl_pipeline.translators.records import to_record

# SimPlan, Table 8: mean plan lengths of the simple and the complex instances.
TABLE_8 = {
    "blocksworld": {"simple": 8.3, "complex": 88.5},
    "ferry": {"simple": 11.3, "complex": 50.2},
    "grippers": {"simple": 10.1, "complex": 52.5},
    "minigrid": {"simple": 19.5, "complex": 27.3},
    "depots": {"simple": 10.4, "complex": 132.1},
}
# CATS, Appendix A: the number of tasks (of 1,008) by the length of the cheapest plan.
APPENDIX_A = {
    2: 5, 4: 12, 6: 29, 8: 67, 10: 108, 12: 177, 14: 191, 16: 163, 18: 109, 20: 78, 22: 33, 24: 20,
    26: 7, 28: 6, 30: 2, 32: 1,
}  # fmt: skip
TASKS = 1008
COSTS = (1, 1, 20, 1)
CONSOLE = Console(width=110)


@dataclass(frozen=True)
class Lengths:
    """The plan lengths of a dataset, with the paper's mean."""

    domain: str
    preset: str
    paper: float
    steps: list[int]
    made: int

    @property
    def half_interval(self) -> float:
        """Half of the 95 % interval of the mean."""
        return 1.96 * stdev(self.steps) / sqrt(len(self.steps))


def lengths(domain: str, preset: str, count: int | None, limits: Limits, store: Path) -> Lengths:
    """Run LAMA on the first ``count`` instances of a preset; return the plan lengths."""
    generator = generators()[domain]["simplan"]
    every = generate_preset(generator, generator.settings(), generator.presets[preset])
    instances = list(islice(every, count))
    results = run(instances, store, ["lama-first"], limits, workers=1)
    steps = [each.steps for each in results if each.solved and each.steps is not None]
    return Lengths(domain, preset, TABLE_8[domain][preset], steps, len(instances))


def lengths_table(rows: Sequence[Lengths], limits: Limits) -> Table:
    """Return the table that compares plan lengths with Table 8."""
    table = Table("domain", "preset", "paper", "ours, 95 % interval", "n", "not solved",
                  "deviation", title=f"Plan lengths, lama-first, {limits.time_s:g} s")  # fmt: skip
    for row in rows:
        ours = mean(row.steps)
        table.add_row(
            row.domain, row.preset, f"{row.paper}", f"{ours:.1f} ± {row.half_interval:.1f}",
            f"{len(row.steps)}", f"{row.made - len(row.steps)}",
            f"{100 * (ours / row.paper - 1):+.1f} %",
        )  # fmt: skip
    return table


def horizons(seed: int) -> tuple[Counter[int], float]:
    """Return the horizons of 1,008 tasks, counted, and the CPU seconds to generate all budgets."""
    generator = generators()["budget-blocksworld"]["cats"]
    made = []

    def make() -> None:
        for instance in generate_sizes(generator, generator.settings(), number=TASKS, seed=seed):
            made.append(instance)
            json.dumps(to_record(instance))

    took = cpu_of(make)
    return Counter(len(instance.extras["witness"]) for instance in made[::3]), took


def states(blocks: Sequence[str]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Yield all states: the first block is on the table, or on or under any other block."""
    if not blocks:
        yield ()
        return
    for rest in states(blocks[1:]):
        yield ((blocks[0],), *rest)
        for number, stack in enumerate(rest):
            for height in range(len(stack) + 1):
                higher = (*stack[:height], blocks[0], *stack[height:])
                yield (*rest[:number], higher, *rest[number + 1 :])


def exact_horizons(size: int = 6) -> dict[int, float]:
    """Return the probability of each horizon, over all pairs of states that form a task."""
    every = list(states(block_names(size)))
    shapes = Counter(tuple(sorted(map(len, state))) for state in every)
    goals = {tuple(sorted(map(len, state))): state for state in every}
    weights = Counter[int]()
    for shape, target in goals.items():
        goal = [(stack[i + 1], stack[i]) for stack in target for i in range(len(stack) - 1)]
        for init in every:
            weights[len(cheapest_plan(init, goal, COSTS).steps)] += shapes[shape]
    del weights[0]
    return {steps: weight / weights.total() for steps, weight in sorted(weights.items())}


def bins_of(expected: Mapping[int, float], least: float = 5) -> list[list[int]]:
    """Return bins of neighbouring horizons that are expected to hold at least `least` tasks."""
    bins: list[list[int]] = [[]]
    for steps in sorted(expected):
        bins[-1].append(steps)
        if sum(expected[each] for each in bins[-1]) >= least:
            bins.append([])
    rest = bins.pop()
    bins[-1] += rest
    return bins


def chi_square(observed: Sequence[float], expected: Sequence[float]) -> float:
    """Return the chi-square statistic."""
    return sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))


def tail(statistic: float, degrees: int) -> float:
    """Return the probability that a chi-square variable is at least as large as `statistic`."""
    half = statistic / 2
    first = exp(-half) if degrees % 2 == 0 else erfc(sqrt(half))
    start = 1.0 if degrees % 2 == 0 else 0.5
    terms = (degrees - 1) // 2 if degrees % 2 else degrees // 2 - 1
    return first + sum(
        half ** (start + i) * exp(-half) / gamma(start + i + 1) for i in range(terms)
    )


def counts_in(bins: Sequence[Sequence[int]], counts: Mapping[int, float]) -> list[float]:
    """Return the number of tasks in each bin."""
    return [sum(counts.get(steps, 0) for steps in each) for each in bins]


def against_exact(counts: Mapping[int, float], exact: Mapping[int, float]) -> tuple[float, int]:
    """Return the statistic and degrees of freedom of 1,008 tasks against the exact distribution."""
    expected = {steps: TASKS * probability for steps, probability in exact.items()}
    bins = bins_of(expected)
    return chi_square(counts_in(bins, counts), counts_in(bins, expected)), len(bins) - 1


def homogeneity(one: Mapping[int, float], other: Mapping[int, float]) -> tuple[float, int]:
    """Return the statistic and degrees of freedom of two samples of the same size."""
    pooled = {steps: (one.get(steps, 0) + other.get(steps, 0)) / 2 for steps in {*one, *other}}
    bins = bins_of(pooled)
    expected = counts_in(bins, pooled)
    both = chi_square(counts_in(bins, one), expected) + chi_square(counts_in(bins, other), expected)
    return both, len(bins) - 1


def cats_table(
    found: Mapping[int, tuple[Counter[int], float]], exact: Mapping[int, float]
) -> Table:
    """Return the table of tests of horizons, with the times of generation."""
    table = Table("tasks", "mean", "test", "chi-square", "degrees", "p", "CPU s, 3,024 records",
                  title=f"Horizons of {TASKS:,} tasks of six blocks")  # fmt: skip

    def add(
        name: str, counts: Mapping[int, float], test: str, result: tuple[float, int], s: str
    ) -> None:
        average = sum(steps * count for steps, count in counts.items()) / sum(counts.values())
        p = tail(*result)
        table.add_row(
            name, f"{average:.2f}", test, f"{result[0]:.1f}", f"{result[1]}", f"{p:.3f}", s
        )

    mean_of_all = sum(steps * probability for steps, probability in exact.items())
    table.add_row("ours, exact", f"{mean_of_all:.2f}")
    add("Appendix A", APPENDIX_A, "ours, exact", against_exact(APPENDIX_A, exact), "")
    for seed, (counts, took) in found.items():
        add(f"seed {seed}", counts, "Appendix A", homogeneity(counts, APPENDIX_A), f"{took:.1f}")
        add("", counts, "ours, exact", against_exact(counts, exact), "")
    return table


def main() -> None:
    """Print the requested tables."""
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS)
    parser.add_argument("--domains", default=",".join(TABLE_8))
    parser.add_argument("--presets", default="simple,complex")
    parser.add_argument("--count", type=int)
    parser.add_argument("--time-limit", type=parse_duration, default=60.0)
    parser.add_argument("--store", type=Path, default=Path("distribution-runs"))
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    limits = Limits(time_s=options.time_limit)
    domains = [domain for domain in options.domains.split(",") if domain]
    for domain in domains:
        if domain not in TABLE_8:
            sys.exit(f"unknown domain '{domain}', known: {', '.join(TABLE_8)}")
    rows = [
        lengths(domain, preset, options.count, limits, options.store)
        for domain in domains
        for preset in options.presets.split(",")
    ]
    if rows:
        CONSOLE.print(lengths_table(rows, limits))
    found = {seed: horizons(seed) for seed in range(options.seeds)}
    exact = exact_horizons() if found else {}
    if found:
        CONSOLE.print(cats_table(found, exact))
    if options.plot:
        if not rows or not found:
            sys.exit("--plot requires the runs and at least one seed")
        from distribution_plot import Row, draw  # matplotlib is optional

        means = [
            Row(
                f"{row.domain}, {row.preset}\n(n = {len(row.steps)})",
                mean(row.steps),
                row.half_interval,
                row.paper,
            )
            for row in rows
        ]
        draw(options.plot, means, APPENDIX_A, found[0][0], exact)


if __name__ == "__main__":
    main()
