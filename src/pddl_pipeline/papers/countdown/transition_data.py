"""The study of the second phase transition: its protocol, its stored runs and its sample.

The protocol is written in words in ``studies/countdown/protocol.md``; a test compares both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import msgspec
import numpy as np

from pddl_pipeline.model.errors import StoreError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.papers.countdown.accuracy import EASY, EASY_AGAIN, HARD, Phase
from pddl_pipeline.papers.countdown.datasets import replay
from pddl_pipeline.papers.data import read_dataset, stored_data
from pddl_pipeline.papers.stored_runs import (
    PlannedRun,
    StoredRun,
    StoredRuns,
    read_stored_runs,
    run_planned,
)
from pddl_pipeline.papers.study import Workbench
from pddl_pipeline.runs.stored_commands import machine
from pddl_pipeline.statistics.differences import exact_interval
from pddl_pipeline.tables.text_table import NO_NUMBER, percent_range
from pddl_pipeline.translators.translator import PAPER

STORE: Final = "transition"
ARMS: Final = ("cd", "cd-to-999")
"""The datasets, by the names of their cards; the first is primary."""
PHASES: Final = (EASY, HARD, EASY_AGAIN)
LATE: Final[Sequence[Phase]] = (
    EASY,
    Phase(f"sizes {HARD.sizes[0]} to {HARD.sizes[-2]}", HARD.sizes[:-1]),
    Phase(
        f"sizes {HARD.sizes[-1]} to {EASY_AGAIN.sizes[-1]}",
        range(HARD.sizes[-1], EASY_AGAIN.sizes[-1] + 1),
    ),
)
"""The phases with the size at the edge in the third."""
ROUNDS: Final = 20
ENOUGH: Final = 30
"""The number of claims in the phase easy again, in each arm, that ends the study."""
_COMPLETE_TO: Final = 11
_LIMITS_S: Final = {24: 300, 30: 600}
_LIMIT_S: Final = 120
_PATIENCE: Final = 30
"""The wall-clock limit as a multiple of the CPU limit, for a machine that is shared by many."""
_RATIONAL: Final = "rational"


class Solver(NamedTuple):
    """A way to solve an instance."""

    label: str
    planner: str
    encoding: str = PAPER


ENHSP: Final = Solver("ENHSP", "enhsp")
EXACT: Final = Solver("DFS, exact", "dfs")
COMPLETE: Final = Solver("countdown-exact", "countdown-exact")
STRICT: Final = Solver("ENHSP, tolerance 1e-9", "enhsp-strict")
ZERO: Final = Solver("ENHSP, tolerance 0", "enhsp:tolerance=0")
RATIONAL: Final = Solver("ENHSP, rational", "enhsp", _RATIONAL)
FLOATS: Final = Solver("DFS, floats", "dfs:numbers=float")
CHECKED: Final = Solver("ENHSP, checked", "enhsp-checked")
PRIMARY: Final = (ENHSP, EXACT, COMPLETE)
SECONDARY: Final = (STRICT, ZERO, RATIONAL, FLOATS, CHECKED)
SOLVERS: Final = (*PRIMARY, *SECONDARY)


class Case(NamedTuple):
    """An instance of an arm."""

    arm: str
    instance: Instance[Any]
    round: int

    @property
    def size(self) -> int:
        """The number of numbers."""
        return self.instance.size


def limits_of(size: int, limits_s: Mapping[int, float] = _LIMITS_S) -> Limits:
    """Return the limits of a run on an instance; `limits_s` has the sizes with another CPU time."""
    limit_s = limits_s.get(size, _LIMIT_S)
    return Limits(time_s=_PATIENCE * limit_s, cpu_s=limit_s)


def cases_of(arm: str, instances: Iterable[Instance[Any]]) -> Iterator[Case]:
    """Yield the instances of an arm, each with its round, which spreads each size evenly."""
    for _, group in groupby(instances, key=lambda each: each.size):
        own = list(group)
        for at, instance in enumerate(own):
            # The middles of equal parts: a study that stops early has a sample of every size.
            yield Case(arm, instance, ROUNDS * (2 * at + 1) // (2 * len(own)))


def round_of(cases: Iterable[Case], number: int) -> list[Case]:
    """Return the instances of a round in their order: by size, the arms alternating."""
    own = [case for case in cases if case.round == number]
    return sorted(own, key=lambda each: (each.size, ARMS.index(each.arm)))


def primary_runs(cases: Iterable[Case]) -> list[PlannedRun]:
    """Return the runs on every instance."""
    return [
        _planned(case, solver)
        for case in cases
        for solver in PRIMARY
        if solver is not COMPLETE or case.size <= _COMPLETE_TO
    ]


def secondary_runs(cases: Iterable[Case], runs: Iterable[StoredRun]) -> list[PlannedRun]:
    """Return the runs on the instances for which ENHSP claims a plan."""
    claimed = {each.result.id for each in runs_of(ENHSP, runs) if each.result.claimed}
    return [
        _planned(case, solver)
        for case in cases
        if case.instance.id in claimed
        for solver in SECONDARY
    ]


def runs_of(solver: Solver, runs: Iterable[StoredRun]) -> list[StoredRun]:
    """Return the runs of a solver."""
    wanted = (solver.planner, solver.encoding)
    return [run for run in runs if (run.result.planner, run.encoding) == wanted]


def has_enough(cases: Iterable[Case], runs: Iterable[StoredRun], number: int) -> bool:
    """Return whether the number of claims in the rounds up to a number ends the study."""
    arms = {
        case.instance.id: case.arm
        for case in cases
        if case.size in EASY_AGAIN.sizes and case.round <= number
    }
    claims = [arms.get(run.result.id) for run in runs_of(ENHSP, runs) if run.result.claimed]
    return all(claims.count(arm) >= ENOUGH for arm in ARMS)


def is_complete(cases: Sequence[Case], runs: Sequence[StoredRun]) -> bool:
    """Return whether all rounds are stored, or those after which the stopping rule holds."""
    known = {run.identity for run in runs}
    for number in range(ROUNDS):
        own = round_of(cases, number)
        planned = (*primary_runs(own), *secondary_runs(own, runs))
        if any(each.key not in known for each in planned):
            return False
        if has_enough(cases, runs, number):
            return True
    return True


def _planned(case: Case, solver: Solver) -> PlannedRun:
    return PlannedRun(case.instance, solver.planner, limits_of(case.size), solver.encoding)


def read_cases() -> list[Case]:
    """Return the instances of both arms.

    Raises:
        MissingData: the stored data do not exist.
        InputError: a dataset cannot be read.
    """
    files = {arm: stored_data("countdown", "data", f"{arm}.toml") for arm in ARMS}
    return [case for arm, file in files.items() for case in cases_of(arm, read_dataset(file))]


def store_file(study: str = STORE) -> Path:
    """Return the file of the stored runs of a study.

    Raises:
        MissingData: the stored data do not exist.
    """
    return stored_data("countdown", "runs", f"{study}.jsonl.gz")


def continue_runs(bench: Workbench, cases: list[Case]) -> None:
    """Make the missing runs, round by round, until the stopping rule ends the study.

    Raises:
        EngineError: a planner is not installed.
        StoreError: the stored runs cannot be written, or another process writes them.
    """
    file = store_file()
    with StoredRuns(file) as store:
        for number in range(ROUNDS):
            own = round_of(cases, number)
            make_runs(bench, store, primary_runs(own))
            # Read again: the claims of the primary runs decide which secondary ones there are.
            make_runs(bench, store, secondary_runs(own, read_stored_runs(file)))
            if has_enough(cases, read_stored_runs(file), number):
                return


def make_runs(bench: Workbench, store: StoredRuns, planned: list[PlannedRun]) -> None:
    """Make the planned runs that are not stored yet, in their order.

    Raises:
        EngineError: a planner is not installed.
        StoreError: the runs cannot be stored.
    """
    runs = run_planned(store, planned, _measures, machine(), workers=bench.workers)
    for _ in bench.watch(runs, len(planned), store.added):
        pass


def _measures(instance: Instance[Any], run: RunResult) -> Mapping[str, Any]:
    """Return the exact miss of a claimed plan; None if no single number is left."""
    if not run.claimed or run.status is Status.MALFORMED:
        return {}
    replayed = replay(instance, run)
    miss = replayed.miss(instance.record.target)
    return {"miss": None if miss is None else str(miss), "zeros": replayed.zeros}


def read_runs(cases: list[Case], file: Path, first: int | None = None) -> list[StoredRun]:
    """Return the stored runs, or the first ones of the file, in the order in which they were made.

    Raises:
        MissingData: the stored data do not exist.
        StoreError: the file cannot be read, or has a run on another instance.
    """
    records = {case.instance.id: case.instance.record for case in cases}
    runs = read_stored_runs(file, first)
    for run in runs:
        known = records.get(run.result.id)
        if known is None or msgspec.convert(run.record, type(known)) != known:
            raise StoreError(f"{file}: the run on {run.result.id} is not on that instance")
    return runs


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

    def is_false(self, solver: Solver = ENHSP) -> bool:
        """Return whether the solver claims a plan that is not valid."""
        run = self.runs.get(solver)
        return run is not None and run.is_false

    def miss(self, solver: Solver = ENHSP) -> Fraction | None:
        """Return the exact miss of a solver's plan; None if it leaves no single number."""
        text = self.runs[solver].measures.get("miss")
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


def share_text(count: int, of: int) -> str:
    """Return a share in words."""
    return f"{count} of {of}" if of else NO_NUMBER


def interval_text(count: int, of: int) -> str:
    """Return Clopper and Pearson's 95 % interval of a share in percent; a dash without cases."""
    return percent_range(exact_interval(count, of, 0.95) if of else None)


def fits_single(number: int) -> bool:
    """Return whether a 32-bit float represents a number, as ENHSP reads numbers."""
    return int(np.float32(number)) == number
