"""The options of ``report`` for its page, and for telling stores and planners apart."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from pddl_pipeline.cli.file_type import OUTPUT
from pddl_pipeline.cli.options import FOLDER, with_options
from pddl_pipeline.cli.progress import progress
from pddl_pipeline.io.files import write_file
from pddl_pipeline.pages.report_page import report_html
from pddl_pipeline.pages.run_pages import RunPages
from pddl_pipeline.reporting.report import Report, report
from pddl_pipeline.reporting.report_tables import Pages
from pddl_pipeline.reporting.run_comparison import RunComparison, compare_planners, compare_stores

_STORES: Final = "two stores"
_OPTIONS: Final = (
    click.option(
        "--compare", metavar="[P,Q]", is_flag=False, flag_value=_STORES,
        help="Compare two stores, instance by instance; with P,Q, two planners of the stores. "
        "Give it after RUNS.",
    ),
    click.option(
        "--by-store", is_flag=True,
        help="Count the same planner in two stores as two planners. Otherwise, only the newest run "
        "counts.",
    ),
    click.option(
        "--pages", type=FOLDER, metavar="DIR",
        help="With --html: write a page for each plan, and for each run with why it ended and the "
        "end of its log, and link them.",
    ),
    click.option(
        "--title", default="", help="With --html: title of the page. Defaults to the domains."
    ),
    click.option("--html", type=OUTPUT, help="Write a self-contained HTML page with plots."),
)  # fmt: skip


class PageOptions(NamedTuple):
    """What the options say."""

    html: Path | None
    title: str
    pages: Path | None
    by_store: bool
    compare: str | None

    def read(self, stores: tuple[str, ...]) -> tuple[Report, list[RunComparison]]:
        """Return the report on stores, and the comparisons that are requested.

        Raises:
            InputError: a folder is not a run store, or there is nothing to compare.
        """
        if self.compare == _STORES:
            return compare_stores(stores)
        found = report(*stores, by_store=self.by_store)
        if self.compare is None:
            return found, []
        names = [name.strip() for name in self.compare.split(",")]
        if len(names) != 2:
            raise click.UsageError(
                f"--compare: found '{self.compare}', expected two planners such as "
                "lama-first,enhsp, or nothing behind it to compare two stores"
            )
        return found, [compare_planners(found, *names)]

    def write(self, found: Report, compared: list[RunComparison], stores: tuple[str, ...]) -> None:
        """Write the page and the pages of the runs, if they are requested.

        Raises:
            InputError: a file cannot be written.
        """
        if self.html is not None:
            links = self._write_pages(found, self.html, stores)
            page = report_html(found, title=self.title, pages=links, compared=compared)
            write_file(self.html, page)

    def _write_pages(self, found: Report, html: Path, stores: tuple[str, ...]) -> Pages:
        if self.pages is None:
            return {}
        with RunPages(found, self.pages, html) as pages:
            by_store = self.by_store or self.compare == _STORES
            for _ in progress(pages.write(stores, by_store=by_store), "pages", len(found.runs)):
                pass
        return pages.links


def page_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options; the command gets a `PageOptions` as ``page``."""

    @wraps(command)
    def with_page(
        *, html: Path | None, title: str, pages: Path | None, by_store: bool, compare: str | None,
        **others: Any,
    ) -> Any:  # fmt: skip
        if html is None and (title or pages):
            raise click.UsageError(f"--{'title' if title else 'pages'} applies only to --html")
        return command(page=PageOptions(html, title, pages, by_store, compare), **others)

    return with_options(with_page, _OPTIONS)
