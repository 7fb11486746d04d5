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
from pddl_pipeline.cli.progress import QUIET
from pddl_pipeline.cli.rejudging import rejudge_stores
from pddl_pipeline.cli.report_output import print_report
from pddl_pipeline.cli.report_page import PageOptions, page_options
from pddl_pipeline.cli.store_messages import warn_of_age
from pddl_pipeline.cli.table_files import TableFiles, table_files
from pddl_pipeline.io.files import check_outputs, write_file
from pddl_pipeline.reporting.lab_properties import check_lab_folder, write_lab
from pddl_pipeline.reporting.report import Report
from pddl_pipeline.reporting.report_tables import report_tables
from pddl_pipeline.reporting.run_comparison_tables import comparison_tables
from pddl_pipeline.reporting.table import coverage_table, report_json, size_table
from pddl_pipeline.runs.shards import store_folders
from pddl_pipeline.translators.datasets import ReadOptions
from pddl_pipeline.validation.version import FIRST_VERSION

_REPORTING: Final = (
    "runs", "html", "table", "sizes", "lab", "by_size", "as_json", "title", "pages", "latex",
    "markdown", "by_store", "compare",
)  # fmt: skip


@click.command("report", epilog="Example: pddl-pipeline report runs --html runs.html")
@click.argument("runs", nargs=-1, type=PLACE, required=True, metavar="RUNS...")
@page_options
@click.option("--csv", "table", type=OUTPUT, help="Write the table by domain and planner as CSV.")
@click.option("--csv-by-size", "sizes", type=OUTPUT, help="Write the table by size as CSV.")
@table_files
@click.option(
    "--lab", type=FOLDER, metavar="DIR", help="Write DIR/properties for Downward Lab reports."
)
@click.option("--by-size", is_flag=True, help="Also print the table by domain, size and planner.")
@click.option(
    "--rejudge", is_flag=True,
    help="Before the report, judge stored plans again if their verdict has an older version, and "
    "print what changes. No planner runs.",
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
    page: PageOptions,
    table: Path | None,
    sizes: Path | None,
    documents: TableFiles,
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

    Exit status: 0 done, 2 bad input.
    """
    if by_size and as_json:
        raise click.UsageError("--by-size does not apply to --json, which has the rows by size")
    _check_rejudge(data, rejudge=rejudge)
    check_outputs((page.html, table, sizes, *documents), ())
    if lab is not None:
        check_lab_folder(lab)
    if rejudge:
        stores = [folder for each in runs for folder in store_folders(Path(each))]
        rejudge_stores(stores, data, how, planners)
    found, compared = page.read(runs)
    page.write(found, compared, runs)
    if table is not None:
        write_file(table, coverage_table(found).to_csv())
    if sizes is not None:
        write_file(sizes, size_table(found).to_csv())
    if lab is not None:
        write_lab(found, lab)
    documents.write([*report_tables(found), *comparison_tables(compared)])
    if as_json:
        click.echo(report_json(found, compared), nl=False)
    else:
        print_report(found, by_size=by_size, compared=compared)
    _warn_of_age(found, runs)


def _warn_of_age(found: Report, runs: tuple[str, ...]) -> None:
    again = f"pddl-pipeline report {' '.join(map(quote, runs))} --rejudge"
    # The first stores do not contain the problems.
    data_too = " --data DATA" if FIRST_VERSION in found.older else ""
    warn_of_age(found.older, f"`{again}{data_too}` judges the plans again")


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
