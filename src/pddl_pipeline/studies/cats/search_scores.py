"""Success, optimality and efficiency of searches within a budget (CATS, section 5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.scoring.intervals import Interval, wilson
from pddl_pipeline.studies.cats.published import HORIZONS, LENGTHS, horizon
from pddl_pipeline.studies.cats.published_search import NODES, Cells


@dataclass(frozen=True, slots=True)
class Scored:
    """The scores of one run."""

    horizon: str
    success: bool
    """Whether the plan is valid and within the budget."""
    optimality: float
    """Equation 4, 1 / (1 + cost / least cost); 0 without success.

    The paper's averages imply the 0: under the tight budget each success counts 0.5, and the rows
    of its trees are half of their success rates.
    """
    efficiency: float | None
    """Equation 4, 1 - expanded / 500; None without success (Table 3: n/a)."""
    excess: Number | None
    """The plan's cost minus the least cost; None without success."""


@dataclass(frozen=True, slots=True)
class Method:
    """The scores of a planner under a budget, by horizon."""

    runs: Mapping[str, Sequence[Scored]]

    @property
    def success(self) -> Cells:
        """The success rates, as in Table 2."""
        rates = {name: [float(run.success) for run in runs] for name, runs in self.runs.items()}
        return _cells(rates, _shares())

    @property
    def optimality(self) -> Cells:
        """The mean optimality, as in Table 2."""
        means = {name: [run.optimality for run in runs] for name, runs in self.runs.items()}
        return _cells(means, _shares())

    @property
    def efficiency(self) -> Cells:
        """The mean efficiency over the solved tasks, as in Table 3."""
        found = {
            name: [run.efficiency for run in runs if run.efficiency is not None]
            for name, runs in self.runs.items()
        }
        shares, success = _shares(), self.success
        solved = {name: shares[name] * (getattr(success, name) or 0.0) for name in HORIZONS}
        return _cells(found, solved)

    def affordable(self, margin: int) -> Cells:
        """Return the shares of tasks whose plan costs at most `margin` more than the least cost."""
        found = {
            name: [float(_costs_within(run, margin)) for run in runs]
            for name, runs in self.runs.items()
        }
        return _cells(found, _shares())

    def affordable_interval(self, name: str, margin: int) -> Interval | None:
        """Return the interval of the `affordable` share of a horizon; None without tasks."""
        runs = self.runs.get(name, ())
        return wilson(sum(_costs_within(run, margin) for run in runs), len(runs)) if runs else None

    def interval(self, name: str) -> Interval | None:
        """Return the interval of the success rate of a horizon; None without tasks."""
        runs = self.runs.get(name, ())
        return wilson(sum(run.success for run in runs), len(runs)) if runs else None


def _costs_within(run: Scored, margin: int) -> bool:
    return run.excess is not None and run.excess <= margin


def _shares() -> dict[str, float]:
    """Return the share of each horizon in the paper's tasks.

    Samples may have other shares, such as the same number of tasks of each horizon.
    """
    total = sum(LENGTHS.values())
    return {
        name: sum(n for steps, n in LENGTHS.items() if horizon(steps) == name) / total
        for name in HORIZONS
    }


def _cells(values: Mapping[str, Sequence[float]], weights: Mapping[str, float]) -> Cells:
    means = {name: fmean(values[name]) for name in HORIZONS if values.get(name)}
    weight = sum(weights[name] for name in means)
    average = sum(weights[name] * mean for name, mean in means.items()) / weight if weight else None
    return Cells(means.get("short"), means.get("mid"), means.get("long"), average)


def scored(instance: Instance[Any], run: RunResult) -> Scored:
    """Return the scores of a run."""
    least: int = instance.extras["optimal_cost"]
    name = horizon(len(instance.extras["witness"]))
    if not run.solved or run.cost is None:
        return Scored(name, success=False, optimality=0.0, efficiency=None, excess=None)
    expanded = run.expanded
    efficiency = None if expanded is None else 1 - expanded / NODES
    return Scored(
        name,
        success=True,
        optimality=float(least / (least + run.cost)),
        efficiency=efficiency,
        excess=run.cost - least,
    )


def methods(
    instances: Iterable[Instance[Any]], runs: Iterable[RunResult]
) -> dict[tuple[str, str], Method]:
    """Return the methods by budget and planner; an instance's id ends with the budget's name."""
    known = {each.id: each for each in instances}
    found: dict[tuple[str, str], dict[str, list[Scored]]] = {}
    for run in runs:
        budget = run.id.rpartition("-")[2]
        one = scored(known[run.id], run)
        by_horizon = found.setdefault((budget, run.planner), {})
        by_horizon.setdefault(one.horizon, []).append(one)
    return {key: Method(by_horizon) for key, by_horizon in found.items()}
