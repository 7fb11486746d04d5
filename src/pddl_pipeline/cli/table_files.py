"""The options ``--latex`` and ``--markdown`` of the commands that print tables."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click

from pddl_pipeline.cli.file_type import OUTPUT
from pddl_pipeline.io.files import write_file
from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.tables.named_table import NamedTable, latex_document, markdown_document

LATEX: Final = click.option(
    "--latex", type=OUTPUT,
    help="Write every table as LaTeX; needs the packages booktabs and longtable.",
)  # fmt: skip
MARKDOWN: Final = click.option(
    "--markdown", type=OUTPUT, is_flag=False, flag_value=STANDARD, metavar="[FILE]",
    help="Write every table as Markdown; without FILE, to standard output.",
)  # fmt: skip


def write_tables(tables: Iterable[NamedTable], latex: Path | None, markdown: Path | None) -> None:
    """Write tables to the files that are requested.

    Raises:
        InputError: a file cannot be written.
    """
    found = list(tables)
    if latex is not None:
        write_file(latex, latex_document(found))
    if markdown is not None:
        write_file(markdown, markdown_document(found))
