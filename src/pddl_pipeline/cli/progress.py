"""Progress bars on standard error, shown only on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from pddl_pipeline.model.result import RunSummary

Item = TypeVar("Item")


class _Rate(ProgressColumn):
    """New runs per minute; runs that were already in the store do not count."""

    def render(self, task: Task) -> Text:
        elapsed = task.finished_time or task.elapsed or 0.0
        made = len(task.fields["made"])
        return Text(f"{60 * made / elapsed:.1f}/min" if elapsed and made else "-/min")


def progress(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """Yield the items while a bar counts them."""
    with _bar(TextColumn("{task.description}")) as bar:
        task = bar.add_task(what, total=total)
        for item in items:
            yield item
            bar.advance(task)


def run_progress(
    runs: Iterable[RunSummary], total: int | None, made: Sized
) -> Iterator[RunSummary]:
    """Yield the summaries of runs while a bar counts them; `made` holds the new runs."""
    shown = TextColumn(
        "{task.fields[claimed]} solved, {task.fields[validated]} validated,"
        " {task.fields[failed]} failed"
    )
    claimed = validated = failed = 0
    with _bar(TextColumn("running"), shown, _Rate()) as bar:
        task = bar.add_task("", total=total, made=made, claimed=0, validated=0, failed=0)
        for run in runs:
            yield run
            claimed += run.claimed
            validated += run.solved
            failed += run.unexplained
            bar.update(task, advance=1, claimed=claimed, validated=validated, failed=failed)


def _bar(first: ProgressColumn, *further: ProgressColumn) -> Progress:
    console = Console(stderr=True)
    return Progress(
        first,
        BarColumn(),
        MofNCompleteColumn(),
        *further,
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    )
