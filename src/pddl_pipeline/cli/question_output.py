"""Prints what is to be said of questions that are made and marked."""

from __future__ import annotations

from collections.abc import Sequence

import click

from pddl_pipeline.cli.table_output import output_console, rich_table
from pddl_pipeline.questions.summary import KindSummary, accuracy_table, mistake_table


class SkipLog:
    """Collects why there are fewer questions than were asked for."""

    def __init__(self) -> None:
        self._instances: dict[tuple[str, str], list[str]] = {}

    def add(self, instance: str, kind: str, reason: str) -> None:
        """Take note of one instance."""
        self._instances.setdefault((kind, reason), []).append(instance)

    def tell(self) -> None:
        """Print them on standard error, instances with the same one together."""
        for (kind, reason), instances in self._instances.items():
            more = f" and {len(instances) - 1} more" if len(instances) > 1 else ""
            click.echo(f"no question: {kind}: {instances[0]}{more}: {reason}", err=True)


def print_summary(summaries: Sequence[KindSummary]) -> None:
    """Print the tables of accuracies and, where there are any, of mistakes."""
    console = output_console()
    console.print(rich_table(accuracy_table(summaries)))
    mistakes = mistake_table(summaries)
    if mistakes.rows:
        console.print(rich_table(mistakes))
