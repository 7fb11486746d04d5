"""A report as one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from pddl_pipeline.model.extras import install_command
from pddl_pipeline.pages.html_page import folded, html_figure, html_page
from pddl_pipeline.reporting.about import progress_text
from pddl_pipeline.reporting.report import Report
from pddl_pipeline.reporting.report_tables import (
    Pages,
    about,
    long_tables,
    main_tables,
    urgent_tables,
)
from pddl_pipeline.reporting.run_comparison import RunComparison
from pddl_pipeline.reporting.run_comparison_tables import comparison_tables
from pddl_pipeline.tables.named_table import NamedTable

_NAMED_DOMAINS: Final = 3
_NOTE: Final = (
    "A planner's plan is a claim. It counts as validated if the exact validator accepts it, within "
    "its budget if there is one; coverage is the share of validated instances among all planned "
    "ones, and a run that is missing is not solved. Cost and time are "
    "means over validated plans, so they cannot compare planners that solved different instances; "
    "those marked 'common' are over the instances that every planner of the domain solved. PAR-2 "
    "counts an unsolved instance as twice its time limit. IPC sat adds C*/C, with the cheapest "
    "known plan as C*; IPC agile adds 1 - log T / log limit. Rows with claims that failed "
    "validation are highlighted."
)


def report_html(
    report: Report,
    *,
    title: str = "",
    pages: Pages | None = None,
    compared: Sequence[RunComparison] = (),
) -> str:
    """Return the page: the urgent runs first, then the tables, then the other listed runs.

    Args:
        report: the runs.
        title: the heading of the page; empty for one that names the domains.
        pages: the links to the pages of runs.
        compared: comparisons of planners of the report.
    """
    title = title or report_title(report)
    coverage, outcomes = main_tables(report)
    parts = [
        f"<h1>{escape(title)}</h1>",
        _progress(report),
        *map(_if_any, urgent_tables(report, pages)),
        *map(_if_any, comparison_tables(compared, pages)),
        f"<h2>{coverage.caption}</h2>",
        f"<p class='note'>{_NOTE}</p>",
        coverage.table.to_html("Results by domain and planner"),
        f"<h2>{outcomes.caption}</h2>",
        outcomes.table.to_html("Number of runs by planner and outcome"),
        "<h2>Plots</h2>",
        _plots(report),
        *map(_if_any, long_tables(report, pages)),
    ]
    return html_page(title, parts)


def report_title(report: Report) -> str:
    """Return a title that names the domains of the runs."""
    domains = list(dict.fromkeys(row.domain for row in report.rows))
    if not domains or len(domains) > _NAMED_DOMAINS:
        return f"Planner runs in {len(domains)} domains" if domains else "Planner runs"
    return f"Planner runs: {', '.join(domains)}"


def _progress(report: Report) -> str:
    kind = "alarm" if report.missing else "note"
    head = about(report)
    facts = head.table.to_html(head.caption, "facts")
    return f"<p class={kind}>{escape(progress_text(report))}</p>{facts}"


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


def _if_any(named: NamedTable) -> str:
    return folded(named.caption, named.table) if named.table.rows else ""
