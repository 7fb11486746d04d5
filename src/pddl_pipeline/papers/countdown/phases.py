"""Figures 3 and 4 of the Countdown paper, and their second transition in exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Final, NamedTuple

from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.papers.comparison import (
    NOT_COMPARED,
    Always,
    Comparison,
    Evidence,
    Ordered,
    Quantity,
    Same,
    decide,
    ordered,
    share,
)
from pddl_pipeline.papers.countdown.accuracy import (
    BEYOND,
    EASY,
    EASY_AGAIN,
    FALLS,
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
    CARDS,
    MARGINS,
    NUMBERS,
    PUBLISHED,
    TARGETS_TO_999,
    WALKS,
    Instances,
    Replay,
    inclusive,
    instances_of,
    magnitude,
    replay,
    target_table,
)
from pddl_pipeline.papers.study import NamedTable, Study, StudyResult, Workbench
from pddl_pipeline.statistics.differences import Difference, share_difference
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable
from pddl_pipeline.translators.translator import PAPER

_GREEDY: Final = "enhsp"
_DFS_FLOATS: Final = "dfs:numbers=float"
_DFS: Final = "dfs"
_REFERENCE: Final = "countdown-exact"
_SOS: Final = "SoS"
_QUICK_S: Final = 5
_TARGETS_NOTE: Final = (
    "The paper states neither the range of the numbers nor that of the targets. Algorithm 1 as "
    f"printed, with whole targets, {NUMBERS} and {WALKS}, generates targets that grow with the "
    "size (see the table of targets). They shrink again at the largest sizes, where few walks end "
    "at a whole number: the generator itself has a transition. 'CD to 999' is the same algorithm "
    "with targets from 1 to 999 only, a restriction of this project that changes the result."
)
_FAILURES_NOTE: Final = (
    "Claimed plans fail validation if a solver computes in doubles; see countdown-exactness. "
    "Whether a run reaches the time limit or the memory limit first depends on both limits."
)


def _figure3(bench: Workbench) -> StudyResult:
    sizes, number = _sizes(bench), _number(bench)
    instances = {
        "CD": instances_of(bench, "CD", sizes, number),
        "CD to 999": instances_of(bench, "CD", sizes, number, TARGETS_TO_999),
    }
    return _study(bench, instances, (_GREEDY, _DFS_FLOATS, _DFS, _REFERENCE))


def _figure4(bench: Workbench) -> StudyResult:
    number = _number(bench)
    instances = {"RG": instances_of(bench, "RG", _sizes(bench), number)}
    known = inclusive(PUBLISHED.datasets.sizes_of_sos)
    # Smaller sizes than the paper's are possible, larger ones are not.
    small = [size for size in bench.sizes(quick=(5, 7, 9), paper=known) if size <= known[-1]]
    if small:
        instances[_SOS] = instances_of(bench, _SOS, small, number)
    return _study(bench, instances, (_GREEDY, _DFS_FLOATS, _DFS))


def _sizes(bench: Workbench) -> Sequence[int]:
    return bench.sizes(quick=(5, 8, 14, 20, 30), paper=inclusive(PUBLISHED.datasets.sizes))


def _number(bench: Workbench) -> int:
    return bench.count(quick=2, paper=PUBLISHED.datasets.instances)


def _study(
    bench: Workbench, instances: Mapping[str, Instances], solvers: Sequence[str]
) -> StudyResult:
    limits = cpu_limits(bench.limits(quick_s=_QUICK_S, paper_s=PUBLISHED.runs.time_limit_s))
    samples: dict[str, list[Sample]] = {}
    for label, of_dataset in instances.items():
        runs = bench.solve(label.replace(" ", "-"), of_dataset, solvers, limits)
        samples[label] = [
            Sample(label, solver, [run for run in runs if run.planner == solver])
            for solver in solvers
        ]
    every = [sample for own in samples.values() for sample in own]
    return StudyResult(
        conditions=f"{_number(bench)} instances of each size of {' and '.join(samples)}, made by "
        f"this project's generators; {limits_text(limits)}.",
        comparisons=tuple(c for own in samples.values() for c in _comparisons(own, limits)),
        tables=(
            NamedTable("Accuracy by phase", phase_table(every)),
            NamedTable("Targets by size", target_table(instances)),
            NamedTable("Accuracy by size", accuracy_table(every)),
        ),
        charts=tuple(
            chart
            for label, own in samples.items()
            for chart in accuracy_charts(label, own, paper=label != _SOS)
        ),
        notes=(_TARGETS_NOTE, _FAILURES_NOTE),
        unexplained=sum(run.unexplained for sample in every for run in sample.runs),
    )


def _comparisons(samples: Sequence[Sample], limits: Limits) -> Iterator[Comparison]:
    """Yield the comparisons of a dataset, without those of a phase that has no instances."""
    enhsp, floats, exact, *_ = samples
    for comparison in _statements(enhsp, floats, exact, limits):
        if all(each.of != 0 for each in comparison.ours):
            within = f"within {limits.cpu_s:g} s of CPU time"
            yield replace(comparison, remark=comparison.remark or within)


def _statements(
    enhsp: Sample, floats: Sample, exact: Sample, limits: Limits
) -> Iterator[Comparison]:
    for sample in (enhsp, floats, exact):
        yield transition(sample, "valid", EASY, HARD, FALLS)
    again, beyond = enhsp.within(EASY_AGAIN), enhsp.within(BEYOND)
    yield _at_limit(_accuracy(again, EASY_AGAIN, "", Same(_beside_paper(again), MARGINS.share)
                              if again.runs else None), limits)  # fmt: skip
    yield _at_limit(_accuracy(beyond, BEYOND, "below", Ordered(_beside_paper(beyond), -1,
                              MARGINS.share) if beyond.runs else None), limits)  # fmt: skip
    for sample in (floats, exact):
        yield transition(sample, "valid", HARD, LARGE, RISES)
    yield correctness(enhsp)
    yield correctness(floats, said="validated to be correct")
    yield _at_limit(_failures(enhsp, "timeout"), limits)
    yield _at_limit(_failures(exact, "memout"), limits)


def _at_limit(comparison: Comparison, limits: Limits) -> Comparison:
    """Withdraw a verdict that a shorter time limit than the paper's would explain."""
    limit = PUBLISHED.runs.time_limit_s
    if (limits.cpu_s or 0) >= limit:
        return comparison
    remark = f"{limits.cpu_s:g} s of CPU time cannot be compared with {limit} s"
    return replace(comparison, decision=NOT_COMPARED, remark=remark)


def _beside_paper(sample: Sample) -> Difference:
    """Return our share of valid plans beside the paper's on as many sizes."""
    number = PUBLISHED.datasets.instances * len({run.size for run in sample.runs})
    solved = round(PUBLISHED.accuracy.enhsp_easy_again / 100 * number)
    return share_difference(sample.count("valid"), len(sample.runs), solved, number)


def _accuracy(own: Sample, phase: Phase, label: str, evidence: Evidence) -> Comparison:
    accuracy = PUBLISHED.accuracy.enhsp_easy_again
    return Comparison(
        what=f"{own.dataset}: accuracy of {own.solver}, {phase.name}",
        paper=(Quantity(accuracy, label, of=PUBLISHED.datasets.instances),),
        ours=tuple(own.share_of(measure, measure) for measure in MEASURES),
        decision=decide(evidence),
    )


def _failures(sample: Sample, only: str) -> Comparison:
    """Compare the outcomes of the runs without a plan with the only one that the paper saw."""
    found = sample.failures
    others = (Quantity(count, name) for name, count in found.most_common() if name != only)
    return Comparison(
        what=f"{sample.dataset}: runs of {sample.solver} without a plan",
        said=f"always {only}",
        ours=(share(found[only], found.total(), only), *others),
        decision=decide(Always(found[only], found.total(), MARGINS.exceptions)),
    )


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


def _exactness(bench: Workbench) -> StudyResult:
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
        comparisons=tuple(_exact_comparisons(samples, played)),
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


def _exact_comparisons(
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
        "countdown-figure3", "Figure 3: accuracy by size on CD, claimed and exact", _figure3, CARDS
    ),
    Study("countdown-figure4", "Figure 4: accuracy by size on RG and SoS", _figure4, CARDS),
    Study(
        "countdown-exactness",
        "Additional study: does the second phase transition survive exact arithmetic?",
        _exactness,
        (CARD_TO_999,),
    ),
)
