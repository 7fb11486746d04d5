"""``pddl-pipeline report``."""

from __future__ import annotations

from pathlib import Path

import click

from pddl_pipeline.cli.file_type import OUTPUT
from pddl_pipeline.cli.options import FOLDER, JSON, PLACE
from pddl_pipeline.cli.report_output import print_report
from pddl_pipeline.io.files import check_writable, write_file
from pddl_pipeline.reporting.html_page import report_html
from pddl_pipeline.reporting.lab_properties import check_lab_folder, write_lab
from pddl_pipeline.reporting.report import report
from pddl_pipeline.reporting.table import coverage_table, report_json, size_table


@click.command("report", epilog="Example: pddl-pipeline report runs --html runs.html")
@click.argument("runs", nargs=-1, type=PLACE, required=True, metavar="RUNS...")
@click.option("--html", type=OUTPUT, help="Write a self-contained HTML page with plots.")
@click.option("--csv", "table", type=OUTPUT, help="Write the table by domain and planner as CSV.")
@click.option("--csv-by-size", "sizes", type=OUTPUT, help="Write the table by size as CSV.")
@click.option(
    "--lab", type=FOLDER, metavar="DIR", help="Write DIR/properties for Downward Lab reports."
)
@click.option("--by-size", is_flag=True, help="Also print the table by domain, size and planner.")
@JSON
def command(  # noqa: PLR0913 -- one parameter an option
    runs: tuple[str, ...],
    html: Path | None,
    table: Path | None,
    sizes: Path | None,
    lab: Path | None,
    *,
    by_size: bool,
    as_json: bool,
) -> None:
    """Print coverage, scores, and the runs that need attention.

    RUNS are run stores, or folders of shards.
    """
    if by_size and as_json:
        raise click.UsageError("--by-size does not apply to --json, which has the rows by size")
    for path in filter(None, (html, table, sizes)):
        check_writable(path)
    if lab is not None:
        check_lab_folder(lab)
    found = report(*runs)
    if html is not None:
        write_file(html, report_html(found))
    if table is not None:
        write_file(table, coverage_table(found).to_csv())
    if sizes is not None:
        write_file(sizes, size_table(found).to_csv())
    if lab is not None:
        write_lab(found, lab)
    if as_json:
        click.echo(report_json(found), nl=False)
    else:
        print_report(found, by_size=by_size)
