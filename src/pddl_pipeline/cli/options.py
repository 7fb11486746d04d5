"""Commands whose options are the fields of dataclasses, and the options that several share.

`cli_command` makes a command of a function. The types of its parameters declare the options: a
dataclass is a group, and ``Annotated[int, click.option("--count")]`` is one option.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from inspect import getdoc
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar, cast, get_type_hints

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from pddl_pipeline.cli.console import STANDARD_OUTPUT, note
from pddl_pipeline.cli.group import items_of
from pddl_pipeline.cli.status import report_skipped, warn
from pddl_pipeline.io.files import write_file
from pddl_pipeline.io.standard_streams import STANDARD, standard_input_file
from pddl_pipeline.model.errors import EngineError, InputError, PipelineError
from pddl_pipeline.model.limits import (
    Limits,
    parse_duration,
    parse_numbers,
    parse_range,
    parse_size,
    usable_cores,
)
from pddl_pipeline.pddl_domains import domain_names
from pddl_pipeline.tables.named_table import NamedTable, latex_document, markdown_document
from pddl_pipeline.translators.domains.countdown_rules import parse_rules
from pddl_pipeline.translators.formats.format import Format, ReadOptions, raise_it
from pddl_pipeline.translators.formats.registry import OWN
from pddl_pipeline.translators.translator import PAPER

Value = TypeVar("Value")
Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
_STREAMS: Final = {"standard input": "read", STANDARD_OUTPUT: "written"}


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
OUTPUT: Final = PathType("file", STANDARD_OUTPUT)
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


def on_disk(path: Path) -> Path:
    """Return a file that another process can open, until the command ends: a copy of ``-``."""
    if str(path) != STANDARD:
        return path
    return click.get_current_context().with_resource(standard_input_file())


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
            return items_of(names(), begun)
        except PipelineError:
            return []  # the command itself prints the error

    return complete


_CODE: Final = re.compile(r"(bfs|dfs):(.*,)?code=")
_REQUIRED: Final = "required"


def cli_command(
    name: str, example: str, kind: type[click.Command] = click.Command
) -> Callable[[Callable[..., int | None]], click.Command]:
    """Return a decorator that makes a command of a function; its docstring is the help.

    Args:
        name: the command's name.
        example: a call, without the name of the program.
        kind: the class of the command.
    """

    def decorate(work: Callable[..., int | None]) -> click.Command:
        def callback(**values: Any) -> int | None:
            return work(**_arguments(work, values))

        return kind(
            name, params=list(_parameters(work)), callback=callback, help=getdoc(work),
            epilog=f"Example: pddl-pipeline {example}",
        )  # fmt: skip

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
        yield parameter


def _arguments(holder: Any, values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: values.get(name)
        if hasattr(kind, "__metadata__")
        else kind(**_arguments(kind, values))
        for name, kind in _declared(holder).items()
    }


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
    options = {each.name: each.opts[0] for each in click.get_current_context().command.params}
    for name in names:
        if is_given(name):
            raise click.UsageError(f"{options[name]} {reason}")


def allow_only(names: Collection[str], reason: str) -> None:
    """Check that the user gave no option but these; see `reject`."""
    params = click.get_current_context().command.params
    # Options whose value is not exposed, such as --quiet, apply to all of the command.
    others = (p for p in params if isinstance(p, click.Option) and p.expose_value)
    reject((str(each.name) for each in others if each.name not in names), reason)


def command_line() -> str:
    """Return the command line of this call, as a shell reads it."""
    context = click.get_current_context().find_root()
    return shlex.join([str(context.info_name), *context.obj])


def _claim_output(context: click.Context, option: click.Parameter, wanted: bool) -> bool:  # noqa: FBT001
    if wanted:
        OUTPUT.claim(option, context)
    return wanted


JSON: Final = click.option(
    "--json", "as_json", is_flag=True, callback=_claim_output,
    help="Print JSON, one object per line.",
)  # fmt: skip
Json = Annotated[bool, JSON]
Lenient = Annotated[
    bool,
    click.option(
        "--lenient", is_flag=True,
        help="Ignore errors in PDDL problems that other parsers accept, and print each: values of "
        "undeclared functions, second values and second metrics.",
    ),
]  # fmt: skip
Encoding = Annotated[
    str,
    click.option(
        "--encoding", type=click.Choice([PAPER, "rational"]), default=PAPER, show_default=True,
        help="PDDL encoding. rational is for countdown: each number is a numerator and a "
        "denominator, both whole numbers.",
    ),
]  # fmt: skip
Limit = Annotated[
    int | None,
    click.option("--limit", type=click.IntRange(min=1), help="Stop after this many instances."),
]
Data = Annotated[
    tuple[str, ...],
    click.argument("data", type=DATASET, nargs=-1, required=True, metavar="DATA..."),
]


@dataclass(frozen=True)
class DataOptions:
    """How a command reads datasets."""

    form: Annotated[str | None, click.option(
        "--format", metavar="F",
        help="Format of the data; see `pddl-pipeline domains`. Detected and printed if "
        "omitted.",
    )]  # fmt: skip
    domain_name: Annotated[str | None, click.option(
        "--domain-name", metavar="NAME", shell_complete=offering(domain_names),
        help="Domain of records without a field domain, such as ferry. Defaults to countdown "
        "for tables with numbers and a target.",
    )]  # fmt: skip
    columns: Annotated[tuple[str, ...], click.option(
        "--column", multiple=True, metavar="FIELD=COLUMN",
        help="The column that contains a field of the record, such as numbers=digits; may be "
        "repeated.",
    )]  # fmt: skip
    rules: Annotated[dict[str, Any] | None, click.option(
        "--rules", type=Parsed("rules", parse_rules), metavar="R",
        help="Rules by which countdown answers count: paper, the name of a format, or settings "
        "such as negatives=yes,tolerance=0.001. Defaults to the records' own rules, those of "
        "--format, or the paper's.",
    )]  # fmt: skip
    domain: Annotated[Path | None, click.option(
        "--domain", type=INPUT, metavar="FILE",
        help="Domain file for PDDL problems, if it is not in their folder.",
    )]  # fmt: skip
    folders: Annotated[tuple[str, ...], click.option(
        "--folder", multiple=True, metavar="[NAME=]DIR",
        help="Folder of the problem files that a list names; may be repeated. NAME is the "
        "folder's name in the list.",
    )]  # fmt: skip
    skip_bad: Annotated[bool, click.option(
        "--skip-bad", is_flag=True,
        help="Report and skip invalid records instead of stopping.",
    )]  # fmt: skip
    lenient: Lenient

    def reading(self, limit: int | None = None) -> ReadOptions:
        """Return what the options say, for at most this many instances.

        Raises:
            InputError: a column or folder is not one.
        """
        return ReadOptions(
            self.form, self.domain, dict(map(_folder, self.folders)),
            report_skipped if self.skip_bad else raise_it, _report_format, note,
            dict(map(_column, self.columns)), self.domain_name, self.rules, limit, strict=True,
            on_ignored=warn if self.lenient else None,
        )  # fmt: skip


def _report_format(path: str, found: Format) -> None:
    if found.name != OWN:
        note(f"{path}: read as {found.name}")


def _column(text: str) -> tuple[str, str]:
    field, _, column = text.partition("=")
    if not (field and column):
        raise InputError(f"--column: found '{text}', expected FIELD=COLUMN, such as numbers=digits")
    return field, column


def _folder(text: str) -> tuple[str, Path]:
    name, _, place = text.rpartition("=")
    if not Path(place).is_dir():
        raise InputError("is not a folder", file=place)
    return name, Path(place)


def _planner_names() -> Iterable[str]:
    # Importing every engine takes a quarter of a second.
    from pddl_pipeline.planners.registry import planners  # noqa: PLC0415

    return planners()


PLANNER_NAMES: Final = offering(_planner_names)
"""The completion of a planner's name."""
SANDBOX: Final = click.option(
    "--sandbox", type=click.Choice(["available", _REQUIRED]), default="available",
    show_default=True,
    help="Run the code in the sandbox that this machine's kernel makes possible, and print a "
    "warning if a part is missing (available), or refuse to run without all parts (required).",
)  # fmt: skip
PlannerFile = Annotated[
    Path | None,
    click.option(
        "--planners", type=INPUT, metavar="FILE",
        help="TOML file that defines planners by their commands; `pddl-pipeline planners-file` "
        "prints an example.",
    ),
]  # fmt: skip


@dataclass(frozen=True)
class PlannerOptions:
    """The code of a search, and definitions of planners, beside ``--planner``."""

    search_code: Annotated[Path | None, click.option(
        "--search-code", type=INPUT, metavar="FILE",
        help="Search with the functions succ and isgoal in this file: Python code, or a model's "
        "answer. The planner is bfs (the default) or dfs.",
    )]  # fmt: skip
    sandbox: Annotated[str, SANDBOX]
    planner_file: PlannerFile

    def planners(self, named: Collection[str]) -> list[str]:
        """Return the references to the named planners, or to those that the options name.

        Raises:
            InputError: a planner cannot have the code, or the file is wrong.
            EngineError: a part of the sandbox is missing, and it is required.
        """
        found = list(named)
        if self.search_code is not None:
            file = on_disk(self.search_code)
            found = [_with_code(planner, file) for planner in found or ("bfs",)]
        if any(map(_CODE.match, found)):
            check_sandbox(self.sandbox)
        elif is_given("sandbox"):
            raise click.UsageError("--sandbox requires --search-code, or a planner with code=FILE")
        return planners_of_file(found, self.planner_file)


def _with_code(planner: str, file: Path) -> str:
    if planner.partition(":")[0] not in ("bfs", "dfs"):
        raise InputError(f"--search-code requires the planner bfs or dfs, found '{planner}'")
    return f"{planner}{',' if ':' in planner else ':'}code={file}"


def planners_of_file(named: Collection[str], file: Path | None) -> list[str]:
    """Return the references to planners, some of which a file defines; all of it if none is named.

    Raises:
        InputError: the file is wrong.
        click.UsageError: no planner of the file is named.
    """
    if file is None:
        return list(named)
    from pddl_pipeline.planners.command_planner import read_planners  # noqa: PLC0415 -- rare

    defined = {each.name: each.reference for each in read_planners(file)}
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
    from pddl_pipeline.planners.sandbox.confinement import protections  # noqa: PLC0415 -- rare

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
    )]  # fmt: skip
    cpu_limit: Annotated[float | None, click.option(
        "--cpu-limit", type=DURATION,
        help="CPU time limit for each attempt, summed over its processes. Unlimited if omitted.",
    )]  # fmt: skip
    memory_limit: Annotated[float, click.option(
        "--memory-limit", type=SIZE, default="3.5G", show_default=True,
        help="Memory limit for each attempt, summed over its processes; G is 2^30 bytes.",
    )]  # fmt: skip

    @property
    def limits(self) -> Limits:
        """The limits."""
        return Limits(self.time_limit, int(self.memory_limit), self.cpu_limit)


def workers_option(what: str) -> Callable[[Any], Any]:
    """Return the option ``-j``, the number of planners or attempts to run in parallel."""
    return click.option(
        "-j", "workers", type=click.IntRange(min=1), default=usable_cores,
        help=f"Number of {what} to run in parallel. Defaults to the number of cores.",
    )  # fmt: skip


def warn_of_sharing(workers: int) -> None:
    """Print a warning if several attempts will share a core."""
    cores = usable_cores()
    if workers > cores:
        # 16 at a time on 2 cores: 1.5 s on average instead of 0.13 s.
        warn(
            f"-j {workers} on {cores} core{'s' if cores > 1 else ''} distorts wall-clock "
            "times: attempts that share a core take longer"
        )


LATEX: Final = click.option(
    "--latex", type=OUTPUT,
    help="Write every table as LaTeX; needs the packages booktabs and longtable.",
)  # fmt: skip
MARKDOWN: Final = click.option(
    "--markdown", type=OUTPUT, is_flag=False, flag_value=STANDARD, metavar="[FILE]",
    help="Write every table as Markdown; without FILE, to standard output.",
)  # fmt: skip


@dataclass(frozen=True)
class TableFiles:
    """The files that get every table; None if a file is not requested."""

    latex: Annotated[Path | None, LATEX]
    markdown: Annotated[Path | None, MARKDOWN]

    @property
    def files(self) -> tuple[Path | None, Path | None]:
        """The files."""
        return self.latex, self.markdown

    def write(self, tables: Iterable[NamedTable]) -> None:
        """Write the tables.

        Raises:
            InputError: a file cannot be written.
        """
        found = list(tables)
        if self.latex is not None:
            write_file(self.latex, latex_document(found))
        if self.markdown is not None:
            write_file(self.markdown, markdown_document(found))
