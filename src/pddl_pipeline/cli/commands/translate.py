"""``pddl-pipeline translate``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import click

from pddl_pipeline.cli.console import progress
from pddl_pipeline.cli.options import (
    PLACE,
    Data,
    DataOptions,
    Encoding,
    Lenient,
    Limit,
    Rules,
    cli_command,
    pairs,
)
from pddl_pipeline.cli.status import warn
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.text import counted
from pddl_pipeline.translators.datasets import load_records
from pddl_pipeline.translators.export import MANIFEST, export
from pddl_pipeline.translators.formats.format import ReadOptions, raise_it


def _folders(_: click.Context, __: click.Parameter, given: Sequence[str]) -> dict[str, Path]:
    found = {}
    for text in given:
        name, _equals, place = text.rpartition("=")
        if not Path(place).is_dir():
            raise InputError("is not a folder", file=place)
        found[name] = Path(place)
    return found


@dataclass(frozen=True)
class _SourceOptions(DataOptions):
    """How a command reads datasets of every kind."""

    columns: Annotated[dict[str, str], click.option(
        "--column", multiple=True, metavar="FIELD=COLUMN", callback=pairs,
        help="The column that contains a field of the record, such as numbers=digits; may be "
        "repeated.",
    ), "Data"]  # fmt: skip
    folders: Annotated[dict[str, Path], click.option(
        "--folder", multiple=True, metavar="[NAME=]DIR", callback=_folders,
        help="Folder of the problem files that a list names; may be repeated. NAME is the "
        "folder's name in the list.",
    ), "Data"]  # fmt: skip
    rules: Rules
    lenient: Lenient

    def reading(
        self, limit: int | None = None, on_unread: Callable[[InputError], None] = raise_it
    ) -> ReadOptions:
        """Return what the options say; see `DataOptions.reading`."""
        return replace(
            super().reading(limit, on_unread),
            columns=self.columns,
            folders=self.folders,
            rules=self.rules,
            on_ignored=warn if self.lenient else None,
        )


@cli_command("translate", "translate examples/ferry.jsonl -o ferry-pddl")
def command(
    data: Data,
    output: Annotated[str, click.option(
        "-o", "output", type=PLACE, required=True, metavar="DIR",
        help="Output folder: a new or empty one, or an earlier output, which is replaced.",
    ), "Output"],
    limit: Limit,
    encoding: Encoding,
    source: _SourceOptions,
) -> None:  # fmt: skip
    """Write the instances of datasets as PDDL files.

    DATA are files in any format that `pddl-pipeline list formats` shows, or folders of PDDL; - is
    standard input. The command writes problems/ID.pddl, domain.pddl, manifest.jsonl and
    instances.jsonl to DIR. Other commands read DIR, so that what the options here say about the
    data need not be repeated.

    Exit status: 0 done, 2 bad input.
    """
    for each in [*map(Path, data), *source.folders.values()]:
        if each.exists() and each.resolve().is_relative_to(Path(output).resolve()):
            raise InputError("is in the output folder and would be overwritten", file=str(each))
    instances = load_records(*data, source=source.reading(limit))
    is_there = (Path(output) / MANIFEST).exists()
    count = export(progress(instances, "translating", limit), Path(output), encoding=encoding)
    replaced = ", which replace the earlier ones" if is_there else ""
    click.echo(f"{counted(count, 'problem')} in {output}{replaced}")
