"""A report as one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pddl_pipeline.model.extras import install_command
from pddl_pipeline.pages.html_page import rendered, title_of
from pddl_pipeline.reporting.overview import Overview
from pddl_pipeline.reporting.report import Report
from pddl_pipeline.reporting.report_tables import (
    SHARE_NOTE,
    Pages,
    about,
    long_tables,
    main_tables,
    progress_text,
)
from pddl_pipeline.reporting.run_comparison import RunComparison, comparison_tables


def report_html(
    report: Report,
    *,
    pages: Pages | None = None,
    compared: Sequence[RunComparison] = (),
) -> str:
    """Return the page: the answer first, then the doubtful runs, the tables, the other runs.

    Args:
        report: the runs.
        pages: the links to the pages of runs.
        compared: comparisons of planners of the report.
    """
    # It is iterated many times.
    report = replace(report, by_instance=list(report.by_instance))
    coverage, outcomes = main_tables(report)
    overview = Overview(report)
    figures, fix = _plots(report, [(each.first, each.second) for each in compared])
    return rendered(
        "report.html.j2", report=report, about=about(report),
        title=title_of("Planner runs", (row.domain for row in report.rows)),
        progress=progress_text(report), share_note=SHARE_NOTE, coverage=coverage,
        outcomes=outcomes, figures=figures, fix=fix, overview=overview,
        doubtful=overview.doubtful(pages), long=long_tables(report, pages),
        compared=comparison_tables(compared, pages),
    )  # fmt: skip


def _plots(
    report: Report, compared: Sequence[tuple[str, str]]
) -> tuple[list[tuple[str, str, bytes]], str]:
    """Return title, media type and content of each plot; without matplotlib, how to install it."""
    try:
        from pddl_pipeline.reporting.plots import report_plots  # an extra
    except ImportError:
        return [], install_command("report")
    return report_plots(report, compared), ""
