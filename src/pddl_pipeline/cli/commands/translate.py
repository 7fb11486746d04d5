"""``pddl-pipeline translate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import click

from pddl_pipeline.cli.console import QUIET, progress
from pddl_pipeline.cli.options import PLACE, Data, DataOptions, Encoding, Limit, cli_command
from pddl_pipeline.model.text import plural
from pddl_pipeline.translators.datasets import load_records
from pddl_pipeline.translators.export import MANIFEST, export


@QUIET
@cli_command("translate", "translate examples/ferry.jsonl -o ferry-pddl")
def command(
    data: Data,
    output: Annotated[str, click.option(
        "-o", "output", type=PLACE, required=True, metavar="DIR",
        help="Output folder: a new or empty one, or an earlier output, which is replaced.",
    )],
    limit: Limit,
    encoding: Encoding,
    source: DataOptions,
) -> None:  # fmt: skip
    """Write the instances of datasets as PDDL files.

    DATA are files in any format that `pddl-pipeline domains` lists, or folders of PDDL; - is
    standard input. The command writes problems/ID.pddl, domain.pddl, manifest.jsonl and
    instances.jsonl to DIR.

    Exit status: 0 done, 2 bad input.
    """
    instances = load_records(*data, source=source.reading(limit))
    is_there = (Path(output) / MANIFEST).exists()
    count = export(progress(instances, "translating", limit), Path(output), encoding=encoding)
    replaced = ", which replace the earlier ones" if is_there else ""
    click.echo(f"{count} {plural(count, 'problem')} in {output}{replaced}")
