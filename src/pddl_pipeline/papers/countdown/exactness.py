"""An additional study: does Countdown's second phase transition survive exact arithmetic?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.papers.comparison import Comparison, share
from pddl_pipeline.papers.countdown.accuracy import (
    HARD,
    LARGE,
    MEASURES,
    RISES,
    SMALL,
    Phase,
    Sample,
    accuracy_charts,
    accuracy_table,
    correctness,
    cpu_limits,
    limits_text,
    paired,
    phase_table,
    transition,
)
from pddl_pipeline.papers.countdown.datasets import (
    CARD_TO_999,
    NUMBERS,
    TARGETS_TO_999,
    Instances,
    instances_of,
)
from pddl_pipeline.papers.countdown.published import MARGINS, PUBLISHED, inclusive
from pddl_pipeline.papers.countdown.replay import Replay, magnitude, replay
from pddl_pipeline.papers.decision import decide
from pddl_pipeline.papers.evidence import ordered
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.study_result import NamedTable, StudyResult
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable
from pddl_pipeline.translators.translator import PAPER

_RATIONAL: Final = "rational"
_DATASET: Final = f"CD, targets {TARGETS_TO_999}"


class _Solver(NamedTuple):
    """A way to solve an instance."""

    label: str
    planner: str
    encoding: str = PAPER


_ENHSP: Final = _Solver("ENHSP", "enhsp")
_STRICT: Final = _Solver("ENHSP, tolerance 1e-9", "enhsp-strict")
_WHOLE: Final = _Solver("ENHSP, rational", "enhsp", _RATIONAL)
_LAZY: Final = _Solver("lazy ENHSP", "enhsp:search=lazygbfs")
_LAZY_STRICT: Final = _Solver("lazy ENHSP, tolerance 1e-9", "enhsp:search=lazygbfs,tolerance=1e-9")
_LAZY_WHOLE: Final = _Solver("lazy ENHSP, rational", "enhsp:search=lazygbfs", _RATIONAL)
_FLOATS: Final = _Solver("DFS, floats", "dfs:numbers=float")
_NEAR: Final = _Solver("DFS, floats within 0.001", "dfs:numbers=float,tolerance=0.001")
_FLOATS_NO_ZEROS: Final = _Solver("DFS, floats, no zeros", "dfs:numbers=float,zeros=no")
_EXACT: Final = _Solver("DFS, exact", "dfs")
_EXACT_NO_ZEROS: Final = _Solver("DFS, exact, no zeros", "dfs:zeros=no")
_ENHSPS: Final = (_ENHSP, _STRICT, _WHOLE, _LAZY, _LAZY_STRICT, _LAZY_WHOLE)
_FLOATS_LAST: Final = _Solver("DFS, floats, last first", "dfs:numbers=float,order=last")
_EXACT_LAST: Final = _Solver("DFS, exact, last first", "dfs:order=last")
_SEARCHES: Final = (
    _FLOATS, _NEAR, _FLOATS_NO_ZEROS, _EXACT, _EXACT_NO_ZEROS, _FLOATS_LAST, _EXACT_LAST,
)  # fmt: skip
_SOLVERS: Final = (*_ENHSPS, *_SEARCHES)
_ONLY_LONG: Final = (_STRICT, _WHOLE, _NEAR, _FLOATS_NO_ZEROS, _FLOATS_LAST, _EXACT_LAST)
"""The solvers that the quick scale leaves out: there, each ends at the limit or in the same way as
a solver that is kept.
"""
_TRIED: Final = (_ENHSP, _FLOATS)
"""The solvers that resemble those of the paper."""
_SOLVERS_NOTE: Final = (
    f"Targets are restricted to {TARGETS_TO_999}: with those of Algorithm 1 (see "
    "countdown-figure3), mostly above 10^9 at sizes 20 to 30, ENHSP claims fewer plans within "
    "the same limit. 'ENHSP' is greedy best-first search with hadd, as in the paper; 'lazy' "
    "evaluates states when they are expanded instead of when they are generated, and solves large "
    "instances faster. DFS first combines the two smallest numbers; 'last first' begins with a "
    "quotient of the two largest."
)
_PLANS_NOTE: Final = (
    "ENHSP's plans fail validation for two reasons: it compares doubles within a tolerance of "
    "1e-5, or 1e-9 if that is set, and doubles lose summands below about 1e-16 of a number. The "
    "table of misses shows which of the two it was. In the rational encoding, numerators and "
    "denominators are never reduced and outgrow 2^53, beyond which doubles do not represent every "
    "whole number. The miss is the exact difference between the target and the last number; a plan "
    "that fails before its last operation has none."
)


class _Played(NamedTuple):
    """A claimed plan, replayed with exact arithmetic."""

    solver: str
    target: int
    run: RunResult
    replay: Replay


def _run(bench: Workbench) -> StudyResult:
    paper = PUBLISHED.datasets
    sizes = bench.sizes(quick=(6, 9, 14, 20, 25), paper=inclusive(paper.sizes))
    number = bench.count(quick=2, paper=paper.instances)
    limits = cpu_limits(bench.limits(quick_s=8, paper_s=PUBLISHED.runs.time_limit_s))
    instances = instances_of(bench, "CD", sizes, number, TARGETS_TO_999)
    solvers = [s for s in _SOLVERS if bench.scale == "paper" or s not in _ONLY_LONG]
    runs = list(_runs(bench, instances, solvers, limits))
    samples = {
        solver: Sample(_DATASET, solver.label, [run for used, run in runs if used == solver])
        for solver in solvers
    }
    rows = list(samples.values())
    played = list(_played(instances, runs))
    return StudyResult(
        conditions=f"{number} instances of each size by Algorithm 1, {NUMBERS}, targets "
        f"{TARGETS_TO_999}; {limits_text(limits)}.",
        comparisons=tuple(_comparisons(samples, played)),
        tables=(
            NamedTable("Accuracy by phase", phase_table(rows)),
            NamedTable("Claimed plans that fail validation, and by how much", _misses(played)),
            NamedTable("Valid plans with a 0 as an intermediate result", _zeros(played)),
            NamedTable("Accuracy by size", accuracy_table(rows)),
        ),
        charts=(
            *accuracy_charts("ENHSP", [samples[s] for s in solvers if s in _ENHSPS], paper=True),
            *accuracy_charts("DFS", [samples[s] for s in solvers if s in _SEARCHES]),
        ),
        notes=(_SOLVERS_NOTE, _PLANS_NOTE),
        unexplained=sum(run.unexplained for _, run in runs),
    )


def _runs(
    bench: Workbench, instances: Instances, solvers: Sequence[_Solver], limits: Limits
) -> Iterator[tuple[_Solver, RunResult]]:
    for encoding in (PAPER, _RATIONAL):
        known = {s.planner: s for s in solvers if s.encoding == encoding}
        for run in bench.solve(encoding, instances, list(known), limits, encoding=encoding):
            yield known[run.planner], run


def _played(instances: Instances, runs: Iterable[tuple[_Solver, RunResult]]) -> Iterator[_Played]:
    known = {instance.id: instance for instance in instances}
    for solver, run in runs:
        if run.claimed and run.status is not Status.MALFORMED:
            instance = known[run.id]
            yield _Played(solver.label, instance.record.target, run, replay(instance, run))


def _comparisons(
    samples: Mapping[_Solver, Sample], played: Sequence[_Played]
) -> Iterator[Comparison]:
    enhsps = (_ENHSP, _LAZY, _LAZY_STRICT, _LAZY_WHOLE)
    for solver, measure in product((*enhsps, _FLOATS, _EXACT, _EXACT_NO_ZEROS), MEASURES):
        sign = RISES if solver in _TRIED else None
        yield transition(samples[solver], measure, HARD, LARGE, sign)
    for solver, phase in product(enhsps, (SMALL, LARGE)):
        yield correctness(samples[solver], phase)
    yield from _zeros_explain(samples, played)


def _zeros_explain(
    samples: Mapping[_Solver, Sample], played: Sequence[_Played]
) -> Iterator[Comparison]:
    """Compare the paper's explanation, that zeros make large instances easy."""
    zeros = _have_zeros(played, LARGE)
    yield Comparison(
        what=f"valid plans with a 0 as an intermediate result, {LARGE.name}",
        said="one possible explanation (section 8)",
        ours=(share(sum(zeros), len(zeros)),),
    )
    allowed, forbidden = (samples[s].within(LARGE) for s in (_EXACT, _EXACT_NO_ZEROS))
    difference = paired(allowed, forbidden, "valid") if zeros else None
    yield Comparison(
        what=f"exact DFS solves more instances if zeros are allowed, {LARGE.name}",
        said="one possible explanation (section 8)",
        ours=(
            allowed.share_of("valid", "allowed"),
            forbidden.share_of("valid", "not allowed"),
        ),
        decision=decide(ordered(difference, 1, MARGINS.share)),
    )


def _have_zeros(played: Sequence[_Played], phase: Phase) -> list[bool]:
    """Return for each valid plan of a phase whether an intermediate result is 0."""
    return [p.replay.zeros > 0 for p in played if p.run.solved and p.run.size in phase.sizes]


def _misses(played: Sequence[_Played]) -> TextTable:
    cells = []
    for solver, target, run, replayed in played:
        if not run.solved:
            miss = replayed.miss(target)
            cells.append((
                solver, str(run.size), run.id, str(target),
                NO_NUMBER if miss is None else magnitude(miss), _shortened(run.reason or ""),
            ))  # fmt: skip
    headings = ("solver", "size", "instance", "target", "miss", "validator's reason")
    return TextTable(headings, tuple(cells), names=3)


def _shortened(reason: str) -> str:
    """Return a reason cut to 80 characters, since its numbers may have hundreds of digits."""
    return reason if len(reason) <= 80 else f"{reason[:77]}…"


def _zeros(played: Sequence[_Played]) -> TextTable:
    cells = []
    for solver, phase in product(_SOLVERS, (HARD, LARGE)):
        own = [p for p in played if p.solver == solver.label]
        if own:
            zeros = _have_zeros(own, phase)
            cells.append((solver.label, phase.name, str(len(zeros)), str(sum(zeros))))
    headings = ("solver", "sizes", "valid plans", "with a 0 as an intermediate result")
    return TextTable(headings, tuple(cells), names=2)


STUDIES: Final = (
    Study(
        "countdown-exactness",
        "Additional study: does the second phase transition survive exact arithmetic?",
        _run,
        (CARD_TO_999,),
    ),
)
