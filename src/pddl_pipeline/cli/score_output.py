"""Prints the tables of scores on standard output."""

from __future__ import annotations

import click
from rich.console import Console

from pddl_pipeline.cli.table_output import output_console, rich_table
from pddl_pipeline.scoring.score_tables import (
    ScoreTables,
    error_table,
    group_table,
    model_table,
    tables_json,
)
from pddl_pipeline.tables.text_table import TextTable


def print_scores(tables: ScoreTables, *, as_json: bool) -> None:
    """Print the number of faulty rows, then the tables; or all as JSON, one object per line."""
    if as_json:
        click.echo(tables_json(tables), nl=False)
        return
    console = output_console()
    if tables.faults:
        console.print(f"Rows that are not answers, excluded from the tables: {tables.faults}")
    _print(console, None, model_table(tables))
    for by in tables.groups:
        _print(console, f"By {by}", group_table(tables, by))
    _print(console, "What is wrong (an answer may have several errors)", error_table(tables))


def _print(console: Console, title: str | None, table: TextTable) -> None:
    if not table.rows:
        return
    if title is not None:
        console.print(f"\n{title}")
    console.print(rich_table(table))
