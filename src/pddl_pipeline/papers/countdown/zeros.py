"""What plans of Countdown pass through: zeros, tiny values or neither; and the study of it.

The protocol is written in words in ``studies/countdown/protocol-zeros.md``; a test compares both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Final, Literal

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.operations import CHECK, combine
from pddl_pipeline.papers.comparison import Always, Comparison, Quantity, decide
from pddl_pipeline.papers.countdown.accuracy import LARGE, SMALL
from pddl_pipeline.papers.countdown.datasets import MARGINS, magnitude
from pddl_pipeline.papers.countdown.transition_data import (
    ARMS,
    ENHSP,
    EXACT,
    PHASES,
    ROUNDS,
    SOLVERS,
    Case,
    Solver,
    cases_of,
    limits_of,
    make_runs,
    read_runs,
    round_of,
    runs_of,
    store_file,
)
from pddl_pipeline.papers.data import read_dataset, stored_data
from pddl_pipeline.papers.stored_runs import PlannedRun, StoredRun, StoredRuns, read_stored_runs
from pddl_pipeline.papers.study import NamedTable, Study, StudyResult, Workbench
from pddl_pipeline.statistics.differences import LEVEL, exact_interval
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable

Kind = Literal["zero", "tiny", "neither"]
KINDS: Final[Sequence[Kind]] = ("zero", "tiny", "neither")
TINY: Final = Fraction(1, 10**4)
"""A value between 0 and this one is tiny."""
STORE: Final = "zeros"
CARD: Final = "data/zeros.toml"
ENOUGH: Final = 72
"""The number of false plans, and of valid ones of exact search, that ends the study."""
CPU_S: Final = 3.4 * 3600
"""No round begins after this CPU time; a round takes 32 minutes at most."""
SIZES: Final = {ENHSP: range(12, 25), EXACT: PHASES[-1].sizes}
"""The sizes of the instances that each solver is run on."""
HYPOTHESES: Final = 2
"""The number of tests, by which the level is divided."""
_LIMITS_S: Final = {24: 240}
_STEP: Final = re.compile(r"\((\S+) (\S+?)(?: (\S+))?\)")


def steps_on_the_way(run: StoredRun) -> list[tuple[str, Number]]:
    """Return the operations of a plan and the exact values that they make, without the last one.

    Whether a step is applicable makes no difference, except that the values end at a division by 0.
    """
    board = dict[str, Number]()
    board |= {f"n{at}": value for at, value in enumerate(run.record["numbers"], start=1)}
    made = list[tuple[str, Number]]()
    with suppress(ZeroDivisionError):
        for action, first, second in _STEP.findall("\n".join(run.result.plan or ())):
            if action != CHECK:
                board[first] = combine(action, board[first], board.pop(second))
                made.append((action, board[first]))
    return made[: len(run.record["numbers"]) - 2]


def values_on_the_way(run: StoredRun) -> list[Number]:
    """Return the values of `steps_on_the_way`."""
    return [value for _, value in steps_on_the_way(run)]


def is_tiny(value: Number) -> bool:
    """Return whether a value is nearly 0, but not 0."""
    return 0 < abs(Fraction(value)) < TINY


def kind_of(run: StoredRun) -> Kind:
    """Return what a plan passes through; a plan with a zero and a tiny value is a ``zero``."""
    values = values_on_the_way(run)
    return "zero" if 0 in values else "tiny" if any(map(is_tiny, values)) else "neither"


def kind_table(runs: Sequence[StoredRun]) -> TextTable:
    """Return what the claimed plans of stored runs pass through, by solver, verdict and size."""
    rows = []
    phases = (SMALL, LARGE)
    for solver in SOLVERS:
        for verdict in ("valid", "false"):
            claimed = [
                run
                for run in runs_of(solver, runs)
                if run.result.claimed and run.result.solved == (verdict == "valid")
            ]
            cells = (
                _kinds([run for run in claimed if run.result.size in phase.sizes])
                for phase in phases
            )
            if claimed:
                rows.append((solver.label, verdict, *cells))
    headings = ("solver", "plans are", *(phase.name for phase in phases))
    return TextTable(headings, tuple(rows), names=4)


def _kinds(runs: Sequence[StoredRun]) -> str:
    kinds = Counter(map(kind_of, runs))
    return ", ".join(f"{kinds[kind]} {kind}" for kind in KINDS if kinds[kind]) or NO_NUMBER


def false_plans(runs: Sequence[StoredRun], solver: Solver = ENHSP) -> list[StoredRun]:
    """Return a solver's runs with a claimed plan that is not valid."""
    return [run for run in runs_of(solver, runs) if run.is_false]


def exact_plans(runs: Sequence[StoredRun]) -> list[StoredRun]:
    """Return the runs of exact search with a valid plan."""
    return [run for run in runs_of(EXACT, runs) if run.result.solved]


def read_cases() -> list[Case]:
    """Return the instances of the study.

    Raises:
        MissingData: the stored data do not exist.
        InputError: the dataset cannot be read.
    """
    return list(cases_of(ARMS[-1], read_dataset(stored_data("countdown", CARD))))


def planned_runs(cases: Sequence[Case]) -> list[PlannedRun]:
    """Return the runs on instances."""
    return [
        PlannedRun(case.instance, solver.planner, limits_of(case.size, _LIMITS_S))
        for case in cases
        for solver, sizes in SIZES.items()
        if case.size in sizes
    ]


def ended(cases: Sequence[Case], runs: Sequence[StoredRun]) -> str:
    """Return why the study ended after a complete round; empty if it goes on."""
    known = {run.identity: run for run in runs}
    made = list[StoredRun]()
    for number in range(ROUNDS):
        keys = [each.key for each in planned_runs(round_of(cases, number))]
        if any(key not in known for key in keys):
            return ""
        made += [known[key] for key in keys]
        if min(len(false_plans(made)), len(exact_plans(made))) >= ENOUGH:
            return f"both numbers reached {ENOUGH} in round {number + 1}"
        if sum(run.result.cpu_s for run in made) >= CPU_S:
            return f"the CPU time reached {CPU_S / 3600:g} hours in round {number + 1}"
    return "all instances were run"


def _run(bench: Workbench) -> StudyResult:
    cases, file = read_cases(), store_file(STORE)
    if bench.continue_runs:
        with StoredRuns(file) as store:
            for number in range(ROUNDS):
                for _ in range(2):  # a run that crashed is repeated once
                    make_runs(bench, store, planned_runs(round_of(cases, number)))
                if ended(cases, read_stored_runs(file)):
                    break
    return report(cases, read_runs(cases, file))


def report(cases: Sequence[Case], runs: Sequence[StoredRun]) -> StudyResult:
    """Return the two tests and the table of stored runs."""
    false, exact = false_plans(runs), exact_plans(runs)
    hours = sum(run.result.cpu_s for run in runs) / 3600
    state = ended(cases, runs) or "not ended"
    return StudyResult(
        conditions=f"{state[0].upper()}{state[1:]}: {len(runs)} of {len(planned_runs(cases))} "
        f"planned runs, {hours:.2f} hours of CPU time; 120 s of CPU time (240 s at size 24) and "
        "3.5 GiB per run.",
        comparisons=(
            _hypothesis(
                "1: false plans of ENHSP pass through a value between 0 and 1e-4",
                [any(map(is_tiny, values_on_the_way(run))) for run in false],
            ),
            _hypothesis(
                f"2: valid plans of exact search use no zero, {PHASES[-1].name}",
                [0 not in values_on_the_way(run) for run in exact],
                "dfs tries sums first: this says nothing about other orders of successors, nor "
                "about section 8 of the paper",
            ),
        ),
        tables=(
            NamedTable("What plans pass through", kind_table(runs)),
            NamedTable("False plans", _false_table(false)),
        ),
        unexplained=sum(run.result.unexplained for run in runs),
    )


def _hypothesis(what: str, holds: Sequence[bool], remark: str = "") -> Comparison:
    count, number = sum(holds), len(holds)
    low, high = exact_interval(count, number, 1 - LEVEL) if number else (None, None)
    return Comparison(
        what=f"hypothesis {what}",
        said="all",
        ours=(Quantity(count, "", low, high, number),),
        decision=decide(Always(count, number, MARGINS.exceptions), LEVEL / HYPOTHESES),
        remark=remark,
    )


def _false_table(false: Sequence[StoredRun]) -> TextTable:
    rows = []
    for run in false:
        values = values_on_the_way(run)
        least = min((abs(Fraction(value)) for value in values if value), default=0)
        cells = run.result.id, str(run.result.size), kind_of(run), str(values.count(0))
        rows.append((*cells, magnitude(least)))
    headings = ("instance", "size", "passes through", "zeros", "least value above 0")
    return TextTable(headings, tuple(rows), names=1)


STUDIES: Final = (
    Study(
        "countdown-zeros",
        "What false plans of ENHSP and plans of exact search pass through, from stored runs",
        _run,
        cards=(CARD,),
        is_stored=True,
    ),
)
