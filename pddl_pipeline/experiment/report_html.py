"""A report as one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from pddl_pipeline.experiment.report import Report, Section
from pddl_pipeline.experiment.report_table import HEADINGS, cells, why

_STYLE: Final = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem;
       color: #1a1a1a; }
table { border-collapse: collapse; margin: 1rem 0 2rem; }
th, td { padding: .35rem .9rem; border-bottom: 1px solid #ddd; text-align: left;
         vertical-align: top; }
th { border-bottom: 2px solid #888; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
tr.gap td { background: #fff3d6; }
p.note { color: #555; max-width: 50rem; }
"""
_NOTE: Final = (
    "A planner's plan is a claim. It counts as validated when the exact validator accepts it, "
    "within its budget where there is one. Cost and time are means over validated plans; rows in "
    "which claims failed are marked."
)


def report_html(report: Report) -> str:
    """Return the page: what nobody can explain first, then the table, then the other runs."""
    marked = [row.claimed > row.validated for row in report.rows]
    parts = [
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>",
        f"<title>pddl-pipeline report</title><style>{_STYLE}</style></head><body>",
        "<h1>Planner runs</h1>",
        *map(_section, report.urgent),
        f"<p class='note'>{_NOTE}</p>",
        _table(HEADINGS, map(cells, report.rows), marked),
        *map(_section, report.further),
        "</body></html>\n",
    ]
    return "\n".join(filter(None, parts))


def _section(section: Section) -> str:
    title, results = section
    if not results:
        return ""
    rows = [
        (r.id, r.domain, r.planner, str(r.outcome), str(r.status or "-"), why(r)) for r in results
    ]
    headings = ("instance", "domain", "planner", "outcome", "verdict", "why")
    return f"<h2>{escape(title)} ({len(results)})</h2>\n{_table(headings, rows)}"


def _table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], marked: Sequence[bool] = ()
) -> str:
    """Return a table; its columns with numbers are those that `HEADINGS` has after the second."""
    numbers = headings is HEADINGS
    head = _cells("th", headings, numbers=numbers)
    body = [
        f"<tr{' class=gap' if marked and marked[index] else ''}>"
        f"{_cells('td', row, numbers=numbers)}</tr>\n"
        for index, row in enumerate(rows)
    ]
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{''.join(body)}</tbody></table>"


def _cells(tag: str, values: Sequence[str], *, numbers: bool) -> str:
    return "".join(
        f"<{tag}{' class=number' if numbers and index >= 2 else ''}>{escape(value)}</{tag}>"
        for index, value in enumerate(values)
    )
