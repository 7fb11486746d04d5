"""The instances of the study of the second phase transition, each with its stored runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, NamedTuple

import numpy as np

from pddl_pipeline.papers.countdown.accuracy import Phase
from pddl_pipeline.papers.countdown.transition_protocol import (
    ARMS,
    ENHSP,
    SOLVERS,
    Case,
    Solver,
    runs_of,
)
from pddl_pipeline.papers.stored_runs import StoredRun
from pddl_pipeline.statistics.share_differences import PairedDifference, share_interval
from pddl_pipeline.tables.text_table import NO_NUMBER, percent_range

Measure = Literal["claimed", "valid"]
STRICT_TOLERANCE: Final = Fraction(1, 10**9)
TOLERANCE: Final = Fraction(1, 10**5)
"""ENHSP's default tolerance."""


class Tried(NamedTuple):
    """An instance with its stored runs."""

    case: Case
    runs: dict[Solver, StoredRun]

    def has(self, solver: Solver) -> bool:
        """Return whether the solver's run is stored."""
        return solver in self.runs

    def counts(self, solver: Solver, measure: Measure) -> bool:
        """Return whether the solver claims a plan, or whether its plan is valid."""
        result = self.runs[solver].result
        return result.claimed if measure == "claimed" else result.solved

    def ending(self, solver: Solver) -> str:
        """Return the verdict on a solver's plan, or its outcome without one."""
        if solver not in self.runs:
            return NO_NUMBER
        result = self.runs[solver].result
        return str(result.status if result.claimed else result.outcome)

    @property
    def is_false(self) -> bool:
        """Whether ENHSP claims a plan that is not valid."""
        return self.counts(ENHSP, "claimed") and not self.counts(ENHSP, "valid")

    @property
    def miss(self) -> Fraction | None:
        """The exact miss of ENHSP's plan; None if it leaves no single number."""
        text = self.runs[ENHSP].measures.get("miss")
        return None if text is None else Fraction(text)


@dataclass(frozen=True, slots=True)
class Sample:
    """Instances, of which some may lack runs."""

    tried: tuple[Tried, ...]

    def within(
        self, *, arm: str | None = None, phase: Phase | None = None, size: int | None = None
    ) -> Sample:
        """Return the instances of an arm, of a phase and of a size."""
        return self.that(
            lambda each: (
                arm in (None, each.case.arm)
                and size in (None, each.case.size)
                and (phase is None or each.case.size in phase.sizes)
            )
        )

    def that(self, holds: Callable[[Tried], bool]) -> Sample:
        """Return the instances for which a condition holds."""
        return Sample(tuple(each for each in self.tried if holds(each)))

    def run_by(self, *solvers: Solver) -> Sample:
        """Return the instances on which all these solvers were run."""
        return self.that(lambda each: all(map(each.has, solvers)))

    def count(self, solver: Solver, measure: Measure) -> int:
        """Return the number of instances that a solver claims to solve, or solves."""
        return sum(each.counts(solver, measure) for each in self.tried)

    @property
    def sizes(self) -> list[int]:
        """The sizes of the instances."""
        return sorted({each.case.size for each in self.tried})

    def __len__(self) -> int:
        return len(self.tried)


def sample_of(cases: Iterable[Case], runs: Sequence[StoredRun]) -> Sample:
    """Return all instances with their runs."""
    by_solver = {
        solver: {run.result.id: run for run in runs_of(solver, runs)} for solver in SOLVERS
    }
    return Sample(
        tuple(
            Tried(
                case,
                {
                    solver: known[case.instance.id]
                    for solver, known in by_solver.items()
                    if case.instance.id in known
                },
            )
            for case in sorted(cases, key=lambda each: (ARMS.index(each.arm), each.size))
        )
    )


def exact_mcnemar(false_claims: int) -> float | None:
    """Return the two-sided p of claimed against valid; None without a false claim.

    A valid plan is a claimed plan, so all discordant pairs are false claims.
    """
    return PairedDifference(false_claims, 0, false_claims).p if false_claims else None


def share_text(count: int, of: int) -> str:
    """Return a share in words."""
    return f"{count} of {of}" if of else NO_NUMBER


def interval_text(count: int, of: int) -> str:
    """Return Clopper and Pearson's 95 % interval of a share in percent; a dash without cases."""
    return percent_range(share_interval(count, of, 0.95, "exact") if of else None)


def fits_single(number: int) -> bool:
    """Return whether a 32-bit float represents a number, as ENHSP reads numbers."""
    return int(np.float32(number)) == number
