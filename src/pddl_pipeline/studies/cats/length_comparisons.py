"""Comparisons with Appendix A: lengths, budgets, ground truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.scoring.chi_square import compare_counts
from pddl_pipeline.studies.cats.lengths import (
    MARGIN,
    Lengths,
    mean_length,
    pooled,
)
from pddl_pipeline.studies.cats.published import (
    HORIZONS,
    LENGTHS,
    TASKS,
    horizon,
)
from pddl_pipeline.studies.study_result import Comparison
from pddl_pipeline.translators.witness import witness_fault

OPTIMAL_PLANNER: Final = "seq-opt-lmcut"
"""The independent planner that checks the cheapest plans."""
BUDGETS: Final = 3
"""The number of budgets per task: tight, loose and unlimited."""
_LEVEL: Final = 0.05


def of_lengths(samples: Sequence[Lengths], others: Mapping[str, Lengths]) -> list[Comparison]:
    """Compare the lengths of samples, and the alternative lengths of the first sample."""
    found = [test for each in samples if (test := compare_counts(LENGTHS, each))]
    together = compare_counts(LENGTHS, pooled(samples))
    means, longest = [mean_length(each) for each in samples], [max(each) for each in samples]
    fits = together is not None and together.p >= _LEVEL
    return [
        Comparison(
            "distribution of lengths (Appendix A), by chi-square",
            f"{sum(LENGTHS.values())} tasks",
            _test_text(LENGTHS, pooled(samples)) + f", all samples together; p >= {_LEVEL:g} in "
            f"{sum(test.p >= _LEVEL for test in found)} of {len(samples)} samples",
            "matched" if fits else "differs",
        ),
        Comparison(
            "mean length (steps)",
            f"{mean_length(LENGTHS):.2f}",
            f"{fmean(means):.2f}, {min(means):.2f} to {max(means):.2f} between samples",
            "matched" if min(means) <= mean_length(LENGTHS) <= max(means) else "differs",
        ),
        Comparison(
            "longest (steps)",
            str(max(LENGTHS)),
            f"{min(longest)} to {max(longest)} between samples",
            "matched" if min(longest) <= max(LENGTHS) <= max(longest) else "differs",
        ),
        _of_horizons(samples),
        _of_shortest(others["shortest plans"]),
        Comparison(
            "goals",
            "not said whether they are complete",
            f"on-facts only: see above; complete: "
            f"{_test_text(LENGTHS, others['complete goals'])}, mean "
            f"{mean_length(others['complete goals']):.2f}",
            "not compared",
            _why_not_complete(others["complete goals"]),
        ),
    ]


def _why_not_complete(complete: Lengths) -> str:
    test = compare_counts(LENGTHS, complete)
    return "complete goals do not fit" if test is not None and test.p < _LEVEL else ""


def _test_text(one: Lengths, other: Lengths) -> str:
    test = compare_counts(one, other)
    if test is None:
        return "too few"
    return f"chi-square {test.statistic:.1f} on {test.degrees} degrees of freedom, p={test.p:.2g}"


def _by_horizon(counts: Lengths) -> list[int]:
    return [
        sum(number for steps, number in counts.items() if horizon(steps) == name)
        for name in HORIZONS
    ]


def _of_horizons(samples: Sequence[Lengths]) -> Comparison:
    ours = list(zip(*map(_by_horizon, samples), strict=True))
    test = compare_counts(
        dict(enumerate(_by_horizon(LENGTHS))), dict(enumerate(_by_horizon(pooled(samples))))
    )
    return Comparison(
        "tasks of short, mid and long horizon",
        ", ".join(map(str, _by_horizon(LENGTHS))),
        ", ".join(f"{fmean(counts):.0f} ({min(counts)} to {max(counts)})" for counts in ours),
        "matched" if test is not None and test.p >= _LEVEL else "differs",
        "" if test is None else f"p={test.p:.2g} on {test.degrees} degrees of freedom",
    )


def _of_shortest(shortest: Lengths) -> Comparison:
    above = sum(number for steps, number in LENGTHS.items() if steps > max(shortest))
    return Comparison(
        "length: minimum number of actions (section 3)",
        f"up to {max(LENGTHS)} steps, {above} tasks above {max(shortest)}",
        f"shortest plans have up to {max(shortest)} steps, mean {mean_length(shortest):.2f}; "
        f"{_test_text(LENGTHS, shortest)}",
        "differs",
        "the lengths are of cheapest plans: by sweeps over all states and goals, no task of six "
        "blocks needs more than 20 steps",
    )


def of_budgets(instances: Sequence[Instance[Any]]) -> list[Comparison]:
    """Compare the tight, loose and unlimited budgets of tasks."""
    trios = [instances[n : n + BUDGETS] for n in range(0, len(instances), BUDGETS)]
    right = sum(
        (tight.budget, loose.budget, free.budget)
        == (least := tight.extras["optimal_cost"], least + MARGIN, None)
        for tight, loose, free in trios
    )
    return [
        Comparison(
            "budgets: tight, loose, unlimited",
            f"least cost; {MARGIN} more, two rounds of the dearest actions; none",
            f"so in {right} of {len(trios)} tasks",
            "matched" if right == len(trios) else "differs",
        ),
        Comparison(
            "time limits in the examples of the paper's prompts (Figures 8 and 9)",
            "22 for a plan that costs 2, 45 for one that costs 25",
            "least cost plus 20, none of the three budgets",
            "not compared",
            "examples in a prompt, not tasks of the benchmark",
        ),
    ]


def of_ground_truth(
    instances: Sequence[Instance[Any]], runs: Sequence[RunResult]
) -> list[Comparison]:
    """Compare the costs of tight tasks with their witnesses and a planner's optimal plans."""
    tight = instances[::BUDGETS]
    right = sum(is_witnessed(each) for each in tight)
    least = {each.id: each.extras["optimal_cost"] for each in tight}
    solved = [run for run in runs if run.solved and run.optimal]
    agreed = sum(run.cost == least[run.id] for run in solved)
    return [
        Comparison(
            "ground truth: plans that are valid and within the tight budget",
            f"all of {TASKS}, by exhaustive search",
            f"{right} of {len(tight)}, by validator and referee",
            "matched" if right == len(tight) else "differs",
        ),
        Comparison(
            f"ground truth: least cost by an independent planner ({OPTIMAL_PLANNER})",
            "not checked in the paper",
            f"the same in {agreed} of {len(solved)} tasks solved, of {len(runs)}",
            "matched" if agreed == len(solved) else "differs",
            "" if len(solved) == len(runs) else "the others were not solved within the limits",
        ),
    ]


def is_witnessed(instance: Instance[Any]) -> bool:
    """Return whether the witness of a tight task is a valid plan whose cost equals the budget."""
    if witness_fault(instance) is not None:
        return False
    costs = instance.record.costs
    steps = (line.strip("()").split()[0] for line in instance.extras["witness"])
    spent: int = sum(costs[action] for action in steps)
    return spent == instance.budget
