"""The types of arguments and options: files, folders, datasets, and text that a function parses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import click
from click.shell_completion import CompletionItem

from pddl_pipeline.io.standard_streams import STANDARD, standard_input_file
from pddl_pipeline.model.errors import InputError, PipelineError
from pddl_pipeline.model.limits import parse_duration, parse_size
from pddl_pipeline.model.ranges import parse_numbers, parse_range

Value = TypeVar("Value")
Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
_STREAMS: Final = {"standard input": "read", "standard output": "written"}


class PathType(click.ParamType[Any]):
    """The name of a file, folder or dataset, whether it exists or not."""

    def __init__(
        self, name: str, stream: str = "", *, noun: str = "file", kind: type[Path | str] = Path
    ) -> None:
        """Describe the names.

        Args:
            name: the placeholder of a name in help.
            stream: the standard stream that ``-`` stands for; empty if ``-`` is an error.
            noun: what ``-`` is instead of, in the message.
            kind: the type of the value.
        """
        self.name, self.stream = name, stream
        self._noun, self._kind = noun, kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path or name; see `click.ParamType.convert`."""
        if value == "":  # Python takes it for the current folder
            raise InputError("found an empty name, expected a file or folder")
        if value == STANDARD and self.stream:
            self.claim(param, ctx)
        elif value == STANDARD:
            fault = f"found '-', expected a {self._noun}; one of that name is ./{STANDARD}"
            self.fail(fault, param, ctx)
        return str(value) if self._kind is str else path_of(value)

    def claim(self, param: click.Parameter | None, ctx: click.Context | None) -> None:
        """Note which parameter uses the stream. The second one is a mistake of the user."""
        if ctx is None or param is None:
            return
        users = ctx.meta.setdefault(self.stream, [])
        users.append(param)
        names = dict.fromkeys(each.get_error_hint(ctx) for each in users)
        if len(names) > 1:
            fault = f"only one of them can be {self.stream}"
            raise click.UsageError(f"{' and '.join(names)}: {fault}", ctx)
        if len(users) > 1:
            fault = f"{self.stream} can be {_STREAMS[self.stream]} only once"
            raise click.UsageError(f"{next(iter(names))}: {fault}", ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the request for names of files; see `click.ParamType.shell_complete`."""
        del ctx, param
        return [CompletionItem(incomplete, type="file")]


INPUT: Final = PathType("file", "standard input")
OUTPUT: Final = PathType("file", "standard output")
APPENDED: Final = PathType("file")
"""A file to which a command appends: what is there must be readable."""
DATASET: Final = PathType("dataset", "standard input", kind=str)
FOLDER: Final = PathType("path", noun="folder")
PLACE: Final = PathType("path", noun="folder", kind=str)
"""A folder as text."""


def path_of(name: str | Path) -> Path:
    """Return the path that a user named; ``./-`` is a file, and ``-`` a standard stream."""
    path = Path(name)
    return path.absolute() if name != STANDARD == str(path) else path


def is_output_taken() -> bool:
    """Return whether a file that the command writes is standard output.

    Everything else that the command prints then goes to standard error.
    """
    context = click.get_current_context(silent=True)
    claimed = [] if context is None else context.meta.get(OUTPUT.stream, [])
    return any(isinstance(each.type, PathType) for each in claimed)  # `--json` is no file


def on_disk(path: Path) -> Path:
    """Return a file that another process can open, until the command ends: a copy of ``-``."""
    if str(path) != STANDARD:
        return path
    return click.get_current_context().with_resource(standard_input_file())


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


RANGE: Final = Parsed("range", parse_range)
"""A range such as 4-10."""
NUMBERS: Final = Parsed("numbers", parse_numbers)
"""Numbers and ranges such as 6,9,20-30."""
DURATION: Final = Parsed("duration", parse_duration)
"""Seconds, from text such as 30m or 1.5h."""
SIZE: Final = Parsed("size", parse_size)
"""Bytes, from text such as 3.5G."""


def offering(names: Callable[[], Iterable[str]]) -> Complete:
    """Return the completion of an option whose values are these names."""

    def complete(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
        try:
            return items_of(names(), begun)
        except PipelineError:
            return []  # the command itself prints the error

    return complete


def items_of(names: Iterable[str], begun: str) -> list[CompletionItem]:
    """Return the names that start with what the user typed."""
    return [CompletionItem(name) for name in names if name.startswith(begun)]
