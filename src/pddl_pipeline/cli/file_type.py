"""The type of arguments and options that name a file; ``-`` is standard input or output."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from pddl_pipeline.io.standard_streams import STANDARD, standard_input_file
from pddl_pipeline.model.errors import InputError


class _Named:
    """What a shell completes by the names of files."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the request for names of files; see `click.ParamType.shell_complete`."""
        del ctx, param
        return [CompletionItem(incomplete, type="file")]


class FileType(_Named, click.ParamType[Path]):
    """A file, whether it exists or not. At most one of a call may be the standard stream."""

    name = "file"

    def __init__(self, stream: str) -> None:
        self.stream = stream

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path; see `click.ParamType.convert`."""
        check_name(value)
        if value == STANDARD:
            self.claim(param, ctx)
        return path_of(value)

    def claim(self, param: click.Parameter | None, ctx: click.Context | None) -> None:
        """Note which parameter uses the stream. The second one is a mistake of the user."""
        if ctx is None or param is None:
            return
        users = ctx.meta.setdefault(self.stream, [])
        users.append(param)
        if len(users) < 2:
            return
        names = dict.fromkeys(each.get_error_hint(ctx) for each in users)
        several = f"only one of them can be {self.stream}"
        fault = (
            several if len(names) > 1 else f"{self.stream} can be {_USED[self.stream]} only once"
        )
        raise click.UsageError(f"{' and '.join(names)}: {fault}", ctx)


class AppendedType(_Named, click.ParamType[Path]):
    """A file to which a command appends. ``-`` is none: what is there must be readable."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path; see `click.ParamType.convert`."""
        check_name(value)
        if value == STANDARD:
            self.fail(f"found '-', expected a file; one of that name is ./{STANDARD}", param, ctx)
        return path_of(value)


class DatasetType(_Named, click.ParamType[str]):
    """A dataset: a file or folder, or standard input."""

    name = "dataset"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name unchanged; see `click.ParamType.convert`."""
        check_name(value)
        if value == STANDARD:
            INPUT.claim(param, ctx)
        return str(value)


def check_name(name: str | Path) -> None:
    """Check that a name is not empty: Python takes "" for the current folder.

    Raises:
        InputError: it is empty, as the value of an unset variable of the shell.
    """
    if name == "":
        raise InputError("found an empty name, expected a file or folder")


def path_of(name: str | Path) -> Path:
    """Return the path that a user named; ``./-`` is a file, and ``-`` a standard stream."""
    path = Path(name)
    return path.absolute() if name != STANDARD == str(path) else path


_USED: Final = {"standard input": "read", "standard output": "written"}
INPUT: Final = FileType("standard input")
OUTPUT: Final = FileType("standard output")
APPENDED: Final = AppendedType()


def is_output_taken() -> bool:
    """Return whether a file that the command writes is standard output.

    Everything else that the command prints then goes to standard error.
    """
    context = click.get_current_context(silent=True)
    claimed = [] if context is None else context.meta.get(OUTPUT.stream, [])
    return any(isinstance(each.type, FileType) for each in claimed)  # `--json` is no file


def print_beside(message: str) -> None:
    """Print a line about the results, beside them."""
    click.echo(message, err=is_output_taken())


def on_disk(path: Path) -> Path:
    """Return a file that another process can open, until the command ends: a copy of ``-``."""
    if str(path) != STANDARD:
        return path
    return click.get_current_context().with_resource(standard_input_file())
