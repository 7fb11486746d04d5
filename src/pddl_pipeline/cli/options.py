"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import click

from pddl_pipeline.model.cores import usable_cores
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.limits import Limits, parse_duration, parse_size
from pddl_pipeline.model.ranges import parse_range
from pddl_pipeline.translators.datasets import ReadOptions, raise_it
from pddl_pipeline.translators.formats.format import Format
from pddl_pipeline.translators.formats.registry import OWN
from pddl_pipeline.translators.translator import PAPER

Value = TypeVar("Value")

JSON: Final = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON, one object per line."
)


LENIENT: Final = click.option(
    "--lenient", is_flag=True,
    help="Ignore what is wrong in PDDL problems but read by other parsers, and print it: values of "
    "undeclared functions, second values and second metrics.",
)  # fmt: skip


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
DURATION: Final = Parsed("duration", parse_duration)
"""Seconds, from text such as 30m or 1.5h."""
SIZE: Final = Parsed("size", parse_size)
"""Bytes, from text such as 3.5G."""
FILE: Final = click.Path(path_type=Path)
"""A file or folder as a `Path`, whether it exists or not."""

DATA: Final = click.argument("data", nargs=-1, required=True, metavar="DATA...")
LIMIT: Final = click.option(
    "--limit", type=click.IntRange(min=1), help="Stop after this many instances."
)


def source(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for reading datasets; the command gets a `ReadOptions` as ``how``."""

    @wraps(command)
    def with_source(
        *, form: str | None, domain: str | None, folders: tuple[str, ...], skip_bad: bool,
        lenient: bool, **others: Any,
    ) -> Any:  # fmt: skip
        on_bad = _report_skipped if skip_bad else raise_it
        places = dict(map(_folder, folders))
        how = ReadOptions(form, Path(domain) if domain else None, places, on_bad, _report_format)
        if lenient:
            how = replace(how, on_ignored=_report_ignored)
        return command(how=how, **others)

    wrapped: Callable[..., Any] = with_source
    for option in (
        LENIENT,
        click.option(
            "--skip-bad", is_flag=True,
            help="Report and skip invalid records instead of stopping.",
        ),
        click.option(
            "--folder", "folders", multiple=True, metavar="[NAME=]DIR",
            help="Folder of the problem files that a list names; may be repeated. NAME is the "
            "folder's name in the list.",
        ),
        click.option(
            "--domain", metavar="FILE",
            help="Domain file for PDDL problems, if it is not in their folder.",
        ),
        click.option(
            "--format", "form", metavar="F",
            help="Format of the data; see `pddl-pipeline domains`. Detected and printed if "
            "omitted.",
        ),
    ):  # fmt: skip
        wrapped = option(wrapped)
    return wrapped


def _report_skipped(error: InputError) -> None:
    click.echo(f"skipped: {error}", err=True)


def _report_ignored(message: str) -> None:
    click.echo(f"warning: {message}", err=True)


def _report_format(path: str, found: Format) -> None:
    if found.name != OWN:
        click.echo(f"{path}: read as {found.name}", err=True)


def _folder(text: str) -> tuple[str, Path]:
    name, equals, place = text.rpartition("=")
    folder = Path(place)
    if not folder.is_dir():
        raise InputError("is not a folder", file=place)
    return (name if equals else ""), folder


ENCODING: Final = click.option(
    "--encoding", type=click.Choice([PAPER, "rational"]), default=PAPER, show_default=True,
    help="PDDL encoding. rational is for countdown: each number is a numerator and a denominator, "
    "both whole numbers.",
)  # fmt: skip


def search_code(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--search-code`` to a command with ``--planner``; the file becomes part of the planner.

    The command itself gets no ``search_code``.
    """

    @wraps(command)
    def with_code(*, search_code: str | None, **others: Any) -> Any:
        if search_code is None:
            return command(**others)
        if "planners" in others:
            named = others["planners"] or ("bfs",)
            others["planners"] = tuple(_with_code(planner, search_code) for planner in named)
        else:
            others["planner"] = _with_code(others["planner"] or "bfs", search_code)
        return command(**others)

    wrapped: Callable[..., Any] = click.option(
        "--search-code", metavar="FILE",
        help="Search with the functions succ and isgoal in this file: Python code, or a model's "
        "answer. The planner is bfs (the default) or dfs.",
    )(with_code)  # fmt: skip
    return wrapped


def _with_code(planner: str, file: str) -> str:
    if planner.partition(":")[0] not in ("bfs", "dfs"):
        raise InputError(f"--search-code requires the planner bfs or dfs, found '{planner}'")
    return f"{planner}{',' if ':' in planner else ':'}code={file}"


def planner_file(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--planners FILE`` to a command with ``--planner``.

    The command itself gets references to the planners of the file. `run` runs all of them if no
    planner is named, `solve` the only one.
    """

    @wraps(command)
    def with_file(*, planner_file: Path | None, **others: Any) -> Any:
        if planner_file is None:
            return command(**others)
        from pddl_pipeline.planners.planner_file import read_planners  # noqa: PLC0415 -- rare

        defined = {each.name: each.reference for each in read_planners(planner_file)}
        if "planners" in others:
            names = others["planners"] or tuple(defined)
            others["planners"] = tuple(defined.get(name, name) for name in names)
        elif others["planner"] is not None:
            others["planner"] = defined.get(others["planner"], others["planner"])
        elif len(defined) == 1:
            (others["planner"],) = defined.values()
        else:
            raise click.UsageError(
                f"{planner_file} has {len(defined)} planners; choose one with --planner: "
                f"{', '.join(defined)}"
            )
        return command(**others)

    wrapped: Callable[..., Any] = click.option(
        "--planners", "planner_file", type=click.Path(path_type=Path), metavar="FILE",
        help="TOML file that defines planners by their commands; `pddl-pipeline planners-file` "
        "prints an example.",
    )(with_file)  # fmt: skip
    return wrapped


def workers_option(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option ``-j``, the number of planners or attempts to run in parallel."""
    return click.option(
        "-j", "workers", type=click.IntRange(min=1), default=usable_cores, show_default="cores",
        help=f"Number of {what} to run in parallel.",
    )  # fmt: skip


def limits(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--time-limit``, ``--cpu-limit``, ``--memory-limit``, ``--via``; see `limits_of`."""
    for option in (
        click.option(
            "--via", type=click.Choice(["command", "up"]), default="command", show_default=True,
            help="Run planners with the command line that Unified Planning builds (command), or "
            "let Unified Planning read the problem and run them (up).",
        ),
        click.option(
            "--memory-limit", type=SIZE, default="3.5G", show_default=True,
            help="Memory limit for each attempt, summed over its processes; G is 2^30 bytes.",
        ),
        click.option(
            "--cpu-limit", type=DURATION, default=None,
            help="CPU time limit for each attempt, summed over its processes. Unlimited if "
            "omitted.",
        ),
        click.option(
            "--time-limit", type=DURATION, default="30m",
            show_default=True,
            help="Wall-clock time limit for each attempt, such as 30m, 90s or 1.5h.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def limits_of(time_limit: float, memory_limit: float, cpu_limit: float | None) -> Limits:
    """Return the values of the options as `Limits`."""
    return Limits(time_limit, int(memory_limit), cpu_limit)
