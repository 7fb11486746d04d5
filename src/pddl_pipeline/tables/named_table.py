"""Tables with captions, and documents of several of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pddl_pipeline.tables.text_table import TextTable, markdown_text


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table with its caption."""

    caption: str
    table: TextTable


def latex_document(tables: Iterable[NamedTable]) -> str:
    r"""Return the tables as LaTeX, to be read with ``\input``; empty tables are left out.

    The preamble needs the packages booktabs and longtable. Each table has a label, such as
    ``tab:coverage-and-scores``. Characters that pdfLaTeX does not know are written by their codes.
    """
    head = "% Requires \\usepackage{booktabs} and \\usepackage{longtable}.\n"
    parts = [
        table.table.to_latex(
            caption=table.caption,
            label=f"tab:{re.sub('[^a-z0-9]+', '-', table.caption.lower()).strip('-')}",
        )
        for table in tables
        if table.table.rows
    ]
    codes = [
        f"\\expandafter\\providecommand\\csname u8:{sign}\\endcsname{{[U+{ord(sign):04X}]}}"
        for sign in sorted({*"".join(parts)})
        if not sign.isascii()
    ]
    return "\n".join([head, *codes, *parts])


def markdown_document(tables: Iterable[NamedTable]) -> str:
    """Return the tables as Markdown, each below its heading; empty tables are left out."""
    return "\n".join(
        f"## {markdown_text(table.caption)}\n\n{table.table.to_markdown()}"
        for table in tables
        if table.table.rows
    )
