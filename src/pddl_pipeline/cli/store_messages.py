"""What commands print about run stores on standard error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import click

from pddl_pipeline.cli.messages import warn
from pddl_pipeline.model.plural import plural
from pddl_pipeline.runs.rejudging import Change, Rejudged
from pddl_pipeline.runs.store import RunStore
from pddl_pipeline.validation.version import VERDICT_CHANGES, VERDICT_VERSION


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


def report_rejudged(folder: Path, done: Rejudged) -> None:
    """Print what was judged again in a store: every change, and why other verdicts stay."""
    if not done.judged and not done.left:
        click.echo(f"{folder}: no verdict is older than version {VERDICT_VERSION}", err=True)
        return
    kept = f"; the old lines are in {done.replaced.file}" if done.replaced else ""
    changed = f"{_counted(len(done.changes), 'verdict')} changed"
    click.echo(f"{folder}: judged {_counted(done.judged, 'plan')} again, {changed}{kept}", err=True)
    for change in done.changes:
        click.echo(f"  {_change_text(change)}", err=True)
    for reason, number in Counter(each.reason for each in done.left).items():
        first = next(each for each in done.left if each.reason == reason)
        one = f"{first.id} ({first.planner})"
        which = one if number == 1 else f"{one} and {number - 1} more"
        click.echo(f"{folder}: left the verdict on {which}: {reason}", err=True)


def _change_text(change: Change) -> str:
    reason = f" ({change.reason})" if change.reason else ""
    return f"{change.id} ({change.planner}): {change.old} -> {change.new}{reason}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {plural(number, noun)}"
