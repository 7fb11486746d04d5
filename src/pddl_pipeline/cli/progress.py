"""Progress on standard error: a bar on a terminal, elsewhere a line from time to time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import AbstractContextManager, nullcontext, suppress
from threading import Event, Thread
from typing import ClassVar, Final, Self, TypeVar

import click
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

INTERVAL_S = 30.0
"""Seconds between two lines where standard error is not a terminal."""
_QUIET: Final = f"{__name__}.quiet"


def _set_quiet(context: click.Context, _: click.Parameter, quiet: bool) -> None:  # noqa: FBT001
    context.meta[_QUIET] = quiet


QUIET: Final = click.option(
    "-q", "--quiet", is_flag=True, is_eager=True, expose_value=False, callback=_set_quiet,
    help="Print no progress and no notes on standard error. Warnings and errors are printed.",
)  # fmt: skip
"""The option of every command that shows progress."""


def _is_quiet() -> bool:
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET))


def note(text: str) -> None:
    """Print a line on standard error that is no warning, unless the command is quiet."""
    if not _is_quiet():
        click.echo(text, err=True)


def progress(
    items: Iterable[Item],
    what: str,
    total: int | None = None,
    amount: Callable[[Item], int] = lambda _: 1,
) -> Iterator[Item]:
    """Yield the items while a bar or lines count them; `amount` is how much an item counts."""
    done = 0
    with _bar(TextColumn("{task.description}")) as bar, _lines(lambda: _count(what, done, total)):
        task = bar.add_task(what, total=total)
        for item in items:
            yield item
            done += amount(item)
            bar.advance(task, amount(item))


def run_progress(
    runs: Iterable[RunSummary], total: int | None, made: Sized
) -> Iterator[RunSummary]:
    """Yield the summaries of runs while a bar or lines count them; `made` holds the new runs."""
    done = claimed = valid = unexplained = 0

    def counts() -> str:
        return f"{claimed} claimed, {valid} valid, {unexplained} unexplained"

    def line() -> str:
        return f"{_count('running', done, total)}, {counts()}"

    with (
        _bar(TextColumn("running"), TextColumn("{task.description}"), _Rate()) as bar,
        _lines(line),
    ):
        task = bar.add_task(counts(), total=total, made=made)
        for run in runs:
            yield run
            done += 1
            claimed += run.claimed
            valid += run.solved
            unexplained += run.unexplained
            bar.update(task, advance=1, description=counts())


def working(what: str) -> AbstractContextManager[object]:
    """Return a context in which lines name the work, whose steps are not counted."""
    return _lines(lambda: what)


def _count(what: str, done: int, total: int | None) -> str:
    return f"{what}: {done:,}{'' if total is None else f' of {total:,}'}"


class _Rate(ProgressColumn):
    """New runs per minute; runs that were already in the store do not count."""

    def render(self, task: Task) -> Text:
        elapsed = task.finished_time or task.elapsed or 0.0
        made = len(task.fields["made"])
        return Text(f"{60 * made / elapsed:.1f}/min" if elapsed and made else "-/min")


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
        disable=not console.is_terminal or _is_quiet(),
    )


def _lines(text: Callable[[], str]) -> AbstractContextManager[object]:
    """Return a context that prints lines, unless there is a bar or the command is quiet."""
    is_silent = _is_quiet() or Console(stderr=True).is_terminal
    return nullcontext() if is_silent else _Lines(text)


class _Lines(AbstractContextManager["_Lines"]):
    """Prints a line from time to time, in a thread: a single step may take longer than that."""

    _open: ClassVar[list[_Lines]] = []

    def __init__(self, text: Callable[[], str]) -> None:
        self._text = text
        self._begin = time.monotonic()
        self._ended = Event()
        self._thread = Thread(target=self._print, daemon=True)

    def _print(self) -> None:
        while not self._ended.wait(INTERVAL_S):
            # Of work in other work, only the inner one prints.
            if self._open[-1:] == [self]:
                seconds = time.monotonic() - self._begin
                with suppress(OSError):  # the reader of standard error has exited
                    click.echo(f"{self._text()}; {seconds:.0f} s", err=True)

    def __enter__(self) -> Self:
        self._open.append(self)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._thread.join()
        self._open.remove(self)
