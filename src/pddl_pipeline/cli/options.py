"""Options that several commands share."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import click
from click.core import ParameterSource

from pddl_pipeline.cli.file_type import OUTPUT, check_name
from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.limits import parse_duration, parse_size
from pddl_pipeline.model.ranges import parse_numbers, parse_range
from pddl_pipeline.translators.translator import PAPER

Value = TypeVar("Value")


def _claim_output(context: click.Context, option: click.Parameter, wanted: bool) -> bool:  # noqa: FBT001
    if wanted:
        OUTPUT.claim(option, context)
    return wanted


JSON: Final = click.option(
    "--json", "as_json", is_flag=True, callback=_claim_output,
    help="Print JSON, one object per line.",
)  # fmt: skip


LENIENT: Final = click.option(
    "--lenient", is_flag=True,
    help="Ignore errors in PDDL problems that other parsers accept, and print each: values of "
    "undeclared functions, second values and second metrics.",
)  # fmt: skip


def with_options(
    command: Callable[..., Any], options: Iterable[Callable[[Callable[..., Any]], Any]]
) -> Callable[..., Any]:
    """Return a command with these options; help lists them in the opposite order."""
    for option in options:
        command = option(command)
    return command


class Parsed(click.ParamType[Value]):
    """The type of an option whose text is parsed by a function that raises `InputError`."""

    def __init__(self, name: str, parse: Callable[[str], Value]) -> None:
        self.name = name
        self._parse = parse

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Value:
        """Return the value; see `click.ParamType.convert`."""
        if not isinstance(value, str):
            return cast("Value", value)
        try:
            return self._parse(value)
        except InputError as error:
            self.fail(error.message, param, ctx)


def allow_only(names: Collection[str], reason: str) -> None:
    """Check that the user gave no option but these.

    Args:
        names: the names of the parameters that apply.
        reason: why others do not apply; it follows the option in the message.

    Raises:
        click.UsageError: another option is given.
    """
    for each in click.get_current_context().command.params:
        # Options whose value is not exposed, such as --quiet, apply to all of the command.
        other = isinstance(each, click.Option) and each.expose_value and each.name not in names
        if other and is_given(str(each.name)):
            raise click.UsageError(f"{each.opts[0]} {reason}")


RANGE: Final = Parsed("range", parse_range)
"""A range such as 4-10."""
NUMBERS: Final = Parsed("numbers", parse_numbers)
"""Numbers and ranges such as 6,9,20-30."""
DURATION: Final = Parsed("duration", parse_duration)
"""Seconds, from text such as 30m or 1.5h."""
SIZE: Final = Parsed("size", parse_size)
"""Bytes, from text such as 3.5G."""


class FolderType(click.Path):
    """A folder. ``-`` is none, since it stands for a standard stream elsewhere."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; see `click.ParamType.convert`."""
        check_name(value)
        if value == STANDARD:
            self.fail(f"found '-', expected a folder; one of that name is ./{STANDARD}", param, ctx)
        return super().convert(value, param, ctx)


FOLDER: Final = FolderType(path_type=Path)
"""A folder as a `Path`, whether it exists or not."""
PLACE: Final = FolderType(readable=False)
"""The same as text."""

ENCODING: Final = click.option(
    "--encoding", type=click.Choice([PAPER, "rational"]), default=PAPER, show_default=True,
    help="PDDL encoding. rational is for countdown: each number is a numerator and a denominator, "
    "both whole numbers.",
)  # fmt: skip


def is_given(name: str) -> bool:
    """Return whether the user gave an option, even with its default value."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def command_line() -> str:
    """Return the command line of this call, as a shell reads it."""
    context = click.get_current_context().find_root()
    return shlex.join([str(context.info_name), *context.obj])
