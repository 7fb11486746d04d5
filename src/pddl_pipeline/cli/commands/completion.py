"""``pddl-pipeline completion``."""

from __future__ import annotations

from typing import Annotated, Final

import click
from click.shell_completion import get_completion_class

from pddl_pipeline.cli.group import PROGRAM
from pddl_pipeline.cli.options import cli_command
from pddl_pipeline.cli.status import VARIABLE

SHELLS: Final = ("bash", "zsh", "fish")


@cli_command("completion", "completion bash > completion.bash")
def command(shell: Annotated[str, click.argument("shell", type=click.Choice(SHELLS))]) -> None:
    """Print a script with which a shell completes commands.

    It completes options and names as well. Source the script at the start of the shell: in
    ~/.bashrc or ~/.zshrc, or write it to ~/.config/fish/completions/pddl-pipeline.fish.
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"click has no completion for {shell}")
    completion = kind(click.get_current_context().find_root().command, {}, PROGRAM, VARIABLE)
    # Not `source()`, which starts bash to find out its version.
    click.echo(completion.source_template % completion.source_vars())
