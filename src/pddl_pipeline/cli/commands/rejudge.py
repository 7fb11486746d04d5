"""``pddl-pipeline rejudge``."""

from __future__ import annotations

from typing import Annotated

import click

from pddl_pipeline.cli.options import PLACE, cli_command
from pddl_pipeline.cli.stores import rejudge_stores


@cli_command("rejudge", "rejudge runs")
def command(
    runs: Annotated[
        tuple[str, ...],
        click.argument("runs", nargs=-1, type=PLACE, required=True, metavar="RUNS..."),
    ],
) -> int:
    """Judge stored plans again whose verdict has an older version.

    Print each verdict that changes. No planner runs, and the store keeps the old lines in
    a file such as runs.rejudged-1.jsonl. RUNS are run stores, or folders of shards.

    Exit status: 0 done, 2 bad input, 3 done but a line of a store is damaged.
    """
    return rejudge_stores(runs)
