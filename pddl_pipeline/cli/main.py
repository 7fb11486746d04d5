"""The entry point ``pddl-pipeline``: finds the command and turns errors into one line each."""

from __future__ import annotations

import signal
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import cast

import click

from pddl_pipeline.cli.exit_status import BAD_INPUT, DONE, INTERRUPTED
from pddl_pipeline.model.errors import PipelineError
from pddl_pipeline.model.suggestion import did_you_mean


class _Commands(click.Group):
    """Loads a command's file when the command is used: `validate` must not pay for planners."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        folder = str(Path(__file__).parent / "commands")
        return sorted(module.name for module in iter_modules([folder]))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        known = self.list_commands(ctx)
        if cmd_name not in known:
            near = did_you_mean(cmd_name, known) or f", known: {', '.join(known)}"
            raise click.UsageError(f"unknown command '{cmd_name}'{near}")
        module = import_module(f"pddl_pipeline.cli.commands.{cmd_name}")
        return cast("click.Command", module.command)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pddl-pipeline", message="pddl-pipeline %(version)s")
def _group() -> None:
    """Translate planning datasets to PDDL, run planners under limits, judge plans exactly."""


def main() -> None:
    """Run the command line and exit."""
    sys.exit(_status())


def _status() -> int:
    try:
        # As after Ctrl-C: planners are ended and what is done is stored.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        status = _group.main(prog_name="pddl-pipeline", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return BAD_INPUT
    except click.ClickException as error:
        return _complain(" ".join(error.format_message().split()))
    except PipelineError as error:
        return _complain(str(error))
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _complain(f"{place}{error.strerror or error}")
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    return status if isinstance(status, int) else DONE


def _complain(message: str) -> int:
    click.echo(f"error: {message}", err=True)
    return BAD_INPUT
