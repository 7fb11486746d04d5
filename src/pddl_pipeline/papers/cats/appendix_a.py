"""Appendix A of CATS: lengths of cheapest plans, budgets, and checks of the least costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.papers.cats.benchmark import (
    BUDGETS,
    CARD,
    CHOSEN,
    LENGTHS,
    MARGINS,
    PUBLISHED,
    UNIFORM,
    by_task,
    costs_text,
    count_by_horizon,
    graphs,
    mean_and_range,
    tasks_of,
)
from pddl_pipeline.papers.comparison import (
    Always,
    Comparison,
    Fact,
    Quantity,
    SameDistribution,
    checked,
    decide,
    same,
    share,
    withdrawn,
)
from pddl_pipeline.papers.study import (
    Chart,
    NamedTable,
    Point,
    Series,
    Study,
    StudyResult,
    Workbench,
    spread,
)
from pddl_pipeline.statistics.differences import LEVEL, difference_of_means
from pddl_pipeline.statistics.significance import same_distribution
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded
from pddl_pipeline.translators.domains.budget_blocksworld import horizon
from pddl_pipeline.translators.judging import witness_fault

Lengths = Mapping[int, int]
"""The number of tasks by the length of the cheapest plan."""


def mean_length(counts: Lengths) -> float:
    """Return the mean number of steps."""
    return sum(steps * number for steps, number in counts.items()) / sum(counts.values())


def pooled(samples: Sequence[Lengths]) -> Counter[int]:
    """Return the sum of all samples."""
    total = Counter[int]()
    for sample in samples:
        total.update(sample)
    return total


def length_table(samples: Sequence[Lengths], others: Mapping[str, Lengths]) -> NamedTable:
    """Return the table of the number of tasks of each length."""
    rows = []
    for steps in sorted({*LENGTHS, *pooled(samples), *others["shortest plans"]}):
        ours = [sample.get(steps, 0) for sample in samples]
        rows.append((
            str(steps), horizon(steps), str(LENGTHS.get(steps, 0)), str(ours[0]),
            rounded(sum(ours) / len(ours), 1), str(min(ours)), str(max(ours)),
            *(str(each.get(steps, 0)) for each in others.values()),
        ))  # fmt: skip
    headings = (
        "steps", "horizon", "paper", "seed 0", "mean of samples", "least", "most",
        *(f"seed 0, {name}" for name in others),
    )  # fmt: skip
    caption = "Tasks by steps of the cheapest plan"
    return NamedTable(caption, TextTable(headings, tuple(rows), names=2))


def chi_square_table(samples: Sequence[Lengths], others: Mapping[str, Lengths]) -> NamedTable:
    """Return the table of tests of each sample against the paper's lengths."""
    named: dict[str, Lengths] = {f"seed {seed}": each for seed, each in enumerate(samples)}
    rows = []
    for name, counts in {"all samples": pooled(samples), **named, **others}.items():
        test = same_distribution(LENGTHS, counts)
        cells = [NO_NUMBER] * 3
        if test is not None:
            cells = [rounded(test.statistic, 1), str(test.degrees), rounded(test.p, 4)]
        rows.append((name, rounded(mean_length(counts)), str(max(counts)), *cells))
    headings = ("tasks", "mean steps", "longest", "chi-square", "degrees of freedom", "p")
    caption = "Chi-square tests against Appendix A"
    return NamedTable(caption, TextTable(headings, tuple(rows), names=1))


def length_chart(samples: Sequence[Lengths], others: Mapping[str, Lengths], number: int) -> Chart:
    """Return the bar chart of the lengths of samples of `number` tasks."""
    lengths = sorted({*LENGTHS, *pooled(samples)})
    spread = {n: mean_and_range([sample.get(n, 0) for sample in samples]) for n in lengths}
    ours = tuple(Point(str(n), q.value or 0.0, q.low, q.high) for n, q in spread.items())
    return Chart(
        "Budget-BlocksWorld: steps of the cheapest plans",
        f"plan length (steps), n={number} tasks a sample, {len(samples)} samples",
        "tasks",
        (
            Series("paper, Appendix A", _bars(lengths, LENGTHS), from_paper=True),
            Series("cheapest plans: mean, least and most of the samples", ours),
            Series("shortest plans, seed 0", _bars(lengths, others["shortest plans"])),
        ),
        bottom=0,
    )


def _bars(lengths: Sequence[int], counts: Lengths) -> tuple[Point, ...]:
    return tuple(Point(str(steps), counts.get(steps, 0)) for steps in lengths)


_OPTIMAL_PLANNER: Final = "seq-opt-lmcut"
"""The independent planner that checks the cheapest plans."""


def _run(bench: Workbench) -> StudyResult:
    tasks = PUBLISHED.benchmark.tasks
    number = bench.count(quick=tasks, paper=tasks)
    samples = bench.pick(quick=3, paper=20)
    first = tasks_of(bench, number, budgets=BUDGETS)
    tight = [each for each, *_ in by_task(first)]
    lengths = [_counts(tight)]
    lengths += [_counts(tasks_of(bench, number, seed)) for seed in range(1, samples)]
    # Of the same tasks under other interpretations of Appendix A.
    others: dict[str, Lengths] = {
        "shortest plans": Counter(graph.steps for graph in graphs(tight, UNIFORM)),
        "complete goals": Counter(each.steps for each in graphs(tight, CHOSEN, complete=True)),
    }
    asked = spread(tight, bench.pick(quick=12, paper=200))
    limits = bench.limits(quick_s=60, paper_s=600)
    runs = bench.solve("optimal", asked, [_OPTIMAL_PLANNER], limits)
    return StudyResult(
        conditions=f"{samples} samples of {number} tasks (seeds 0 to {samples - 1}), none of whose "
        f"goals holds at the start; the paper's tasks are not public. Costs {costs_text(CHOSEN)}; "
        f"cheapest plans by a sweep over all states. {_OPTIMAL_PLANNER} on {len(asked)} of them, "
        f"{limits.time_s:g} s each.",
        comparisons=(
            *of_lengths(lengths, others),
            *of_budgets(first),
            *of_ground_truth(first, runs),
        ),
        tables=(
            length_table(lengths, others),
            chi_square_table(lengths, others),
        ),
        charts=(length_chart(lengths, others, number),),
        unexplained=sum(run.unexplained for run in runs),
    )


def _counts(tasks: Sequence[Instance[Any]]) -> Lengths:
    return Counter(len(task.extras["witness"]) for task in tasks)


def of_lengths(samples: Sequence[Lengths], others: Mapping[str, Lengths]) -> Iterator[Comparison]:
    """Compare the lengths of samples, and the alternative lengths of the first sample.

    That lengths are of cheapest plans with goals of on-facts was chosen since it fits.
    """
    together = pooled(samples)
    tests = [test for sample in samples if (test := same_distribution(LENGTHS, sample))]
    alike = sum(test.p >= LEVEL for test in tests)
    yield Comparison(
        what="distribution of lengths (Appendix A), all samples together",
        paper=(Quantity(sum(LENGTHS.values()), "tasks"),),
        ours=(Quantity(alike, "samples with p of at least 0.05 each", of=len(samples)),),
        decision=decide(SameDistribution(together, LENGTHS, MARGINS.share)),
        remark=_FIT,
        is_fit=True,
    )
    difference = difference_of_means(*([*each.elements()] for each in (together, Counter(LENGTHS))))
    yield Comparison(
        what="mean length",
        paper=(Quantity(mean_length(LENGTHS)),),
        ours=(mean_and_range([mean_length(sample) for sample in samples]),),
        decision=decide(same(difference, MARGINS.steps)),
        unit="steps",
        remark=_FIT,
        is_fit=True,
    )
    yield Comparison(
        what="longest",
        paper=(Quantity(max(LENGTHS)),),
        ours=(mean_and_range([max(sample) for sample in samples]),),
        unit="steps",
        remark="no test compares the maximum of one sample",
    )
    yield _of_horizons(samples)
    shortest, complete = (
        replace(
            comparison,
            paper=_mean_and_longest(LENGTHS),
            ours=_mean_and_longest(others[name]),
            decision=decide(SameDistribution(others[name], LENGTHS, MARGINS.share)),
        )
        for name, comparison in _OTHER_READINGS.items()
    )
    yield shortest
    yield withdrawn(complete, "a reading of this project, no claim of the paper")


_FIT: Final = "lengths of cheapest plans, goals of on-facts alone: the reading that fits"
_OTHER_READINGS: Final = {
    "shortest plans": Comparison(
        what="length: minimum number of actions (section 3)",
        unit="steps",
        remark="the lengths are of cheapest plans: by sweeps over all states and goals, no task of "
        "six blocks needs more than 20 steps",
    ),
    "complete goals": Comparison(
        what="length if goals are complete",
        said="does not state whether goals are complete",
        unit="steps",
    ),
}


def _mean_and_longest(counts: Lengths) -> tuple[Quantity, ...]:
    return Quantity(mean_length(counts), "mean"), Quantity(max(counts), "longest")


def _of_horizons(samples: Sequence[Lengths]) -> Comparison:
    paper, ours = count_by_horizon(LENGTHS), count_by_horizon(pooled(samples))
    by_sample = [count_by_horizon(sample) for sample in samples]
    own, theirs = (dict(enumerate(each.values())) for each in (ours, paper))
    return Comparison(
        what="tasks by horizon",
        paper=tuple(Quantity(number, name) for name, number in paper.items()),
        ours=tuple(mean_and_range([each[name] for each in by_sample], name) for name in paper),
        decision=decide(SameDistribution(own, theirs, MARGINS.share)),
        remark=_FIT,
        is_fit=True,
    )


def of_budgets(instances: Sequence[Instance[Any]]) -> Iterator[Comparison]:
    """Compare the tight, loose and unlimited budgets of tasks."""
    margin = PUBLISHED.benchmark.loose_margin
    tasks = by_task(instances)
    right = sum(
        (tight.budget, loose.budget, free.budget)
        == (least := tight.extras["optimal_cost"], least + margin, None)
        for tight, loose, free in tasks
    )
    yield checked(
        Comparison(
            what="budgets: tight, loose, unlimited",
            said=f"the least cost; {margin} more (two rounds of the most expensive actions); no "
            "limit",
            ours=(share(right, len(tasks), "tasks with these budgets"),),
            decision=decide(Fact(right == len(tasks), len(tasks))),
        )
    )
    examples = PUBLISHED.prompt_examples
    yield Comparison(
        what=f"budgets in the examples of the paper's prompts ({examples.source})",
        paper=tuple(
            Quantity(budget, f"for a plan of cost {cost}:")
            for cost, budget in examples.budgets.items()
        ),
        remark="none of the three budgets; the examples are not tasks of the benchmark",
    )


def of_ground_truth(
    instances: Sequence[Instance[Any]], runs: Sequence[RunResult]
) -> Iterator[Comparison]:
    """Compare the costs of tight tasks with their witnesses and a planner's optimal plans."""
    tight = [first for first, *_ in by_task(instances)]
    least = {each.id: each.extras["optimal_cost"] for each in tight}
    solved = [run for run in runs if run.solved and run.optimal]
    agreed = sum(run.cost == least[run.id] for run in solved)
    tasks = PUBLISHED.benchmark.tasks
    witnessed = sum(map(is_witnessed, tight))
    yield checked(
        Comparison(
            what="ground truth: plans that are valid and within the tight budget",
            said="by exhaustive search",
            paper=(Quantity(tasks, of=tasks),),
            ours=(share(witnessed, len(tight), "by validator and referee"),),
            decision=decide(Fact(witnessed == len(tight), len(tight))),
        )
    )
    yield checked(
        Comparison(
            what=f"ground truth: least cost by an independent planner ({_OPTIMAL_PLANNER})",
            said="not checked",
            ours=(
                share(agreed, len(solved), "same cost"),
                Quantity(len(runs) - len(solved), "not solved within the limits"),
            ),
            decision=decide(Always(agreed, len(solved), MARGINS.exceptions)),
        )
    )


def is_witnessed(instance: Instance[Any]) -> bool:
    """Return whether the witness of a tight task is a valid plan whose cost equals the budget."""
    if witness_fault(instance) is not None:
        return False
    costs = instance.record.costs
    steps = (line.strip("()").split()[0] for line in instance.extras["witness"])
    spent: int = sum(costs[action] for action in steps)
    return spent == instance.budget


STUDIES: Final = (
    Study("cats-appendix-a", "Appendix A: lengths of plans, budgets, ground truth", _run, (CARD,)),
)
