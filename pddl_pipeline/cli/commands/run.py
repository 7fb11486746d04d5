"""``pddl-pipeline run``."""

from __future__ import annotations

import os
from pathlib import Path

import click

from pddl_pipeline.cli.exit_status import DONE, UNEXPLAINED
from pddl_pipeline.cli.options import limits, limits_of
from pddl_pipeline.cli.progress import progress
from pddl_pipeline.cli.report_output import print_report
from pddl_pipeline.experiment.files import write_file
from pddl_pipeline.experiment.report import summarise
from pddl_pipeline.experiment.report_html import report_html
from pddl_pipeline.experiment.running import jobs_for, planners_for, run
from pddl_pipeline.experiment.store import RunStore
from pddl_pipeline.planners.attempt import check_engine
from pddl_pipeline.translators.records import load_records


@click.command(
    "run", epilog="Example: pddl-pipeline run examples/*.jsonl --time-limit 60s -j 2 -o runs"
)
@click.argument("data", nargs=-1, required=True, metavar="DATA...")
@click.option(
    "--planner", "planners", multiple=True, metavar="P",
    help="Name of a planner, may be given several times; chosen by the domain where not given.",
)  # fmt: skip
@limits
@click.option(
    "-j", "workers", type=click.IntRange(min=1), default=os.cpu_count(), show_default="cores",
    help="How many attempts to run at a time.",
)  # fmt: skip
@click.option("-o", "output", required=True, metavar="RUNS", help="Folder of the run store.")
def command(  # noqa: PLR0913, PLR0917 -- one parameter an option
    data: tuple[str, ...],
    planners: tuple[str, ...],
    time_limit: float,
    memory_limit: float,
    workers: int,
    output: str,
) -> int:
    """Run planners on every instance of datasets and judge every plan.

    Called again with the same arguments it goes on where it was stopped. Exit status: 0 done,
    2 bad input, 3 done but some run is unexplained, 130 interrupted.
    """
    # All records are read first, and engines looked for: a fault must not show after hours.
    instances = list(load_records(*data))
    for planner in {p.name: p for i in instances for p in planners_for(i, planners)}.values():
        check_engine(planner)
    total = len(instances) * max(1, len(set(planners)))
    with RunStore(Path(output)) as store:
        if store.torn_lines:
            click.echo(
                f"{output}: cut {store.torn_lines} line that was not written whole", err=True
            )
        known = set(store.results)
        jobs = jobs_for(instances, planners, limits_of(time_limit, memory_limit))
        results = list(progress(run(jobs, store, workers), "running", total))
        before = sum(result.key in known for result in results)
        if before:
            click.echo(f"{before} of {len(results)} runs were in the store already", err=True)
        everything = summarise(store.results.values())
        page = Path(output) / "report.html"
        write_file(page, report_html(everything))
    print_report(everything)
    click.echo(f"report: {page}")
    return UNEXPLAINED if any(result.unexplained for result in results) else DONE
