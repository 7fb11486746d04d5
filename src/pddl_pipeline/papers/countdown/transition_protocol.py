"""The protocol of the study of the second phase transition, as data.

It is written in words in ``studies/countdown/protocol.md``; a test compares both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.papers.countdown.accuracy import EASY, EASY_AGAIN, HARD, Phase
from pddl_pipeline.papers.planned_runs import PlannedRun
from pddl_pipeline.papers.stored_runs import StoredRun
from pddl_pipeline.translators.translator import PAPER

PAPER_FOLDER: Final = "countdown"
STORE: Final = ("runs", "transition.jsonl.gz")
ARMS: Final = ("cd", "cd-to-999")
"""The datasets, by the names of their cards; the first is primary."""
PHASES: Final = (EASY, HARD, EASY_AGAIN)
LATE: Final[Sequence[Phase]] = (
    EASY,
    Phase(f"sizes {HARD.sizes[0]} to {HARD.sizes[-2]}", HARD.sizes[:-1]),
    Phase(f"sizes {HARD.sizes[-1]} to {EASY_AGAIN.sizes[-1]}",
          range(HARD.sizes[-1], EASY_AGAIN.sizes[-1] + 1)),
)  # fmt: skip
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


def limits_of(size: int) -> Limits:
    """Return the limits of a run on an instance."""
    limit_s = _LIMITS_S.get(size, _LIMIT_S)
    return Limits(time_s=_PATIENCE * limit_s, cpu_s=limit_s)


def cases_of(arm: str, instances: Iterable[Instance[Any]]) -> Iterator[Case]:
    """Yield the instances of an arm, each with its round, which spreads each size evenly."""
    for _, group in groupby(instances, key=lambda each: each.size):
        own = list(group)
        for at, instance in enumerate(own):
            yield Case(arm, instance, ROUNDS * (2 * at + 1) // (2 * len(own)))


def round_of(cases: Iterable[Case], number: int) -> list[Case]:
    """Return the instances of a round in their order: by size, the arms alternating."""
    own = [each for each in cases if each.round == number]
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
    return [each for each in runs if (each.result.planner, each.encoding) == wanted]


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
