"""What commands print about run stores: reports, damage, and verdicts judged again."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import click
from rich.console import Console

from pddl_pipeline.cli.console import output_console
from pddl_pipeline.cli.status import DONE, UNEXPLAINED, warn
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.text import counted
from pddl_pipeline.reporting.report import Report
from pddl_pipeline.reporting.report_tables import (
    SHARE_NOTE,
    brief_table,
    ending,
    outcome_table,
    progress_text,
    repeated,
)
from pddl_pipeline.reporting.run_comparison import (
    RunComparison,
    change_text,
    changed_runs,
    summary_table,
    test_table,
)
from pddl_pipeline.runs.rejudging import Rejudged, rejudge
from pddl_pipeline.runs.store import RunStore, check_store, store_folders
from pddl_pipeline.validation.version import VERDICT_VERSION

_LISTED: Final = 5
_CHANGES: Final = 20
_ALL: Final = "; --html and --json have all of them"


def print_report(report: Report, compared: Sequence[RunComparison] = ()) -> None:
    """Print the runs that need attention, most urgent first, then the tables."""
    console = output_console()
    for planner, number in report.facts.mixed.items():
        warn(
            f"{planner}: {counted(number, 'instance')} with repetitions under different limits; "
            "use a folder for each setting"
        )
    undirected, rewritten = (
        report.facts.counts[name][True] for name in ("undirected", "rewritten")
    )
    if undirected:
        warn(
            f"{counted(undirected, 'run')} of a former version do not say whether the "
            "metric is maximised, so that less counts as better; `pddl-pipeline rejudge` adds it"
        )
    if report.missing:
        console.print(f"Incomplete: {progress_text(report)}. Missing runs count as not solved.")
    if report.unread:
        console.print(f"PDDL files that cannot be read, without runs: {len(report.unread)}")
        _print_some(console, report.unread, len(report.unread), _CHANGES)
    for title, results in report.sections:
        if results:
            console.print(f"{title}: {len(results)}{_kinds(results)}")
            _print_some(
                console,
                (f"{result.name} ({result.planner}): {report.why(result)}" for result in results),
                len(results),
                _LISTED,
            )
    if rewritten:
        console.print(f"Runs with canonical PDDL: {rewritten} of {len(report.runs)}")
    console.print(
        brief_table(report, "counts", "unsolvable", "time", "model", "coverage", "scores", "cats")
    )
    _print_repetitions(console, report)
    outcomes = outcome_table(report)
    if len(outcomes.headings) > 2:  # with a single outcome the counts are not informative
        console.print(outcomes)
    _print_unequal(console, report)
    for each in compared:
        _print_comparison(console, each)


def _print_some(
    console: Console, lines: Iterable[str], number: int, most: int, where: str = ""
) -> None:
    """Print the first of a number of lines, and how many more there are."""
    for line in islice(lines, most):
        console.print(f"  {line}", soft_wrap=True)
    if number > most:
        console.print(f"  and {number - most} more{where}")


def _print_repetitions(console: Console, report: Report) -> None:
    """Print the spread of each planner on each instance with several repetitions."""
    number = report.facts.repeated
    if number:
        console.print(
            f"Repetitions: solved, and mean (best to worst) of cost and time. {SHARE_NOTE}",
            soft_wrap=True,
        )
    _print_some(
        console,
        (
            f"{'/'.join(each.instance)} ({each.planner}): {ending(each)}"
            for each in repeated(report)
        ),
        number,
        _CHANGES,
        _ALL,
    )


def _print_comparison(console: Console, compared: RunComparison) -> None:
    """Print the numbers of better and worse instances, and the instances, the lost ones first."""
    console.print()
    for each in (summary_table(compared), test_table(compared)):
        console.print(each.caption, soft_wrap=True)
        console.print(each.table)
    changed = changed_runs(compared)
    _print_some(console, map(change_text, changed), len(changed), _CHANGES, _ALL)


def _print_unequal(console: Console, report: Report) -> None:
    """Name the domains in which the planners' means are over different instances."""
    unequal = ", ".join(report.facts.unequal)
    if unequal:
        console.print(
            f"Not comparable, since the planners solved different instances: mean cost and mean "
            f"time in {unequal}. --html and --json have means over common instances.",
            markup=False,
            soft_wrap=True,
        )


def _kinds(results: Iterable[RunResult]) -> str:
    """Return how the runs without a plan ended and their counts, in parentheses."""
    counts = Counter(filter(None, map(_kind, results)))
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    return f" ({kinds})" if kinds else ""


def _kind(result: RunResult) -> str:
    """Return what the title of a list leaves open: an outcome, or whether a claim is confirmed."""
    if result.claims_unsolvable:
        return "confirmed" if result.confirmed_by else str(result.status or "")
    return "" if result.claimed or result.outcome.unexplained else str(result.outcome)


def rejudge_stores(stores: Iterable[str]) -> int:
    """Judge the plans of run stores, or folders of shards, again and print what changed.

    Return the exit status.

    Raises:
        InputError: a folder is not a run store.
        StoreError: another process writes to a store.
    """
    status = DONE
    folders = [folder for each in stores for folder in store_folders(Path(each))]
    for folder in folders:
        # All of them before the first is changed.
        check_store(folder)
    for folder in folders:
        with RunStore(folder) as store:
            status = max(status, report_damage(store))
            done = rejudge(store)
        for line in _rejudged_lines(folder, done):
            click.echo(line)
    return status


def report_damage(store: RunStore) -> int:
    """Print which lines were removed when the store was opened; return the exit status."""
    if store.torn_lines:
        removed = f"removed {counted(store.torn_lines, 'incomplete line')}"
        click.echo(f"{store.folder}: {removed}", err=True)
    return warn_of_damage(store.damaged)


def warn_of_damage(damaged: Collection[str]) -> int:
    """Print what is wrong with damaged lines of stores; return the exit status."""
    for fault in damaged:
        warn(fault)
    return UNEXPLAINED if damaged else DONE


def warn_of_age(older: Mapping[int, int], stores: Iterable[str | Path]) -> None:
    """Print a warning if stored verdicts are of older versions, with the command to renew them.

    Args:
        older: the number of verdicts by version.
        stores: the folders of the stores.
    """
    if not older:
        return
    counts = ", ".join(
        f"{counted(number, 'stored verdict')} of version {version}"
        for version, number in sorted(older.items())
    )
    command = shlex.join(["pddl-pipeline", "rejudge", *map(str, stores)])
    warn(
        f"{counts}: version {VERDICT_VERSION} may judge differently; `{command}` judges the plans "
        "again"
    )


def _rejudged_lines(folder: Path, done: Rejudged) -> Iterator[str]:
    """Yield what was judged again in a store: every change, and why other verdicts stay."""
    if not done.judged and not done.left:
        yield f"{folder}: no verdict is older than version {VERDICT_VERSION}"
        return
    kept = f"; the old lines are in {done.replaced}" if done.replaced else ""
    changed = f"{counted(len(done.changes), 'verdict')} changed"
    yield f"{folder}: judged {counted(done.judged, 'plan')} again, {changed}{kept}"
    for change in done.changes:
        reason = f" ({change.reason})" if change.reason else ""
        yield f"  {change.id} ({change.planner}): {change.old} -> {change.new}{reason}"
    for reason, runs in done.left.items():
        which = runs[0] if len(runs) == 1 else f"{runs[0]} and {len(runs) - 1} more"
        yield f"{folder}: left the verdict on {which}: {reason}"
