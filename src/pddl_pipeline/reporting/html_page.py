"""A report as one self-contained HTML file."""

from __future__ import annotations

from html import escape
from typing import Final

from pddl_pipeline.model.extras import install_command
from pddl_pipeline.reporting.report import Report, Section
from pddl_pipeline.reporting.table import coverage_table, outcome_table, size_table
from pddl_pipeline.tables.html_page import folded, html_figure, html_page
from pddl_pipeline.tables.text_table import TextTable

_NOTE: Final = (
    "A planner's plan is a claim. It counts as validated if the exact validator accepts it, within "
    "its budget if there is one; coverage is the share of validated instances. Cost and time are "
    "means over validated plans, so they cannot compare planners that solved different instances; "
    "those marked 'common' are over the instances that every planner of the domain solved. PAR-2 "
    "counts an unsolved instance as twice its time limit. IPC sat adds C*/C, with the cheapest "
    "known plan as C*; IPC agile adds 1 - log T / log limit. Rows with claims that failed "
    "validation are highlighted."
)


def report_html(report: Report) -> str:
    """Return the page: the urgent runs first, then the tables, then the other listed runs."""
    parts = [
        "<h1>Planner runs</h1>",
        *(_section(report, section) for section in report.urgent),
        "<h2>Coverage and scores</h2>",
        f"<p class='note'>{_NOTE}</p>",
        coverage_table(report).to_html(),
        "<h2>How the runs ended</h2>",
        outcome_table(report).to_html(),
        "<h2>Plots</h2>",
        _plots(report),
        folded("By size", size_table(report)),
        *(_section(report, section) for section in report.further),
    ]
    return html_page("pddl-pipeline report", parts)


def _plots(report: Report) -> str:
    try:
        from pddl_pipeline.reporting.plots import report_plots  # noqa: PLC0415 -- an extra
    except ImportError:
        return (
            "<p class='note'>Plots require matplotlib: "
            f"<code>{escape(install_command('report'), quote=False)}</code></p>"
        )
    figures = [html_figure(plot.title, plot.media_type, plot.data) for plot in report_plots(report)]
    return "\n".join(figures) or "<p class='note'>No plots: no instance was solved.</p>"


def _section(report: Report, section: Section) -> str:
    title, results = section
    if not results:
        return ""
    rows = tuple(
        (r.id, r.domain, r.planner, str(r.outcome), str(r.status or "-"), report.why(r))
        for r in results
    )
    headings = ("instance", "domain", "planner", "outcome", "verdict", "why")
    return folded(f"{title} ({len(rows)})", TextTable(headings, rows, names=len(headings)))
