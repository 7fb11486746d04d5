"""Baselines under SimPlan's limit on predictions (Appendix E.2) and other readings of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.papers.simplan.greedy_walk import walk_instance
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.planners.baselines.search_budget import LAMA, TIMES
from pddl_pipeline.statistics.intervals import Estimate, estimate

ONE_STEP: Final = "one step ahead"
"""The name of the method of `greedy_trials`."""


class Method(NamedTuple):
    """A row of Table 2."""

    name: str
    planners: tuple[str, ...]
    """The planners' names with settings; one per seed if the method is random."""


class Trial(NamedTuple):
    """One run of a baseline."""

    instance: str
    method: str
    lama: int
    """The number of states that LAMA expanded."""
    solved: bool
    calls: int
    """The number of states whose next action was requested: the paper's predictions."""
    scored: int
    """The number of actions that were evaluated in these states."""
    out_of_time: bool
    unexplained: bool


class Reading(NamedTuple):
    """A way to count predictions, which allows no more of them than the paper's."""

    name: str
    allows: Callable[[Trial], bool]
    """Returns whether a completed run stayed within the limit."""


READINGS: Final = (
    Reading(f"calls, {TIMES} times LAMA's (as E.2)", lambda t: t.calls <= TIMES * t.lama),
    Reading(f"actions looked at, {TIMES} times", lambda t: t.scored <= TIMES * t.lama),
    Reading("calls, once LAMA's", lambda t: t.calls <= t.lama),
    Reading("actions looked at, once LAMA's", lambda t: t.scored <= t.lama),
)


def trials(
    bench: Workbench, store: str, instances: Sequence[Instance[Any]], methods: Sequence[Method],
    limits: tuple[Limits, Limits],
) -> list[Trial]:  # fmt: skip
    """Run baselines on the instances that LAMA solves; the paper leaves out the others.

    Args:
        bench: the workbench.
        store: the prefix of the run stores' names.
        instances: the instances of a test set.
        methods: the methods to run; each planner's name contains a colon.
        limits: the limits of LAMA and those of a baseline.
    """
    first = bench.solve(f"{store}-lama", instances, [LAMA], limits[0])
    expanded = {run.id: run.expanded for run in first if run.solved and run.expanded is not None}
    wanted = [
        (each, [_within(planner, expanded[each.id]) for m in methods for planner in m.planners])
        for each in instances
        if each.id in expanded
    ]
    of_planner = {
        (each.id, _within(planner, expanded[each.id])): method.name
        for each, _ in wanted for method in methods for planner in method.planners
    }  # fmt: skip
    return [
        Trial(run.id, of_planner[run.id, run.planner], expanded[run.id], run.solved,
              run.expanded or 0, run.generated or 0, run.limits["hit"] == "time", run.unexplained)
        for run in bench.solve_each(store, wanted, limits[1])
    ]  # fmt: skip


def greedy_trials(
    instances: Sequence[Instance[Any]], found: Iterable[Trial], seeds: Sequence[int], seconds: float
) -> list[Trial]:
    """Return trials of greedy walks under the same limit, on the instances of other trials."""
    lama = {trial.instance: trial.lama for trial in found}
    made = []
    for instance in instances:
        for seed in seeds if instance.id in lama else ():
            most = TIMES * lama[instance.id]
            walked = walk_instance(instance, most, seconds, seed)
            made.append(
                Trial(instance.id, ONE_STEP, lama[instance.id], walked.arrived, len(walked.steps),
                      walked.scored, walked.out_of_time, unexplained=False)
            )  # fmt: skip
    return made


def _within(planner: str, expanded: int) -> str:
    """Return a planner's name with its limit, so that the planner need not run LAMA."""
    return f"{planner},predictions={TIMES * expanded}"


def fraction_solved(found: Iterable[Trial], method: str, reading: Reading) -> Estimate | None:
    """Return the mean over instances of the fraction of runs that solve them.

    Return None without instances.
    """
    return estimate(fractions(found, method, reading))


def fractions(found: Iterable[Trial], method: str, reading: Reading) -> list[Fraction]:
    """Return the fraction of runs that solve each instance: the instance is the unit, not a run."""
    by_instance: dict[str, list[bool]] = defaultdict(list)
    for trial in found:
        if trial.method == method:
            by_instance[trial.instance].append(trial.solved and reading.allows(trial))
    return [Fraction(sum(runs), len(runs)) for runs in by_instance.values()]
