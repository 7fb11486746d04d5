"""The commands of ``pddl-pipeline``, each in its own file under ``commands``."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Final, cast

import click
from click.shell_completion import CompletionItem

from pddl_pipeline.cli.status import BAD_INPUT, DONE
from pddl_pipeline.model.discovery import plugin_named, plugin_names
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.package_version import VERSION
from pddl_pipeline.model.suggestion import hint

PROGRAM: Final = "pddl-pipeline"
VARIABLE: Final = "_PDDL_PIPELINE_COMPLETE"
"""The environment variable by which the shell asks the program for completions."""
_GROUP: Final = "pddl_pipeline.commands"


def items_of(names: Iterable[str], begun: str) -> list[CompletionItem]:
    """Return the names that start with what the user typed."""
    return [CompletionItem(name) for name in names if name.startswith(begun)]


def _own_commands() -> set[str]:
    folder = str(Path(__file__).parent / "commands")
    return {module.name.replace("_", "-") for module in iter_modules([folder])}


class _Commands(click.Group):
    """Import a command only when it is used: `validate` must not import planners."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return sorted({*_own_commands(), *plugin_names(_GROUP)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; None if there is none with this name, or if its plug-in fails."""
        del ctx
        if cmd_name in _own_commands():
            module = import_module(f"pddl_pipeline.cli.commands.{cmd_name.replace('-', '_')}")
            return cast("click.Command", module.command)
        if cmd_name not in plugin_names(_GROUP):
            return None
        commands = getattr(plugin_named(_GROUP, cmd_name).module, "COMMANDS", ())
        return next((each for each in commands if each.name == cmd_name), None)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of the arguments; raise an error that says why there is none."""
        name, known = args[0], self.list_commands(ctx)
        if not ctx.resilient_parsing:  # the shell asks for completions of it
            if name not in known:
                raise click.UsageError(f"unknown command '{name}'{hint(name, known)}")
            if self.get_command(ctx, name) is None:
                plugin = plugin_named(_GROUP, name)
                raise InputError(f"the command '{name}' of {plugin.distribution}: {plugin.fault}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return completions of a command's name, without importing the commands."""
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*items_of(self.list_commands(ctx), incomplete), *options]


def _print_citation(ctx: click.Context, parameter: click.Parameter, is_given: bool) -> None:  # noqa: FBT001 -- click calls it
    """Print how to cite the project, and exit."""
    del parameter
    if is_given and not ctx.resilient_parsing:
        text = Path(__file__).with_name("citation.bib").read_text(encoding="utf-8")
        click.echo(text.replace("VERSION", VERSION), nl=False)
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, message="pddl-pipeline %(version)s")
@click.option(
    "--citation", is_flag=True, is_eager=True, expose_value=False, callback=_print_citation,
    help="Show the BibTeX entries of the project and of the papers, and exit.",
)  # fmt: skip
def GROUP() -> None:  # noqa: N802 -- a constant once it is decorated
    """Translate planning datasets to PDDL, run planners under limits, and validate plans."""


def run_command(arguments: list[str]) -> int:
    """Run the command named by the arguments, and return its exit status.

    Raises:
        InputError: the arguments are wrong.
        KeyboardInterrupt: the user interrupted the command; with a message, if it has one.
    """
    try:
        status = GROUP.main(
            arguments, prog_name=PROGRAM, complete_var=VARIABLE, standalone_mode=False,
            obj=tuple(arguments),
        )  # fmt: skip
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return BAD_INPUT
    except click.ClickException as error:
        raise InputError(" ".join(error.format_message().split())) from error
    except click.Abort as error:
        raise KeyboardInterrupt(*getattr(error.__cause__, "args", ())) from error
    return status if isinstance(status, int) else DONE
