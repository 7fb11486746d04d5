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
from pddl_pipeline.cli.store_messages import warn_of_age
from pddl_pipeline.io.files import check_writable, write_file
from pddl_pipeline.reporting.html_page import report_html
from pddl_pipeline.reporting.lab_properties import check_lab_folder, write_lab
from pddl_pipeline.reporting.report import Report, report
from pddl_pipeline.reporting.table import coverage_table, report_json, size_table
from pddl_pipeline.runs.shards import store_folders
from pddl_pipeline.translators.datasets import ReadOptions
from pddl_pipeline.validation.version import FIRST_VERSION

_REPORTING: Final = ("runs", "html", "table", "sizes", "lab", "by_size", "as_json")


@click.command("report", epilog="Example: pddl-pipeline report runs --html runs.html")
@click.argument("runs", nargs=-1, type=PLACE, required=True, metavar="RUNS...")
@click.option("--html", type=OUTPUT, help="Write a self-contained HTML page with plots.")
@click.option("--csv", "table", type=OUTPUT, help="Write the table by domain and planner as CSV.")
@click.option("--csv-by-size", "sizes", type=OUTPUT, help="Write the table by size as CSV.")
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
    for path in filter(None, (html, table, sizes)):
        check_writable(path)
    if lab is not None:
        check_lab_folder(lab)
    if rejudge:
        stores = [folder for each in runs for folder in store_folders(Path(each))]
        rejudge_stores(stores, data, how, planners)
    found = report(*runs)
    _write(found, html, table, sizes, lab)
    if as_json:
        click.echo(report_json(found), nl=False)
    else:
        print_report(found, by_size=by_size)
    again = f"pddl-pipeline report {' '.join(map(quote, runs))} --rejudge"
    # The first stores do not contain the problems.
    data_too = " --data DATA" if FIRST_VERSION in found.older else ""
    warn_of_age(found.older, f"`{again}{data_too}` judges the plans again")


def _write(
    found: Report, html: Path | None, table: Path | None, sizes: Path | None, lab: Path | None
) -> None:
    """Write the outputs that are requested."""
    if html is not None:
        write_file(html, report_html(found))
    if table is not None:
        write_file(table, coverage_table(found).to_csv())
    if sizes is not None:
        write_file(sizes, size_table(found).to_csv())
    if lab is not None:
        write_lab(found, lab)


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
