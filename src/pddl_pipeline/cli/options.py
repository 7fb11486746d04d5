"""Commands whose options are the fields of dataclasses, and the options that several share.

`cli_command` makes a command of a function. The types of its parameters declare the options: a
dataclass is a group, and ``Annotated[int, click.option("--count")]`` is one option.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from inspect import getdoc
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, TypeVar, cast, get_type_hints

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from pddl_pipeline.cli.console import STANDARD_OUTPUT, note
from pddl_pipeline.cli.group import completions
from pddl_pipeline.cli.status import report_skipped, warn
from pddl_pipeline.io.files import check_outputs, write_file
from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.model.errors import EngineError, InputError, PipelineError, RecordError
from pddl_pipeline.model.limits import (
    Limits,
    parse_duration,
    parse_numbers,
    parse_range,
    parse_size,
    usable_cores,
)
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.pddl_domains import domain_names
from pddl_pipeline.tables.named_table import NamedTable, latex_document, markdown_document
from pddl_pipeline.tables.text_table import TextTable
from pddl_pipeline.translators.domains.countdown_rules import parse_rules
from pddl_pipeline.translators.formats.format import Format, ReadOptions, raise_it
from pddl_pipeline.translators.formats.registry import OWN
from pddl_pipeline.translators.translator import PAPER

Value = TypeVar("Value")
Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


class PathType(click.ParamType[Any]):
    """The name of a file, folder or dataset, whether it exists or not."""

    def __init__(self, name: str, stream: str = "", kind: type[Path | str] = Path) -> None:
        """Describe the names.

        Args:
            name: the placeholder of a name in help.
            stream: the standard stream that ``-`` stands for; empty if ``-`` is an error.
            kind: the type of the value.
        """
        self.name, self.stream, self._kind = name, stream, kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path or name; see `click.ParamType.convert`."""
        if value == "":  # Python takes it for the current folder
            raise InputError("found an empty name, expected a file or folder")
        if value == STANDARD and not self.stream:
            self.fail(f"found '-', expected a {self.name}; one of that name is ./-", param, ctx)
        return str(value) if self._kind is str else path_of(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the request for names of files; see `click.ParamType.shell_complete`."""
        del ctx, param
        return [CompletionItem(incomplete, type="file")]


INPUT: Final = PathType("file", "standard input")
OUTPUT: Final = PathType("file", STANDARD_OUTPUT)
APPENDED: Final = PathType("file")
"""A file to which a command appends: what is there must be readable."""
DATASET: Final = PathType("dataset", "standard input", str)
FOLDER: Final = PathType("folder")
PLACE: Final = PathType("folder", kind=str)
"""A folder as text."""


def path_of(name: str | Path) -> Path:
    """Return the path that a user named; ``./-`` is a file, and ``-`` a standard stream."""
    # `Path("./-")` is `-` again, which would be the standard stream.
    path = Path(name)
    return path.absolute() if name != STANDARD == str(path) else path


class Parsed(click.ParamType[Value]):
    """The type of an option whose text is parsed by a function.

    The function raises `InputError` or `ValueError` if the text is wrong.
    """

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
        except (InputError, ValueError) as error:
            self.fail(str(error), param, ctx)


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
            return completions(names(), begun)
        except PipelineError:
            return []  # the command itself prints the error

    return complete


class Command(click.Command):
    """A command whose options stand under headings, with examples."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those on data last; see `click.Command.format_options`."""
        found: dict[str, list[tuple[str, str]]] = {}
        for each in self.params:
            record = each.get_help_record(ctx)
            if record is not None and isinstance(each, click.Option):
                found.setdefault(getattr(each, "heading", "Options"), []).append(record)
        # Sorted is stable: the other headings stay in the order of the options.
        for heading in sorted(found, key=lambda each: (each == "Data", each == "Output")):
            with formatter.section(heading):
                formatter.write_dl(found[heading])


_CODE: Final = re.compile(r"(bfs|dfs):(.*,)?code=")
_REQUIRED: Final = "required"


def cli_command(
    name: str,
    *examples: str,
    kind: type[Command] = Command,
    requires: Mapping[str, str] = MappingProxyType({}),
) -> Callable[[Callable[..., int | None]], click.Command]:
    """Return a decorator that makes a command of a function; its docstring is the help.

    Args:
        name: the command's name.
        examples: calls, without the name of the program.
        kind: the class of the command.
        requires: the options that have no effect without another one, each with that one; both by
            the names of their parameters.
    """

    def decorate(work: Callable[..., int | None]) -> click.Command:
        def callback(**values: Any) -> int | None:
            _claim_streams()
            _check_files()
            for option, other in requires.items():
                if not is_given(other):
                    reject([option], f"requires {option_name(other)}")
            return work(**_arguments(work, values))

        return kind(
            name,
            params=list(_parameters(work)),
            callback=callback,
            help=getdoc(work),
            epilog="\n".join(["\b", "Examples:", *(f"  pddl-pipeline {x}" for x in examples)]),
        )

    return decorate


def _declared(holder: Any) -> dict[str, Any]:
    """Return the types of a function's parameters, or of a dataclass's fields."""
    found = get_type_hints(holder, include_extras=True)
    return {name: kind for name, kind in found.items() if name != "return"}


def _parameters(holder: Any) -> Iterator[click.Parameter]:
    for name, kind in _declared(holder).items():
        if not hasattr(kind, "__metadata__"):
            yield from _parameters(kind)
            continue
        # Click's decorators store the parameter in the function that they decorate.
        decorated: Any = kind.__metadata__[0](lambda: None)
        (parameter,) = decorated.__click_params__
        parameter.name = name
        parameter.heading = (*kind.__metadata__, "Options")[1]
        yield parameter


def _arguments(holder: Any, values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: values.get(name)
        if hasattr(kind, "__metadata__")
        else kind(**_arguments(kind, values))
        for name, kind in _declared(holder).items()
    }


def pairs(_: click.Context, option: click.Parameter, given: Iterable[str]) -> dict[str, str]:
    """Return the values of an option by name, from texts such as ``NAME=VALUE``.

    Raises:
        InputError: a text has another form.
    """
    found = {}
    for text in given:
        name, _equals, value = text.partition("=")
        if not (name and value):
            raise InputError(f"{option.opts[0]}: found '{text}', expected {option.metavar}")
        found[name.replace("-", "_")] = value
    return found


def _claim_streams() -> None:
    """Note whether a file is standard output; check that each standard stream is used once."""
    context = click.get_current_context()
    for stream in ("standard input", STANDARD_OUTPUT):
        users = [
            param.get_error_hint(context)
            for param in context.command.params
            for value in _values(context.params.get(param.name or ""))
            if isinstance(param.type, PathType) and param.type.stream == stream
            if str(value) == STANDARD
        ]
        if stream == STANDARD_OUTPUT:
            context.meta[STANDARD_OUTPUT] = bool(users)
            # JSON is printed on standard output as well, and would end up in the same stream.
            users += ["'--json'"] if users and context.params.get("as_json") else []
        if len(users) > 1:
            raise click.UsageError(f"{' and '.join(users)}: only one of them can be {stream}")


def _check_files() -> None:
    """Check that no file to write is a file that the command reads; see `check_outputs`."""
    context = click.get_current_context()
    outputs, inputs = list[Path | None](), list[Any]()
    for param in context.command.params:
        values = _values(context.params.get(param.name or ""))
        if param.type in (OUTPUT, APPENDED):
            outputs += values
        # The folder of a run store is read and written, which is intended.
        elif param.type in (INPUT, DATASET, PLACE) and param.name != "output":
            inputs += values
    check_outputs(outputs, inputs)


def _values(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def option_name(name: str) -> str:
    """Return the option of the current command with this name of a parameter."""
    params = click.get_current_context().command.params
    return next(param.opts[0] for param in params if param.name == name)


def is_given(name: str) -> bool:
    """Return whether the user gave an option, even with its default value."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def reject(names: Iterable[str], reason: str) -> None:
    """Check that the user gave none of these options.

    Args:
        names: the names of the parameters.
        reason: why they do not apply; it follows the option in the message.

    Raises:
        click.UsageError: one is given.
    """
    for name in filter(is_given, names):
        raise click.UsageError(f"{option_name(name)} {reason}")


def allow_only(names: Collection[str], reason: str) -> None:
    """Check that the user gave no option but these; see `reject`."""
    options = click.get_current_context().command.params
    others = (str(option.name) for option in options if isinstance(option, click.Option))
    reject((name for name in others if name not in names), reason)


def command_line() -> str:
    """Return the command line of this call, as a shell reads it."""
    context = click.get_current_context().find_root()
    return shlex.join([str(context.info_name), *context.obj])


Json = Annotated[
    bool,
    click.option("--json", "as_json", is_flag=True, help="Print JSON, one object per line."),
    "Output",
]
Lenient = Annotated[
    bool,
    click.option(
        "--lenient",
        is_flag=True,
        help="Ignore errors in PDDL problems that other parsers accept, and print each: values of "
        "undeclared functions, second values and second metrics.",
    ),
    "Data",
]
Encoding = Annotated[
    str,
    click.option(
        "--encoding",
        type=click.Choice([PAPER, "rational"]),
        default=PAPER,
        show_default=True,
        help="PDDL encoding. rational is for countdown: each number is a numerator and a "
        "denominator, both whole numbers.",
    ),
    "Data",
]
Limit = Annotated[
    int | None,
    click.option(
        "--limit", type=click.IntRange(min=1), metavar="N", help="Stop after this many instances."
    ),
    "Data",
]
Data = Annotated[
    tuple[str, ...],
    click.argument("data", type=DATASET, nargs=-1, required=True, metavar="DATA..."),
]


Rules = Annotated[dict[str, Any] | None, click.option(
    "--rules", type=Parsed("rules", parse_rules), metavar="R",
    help="Rules by which countdown answers count: paper, the name of a format, or settings "
    "such as negatives=yes,tolerance=0.001. Defaults to the records' own rules, those of "
    "--format, or the paper's.",
), "Data"]  # fmt: skip


@dataclass(frozen=True)
class DataOptions:
    """How a command reads datasets."""

    form: Annotated[str | None, click.option(
        "--format", metavar="F",
        help="Format of the data; see `pddl-pipeline list formats`. Detected and printed if "
        "omitted.",
    ), "Data"]  # fmt: skip
    domain: Annotated[str | None, click.option(
        "--domain", type=DATASET, metavar="NAME|FILE", shell_complete=offering(domain_names),
        help="Domain of records without a field domain, such as ferry, or the domain file of PDDL "
        "problems that is not in their folder.",
    ), "Data"]  # fmt: skip
    skip_bad: Annotated[bool, click.option(
        "--skip-bad", is_flag=True,
        help="Report and skip invalid records instead of stopping.",
    ), "Data"]  # fmt: skip

    @property
    def domain_file(self) -> Path | None:
        """The domain file, if there is one.

        Raises:
            InputError: there is neither a domain nor a file of this name.
        """
        name = self.domain
        if name is None or name in domain_names():
            return None
        if name != STANDARD and not Path(name).exists():
            near = hint(name, domain_names())
            raise InputError(f"--domain: found neither a domain nor a file '{name}'{near}")
        return path_of(name)

    def reading(
        self, limit: int | None = None, on_unread: Callable[[InputError], None] = raise_it
    ) -> ReadOptions:
        """Return what the options say, for at most this many instances.

        Without ``--skip-bad``, `on_unread` is called for each PDDL file that cannot be read.
        """
        file = self.domain_file
        return ReadOptions(
            form=self.form, domain=file, domain_name=None if file else self.domain, limit=limit,
            on_bad=report_skipped if self.skip_bad else partial(_stop, on_unread),
            on_guess=_report_format, on_note=note, strict=True,
        )  # fmt: skip


def _stop(on_unread: Callable[[InputError], None], error: InputError) -> None:
    """Raise the error of an invalid record, with the option that skips it; pass on others."""
    if not isinstance(error, RecordError):
        return on_unread(error)
    error.message += "; --skip-bad skips invalid records"
    raise error


def _report_format(path: str, found: Format) -> None:
    if found.name != OWN:
        note(f"{path}: read as {found.name}")


def _planner_names() -> Iterable[str]:
    # Importing every engine takes a quarter of a second.
    from pddl_pipeline.planners.registry import planners

    return planners()


PLANNER_NAMES: Final = offering(_planner_names)
"""The completion of a planner's name."""
SANDBOX: Final = click.option(
    "--sandbox",
    type=click.Choice(["available", _REQUIRED]),
    default="available",
    show_default=True,
    help="Run the code in the sandbox that this machine's kernel makes possible, and print a "
    "warning if a part is missing (available), or refuse to run without all parts (required).",
)
PlannerFile = Annotated[
    Path | None,
    click.option(
        "--planners",
        type=INPUT,
        metavar="FILE",
        help="TOML file that defines planners by their commands; `pddl-pipeline new planners` "
        "prints an example.",
    ),
    "Planners",
]


@dataclass(frozen=True)
class PlannerOptions:
    """Definitions of planners, and the sandbox of their code, beside ``--planner``."""

    planner_file: PlannerFile
    sandbox: Annotated[str, SANDBOX, "Planners"]

    def planners(self, named: Collection[str]) -> list[str]:
        """Return the references to the named planners, or to those that the options name.

        Raises:
            InputError: the file is wrong.
            EngineError: a part of the sandbox is missing, and it is required.
        """
        if any(map(_CODE.match, named)):
            check_sandbox(self.sandbox)
        else:
            reject(["sandbox"], "requires a planner with code=FILE")
        return planners_of_file(named, self.planner_file)


def planners_of_file(named: Collection[str], file: Path | None) -> list[str]:
    """Return the references to planners, some of which a file defines; all of it if none is named.

    Raises:
        InputError: the file is wrong.
        click.UsageError: no planner of the file is named.
    """
    if file is None:
        return list(named)
    from pddl_pipeline.planners.command_planner import read_planners  # rare

    defined = {planner.name: planner.reference for planner in read_planners(file)}
    if named and not defined.keys() & {*named}:
        raise click.UsageError(
            f"--planners {file}: --planner names none of its planners: {', '.join(defined)}"
        )
    return [defined.get(each, each) for each in named or defined]


def check_sandbox(wanted: str) -> None:
    """Warn if this machine's kernel lacks a part of the sandbox.

    Args:
        wanted: the value of ``--sandbox``.

    Raises:
        EngineError: a part is missing, and it is required.
    """
    from pddl_pipeline.planners.sandbox.confinement import protections  # rare

    missing = protections().missing()
    if not missing:
        return
    reason = f"the kernel does not confine a model's code: {'; '.join(missing)}"
    if wanted == _REQUIRED:
        raise EngineError(f"--sandbox required: {reason}")
    warn(reason)


@dataclass(frozen=True)
class LimitOptions:
    """The limits of each attempt, and how planners are started."""

    time_limit: Annotated[float, click.option(
        "--time-limit", type=DURATION, default="30m", show_default=True,
        help="Wall-clock time limit for each attempt, such as 30m, 90s or 1.5h.",
    ), "Limits"]  # fmt: skip
    cpu_limit: Annotated[float | None, click.option(
        "--cpu-limit", type=DURATION,
        help="CPU time limit for each attempt, summed over its processes. Unlimited if omitted.",
    ), "Limits"]  # fmt: skip
    memory_limit: Annotated[float, click.option(
        "--memory-limit", type=SIZE, default="3.5G", show_default=True,
        help="Memory limit for each attempt, summed over its processes; G is 2^30 bytes.",
    ), "Limits"]  # fmt: skip

    @property
    def limits(self) -> Limits:
        """The limits."""
        return Limits(self.time_limit, int(self.memory_limit), self.cpu_limit)


def workers_option(what: str) -> Callable[[Any], Any]:
    """Return the option ``-j``, the number of planners or attempts to run in parallel."""
    return click.option(
        "-j",
        "workers",
        type=click.IntRange(min=1),
        metavar="N",
        default=usable_cores,
        help=f"Number of {what} to run in parallel. Defaults to the number of cores.",
    )


def warn_of_sharing(workers: int) -> None:
    """Print a warning if several attempts will share a core."""
    cores = usable_cores()
    if workers > cores:
        # 16 at a time on 2 cores: 1.5 s on average instead of 0.13 s.
        warn(
            f"-j {workers} on {cores} core{'s' if cores > 1 else ''} distorts wall-clock "
            "times: attempts that share a core take longer"
        )


@dataclass(frozen=True)
class TableFiles:
    """The files that get tables."""

    paths: Annotated[tuple[Path, ...], click.option(
        "--table", "tables", type=OUTPUT, multiple=True, metavar="FILE",
        help="Write every table: as LaTeX if the name ends in .tex (needs the packages booktabs "
        "and longtable), as one table of all numbers in .csv, else as Markdown. - prints "
        "Markdown; may be repeated.",
    ), "Output"]  # fmt: skip

    def write(self, tables: Iterable[NamedTable], rows: TextTable) -> None:
        """Write the tables, and in CSV the rows with all numbers.

        Raises:
            InputError: a file cannot be written.
        """
        found = list(tables)
        for path in self.paths:
            match path.suffix.lower():
                case ".csv":
                    write_file(path, rows.to_csv())
                case ".tex":
                    write_file(path, latex_document(found))
                case _:
                    write_file(path, markdown_document(found))
