"""Appendix A of CATS: lengths of cheapest plans, budgets, and checks of the least costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.papers.cats.cells import mean_and_range
from pddl_pipeline.papers.cats.lengths import (
    Lengths,
    budget_table,
    chi_square_table,
    length_chart,
    length_table,
    mean_length,
    pooled,
)
from pddl_pipeline.papers.cats.published import (
    BUDGETS,
    CHOSEN,
    LENGTHS,
    MARGINS,
    PUBLISHED,
    UNIFORM,
    costs_text,
)
from pddl_pipeline.papers.cats.shifts import graphs
from pddl_pipeline.papers.cats.tasks import CARD, by_task, count_by_horizon, tasks_of
from pddl_pipeline.papers.choosing import spread
from pddl_pipeline.papers.comparison import Comparison, Quantity, share
from pddl_pipeline.papers.decision import decide
from pddl_pipeline.papers.evidence import Always, Fact, SameDistribution, same
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.study_result import StudyResult
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.statistics.difference import LEVEL
from pddl_pipeline.statistics.mean_difference import difference_of_means
from pddl_pipeline.statistics.significance import same_distribution
from pddl_pipeline.translators.judging import witness_fault

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
    others = _other_lengths(tight)
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
            length_table(lengths, others), chi_square_table(lengths, others), budget_table(tight)
        ),
        charts=(length_chart(lengths, others, number),),
        unexplained=sum(run.unexplained for run in runs),
    )  # fmt: skip


def _counts(tasks: Sequence[Instance[Any]]) -> Lengths:
    return Counter(len(each.extras["witness"]) for each in tasks)


def _other_lengths(tasks: Sequence[Instance[Any]]) -> dict[str, Lengths]:
    """Return the plan lengths of the same tasks under other interpretations of Appendix A."""
    return {
        "shortest plans": Counter(each.steps for each in graphs(tasks, UNIFORM)),
        "complete goals": Counter(each.steps for each in graphs(tasks, CHOSEN, complete=True)),
    }


def of_lengths(samples: Sequence[Lengths], others: Mapping[str, Lengths]) -> Iterator[Comparison]:
    """Compare the lengths of samples, and the alternative lengths of the first sample.

    That lengths are of cheapest plans with goals of on-facts was chosen since it fits.
    """
    together = pooled(samples)
    tests = [test for each in samples if (test := same_distribution(LENGTHS, each))]
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
        ours=(mean_and_range([mean_length(each) for each in samples]),),
        decision=decide(same(difference, MARGINS.steps)),
        unit="steps",
        remark=_FIT,
        is_fit=True,
    )
    yield Comparison(
        what="longest",
        paper=(Quantity(max(LENGTHS)),),
        ours=(mean_and_range([max(each) for each in samples]),),
        unit="steps",
        remark="no test compares the maximum of one sample",
    )
    yield _of_horizons(samples)
    for name, comparison in _OTHER_READINGS.items():
        yield replace(
            comparison,
            paper=_mean_and_longest(LENGTHS),
            ours=_mean_and_longest(others[name]),
            decision=decide(SameDistribution(others[name], LENGTHS, MARGINS.share)),
        )


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
    by_sample = [count_by_horizon(each) for each in samples]
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
    yield Comparison(
        what="budgets: tight, loose, unlimited",
        said=f"the least cost; {margin} more (two rounds of the most expensive actions); no limit",
        ours=(share(right, len(tasks), "tasks with these budgets"),),
        decision=decide(Fact(right == len(tasks), len(tasks))),
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
    yield Comparison(
        what="ground truth: plans that are valid and within the tight budget",
        said="by exhaustive search",
        paper=(Quantity(tasks, of=tasks),),
        ours=(share(witnessed, len(tight), "by validator and referee"),),
        decision=decide(Fact(witnessed == len(tight), len(tight))),
    )
    yield Comparison(
        what=f"ground truth: least cost by an independent planner ({_OPTIMAL_PLANNER})",
        said="not checked",
        ours=(
            share(agreed, len(solved), "same cost"),
            Quantity(len(runs) - len(solved), "not solved within the limits"),
        ),
        decision=decide(Always(agreed, len(solved), MARGINS.exceptions)),
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
