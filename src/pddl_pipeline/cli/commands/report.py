"""``pddl-pipeline report``."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import click

from pddl_pipeline.cli.console import progress
from pddl_pipeline.cli.options import FOLDER, OUTPUT, PLACE, Json, TableFiles, cli_command
from pddl_pipeline.cli.stores import print_report, warn_of_age, warn_of_damage
from pddl_pipeline.io.files import write_file
from pddl_pipeline.pages.report_page import report_html
from pddl_pipeline.pages.run_pages import write_run_pages
from pddl_pipeline.reporting.lab_properties import write_lab
from pddl_pipeline.reporting.report import Report, report
from pddl_pipeline.reporting.report_tables import coverage_table, report_json, report_tables
from pddl_pipeline.reporting.run_comparison import (
    RunComparison,
    compare_planners,
    compare_stores,
    comparison_rows,
    comparison_tables,
)

_STORES: Final = "two stores"
_WATCH_S: Final = 5
"""Seconds between two reports on stores that are being written."""
_RELOAD: Final = f"<meta http-equiv='refresh' content='{_WATCH_S}'>\n"


@dataclass(frozen=True)
class _ReportOptions:
    """Which runs count, and where the report is written."""

    html: Annotated[
        Path | None,
        click.option("--html", type=OUTPUT, help="Write a self-contained HTML page with plots."),
        "Output",
    ]
    pages: Annotated[Path | None, click.option(
        "--pages", type=FOLDER, metavar="DIR",
        help="With --html: write a page for each plan, and for each run with why it ended and the "
        "end of its log, and link them.",
    ), "Output"]  # fmt: skip
    watch: Annotated[bool, click.option(
        "--watch", is_flag=True,
        help="With --html: while planned runs are missing, write the page again and again. It "
        "reloads itself.",
    ), "Output"]  # fmt: skip
    compare: Annotated[str | None, click.option(
        "--compare", metavar="[P,Q]", is_flag=False, flag_value=_STORES,
        help="Compare two stores, instance by instance; with P,Q, two planners of the stores. "
        "The first is the baseline. Give the option after RUNS.",
    ), "Tables"]  # fmt: skip
    documents: TableFiles
    lab: Annotated[Path | None, click.option(
        "--lab", type=FOLDER, metavar="DIR", help="Write DIR/properties for Downward Lab reports."
    ), "Output"]  # fmt: skip

    def read(self, stores: tuple[str, ...]) -> tuple[Report, list[RunComparison]]:
        """Return the report on stores, and the comparisons that are requested.

        Raises:
            InputError: a folder is not a run store, or there is nothing to compare.
        """
        if self.compare == _STORES:
            return compare_stores(stores)
        found = report(*stores)
        if self.compare is None:
            return found, []
        names = [name.strip() for name in self.compare.split(",")]
        if len(names) != 2:
            raise click.UsageError(
                f"--compare: found '{self.compare}', expected two planners such as "
                "lama-first,enhsp, or nothing behind it to compare two stores"
            )
        return found, [compare_planners(found, *names)]

    def read_until_complete(self, stores: tuple[str, ...]) -> tuple[Report, list[RunComparison]]:
        """Return what `read` does; with --watch, when no planned run is missing any more.

        The page is written meanwhile. After Ctrl-C, the page stays, without reloading itself.

        Raises:
            InputError: as for `read`, or the page cannot be written.
        """
        found, compared = self.read(stores)
        page = ""
        try:
            while self.watch and self.html is not None and found.missing:
                page = report_html(found, compared=compared)
                write_file(self.html, page.replace("<title>", f"{_RELOAD}<title>", 1))
                time.sleep(_WATCH_S)
                found, compared = self.read(stores)
        except KeyboardInterrupt:
            if page and self.html is not None:
                write_file(self.html, page)
            raise
        return found, compared

    def write(self, found: Report, compared: list[RunComparison], stores: tuple[str, ...]) -> None:
        """Write the page, the pages of the runs and the tables, if they are requested.

        Raises:
            InputError: a file cannot be written.
        """
        if self.lab is not None:
            write_lab(found, self.lab)
        links = {}
        if self.html is not None and self.pages is not None:
            by_store = self.compare == _STORES
            pages = write_run_pages(found, stores, self.pages, self.html, by_store=by_store)
            links = dict(progress(pages, "pages", len(found.runs)))
        if self.html is not None:
            write_file(self.html, report_html(found, pages=links, compared=compared))
        if self.documents.paths:
            self.documents.write(
                [*report_tables(found), *comparison_tables(compared)],
                comparison_rows(compared) if compared else coverage_table(found),
            )


@cli_command(
    "report",
    "report runs --html runs.html --pages run-pages",
    requires={"pages": "html", "watch": "html"},
)
def command(
    runs: Annotated[
        tuple[str, ...],
        click.argument("runs", nargs=-1, type=PLACE, required=True, metavar="RUNS..."),
    ],
    page: _ReportOptions,
    *,
    as_json: Json,
) -> int:
    """Print coverage, scores, and the runs that need attention.

    RUNS are run stores, or folders of shards.

    Exit status: 0 done, 2 bad input, 3 done but a line of a store is damaged.
    """
    found, compared = page.read_until_complete(runs)
    page.write(found, compared, runs)
    if as_json:
        lines = (line for each in compared for line in each.to_json())
        click.echo(report_json(found, lines), nl=False)
    else:
        print_report(found, compared)
    warn_of_age(found.older, runs)
    return warn_of_damage(found.damaged)
