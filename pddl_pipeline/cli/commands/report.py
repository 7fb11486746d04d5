"""``pddl-pipeline report``."""

from __future__ import annotations

from pathlib import Path

import click

from pddl_pipeline.cli.options import JSON
from pddl_pipeline.cli.report_output import print_report
from pddl_pipeline.experiment.files import check_writable, write_file
from pddl_pipeline.experiment.report import report
from pddl_pipeline.experiment.report_html import report_html
from pddl_pipeline.experiment.report_table import report_csv, report_json


@click.command("report", epilog="Example: pddl-pipeline report runs --html runs.html")
@click.argument("runs", nargs=-1, required=True, metavar="RUNS...")
@click.option("--html", type=click.Path(path_type=Path), help="Write a page that stands alone.")
@click.option("--csv", "table", type=click.Path(path_type=Path), help="Write the table as CSV.")
@JSON
def command(runs: tuple[str, ...], html: Path | None, table: Path | None, *, as_json: bool) -> None:
    """Summarise run stores: claimed and validated plans by domain and planner."""
    for path in filter(None, (html, table)):
        check_writable(path)
    found = report(*runs)
    if html is not None:
        write_file(html, report_html(found))
    if table is not None:
        write_file(table, report_csv(found))
    if as_json:
        click.echo(report_json(found), nl=False)
    else:
        print_report(found)
