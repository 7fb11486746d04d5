"""A report as one HTML file that needs nothing else."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from html import escape
from typing import Final

from pddl_pipeline.experiment.reporting.report import Report, Section
from pddl_pipeline.experiment.reporting.table import (
    coverage_table,
    outcome_table,
    size_table,
)
from pddl_pipeline.experiment.reporting.text_table import TextTable

_STYLE: Final = """
body { font: 13px/1.5 system-ui, sans-serif; max-width: 92rem; margin: 2rem auto; padding: 0 1rem;
       color: #1a1a1a; background: #fff; }
div.wide { overflow-x: auto; margin: 1rem 0 2rem; }
table { border-collapse: collapse; }
th, td { padding: .3rem .4rem; border-bottom: 1px solid #ddd; text-align: left;
         vertical-align: top; }
th { border-bottom: 2px solid #888; vertical-align: bottom; }
td:nth-child(-n+3) { white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
tr.gap td { background: #fff3d6; }
p.note { color: #555; max-width: 50rem; }
summary { cursor: pointer; font-size: 1.3rem; font-weight: 600; margin: 1rem 0; }
figure { margin: 1rem 0 2rem; }
img { max-width: 100%; height: auto; }
"""
_NOTE: Final = (
    "A planner's plan is a claim. It counts as validated when the exact validator accepts it, "
    "within its budget where there is one; coverage is the share of the validated. Cost and time "
    "are means over validated plans, so they tell nothing of two planners that solved different "
    "instances; those marked 'common' are over the instances that every planner of the domain "
    "solved. PAR-2 counts an instance that is not solved with twice its time limit. IPC sat adds "
    "C*/C, with the cheapest known plan as C*, IPC agile adds 1 - log T / log limit. Rows in which "
    "claims failed are marked."
)
_LONG: Final = 20


def report_html(report: Report) -> str:
    """Return the page: what nobody can explain first, then the tables, then the other runs."""
    parts = [
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>",
        f"<title>pddl-pipeline report</title><style>{_STYLE}</style></head><body>",
        "<h1>Planner runs</h1>",
        *(_section(report, section) for section in report.urgent),
        "<h2>Coverage and scores</h2>",
        f"<p class='note'>{_NOTE}</p>",
        _table(coverage_table(report)),
        "<h2>How the runs ended</h2>",
        _table(outcome_table(report)),
        "<h2>Plots</h2>",
        _plots(report),
        _folded("By size", size_table(report)),
        *(_section(report, section) for section in report.further),
        "</body></html>\n",
    ]
    return "\n".join(filter(None, parts))


def _plots(report: Report) -> str:
    try:
        from pddl_pipeline.experiment.reporting.plots import (  # noqa: PLC0415 -- an extra
            report_plots,
        )
    except ImportError:
        return (
            "<p class='note'>Plots need matplotlib: "
            "<code>pip install pddl-pipeline[report]</code></p>"
        )
    figures = [
        f"<figure><figcaption>{escape(plot.title)}</figcaption><img alt='{escape(plot.title)}' "
        f"src='data:{plot.media_type};base64,{b64encode(plot.data).decode()}'></figure>"
        for plot in report_plots(report)
    ]
    return "\n".join(figures) or "<p class='note'>Nothing was solved, so there are none.</p>"


def _section(report: Report, section: Section) -> str:
    title, results = section
    if not results:
        return ""
    rows = tuple(
        (r.id, r.domain, r.planner, str(r.outcome), str(r.status or "-"), report.why(r))
        for r in results
    )
    headings = ("instance", "domain", "planner", "outcome", "verdict", "why")
    return _folded(f"{title} ({len(rows)})", TextTable(headings, rows, names=len(headings)))


def _folded(title: str, table: TextTable) -> str:
    """Return a table that can be folded away, and is where it is long."""
    opened = " open" if len(table.rows) <= _LONG else ""
    return f"<details{opened}><summary>{escape(title)}</summary>\n{_table(table)}</details>"


def _table(table: TextTable) -> str:
    head = _cells("th", table.headings, table.names)
    body = [
        f"<tr{' class=gap' if table.marked and table.marked[index] else ''}>"
        f"{_cells('td', row, table.names)}</tr>\n"
        for index, row in enumerate(table.rows)
    ]
    return (
        f"<div class='wide'><table><thead><tr>{head}</tr></thead><tbody>\n"
        f"{''.join(body)}</tbody></table></div>"
    )


def _cells(tag: str, values: Sequence[str], names: int) -> str:
    return "".join(
        f"<{tag}{' class=number' if index >= names else ''}>{escape(value)}</{tag}>"
        for index, value in enumerate(values)
    )
