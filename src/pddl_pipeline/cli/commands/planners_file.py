"""``pddl-pipeline planners-file``."""

from __future__ import annotations

import click

from pddl_pipeline.planners.planner_file import EXAMPLE


@click.command("planners-file", epilog="Example: pddl-pipeline planners-file > planners.toml")
def command() -> None:
    """Print an example of a file for --planners, with comments."""
    click.echo(EXAMPLE, nl=False)
