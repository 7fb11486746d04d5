"""``pddl-pipeline report``."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Final

import click

from pddl_pipeline.cli.data_options import source
from pddl_pipeline.cli.file_type import OUTPUT, DatasetType
from pddl_pipeline.cli.options import FOLDER, JSON, PLACE, allow_only, is_given
from pddl_pipeline.cli.planner_options import PLANNER_NAMES, planner_file
from pddl_pipeline.cli.progress import QUIET, progress
from pddl_pipeline.cli.rejudging import rejudge_stores
from pddl_pipeline.cli.report_output import print_report
from pddl_pipeline.cli.store_messages import warn_of_age
from pddl_pipeline.cli.table_files import LATEX, MARKDOWN, write_tables
from pddl_pipeline.io.files import check_outputs, write_file
from pddl_pipeline.reporting.html_page import report_html
from pddl_pipeline.reporting.lab_properties import check_lab_folder, write_lab
from pddl_pipeline.reporting.report import Report, report
from pddl_pipeline.reporting.report_tables import Pages, report_tables
from pddl_pipeline.reporting.run_comparison import RunComparison, compare_planners, compare_stores
from pddl_pipeline.reporting.run_comparison_tables import comparison_tables
from pddl_pipeline.reporting.run_pages import RunPages
from pddl_pipeline.reporting.table import coverage_table, report_json, size_table
from pddl_pipeline.runs.shards import store_folders
from pddl_pipeline.translators.datasets import ReadOptions
from pddl_pipeline.validation.version import FIRST_VERSION

_REPORTING: Final = (
    "runs", "html", "table", "sizes", "lab", "by_size", "as_json", "title", "pages", "latex",
    "markdown", "by_store", "compare",
)  # fmt: skip
_STORES: Final = "two stores"


@click.command("report", epilog="Example: pddl-pipeline report runs --html runs.html")
@click.argument("runs", nargs=-1, type=PLACE, required=True, metavar="RUNS...")
@click.option("--html", type=OUTPUT, help="Write a self-contained HTML page with plots.")
@click.option("--csv", "table", type=OUTPUT, help="Write the table by domain and planner as CSV.")
@click.option("--csv-by-size", "sizes", type=OUTPUT, help="Write the table by size as CSV.")
@LATEX
@MARKDOWN
@click.option("--title", default="", help="Title of the HTML page. Defaults to the domains.")
@click.option(
    "--pages", type=FOLDER, metavar="DIR",
    help="With --html: write a page for each plan, and for each run with why it ended and the end "
    "of its log, and link them.",
)  # fmt: skip
@click.option(
    "--by-store",
    is_flag=True,
    help="Count the same planner in two stores as two planners. Else the newest run counts.",
)
@click.option(
    "--compare", metavar="[P,Q]", is_flag=False, flag_value=_STORES,
    help="Compare two stores, instance by instance; with P,Q, two planners of the stores. Give it "
    "after RUNS.",
)  # fmt: skip
@click.option(
    "--lab", type=FOLDER, metavar="DIR", help="Write DIR/properties for Downward Lab reports."
)
@click.option("--by-size", is_flag=True, help="Also print the table by domain, size and planner.")
@click.option(
    "--rejudge", is_flag=True,
    help="First judge the stored plans again whose verdicts are of an older version, and print "
    "what changes. No planner runs.",
)  # fmt: skip
@click.option(
    "--data", type=DatasetType(), multiple=True, metavar="DATA",
    help="With --rejudge: the data of runs whose problems the store does not have, such as those "
    "that were stored without a version; may be repeated.",
)  # fmt: skip
@click.option(
    "--planner", "planners", multiple=True, metavar="P", shell_complete=PLANNER_NAMES,
    help="With --rejudge: a planner that is a command, as it was named in `run`; may be repeated. "
    "Only for runs that were stored without a version.",
)  # fmt: skip
@planner_file
@source
@QUIET
@JSON
def command(  # noqa: PLR0913 -- one parameter an option
    *,
    runs: tuple[str, ...],
    html: Path | None,
    table: Path | None,
    sizes: Path | None,
    latex: Path | None,
    markdown: Path | None,
    title: str,
    pages: Path | None,
    by_store: bool,
    compare: str | None,
    lab: Path | None,
    data: tuple[str, ...],
    planners: tuple[str, ...],
    how: ReadOptions,
    by_size: bool,
    rejudge: bool,
    as_json: bool,
) -> None:
    """Print coverage, scores, and the runs that need attention.

    RUNS are run stores, or folders of shards.
    """
    if by_size and as_json:
        raise click.UsageError("--by-size does not apply to --json, which has the rows by size")
    _check_rejudge(data, rejudge=rejudge)
    _check_page(html)
    check_outputs((html, table, sizes, latex, markdown), ())
    if lab is not None:
        check_lab_folder(lab)
    if rejudge:
        stores = [folder for each in runs for folder in store_folders(Path(each))]
        rejudge_stores(stores, data, how, planners)
    found, compared = _compared(runs, compare, by_store=by_store)
    if html is not None:
        links = _pages(found, pages, html, runs, by_store=by_store or compare == _STORES)
        write_file(html, report_html(found, title=title, pages=links, compared=compared))
    if table is not None:
        write_file(table, coverage_table(found).to_csv())
    if sizes is not None:
        write_file(sizes, size_table(found).to_csv())
    if lab is not None:
        write_lab(found, lab)
    write_tables([*report_tables(found), *comparison_tables(compared)], latex, markdown)
    if as_json:
        click.echo(report_json(found, compared), nl=False)
    else:
        print_report(found, by_size=by_size, compared=compared)
    again = f"pddl-pipeline report {' '.join(map(quote, runs))} --rejudge"
    # The first stores do not contain the problems.
    data_too = " --data DATA" if FIRST_VERSION in found.older else ""
    warn_of_age(found.older, f"`{again}{data_too}` judges the plans again")


def _compared(
    runs: tuple[str, ...], compare: str | None, *, by_store: bool
) -> tuple[Report, list[RunComparison]]:
    """Return the report on the stores, and the comparisons that are requested."""
    if compare == _STORES:
        return compare_stores(runs)
    found = report(*runs, by_store=by_store)
    if compare is None:
        return found, []
    names = [name.strip() for name in compare.split(",")]
    if len(names) != 2:
        raise click.UsageError(
            f"--compare: found '{compare}', expected two planners such as lama-first,enhsp, or "
            "nothing behind it to compare two stores"
        )
    return found, [compare_planners(found, *names)]


def _pages(
    found: Report, folder: Path | None, html: Path, runs: tuple[str, ...], *, by_store: bool
) -> Pages:
    """Write the pages of the runs, if they are requested, and return their links."""
    if folder is None:
        return {}
    with RunPages(found, folder, html) as pages:
        for _ in progress(pages.write(runs, by_store=by_store), "pages", len(found.runs)):
            pass
    return pages.links


def _check_page(html: Path | None) -> None:
    """Check that every option for the page has an effect.

    Raises:
        click.UsageError: an option has none.
    """
    for name in ("title", "pages"):
        if html is None and is_given(name):
            raise click.UsageError(f"--{name} applies only to --html")


def _check_rejudge(data: tuple[str, ...], *, rejudge: bool) -> None:
    """Check that every option for ``--rejudge`` has an effect.

    Raises:
        click.UsageError: an option has none.
    """
    if not rejudge:
        allow_only(_REPORTING, "applies only to --rejudge")
    elif not data:
        allow_only((*_REPORTING, "rejudge"), "applies only to --data")
    elif is_given("rules"):
        raise click.UsageError("--rules applies to answers; plans are judged by the PDDL")
