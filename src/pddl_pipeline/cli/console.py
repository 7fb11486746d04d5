"""Output for people: tables, notes, and progress as a bar on a terminal or as lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TextIO, TypeVar

import click
from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.segment import Segment
from rich.table import Column

from pddl_pipeline.io.standard_streams import for_terminal, styled
from pddl_pipeline.model.result import RunSummary

STANDARD_OUTPUT: Final = "standard output"
_PIPE_WIDTH: Final = 160


def is_output_taken() -> bool:
    """Return whether a file that the command writes is standard output.

    Everything else that the command prints then goes to standard error.
    """
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(STANDARD_OUTPUT))


def output_console() -> Console:
    """Return a console on standard output; it prints plain text unless that is a terminal.

    If standard output is a file that the command writes, the console is on standard error.
    """
    taken = is_output_taken()
    stream = sys.stderr if taken else sys.stdout
    # A pipe has no width, and a truncated table would be useless there.
    return _console(stream, None if stream.isatty() else _PIPE_WIDTH)


class _Console(Console):
    """A console that escapes the control characters of texts on a terminal."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """Yield the parts of something that rich prints; see `rich.console.Console.render`."""
        for text, style, control in super().render(renderable, options):
            is_plain = control or not self.is_terminal
            yield Segment(text if is_plain else for_terminal(text), style, control)


def _console(stream: TextIO, width: int | None = None) -> Console:
    return _Console(file=styled(stream), width=width, highlight=False, markup=False)


def print_beside(message: str) -> None:
    """Print a line about the results, beside them."""
    click.echo(message, err=is_output_taken())


Item = TypeVar("Item")

INTERVAL_S = 30.0
"""Seconds between two lines where standard error is not a terminal."""


def _is_quiet() -> bool:
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.find_root().params.get("quiet"))


def note(text: str) -> None:
    """Print a line on standard error that is no warning, unless the command is quiet."""
    if not _is_quiet():
        click.echo(text, err=True)


@dataclass
class Latest:
    """What is known of the items that are not done."""

    text: str = ""
    show: Callable[[], object] = bool
    """Shows the text; set by `progress`."""

    def refresh(self) -> None:
        """Show the text before the next item is done."""
        self.show()


def progress(  # noqa: PLR0913, PLR0917 -- what a bar shows
    items: Iterable[Item],
    what: str,
    total: int | None = None,
    amount: Callable[[Item], int] = lambda _: 1,
    detail: Callable[[], str] = str,
    latest: Latest | None = None,
) -> Iterator[Item]:
    """Yield the items while a bar or lines count them.

    Args:
        items: the items.
        what: the name of the work.
        total: the number of items, if it is known.
        amount: returns how much an item counts; called once for each.
        detail: returns what is shown behind the count.
        latest: its `refresh` shows a new detail before the next item is done.
    """
    console = _console(sys.stderr)
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[detail]}", table_column=Column(), markup=False),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal or _is_quiet(),
    )
    done, begin = 0, time.monotonic()
    last = begin

    def show(step: int = 0) -> None:
        nonlocal done, last
        done += step
        if not bar.disable:
            bar.update(task, advance=step, detail=detail())
        now = time.monotonic()
        if now - last >= INTERVAL_S and not console.is_terminal:
            last = now
            counted = f"{what}: {done:,}{'' if total is None else f' of {total:,}'}"
            with suppress(OSError):  # the reader of standard error has exited
                note(f"{', '.join(filter(None, (counted, detail())))}; {now - begin:.0f} s")

    with bar:
        task = bar.add_task(what, total=total, detail=detail())
        if latest is not None:
            latest.show = show
        for item in items:
            yield item
            show(amount(item))


def run_progress(
    runs: Iterable[RunSummary], total: int | None, made: Sized, latest: Latest | None = None
) -> Iterator[RunSummary]:
    """Yield the summaries of runs while a bar or lines count them.

    A bar also has the rate of the runs in `made`, the new ones.
    """
    claimed = valid = unexplained = 0
    begin = time.monotonic()
    is_bar = sys.stderr.isatty()

    def count(run: RunSummary) -> int:
        nonlocal claimed, valid, unexplained
        claimed += run.claimed
        valid += run.solved
        unexplained += run.unexplained
        return 1

    def detail() -> str:
        rate = 60 * len(made) / (time.monotonic() - begin)
        counts = f"{claimed} claimed, {valid} valid, {unexplained} unexplained"
        counts += latest.text if latest is not None else ""
        return f"{counts} {rate:.1f}/min" if is_bar else counts

    yield from progress(runs, "running", total, count, detail, latest)
