"""``pddl-pipeline translate``."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import click

from pddl_pipeline.cli.progress import progress
from pddl_pipeline.translators.export import export
from pddl_pipeline.translators.records import load_records


@click.command(
    "translate", epilog="Example: pddl-pipeline translate examples/ferry.jsonl -o ferry-pddl"
)
@click.argument("data", nargs=-1, required=True, metavar="DATA...")
@click.option("-o", "output", required=True, metavar="DIR", help="Folder to write.")
@click.option("--limit", type=click.IntRange(min=1), help="Stop after this many instances.")
def command(data: tuple[str, ...], output: str, limit: int | None) -> None:
    """Write the instances of datasets as PDDL files.

    DATA are files of JSON lines. DIR gets problems/ID.pddl, domain.pddl, manifest.jsonl and
    instances.jsonl.
    """
    instances = islice(load_records(*data), limit)
    count = export(progress(instances, "translating", limit), Path(output))
    click.echo(f"{count} problems in {output}")
