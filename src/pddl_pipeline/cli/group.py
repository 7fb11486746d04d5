"""The commands of ``pddl-pipeline``, each in its own file under ``commands``."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Final, cast

import click
from click.shell_completion import CompletionItem

from pddl_pipeline.cli.status import BAD_INPUT, DONE, VARIABLE
from pddl_pipeline.model.discovery import plugin_named, plugin_names
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.package_version import VERSION
from pddl_pipeline.model.suggestion import hint

PROGRAM: Final = "pddl-pipeline"
_GROUP: Final = "pddl_pipeline.commands"
_HELP: Final = ["-h", "--help"]
_OF_TRANSLATE: Final = frozenset({"--column", "--folder", "--lenient", "--rules"})
_OPTIONS: Final = (
    "Options: -q (no progress and notes), --version, -h (after COMMAND: its options)\n"
)


def completions(names: Iterable[str], begun: str) -> list[CompletionItem]:
    """Return the names that start with what the user typed."""
    return [CompletionItem(name) for name in names if name.startswith(begun)]


class Listed(click.Command):
    """A line of ``pddl-pipeline -h``. The module of the command is imported when it is used."""

    def __init__(self, heading: str, name: str, about: str, module: str) -> None:
        super().__init__(name, short_help=about, hidden=not heading)
        self.heading, self.module = heading, module

    def load(self) -> click.Command:
        """Return the command: the constant ``command`` of its module."""
        return cast("click.Command", import_module(self.module).command)


_OWN: Final = {
    name: Listed(heading, name, about, f"pddl_pipeline.cli.commands.{name}")
    for heading, commands in {
        "Everyday": {
            "translate": "Write the instances of datasets as PDDL files.",
            "run": "Run planners on datasets and validate every plan.",
            "validate": "Validate plans with exact arithmetic.",
            "solve": "Run a planner on a problem and print its best valid plan.",
            "score": "Score the answers of language models.",
            "equivalent": "Compare problems up to names and implied goal facts.",
            "show": "Write pages that show plans step by step, with pictures.",
            "report": "Print coverage, scores, and the runs that need attention.",
        },
        "Data and setup": {
            "list": "List installed planners, domains, formats, generators and studies.",
            "generate": "Generate instances of a domain.",
            "prompt": "Write the papers' prompts for the instances of datasets.",
            "questions": "Write questions about planning tasks, or mark answers.",
            "ask": "Send prompts to a language model and store its answers.",
            "new": "Write a template of a plug-in, or a file of planners.",
            "doctor": "Check the installation and print how to fix each problem.",
        },
        "Papers": {},  # the papers' commands are plug-ins
        "": {
            "rejudge": "Judge stored plans again whose verdict has an older version.",
        },
    }.items()
    for name, about in commands.items()
}
_HEADINGS: Final = ("Everyday", "Data and setup", "Papers", "Plug-ins")


class _Commands(click.Group):
    """Import a command only when it is used: `validate` must not import planners."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return [*dict.fromkeys([*_OWN, *sorted(plugin_names(_GROUP))])]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; None if there is none with this name, or if its plug-in fails."""
        del ctx
        found = _declared(cmd_name)
        return found.load() if isinstance(found, Listed) else found

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one screen with all commands; see `click.Command.format_help`."""
        rows: dict[str, list[str]] = {heading: [] for heading in _HEADINGS}
        for name in self.list_commands(ctx):
            command = _declared(name)
            if command is not None and not command.hidden:
                heading = getattr(command, "heading", "")
                found = rows.get(heading, rows[_HEADINGS[-1]])
                found.append(f"  {name:<10} {command.get_short_help_str(limit=66)}")
        formatter.write(f"Usage: {PROGRAM} [-q] COMMAND [ARGUMENTS]\n{self.help}\n")
        for heading, lines in rows.items():
            if lines:
                formatter.write("\n".join((f"{heading}:", *lines, "")))
        formatter.write(_OPTIONS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of the arguments; raise an error that says why there is none."""
        if not ctx.resilient_parsing:  # the shell asks for completions of it
            name, known = args[0], self.list_commands(ctx)
            if name not in known:
                raise click.UsageError(f"unknown command '{name}'{hint(name, known)}")
            if self.get_command(ctx, name) is None:
                plugin = plugin_named(_GROUP, name)
                raise InputError(f"the command '{name}' of {plugin.distribution}: {plugin.fault}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return completions of a command's name, without importing the commands."""
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*completions(self.list_commands(ctx), incomplete), *options]


def _declared(name: str) -> click.Command | None:
    """Return a command as its table or plug-in declares it; None if there is none, or it fails."""
    if name in _OWN or name not in plugin_names(_GROUP):
        return _OWN.get(name)
    commands = getattr(plugin_named(_GROUP, name).module, "COMMANDS", ())
    return next((command for command in commands if command.name == name), None)


@click.group(cls=_Commands, context_settings={"help_option_names": _HELP})
@click.version_option(VERSION, message="pddl-pipeline %(version)s")
@click.option(
    "-q",
    "--quiet",
    is_flag=True,
    help="Print no progress and no notes on standard error. Warnings and errors are printed. "
    "It may also stand behind the command.",
)
def GROUP(**_: bool) -> None:  # noqa: N802 -- a constant once it is decorated
    """Translate datasets to PDDL, run planners under limits, and validate plans."""


def run_command(arguments: list[str]) -> int:
    """Run the command named by the arguments, and return its exit status.

    Raises:
        InputError: the arguments are wrong.
        KeyboardInterrupt: the user interrupted the command; with a message, if it has one.
    """
    # It is an option of the program, and may stand behind the command, too.
    quiet = [argument for argument in arguments if argument in {"-q", "--quiet"}]
    others = [argument for argument in arguments if argument not in quiet]
    try:
        status = GROUP.main(
            [*quiet, *others],
            prog_name=PROGRAM,
            complete_var=VARIABLE,
            standalone_mode=False,
            # For `command_line`, since click does not keep them.
            obj=tuple(arguments),
        )
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return BAD_INPUT
    except click.ClickException as error:
        message = " ".join(error.format_message().split())
        if isinstance(error, click.NoSuchOption) and error.option_name in _OF_TRANSLATE:
            message = (
                f"{error.option_name} is for `translate`; this command reads its output folder"
            )
        raise InputError(message) from error
    # Click makes this of Ctrl-C; the command's own message is in the cause.
    except click.Abort as error:
        raise KeyboardInterrupt(*getattr(error.__cause__, "args", ())) from error
    return status if isinstance(status, int) else DONE
