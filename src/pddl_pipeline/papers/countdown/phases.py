"""Figures 3 and 4 of the Countdown paper: accuracy by size."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.text import counted
from pddl_pipeline.papers.comparison import (
    Always,
    Comparison,
    Evidence,
    Ordered,
    Quantity,
    Same,
    decide,
    share,
    within_limit,
)
from pddl_pipeline.papers.countdown.accuracy import (
    BEYOND,
    EASY,
    EASY_AGAIN,
    FALLS,
    HARD,
    LARGE,
    MEASURES,
    NEAR,
    RISES,
    Phase,
    Sample,
    accuracy_charts,
    accuracy_table,
    correctness,
    cpu_limits,
    limits_text,
    phase_table,
    transition,
)
from pddl_pipeline.papers.countdown.datasets import (
    CARDS,
    MARGINS,
    NUMBERS,
    PUBLISHED,
    TARGETS_TO_999,
    WALKS,
    Instances,
    inclusive,
    instances_of,
    target_table,
)
from pddl_pipeline.papers.study import NamedTable, Study, StudyResult, Workbench
from pddl_pipeline.statistics.differences import Difference, share_difference

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
    "Why claimed plans fail validation is not examined here; of CD, see countdown-transition. DFS "
    "visits sums first. "
    "Whether a run reaches the time limit or the memory limit first depends on both limits."
)


def _figure3(bench: Workbench) -> StudyResult:
    sizes, number = _sizes(bench), _number(bench)
    instances = {
        "CD": _instances(bench, "CD", sizes, number),
        "CD to 999": _instances(bench, "CD to 999", sizes, number, TARGETS_TO_999),
    }
    return _study(bench, instances, (_GREEDY, _DFS_FLOATS, _DFS, _REFERENCE))


def _figure4(bench: Workbench) -> StudyResult:
    number = _number(bench)
    instances = {"RG": _instances(bench, "RG", _sizes(bench), number)}
    known = inclusive(PUBLISHED.datasets.sizes_of_sos)
    # Smaller sizes than the paper's are possible, larger ones are not.
    small = [size for size in bench.sizes(quick=(5, 7, 9), paper=known) if size <= known[-1]]
    if small:
        instances[_SOS] = _instances(bench, _SOS, small, number)
    return _study(bench, instances, (_GREEDY, _DFS_FLOATS, _DFS))


def _instances(
    bench: Workbench, label: str, sizes: Sequence[int], number: int, targets: str | None = None
) -> Instances:
    """Return the instances of a dataset: those of its stored runs, or else generated ones."""
    stored = bench.stored_instances(_store(label))
    return stored or instances_of(bench, label.split(maxsplit=1)[0], sizes, number, targets)


def _store(label: str) -> str:
    return label.replace(" ", "-")


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
        runs = bench.solve(_store(label), of_dataset, solvers, limits)
        samples[label] = [
            Sample(label, solver, [run for run in runs if run.planner == solver])
            for solver in solvers
        ]
    every = [sample for own in samples.values() for sample in own]
    return StudyResult(
        conditions=f"{counted(_number(bench), 'instance')} of each size of "
        f"{' and '.join(samples)}, made by this project's generators; {limits_text(limits)}.",
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
    cpu_s = limits.cpu_s or math.inf
    for comparison, sample in _statements(enhsp, floats, exact):
        if all(quantity.of != 0 for quantity in comparison.ours):
            found = within_limit(comparison, sample.cut, cpu_s, PUBLISHED.runs.time_limit_s)
            yield replace(found, remark=found.remark or f"within {cpu_s:g} s of CPU time")


def _statements(
    enhsp: Sample, floats: Sample, exact: Sample
) -> Iterator[tuple[Comparison, Sample]]:
    """Yield each comparison with the runs that it is about."""
    for sample in (enhsp, floats, exact):
        for after in (NEAR, HARD):
            found = transition(sample, "valid", EASY, after, FALLS)
            yield found, sample.within(EASY, after)
    again, beyond = enhsp.within(EASY_AGAIN), enhsp.within(BEYOND)
    yield _accuracy(again, EASY_AGAIN, "", Same(_beside_paper(again), MARGINS.share)
                    if again.runs else None), again  # fmt: skip
    yield _accuracy(beyond, BEYOND, "below", Ordered(_beside_paper(beyond), -1, MARGINS.share)
                    if beyond.runs else None), beyond  # fmt: skip
    for sample in (floats, exact):
        yield transition(sample, "valid", HARD, LARGE, RISES), sample.within(HARD, LARGE)
    yield correctness(enhsp), enhsp.claims
    yield correctness(floats, said="validated to be correct"), floats.claims
    yield _failures(enhsp, "timeout"), enhsp
    yield _failures(exact, "memout"), exact


def _beside_paper(sample: Sample) -> Difference:
    """Return our share of valid plans beside the paper's on as many sizes."""
    number = PUBLISHED.datasets.instances * len({run.size for run in sample.runs})
    solved = round(PUBLISHED.accuracy.enhsp_easy_again / 100 * number)
    return share_difference(sample.count("valid"), len(sample.runs), solved, number, is_fixed=True)


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


STUDIES: Final = (
    Study(
        "countdown-figure3", "Figure 3: accuracy by size on CD, claimed and exact", _figure3, CARDS
    ),
    Study("countdown-figure4", "Figure 4: accuracy by size on RG and SoS", _figure4, CARDS),
)
