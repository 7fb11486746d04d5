"""Prints the reasons for skipped questions, and the tables of marked answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from pddl_pipeline.cli.console import output_console
from pddl_pipeline.questions.summary import KindSummary, accuracy_table, mistake_table


class SkipLog:
    """Collects the reasons why questions were skipped."""

    def __init__(self) -> None:
        self._instances: dict[tuple[str, str], list[str]] = {}

    def add(self, instance: str, kind: str, reason: str) -> None:
        """Record the reason why an instance has no question of a kind."""
        self._instances.setdefault((kind, reason), []).append(instance)

    def print(self) -> None:
        """Print the reasons on standard error, one line per kind and reason."""
        for (kind, reason), instances in self._instances.items():
            more = f" and {len(instances) - 1} more" if len(instances) > 1 else ""
            click.echo(f"no question: {kind}: {instances[0]}{more}: {reason}", err=True)


def print_summary(
    summaries: Sequence[KindSummary], groups: Mapping[str, Sequence[KindSummary]]
) -> None:
    """Print the table of accuracies, one for each grouping, and that of mistakes if there are any.

    Args:
        summaries: the answers by kind.
        groups: the answers by kind and group, by name of the grouping.
    """
    console = output_console()
    console.print(accuracy_table(summaries))
    for by, found in groups.items():
        console.print(f"\nBy {by}")
        console.print(accuracy_table(found, by))
    mistakes = mistake_table(summaries)
    if mistakes.rows:
        console.print(mistakes)
