"""The options ``--latex`` and ``--markdown`` of the commands that print tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from pddl_pipeline.cli.file_type import OUTPUT
from pddl_pipeline.cli.options import with_options
from pddl_pipeline.io.files import write_file
from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.tables.named_table import NamedTable, latex_document, markdown_document

_OPTIONS: Final = (
    click.option(
        "--markdown", type=OUTPUT, is_flag=False, flag_value=STANDARD, metavar="[FILE]",
        help="Write every table as Markdown; without FILE, to standard output.",
    ),
    click.option(
        "--latex", type=OUTPUT,
        help="Write every table as LaTeX; needs the packages booktabs and longtable.",
    ),
)  # fmt: skip


class TableFiles(NamedTuple):
    """The files that get every table; None if a file is not requested."""

    latex: Path | None
    markdown: Path | None

    def write(self, tables: Iterable[NamedTable]) -> None:
        """Write the tables.

        Raises:
            InputError: a file cannot be written.
        """
        found = list(tables)
        if self.latex is not None:
            write_file(self.latex, latex_document(found))
        if self.markdown is not None:
            write_file(self.markdown, markdown_document(found))


def table_files(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options; the command gets a `TableFiles` as ``documents``."""

    @wraps(command)
    def with_files(*values: Any, latex: Path | None, markdown: Path | None, **others: Any) -> Any:
        return command(*values, documents=TableFiles(latex, markdown), **others)

    return with_options(with_files, _OPTIONS)
