"""AutoToS, section 5: blocksworld and Sokoban by breadth-first search over two Python functions."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.papers.autotos.published import MARGINS, OWN_FUNCTIONS, PUBLISHED
from pddl_pipeline.papers.choosing import spread
from pddl_pipeline.papers.comparison import Comparison, Quantity, share
from pddl_pipeline.papers.decision import decide
from pddl_pipeline.papers.evidence import Always, Fact
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.study_result import Chart, NamedTable, Point, Series, StudyResult
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.search.blocks_states import cheapest_plan
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded
from pddl_pipeline.translators.datasets import load_records

_PLANNER: Final = "bfs"
SMALLEST: Final = ("p05", "p06", "p08", "p07", "p04")
"""The smallest of AutoToS's Sokoban instances, by the states that a blind search expands."""

Lengths = Mapping[str, int]
"""The length of a shortest plan by the id of the instance."""


def _blocksworld(bench: Workbench) -> StudyResult:
    folder = bench.dataset("autotos", "blocksworld")
    of_blocks = PUBLISHED.blocksworld.instances_by_blocks
    number = bench.count(quick=100, paper=sum(of_blocks.values()))
    if folder is not None:
        instances = list(load_records(str(folder / "blocks_instances")))
        published = _solutions(folder / "solutions.csv")
        source = "AutoToS's own instances, lengths from its solutions.csv"
    else:
        instances = [
            each for size, many in of_blocks.items() for each in
            bench.generated("blocksworld", [size], many)
        ]  # fmt: skip
        published = {each.id: _shortest(each) for each in instances}
        source = "generated instances of 4 and 5 blocks, lengths by an exhaustive sweep"
    chosen = spread(instances, number)
    return _findings(
        bench,
        "blocksworld",
        chosen,
        published,
        source,
        Quantity(PUBLISHED.blocksworld.solved, of=sum(of_blocks.values())),
    )


def _shortest(instance: Instance[Any]) -> int:
    task = instance.record
    goal = [(upper, lower) for name, upper, lower in task.goal if name == "on"]
    return len(cheapest_plan(task.init, goal, (1, 1, 1, 1)).steps)


def _solutions(file: Path) -> Lengths:
    with file.open(newline="", encoding="utf-8") as stream:
        return {Path(name).stem: int(length) for name, length in csv.reader(stream)}


def _sokoban(bench: Workbench) -> StudyResult:
    folder = bench.dataset("autotos", "sokoban")
    if folder is None:
        instances = list(load_records(str(domain_folder("sokoban") / "examples.jsonl")))
        planner = "fd-blind"
        runs = bench.solve("shortest", instances, [planner], Limits(time_s=60))
        published = {run.id: run.steps for run in runs if run.solved and run.steps is not None}
        # One of the examples intentionally has no plan.
        instances = [each for each in instances if each.id in published][: bench.number]
        source = "examples of this project, lengths by A* without a heuristic (Fast Downward)"
    else:
        known = {each.id: each for each in load_records(str(folder / "test_instances"))}
        names = bench.pick(quick=SMALLEST, paper=tuple(sorted(known)))
        instances = [known[name] for name in names[: bench.number]]
        lengths: dict[str, int] = json.loads((folder / "sokoban_optimal_costs.json").read_text())
        published = {name.removesuffix(".pddl"): length for name, length in lengths.items()}
        source = "AutoToS's own instances, lengths from its sokoban_optimal_costs.json"
    return _findings(
        bench,
        "sokoban",
        instances,
        published,
        source,
        Quantity(PUBLISHED.sokoban.solved, of=PUBLISHED.sokoban.instances),
    )


def _findings(  # noqa: PLR0913, PLR0917 -- what the two studies differ in
    bench: Workbench,
    name: str,
    instances: Sequence[Instance[Any]],
    published: Lengths,
    source: str,
    paper: Quantity,
) -> StudyResult:
    missing = [each.id for each in instances if each.id not in published]
    if missing:
        raise InputError(f"{name}: no published length of {missing[0]}")
    limits = bench.limits(quick_s=120, paper_s=PUBLISHED.search.time_limit_s)
    runs = bench.solve(name, instances, [_PLANNER], limits)
    return StudyResult(
        conditions=f"{len(instances)} instances: {source}. Planner {_PLANNER}, "
        f"{limits.time_s:g} s and {limits.memory_bytes / 2**30:.1f} GiB an instance (AutoToS: "
        f"{PUBLISHED.search.time_limit_s:g} s); each plan is judged by the validator.",
        comparisons=_comparisons(runs, published, paper),
        tables=(NamedTable("By length of the shortest plan", _table(runs, published)),),
        charts=(_chart(name, runs, published),),
        unexplained=sum(run.unexplained for run in runs),
    )


def _comparisons(
    runs: Sequence[RunResult], published: Lengths, paper: Quantity
) -> tuple[Comparison, ...]:
    right = sum(run.solved and run.steps == published[run.id] for run in runs)
    open_ = [f"{run.id} ({run.outcome})" for run in runs if not run.solved]
    wrong = [run.id for run in runs if run.solved and run.steps != published[run.id]]
    why = [f"not solved: {', '.join(open_[:12])}"] if open_ else []
    why += [f"of another length: {', '.join(wrong[:12])}"] if wrong else []
    return (
        Comparison(
            what="valid plans of the known shortest length, by this project's functions",
            ours=(share(right, len(runs)),),
            decision=decide(
                Fact(right == len(runs), len(runs))
                if len(runs) == paper.of
                else Always(right, len(runs), MARGINS.exceptions)
            ),
            remark="; ".join(why),
        ),
        Comparison(what="accuracy", paper=(paper,), remark=OWN_FUNCTIONS),
    )


def _table(runs: Sequence[RunResult], published: Lengths) -> TextTable:
    rows = []
    for length in sorted({published[run.id] for run in runs}):
        found = [run for run in runs if published[run.id] == length]
        right = [run for run in found if run.solved and run.steps == length]
        expanded = [run.expanded for run in right if run.expanded is not None]
        times = [run.wall_s for run in right]
        rows.append((
            str(length), str(len(found)), str(len(right)),
            f"{fmean(expanded):.0f}" if expanded else NO_NUMBER,
            rounded(fmean(times)) if times else NO_NUMBER,
            rounded(max(times)) if times else NO_NUMBER,
        ))  # fmt: skip
    headings = (
        "shortest plan (steps)", "instances", "found", "mean expanded states", "mean time (s)",
        "longest time (s)",
    )  # fmt: skip
    return TextTable(headings, tuple(rows), names=1)


def _chart(name: str, runs: Sequence[RunResult], published: Lengths) -> Chart:
    """Return the chart of the effort; lengths, which are the known ones or not, need none."""
    expanded: dict[int, list[int]] = {}
    for run in runs:
        if run.solved and run.expanded:
            expanded.setdefault(published[run.id], []).append(run.expanded)
    points = tuple(
        Point(length, fmean(found), min(found), max(found))
        for length, found in sorted(expanded.items())
    )
    return Chart(
        f"AutoToS, {name}: states that breadth-first search expands",
        f"shortest plan (steps), n={sum(map(len, expanded.values()))} solved instances",
        "expanded states (logarithmic)",
        (Series("mean, least, most", points),),
        logarithmic=True,
    )


STUDIES: Final = (
    Study("autotos-blocksworld", "502 blocksworld instances by breadth-first search", _blocksworld),
    Study("autotos-sokoban", "11 Sokoban instances by breadth-first search", _sokoban),
)
