"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import click
from click.core import ParameterSource

from pddl_pipeline.cli.completion import offering
from pddl_pipeline.cli.file_type import INPUT, OUTPUT, DatasetType, on_disk
from pddl_pipeline.cli.progress import note
from pddl_pipeline.model.cores import usable_cores
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.limits import Limits, parse_duration, parse_size
from pddl_pipeline.model.ranges import parse_range
from pddl_pipeline.translators.datasets import ReadOptions, raise_it
from pddl_pipeline.translators.domains.countdown_rules import parse_rules
from pddl_pipeline.translators.formats.format import Format
from pddl_pipeline.translators.formats.registry import OWN
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
DURATION: Final = Parsed("duration", parse_duration)
"""Seconds, from text such as 30m or 1.5h."""
SIZE: Final = Parsed("size", parse_size)
"""Bytes, from text such as 3.5G."""
FOLDER: Final = click.Path(path_type=Path)
"""A folder as a `Path`, whether it exists or not."""
PLACE: Final = click.Path(readable=False)
"""The same as text."""

DATA: Final = click.argument("data", type=DatasetType(), nargs=-1, required=True, metavar="DATA...")
LIMIT: Final = click.option(
    "--limit", type=click.IntRange(min=1), help="Stop after this many instances."
)


_SOURCE: Final = (
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
        "--domain", type=INPUT, metavar="FILE",
        help="Domain file for PDDL problems, if it is not in their folder.",
    ),
    click.option(
        "--rules", type=Parsed("rules", parse_rules), metavar="R",
        help="Rules by which countdown answers count: paper, the name of a format, or settings "
        "such as negatives=yes,tolerance=0.001. Defaults to the records' own rules, those of "
        "--format, or the paper's.",
    ),
    click.option(
        "--column", "columns", multiple=True, metavar="FIELD=COLUMN",
        help="The column that contains a field of the record, such as numbers=digits; may be "
        "repeated.",
    ),
    click.option(
        "--domain-name", metavar="NAME",
        help="Domain of records without a field domain, such as ferry. Defaults to countdown "
        "for tables with numbers and a target.",
    ),
    click.option(
        "--format", "form", metavar="F",
        help="Format of the data; see `pddl-pipeline domains`. Detected and printed if "
        "omitted.",
    ),
)  # fmt: skip


def source(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for reading datasets; the command gets a `ReadOptions` as ``how``."""

    @wraps(command)
    def with_source(  # noqa: PLR0913 -- one parameter an option
        *, form: str | None, domain: Path | None, folders: tuple[str, ...], skip_bad: bool,
        columns: tuple[str, ...], domain_name: str | None, rules: dict[str, Any] | None,
        lenient: bool, **others: Any,
    ) -> Any:  # fmt: skip
        how = ReadOptions(
            form, domain, dict(map(_folder, folders)),
            _report_skipped if skip_bad else raise_it, _report_format, _report_note,
            dict(map(_column, columns)), domain_name, rules, strict=True,
            on_ignored=_report_ignored if lenient else None,
        )  # fmt: skip
        return command(how=how, **others)

    wrapped: Callable[..., Any] = with_source
    for option in _SOURCE:
        wrapped = option(wrapped)
    return wrapped


def _report_skipped(error: InputError) -> None:
    click.echo(f"skipped: {error}", err=True)


def _report_ignored(message: str) -> None:
    click.echo(f"warning: {message}", err=True)


def _report_format(path: str, found: Format) -> None:
    if found.name != OWN:
        note(f"{path}: read as {found.name}")


def _report_note(note: str) -> None:
    click.echo(note, err=True)


def _column(text: str) -> tuple[str, str]:
    field, equals, column = text.partition("=")
    if not (field and equals and column):
        raise InputError(f"--column: found '{text}', expected FIELD=COLUMN, such as numbers=digits")
    return field, column


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


def _planner_names() -> Iterable[str]:
    # Importing every engine takes a quarter of a second.
    from pddl_pipeline.planners.registry import planners  # noqa: PLC0415

    return planners()


PLANNER_NAMES: Final = offering(_planner_names)
"""The completion of a planner's name."""


def search_code(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--search-code`` to a command with ``--planner``; the file becomes part of the planner.

    The command itself gets no ``search_code``.
    """

    @wraps(command)
    def with_code(*, search_code: Path | None, **others: Any) -> Any:
        if search_code is None:
            return command(**others)
        search_code = on_disk(search_code)
        if "planners" in others:
            named = others["planners"] or ("bfs",)
            others["planners"] = tuple(_with_code(planner, search_code) for planner in named)
        else:
            others["planner"] = _with_code(others["planner"] or "bfs", search_code)
        return command(**others)

    wrapped: Callable[..., Any] = click.option(
        "--search-code", type=INPUT, metavar="FILE",
        help="Search with the functions succ and isgoal in this file: Python code, or a model's "
        "answer. The planner is bfs (the default) or dfs.",
    )(with_code)  # fmt: skip
    return wrapped


def _with_code(planner: str, file: Path) -> str:
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
        one = others.get("planner")
        named = others.get("planners", () if one is None else (one,))
        if named and not defined.keys() & {*named}:
            raise click.UsageError(
                f"--planners {planner_file}: --planner names none of its planners: "
                f"{', '.join(defined)}"
            )
        if "planners" in others:
            others["planners"] = tuple(defined.get(each, each) for each in named or defined)
        elif one is not None:
            others["planner"] = defined[one]
        elif len(defined) == 1:
            (others["planner"],) = defined.values()
        else:
            raise click.UsageError(
                f"{planner_file} has {len(defined)} planners; choose one with --planner: "
                f"{', '.join(defined)}"
            )
        return command(**others)

    wrapped: Callable[..., Any] = click.option(
        "--planners", "planner_file", type=INPUT, metavar="FILE",
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


def warn_of_sharing(workers: int) -> None:
    """Print a warning if several attempts will share a core."""
    cores = usable_cores()
    if workers > cores:
        # 16 at a time on 2 cores: 1.5 s on average instead of 0.13 s.
        click.echo(
            f"warning: -j {workers} on {cores} core{'s' if cores > 1 else ''} distorts wall-clock "
            "times: attempts that share a core take longer",
            err=True,
        )


def is_given(name: str) -> bool:
    """Return whether the user gave an option, even with its default value."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


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
