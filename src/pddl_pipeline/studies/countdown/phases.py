"""Figures 3 and 4 of the Countdown paper: accuracy by size, and its two phase transitions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pddl_pipeline.model.limits import Limits
from pddl_pipeline.studies.countdown.accuracy import (
    BEYOND,
    EASY,
    EASY_AGAIN,
    HARD,
    LARGE,
    Accuracy,
    accuracies,
    accuracy_chart,
    accuracy_table,
    correct,
    cpu_limits,
    endings,
    endings_text,
    limits_text,
    of,
    phase_table,
    share,
)
from pddl_pipeline.studies.countdown.datasets import Tasks, made, target_table
from pddl_pipeline.studies.study import Study
from pddl_pipeline.studies.study_result import (
    Chart,
    Comparison,
    NamedTable,
    StudyResult,
)
from pddl_pipeline.studies.workbench import Workbench

_ENHSP: Final = "enhsp"
_FLOATS: Final = "dfs:numbers=float"
_EXACT: Final = "dfs"
_REFERENCE: Final = "countdown-exact"
_PAPER_S: Final = 1800
_QUICK_S: Final = 5
_NOTE: Final = (
    "The paper states neither the range of the numbers nor that of the targets. Algorithm 1 as "
    "printed, with whole targets, numbers from 1 to 99 and 100,000 walks, gives targets whose "
    "median grows from some hundred at size 4 to 10^14 at size 30 and is some thousand again at "
    "size 50, where few walks end at a whole number (12 instances each): a transition of the "
    "generator's own. 'CD to 999' is the same algorithm with targets from 1 to 999 only."
)


class _Dataset(NamedTuple):
    """The instances of a figure."""

    label: str
    method: str
    """The dataset's name in `METHODS`."""
    targets: str | None
    """The range of targets; None for the method's default."""
    sizes: Sequence[int]


def _figure3(bench: Workbench) -> StudyResult:
    sizes = bench.sizes(quick=(5, 8, 14, 20, 30), paper=range(4, 51))
    datasets = (
        _Dataset("CD", "CD", None, sizes),
        _Dataset("CD to 999", "CD", "1-999", sizes),
    )
    return _findings(bench, datasets, (_ENHSP, _FLOATS, _EXACT, _REFERENCE))


def _figure4(bench: Workbench) -> StudyResult:
    sizes = bench.sizes(quick=(5, 8, 14, 20, 30), paper=range(4, 51))
    # Up to the largest size that the paper could generate.
    small = [size for size in sizes if size <= 9] if bench.sizes_given else \
        bench.pick(quick=(5, 7, 9), paper=range(4, 10))  # fmt: skip
    datasets = (
        _Dataset("RG", "RG", None, sizes),
        *([_Dataset("SoS", "SoS", None, small)] if small else []),
    )
    return _findings(bench, datasets, (_ENHSP, _FLOATS, _EXACT))


def _findings(
    bench: Workbench, datasets: Sequence[_Dataset], solvers: Sequence[str]
) -> StudyResult:
    number = bench.count(quick=2, paper=100)
    limits = cpu_limits(bench.limits(quick_s=_QUICK_S, paper_s=_PAPER_S))
    rows: list[Accuracy] = []
    made_of: dict[str, Tasks] = {}
    unexplained = 0
    for dataset in datasets:
        tasks = [
            instance
            for size in dataset.sizes
            for instance in made(bench, dataset.method, size, number, dataset.targets)
        ]
        made_of[dataset.label] = tasks
        runs = bench.solve(dataset.label.replace(" ", "-"), tasks, solvers, limits)
        unexplained += sum(run.unexplained for run in runs)
        for solver in solvers:
            rows += accuracies(dataset.label, solver, (r for r in runs if r.planner == solver))
    labels = [dataset.label for dataset in datasets]
    return StudyResult(
        conditions=f"{number} instances of each size of {' and '.join(labels)}, made by our "
        f"generators; {limits_text(limits)}.",
        comparisons=tuple(c for label in labels for c in _comparisons(rows, label, limits)),
        tables=(
            NamedTable("Accuracy by phase", phase_table(rows)),
            NamedTable("Targets by size", target_table(made_of)),
            NamedTable("Accuracy by size", accuracy_table(rows)),
        ),
        charts=tuple(chart for label in labels for chart in _charts(rows, label)),
        notes=(_NOTE,),
        unexplained=unexplained,
    )  # fmt: skip


def _charts(rows: Sequence[Accuracy], label: str) -> Iterator[Chart]:
    own = [row for row in rows if row.dataset == label]
    paper = label != "SoS"
    yield accuracy_chart(f"{label}: plans that are claimed", own, "claimed", paper=paper)
    yield accuracy_chart(f"{label}: plans that are exactly valid", own, "valid", paper=paper)


def _comparisons(rows: Sequence[Accuracy], label: str, limits: Limits) -> Iterator[Comparison]:
    yield from _drop(rows, label)
    yield from _recovery(rows, label, limits)
    yield from _correctness(rows, label)
    yield from _failures(rows, label)


def _drop(rows: Sequence[Accuracy], label: str) -> Iterator[Comparison]:
    """Compare the first phase transition, from easy to hard."""
    for solver in (_ENHSP, _FLOATS, _EXACT):
        easy, hard = (share(of(rows, label, solver, p), "valid") for p in (EASY, HARD))
        if easy.of and hard.of:
            yield Comparison(
                f"{label}: {solver}, {EASY.name} against {HARD.name}",
                "drops (from easy to hard around 8)",
                f"exactly valid {easy}, then {hard}",
                "matched" if hard.value < easy.value else "differs",
            )


def _recovery(rows: Sequence[Accuracy], label: str, limits: Limits) -> Iterator[Comparison]:
    """Compare the second phase transition, from hard to easy."""
    enhsp = of(rows, label, _ENHSP, EASY_AGAIN)
    if enhsp:
        claimed, valid = share(enhsp, "claimed"), share(enhsp, "valid")
        yield Comparison(
            f"{label}: {_ENHSP}, {EASY_AGAIN.name}",
            "100 %",
            f"claimed {claimed}, exactly valid {valid}",
            "matched" if valid.value == 1 else "differs",
            f"{limits.cpu_s:g} s of CPU time; the paper: {_PAPER_S} s",
        )
    beyond = of(rows, label, _ENHSP, BEYOND)
    if beyond:
        claimed, valid = share(beyond, "claimed"), share(beyond, "valid")
        yield Comparison(
            f"{label}: {_ENHSP}, {BEYOND.name}", "below 100 %",
            f"claimed {claimed}, exactly valid {valid}",
            "matched" if claimed.value < 1 else "differs",
        )  # fmt: skip
    for solver in (_FLOATS, _EXACT):
        hard, large = of(rows, label, solver, HARD), of(rows, label, solver, LARGE)
        if hard and large:
            before, after = share(hard, "valid"), share(large, "valid")
            yield Comparison(
                f"{label}: {solver}, {LARGE.name} against {HARD.name}",
                "deals rather well with large instances",
                f"claimed {share(hard, 'claimed')}, then {share(large, 'claimed')}; "
                f"exactly valid {before}, then {after}",
                "matched" if after.value > before.value or after.value == 1 else "differs",
            )


def _correctness(rows: Sequence[Accuracy], label: str) -> Iterator[Comparison]:
    for solver, said in (
        (_ENHSP, "guaranteed"),
        (_FLOATS, "all validated to be correct"),
    ):
        found = correct(of(rows, label, solver))
        if found.of:
            yield Comparison(
                f"{label}: plans of {solver} that are correct",
                f"{said} (section 7)",
                str(found),
                "matched" if found.value == 1 else "differs",
                "" if found.value == 1 else "computed in doubles; see countdown-exactness",
            )


def _failures(rows: Sequence[Accuracy], label: str) -> Iterator[Comparison]:
    for solver, said, only in ((_ENHSP, "always the time limit", {"timeout"}),
                               (_EXACT, "always the memory limit", {"memout"})):  # fmt: skip
        found = endings(of(rows, label, solver))
        if found:
            yield Comparison(
                f"{label}: why {solver} has no plan", said, endings_text(found),
                "matched" if set(found) == only else "differs",
                "" if set(found) == only else "which limit comes first depends on both",
            )  # fmt: skip


STUDIES: Final = (
    Study("countdown-figure3", "Figure 3: accuracy by size on CD, claimed and exact", _figure3),
    Study("countdown-figure4", "Figure 4: accuracy by size on RG and SoS", _figure4),
)
