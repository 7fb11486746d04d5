"""``pddl-pipeline planners-file``."""

from __future__ import annotations

import click

from pddl_pipeline.cli.options import cli_command
from pddl_pipeline.planners.command_planner import EXAMPLE


@cli_command("planners-file", "planners-file > planners.toml")
def command() -> None:
    """Print an example of a file for --planners, with comments."""
    click.echo(EXAMPLE, nl=False)
