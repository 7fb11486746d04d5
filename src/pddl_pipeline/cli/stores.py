"""What commands do with run stores: judge their plans again, and print what is damaged or old."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from pddl_pipeline.cli.messages import warn
from pddl_pipeline.cli.progress import progress, working
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.plural import plural
from pddl_pipeline.runs.dataset_problems import DatasetProblems
from pddl_pipeline.runs.rejudging import Rejudged, rejudge
from pddl_pipeline.runs.store import RunStore, check_store
from pddl_pipeline.translators.datasets import load_records
from pddl_pipeline.translators.formats.format import ReadOptions
from pddl_pipeline.validation.version import VERDICT_CHANGES, VERDICT_VERSION


def rejudge_stores(  # noqa: PLR0913 -- what the options say
    folders: Sequence[Path],
    data: Sequence[str],
    how: ReadOptions,
    planners: Sequence[str],
    *,
    limits: Limits | None = None,
    repair: bool = False,
) -> None:
    """Judge the plans of run stores again and print what changed.

    Args:
        folders: the stores.
        data: the datasets with the problems that the stores do not have.
        how: how to read them.
        planners: see `DatasetProblems`.
        limits: see `DatasetProblems`.
        repair: whether to move damaged lines of the stores to another file.

    Raises:
        InputError: a folder is not a run store, or the data cannot be read.
        StoreError: a store has a damaged line, or another process writes to it.
    """
    for folder in folders:
        check_store(folder)
    with DatasetProblems(planners, limits) as problems:
        if data:
            for instance in progress(load_records(*data, source=how), "reading"):
                problems.add(instance)
        for folder in folders:
            with RunStore(folder, repair=repair) as store, working("judging stored plans"):
                report_damage(store)
                done = rejudge(store, problems)
            _report_rejudged(folder, done)


def report_damage(store: RunStore) -> None:
    """Print which lines were removed when the store was opened."""
    if store.torn_lines:
        removed = f"removed {_counted(store.torn_lines, 'incomplete line')}"
        click.echo(f"{store.folder}: {removed}", err=True)
    for moved in store.moved:
        lines = _counted(moved.lines, "damaged line")
        click.echo(f"{store.folder}: moved {lines} to {moved.file}", err=True)


def warn_of_age(older: Mapping[int, int], advice: str) -> None:
    """Print a warning if stored verdicts are of older versions.

    Args:
        older: the number of verdicts by version.
        advice: how to judge the plans again.
    """
    if not older:
        return
    counts = ", ".join(
        f"{_counted(number, 'stored verdict')} of version {version}"
        for version, number in sorted(older.items())
    )
    changes = "; ".join(
        f"version {version} changed verdicts ({changed})"
        for version, changed in VERDICT_CHANGES.items()
        if version > min(older)
    )
    warn(f"{counts}: {changes}; {advice}")


def _report_rejudged(folder: Path, done: Rejudged) -> None:
    """Print what was judged again in a store: every change, and why other verdicts stay."""
    if not done.judged and not done.left:
        click.echo(f"{folder}: no verdict is older than version {VERDICT_VERSION}", err=True)
        return
    kept = f"; the old lines are in {done.replaced.file}" if done.replaced else ""
    changed = f"{_counted(len(done.changes), 'verdict')} changed"
    click.echo(f"{folder}: judged {_counted(done.judged, 'plan')} again, {changed}{kept}", err=True)
    for change in done.changes:
        reason = f" ({change.reason})" if change.reason else ""
        text = f"{change.id} ({change.planner}): {change.old} -> {change.new}{reason}"
        click.echo(f"  {text}", err=True)
    for reason, number in Counter(each.reason for each in done.left).items():
        first = next(each for each in done.left if each.reason == reason)
        one = f"{first.id} ({first.planner})"
        which = one if number == 1 else f"{one} and {number - 1} more"
        click.echo(f"{folder}: left the verdict on {which}: {reason}", err=True)


def _counted(number: int, noun: str) -> str:
    return f"{number} {plural(number, noun)}"
