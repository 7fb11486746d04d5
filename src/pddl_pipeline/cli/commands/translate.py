"""``pddl-pipeline translate``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from pddl_pipeline.cli.data_options import DATA, LIMIT, source
from pddl_pipeline.cli.options import ENCODING, PLACE
from pddl_pipeline.cli.progress import QUIET, progress
from pddl_pipeline.model.plural import plural
from pddl_pipeline.translators.datasets import ReadOptions, load_records
from pddl_pipeline.translators.export import MANIFEST, export


@click.command(
    "translate", epilog="Example: pddl-pipeline translate examples/ferry.jsonl -o ferry-pddl"
)
@DATA
@click.option(
    "-o", "output", type=PLACE, required=True, metavar="DIR",
    help="Output folder: a new or empty one, or an earlier output, which is replaced.",
)  # fmt: skip
@LIMIT
@ENCODING
@source
@QUIET
def command(
    data: tuple[str, ...], output: str, limit: int | None, encoding: str, how: ReadOptions
) -> None:
    """Write the instances of datasets as PDDL files.

    DATA are files in any format that `pddl-pipeline domains` lists, or folders of PDDL; - is
    standard input. The command writes problems/ID.pddl, domain.pddl, manifest.jsonl and
    instances.jsonl to DIR.

    Exit status: 0 done, 2 bad input.
    """
    instances = load_records(*data, source=replace(how, limit=limit))
    is_there = (Path(output) / MANIFEST).exists()
    count = export(progress(instances, "translating", limit), Path(output), encoding=encoding)
    replaced = ", which replace the earlier ones" if is_there else ""
    click.echo(f"{count} {plural(count, 'problem')} in {output}{replaced}")
