"""``pddl-pipeline equivalent``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any, Final

import click

from pddl_pipeline.cli.options import DATASET, DURATION, DataOptions, Json, cli_command
from pddl_pipeline.cli.status import (
    BAD_INPUT,
    DONE,
    NOT_VALID,
    UNEXPLAINED,
    WORST_FIRST,
    report_skipped,
)
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.search.effort import SECONDS, Effort
from pddl_pipeline.search.equivalence import Sameness, TaskComparison, compare_problems
from pddl_pipeline.translators import read_instance
from pddl_pipeline.translators.datasets import load_records
from pddl_pipeline.translators.formats.format import ReadOptions

_EXIT: Final = {
    Sameness.EQUIVALENT: DONE,
    Sameness.DIFFERENT: NOT_VALID,
    Sameness.UNREADABLE: BAD_INPUT,
    Sameness.UNDECIDED: UNEXPLAINED,
}


@cli_command(
    "equivalent",
    "equivalent examples/ferry.jsonl ferry-pddl",
)
def command(
    first: Annotated[str, click.argument("first", type=DATASET, metavar="A")],
    second: Annotated[str, click.argument("second", type=DATASET, metavar="B")],
    seconds: Annotated[float, click.option(
        "--time-limit", type=DURATION, default=f"{SECONDS:g}s", show_default=True,
        help="Time limit of each comparison.",
    ), "Limits"],
    as_json: Json,
    source: DataOptions,
) -> int:  # fmt: skip
    """Compare problems up to names and implied goal facts.

    A and B are problem files, or datasets whose problems are paired by their ids; B may have
    problems that are no PDDL. A goal fact is implied if it holds in every reachable state that
    satisfies the goal. Objects, types, values and the metric must be the same.

    Exit status: 0 all equivalent, 1 some different, 2 bad input (including a problem that cannot be
    read), 3 some undecided.
    """
    counts = Counter[Sameness]()
    for name, found in _compared(first, second, seconds, replace(source.reading(), strict=False)):
        counts[found.verdict] += 1
        if as_json:
            click.echo(json.dumps({"id": name, **found._asdict()}))
        else:
            click.echo(": ".join(filter(None, (name, found.verdict, found.reason))))
    return min((_EXIT[sameness] for sameness in counts), key=WORST_FIRST.index)


def _compared(
    first: str, second: str, seconds: float, reading: ReadOptions
) -> Iterator[tuple[str, TaskComparison]]:
    """Yield the id and the comparison of each pair."""
    expected = list(load_records(first, source=reading))
    found: dict[str, Instance[Any] | InputError] = {}

    def add(fault: InputError) -> None:
        is_new = fault.record is not None and fault.record not in found
        found[fault.record if fault.record and is_new else str(fault)] = fault

    try:
        for record in load_records(second, source=replace(reading, on_bad=add)):
            found[record.id] = record
    except RecordError:
        if not found:
            raise
    # Two single problems are compared whatever their ids, which are often names of files.
    if len(expected) == len(found) == 1:
        found[expected[0].id] = found.popitem()[1]
    for each in expected:
        other = found.pop(each.id, f"{second} has no problem with this id")
        if isinstance(other, Instance):
            tasks = read_instance(each), read_instance(other)
            yield each.id, compare_problems(*tasks, Effort(seconds))
        else:
            yield each.id, TaskComparison(Sameness.UNREADABLE, str(other))
    for name, other in found.items():
        is_fault = isinstance(other, InputError)
        report_skipped(str(other) if is_fault else f"{name}: {first} has no problem with this id")
