"""User-defined planners: a command line, from an option or from a file of planners.

Such a file is TOML with a table for each planner.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from string import Formatter
from typing import Any, Final

import msgspec

from pddl_pipeline.endpoints.settings import public_environment, without_key
from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.limits import Limits, parse_size
from pddl_pipeline.model.text import surrogate_in
from pddl_pipeline.planners.planner import (
    DOMAIN,
    GAVE_UP,
    PLAN,
    PROBLEM,
    Claims,
    Command,
    Log,
    Needs,
    Planner,
    Plans,
    Words,
    first_sign,
    groups_of,
)
from pddl_pipeline.validation.features import FEATURES
from pddl_pipeline.validation.plan_formats import AUTO

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,60}")
_VERSION_S: Final = 20.0
_SPEC: Final = "="
_COMMAND: Final = "cmd:"
_JSON: Final = "json:"
# Keys of a file may follow the name: ``mine:unsolvable=[10],timeout=[11]=cmd:./mine``.
SPECIFICATION: Final = re.compile(rf"([^:=]*)(?::(.*?))?{_SPEC}({_COMMAND}|{_JSON})")
"""The start of the name of a planner that a user defines, such as ``mine=cmd:./mine``."""
Shown = str | tuple[int, ...]
"""How a planner shows an outcome: a regular expression for its output, or its exit statuses."""
_OUTCOMES: Final = {
    "unsolvable": (Outcome.CLAIMS_UNSOLVABLE, "claims there is no plan"),
    "out_of_memory": (Outcome.MEMOUT, "ran out of memory"),
    "timeout": (Outcome.TIMEOUT, "reached its own time limit"),
    "unsupported": (Outcome.UNSUPPORTED, "does not support a part of the problem"),
    "gave_up": (Outcome.GAVE_UP, "ended without a plan"),
}
"""The fields of `CommandPlanner` that are signs of an outcome, each with it and its reason."""


class CommandPlanner(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A planner that is a command, as `Planner` describes planners."""

    name: str
    command: tuple[str, ...]
    """The words of the command, with fields such as ``{domain}``; the executable is a path."""
    about: str = "a command that the user gave"
    version_command: tuple[str, ...] = ()
    """Prints the version, which is part of a run's key, like the content of the command's files."""
    plan_files: tuple[str, ...] = (PLAN, f"{PLAN}.*", f"{PLAN}_*")
    """Patterns of its plan files in ``{dir}``; in natural order, the last one is the best."""
    plan_format: str = AUTO
    """The format of its plans; see `plan_formats`."""
    optimal: bool = False
    anytime: bool = False
    multi_plan: bool = False
    disk_limit: str = ""
    """The largest size of its files, such as 50G; if empty, ten times the memory limit."""
    secrets: tuple[str, ...] = ()
    """Environment variables with secrets that it receives, such as a licence's key."""
    supports: tuple[str, ...] = tuple(sorted(FEATURES))
    unsolvable: Shown = ""
    """Sign that it claims that there is no plan."""
    out_of_memory: Shown = ""
    """Sign that it ran out of memory."""
    timeout: Shown = ""
    """Sign that it reached its own time limit."""
    unsupported: Shown = ""
    """Sign that it does not support a part of the problem."""
    gave_up: Shown = ""
    """Sign that it ended without a plan or a proof."""
    statistics: dict[str, str] = {}
    """Regular expressions for fields of `Statistics`; the last match counts."""

    @property
    def fields(self) -> set[str]:
        """The fields in the command. Without ``plan``, the plan is taken from standard output."""
        parsed = (part for word in self.command for part in Formatter().parse(word))
        return {field for _, field, _, _ in parsed if field}


def specified_planner(text: str) -> Planner:
    """Return the planner of a text such as ``mine=cmd:./mine {domain} {problem} {plan}``.

    The command is split as a shell would split it, and run without a shell. A relative executable,
    and every other word that names a file, is looked up from the current directory.

    Raises:
        InputError: the name or the command is invalid, or the executable does not exist.
    """
    _, name, keys, kind, definition = SPECIFICATION.split(text, maxsplit=1)
    if kind == _JSON:
        return planner_of(msgspec.json.decode(definition, type=CommandPlanner))
    try:
        values = tomllib.loads(f"keys = {{{keys or ''}}}")["keys"]
    except tomllib.TOMLDecodeError as error:
        reason = f"found '{keys}', expected keys of a file of planners, such as timeout=[11]"
        raise InputError(f"{name}: {reason}: {error}") from error
    return _planner({**values, "name": name, "command": definition}, name, Path.cwd())


def planner_of(defined: CommandPlanner) -> Planner:
    """Return the planner that a definition describes.

    Raises:
        InputError: a part of the definition is invalid, or the version command fails.
    """
    try:
        _check(defined)
        states = [file.stat() for file in files_of(defined.command)]
        known = msgspec.json.encode(defined)
        return _planner_of(known, tuple((state.st_mtime_ns, state.st_size) for state in states))
    except ValueError as error:
        raise InputError(f"planner '{defined.name}': {error}") from error


@cache
def _planner_of(known: bytes, states: tuple[tuple[int, int], ...], repetition: int = 1) -> Planner:
    """Return the planner of a definition in JSON; the second argument changes with its files.

    It is asked for before every run, and reading a large file takes long. The number of the
    repetition is the seed.
    """
    defined = msgspec.json.decode(known, type=CommandPlanner)
    takes_seed, prints_plan = "seed" in defined.fields, "plan" not in defined.fields
    plans = Plans(
        () if prints_plan else defined.plan_files,
        defined.plan_format,
        several=defined.multi_plan,
        anytime=defined.anytime,
        is_complete=_ends_with_cost,
    )
    figures = {name: (pattern, 1) for name, pattern in defined.statistics.items()}
    log = Log(partial(first_sign, _signs(defined)), figures)
    contents = {file: content_of(file) for file in files_of(defined.command)}
    named = ", ".join(f"{file.name} {content[:12]}" for file, content in contents.items())
    version = _version(defined) or named
    return Planner(
        name=defined.name,
        about=defined.about,
        distribution="",
        version=version,
        specification=f"{defined.name}{_SPEC}{_JSON}{known.decode()}",
        command=Command(
            lambda: defined.command,
            fill=partial(filled, seed=repetition),
            configuration=msgspec.json.encode([defined, *contents.values()]).decode(),
        ),
        features=frozenset(defined.supports),
        needs=Needs(
            secrets=defined.secrets,
            disk_bytes=parse_size(defined.disk_limit) if defined.disk_limit else None,
        ),
        plans=plans,
        claims=Claims(defined.optimal),
        log=log,
        seed=repetition if takes_seed else None,
        with_seed=partial(_planner_of, known, states) if takes_seed else None,
    )


def _check(defined: CommandPlanner) -> None:
    """Raise `ValueError` if a definition has a fault that no part of a planner checks."""
    if not _NAME.fullmatch(defined.name):
        expected = "expected up to 61 letters, digits and '_', '.', '+', '-'"
        raise ValueError(f"found an invalid name, {expected}")
    for word in (*defined.command, *defined.version_command):
        # Stores cannot have such a name of a file.
        if surrogate_in(word):
            reason = "expected UTF-8; link the file under another name"
            raise ValueError(f"command: found '{word}', {reason}")
    for name in set(defined.supports) - FEATURES:
        raise ValueError(f"supports: found '{name}', expected {', '.join(sorted(FEATURES))}")
    for name in _OUTCOMES:
        pattern: Shown = getattr(defined, name)
        if isinstance(pattern, str):
            groups_of(name, pattern)


def _version(defined: CommandPlanner) -> str:
    """Return the first line that the version command prints."""
    if not defined.version_command:
        return ""
    text = shlex.join(defined.version_command)
    try:
        done = subprocess.run(
            defined.version_command, stdin=subprocess.DEVNULL, capture_output=True, check=False,
            timeout=_VERSION_S, text=True, errors="replace",
            env=public_environment(defined.secrets),
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"{defined.name}: the version command fails: {text}: {error}") from error
    lines = (done.stdout or done.stderr).strip().splitlines()
    if done.returncode or not lines:
        raise InputError(
            f"{defined.name}: the version command printed no version and ended with exit status "
            f"{done.returncode}: {text}"
        )
    return without_key(lines[0], defined.secrets)[:200]


def _signs(defined: CommandPlanner) -> list[tuple[str | int, Outcome, str]]:
    """Return the signs in the output of how the planner ended without a plan."""
    signs = []
    for name, (outcome, reason) in _OUTCOMES.items():
        shown: Shown = getattr(defined, name)
        found = [shown] if isinstance(shown, str) else shown
        signs += [(sign, outcome, f"{defined.name} {reason}") for sign in found if sign != ""]
    return [*signs, GAVE_UP]


def _ends_with_cost(plan: str, _log: str) -> bool:
    """Return whether an interrupted planner wrote a plan completely: up to a line with its cost."""
    lines = plan.strip().splitlines()
    return bool(lines) and lines[-1].startswith("; cost")


_PLACES: Final = ("domain", "problem", "plan", "time_s", "memory_mb", "seed", "dir")


def words_of(planner: str, command: str, folder: Path) -> tuple[str, ...]:
    """Return the words of a command; paths of existing files become absolute.

    Args:
        planner: the planner's name, for messages.
        command: the text of the command.
        folder: the folder from which relative paths are looked up.

    Raises:
        InputError: the text cannot be split, has an unknown field, or names no executable.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"{planner}: the command cannot be split: {error}") from error
    if not words:
        raise InputError(f"{planner}: found no command")
    for word in words:
        try:
            word.format(**dict.fromkeys(_PLACES, ""))
        except (ValueError, LookupError, AttributeError, TypeError):
            known = ", ".join(f"{{{place}}}" for place in _PLACES)
            raise InputError(
                f"{planner}: found '{word}' in the command, expected one of {known}; "
                "write {{ and }} for braces"
            ) from None
    first, *others = words
    return (
        _executable(planner, first, folder),
        *(
            str((folder / word).absolute())
            if not word.startswith("-") and _is_file(folder / word)
            else word
            for word in others
        ),
    )


def _executable(planner: str, word: str, folder: Path) -> str:
    path = str(folder / word) if os.sep in word else word
    found = shutil.which(path)
    if found is None:
        where = "" if os.sep in word else " on PATH"
        raise InputError(f"{planner}: the command '{word}' is not an executable file{where}")
    return str(Path(found).absolute())


def _is_file(path: Path) -> bool:
    # Path.is_file raises OSError if a word is longer than a path can be, as a script of one line.
    return os.path.isfile(path)  # noqa: PTH113


def files_of(command: Sequence[str]) -> tuple[Path, ...]:
    """Return the executable of a command, and each file that another word names.

    A changed script is another planner, also if an interpreter runs it.
    """
    executable, *others = map(Path, command)
    files = (path for path in others if path.is_absolute() and _is_file(path))
    return (executable, *(file for file in files if os.access(file, os.R_OK)))


def content_of(file: Path) -> str:
    """Return the SHA-256 of a file's content as hexadecimal digits."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def filled(command: Words, work: Path, limits: Limits, *, seed: int) -> Words:
    """Return the command with the paths, limits and seed of an attempt."""
    values = {
        "domain": work / DOMAIN,
        "problem": work / PROBLEM,
        "plan": work / PLAN,
        "dir": work,
        "time_s": max(1, int(limits.time_s)),
        "memory_mb": limits.memory_bytes >> 20,
        "seed": seed,
    }
    return tuple(word.format(**values) for word in command)


_COMMANDS: Final = {"command", "version_command"}
_TEXTS: Final = dict[str, str]
EXAMPLE: Final = """\
# Planners for `pddl-pipeline run --planners FILE` and `solve --planners FILE`.
# A relative path in a command is looked up from the folder of this file.

[[planners]]
name = "mine"
# The command is run without a shell. {domain}, {problem}, {plan} and {dir} are paths of the
# attempt; {time_s} and {memory_mb} are its limits; {seed} is the number of the repetition, for
# `run --repeat`. {{ and }} are braces. Without {plan}, the plan is taken from the output.
command = "./mine --domain {domain} --problem {problem} --out {plan} --time {time_s}"

# All keys below are optional.
about = "our planner with its default search"
# The first line of its output is the version in results; it is part of a run's identity.
version_command = "./mine --version"
# Plan files in {dir}; in natural order the last one is the best: plan.2 before plan.10.
plan_files = ["plan", "plan.*"]
# The format of the plans, such as auto, ipc, ff or popf: see `validate --plan-format`.
plan_format = "auto"
# Whether it claims that no plan is cheaper than its plan.
optimal = false
# Whether it continues after its first plan until the time limit.
anytime = false
# Whether it returns several plans, such as a top-k planner.
multi_plan = false
# Environment variables whose names end in KEY, TOKEN, SECRET or PASSWORD and that it receives.
secrets = ["MY_SOLVER_KEY"]
# The largest size of its files together; ten times the memory limit by default.
disk_limit = "50G"
# What it supports beyond classical planning: costs, numeric, general-numeric, temporal, pddl3,
# processes (PDDL+, in continuous time).
supports = ["costs"]
# How it ended without a plan: a regular expression for its output, or its exit statuses.
unsolvable = "Problem proven unsolvable"
out_of_memory = "std::bad_alloc"
timeout = [11]
# unsupported and gave_up are further keys. Other exit statuses than 0 are crashes.

# Regular expressions with one group, a number; the last match counts.
[planners.statistics]
expanded = 'Expanded (\\d+) states'
search_s = 'Search time: ([\\d.]+)'

# A command can also start a container.
# [[planners]]
# name = "in-docker"
# command = "docker run --rm -v {dir}:{dir} image {domain} {problem} {plan}"
"""


def read_planners(path: Path) -> list[Planner]:
    """Return the planners of a file, in its order.

    Raises:
        InputError: the file cannot be read, is not TOML, or a planner in it is invalid.
    """
    try:
        content = tomllib.loads(read_file(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is not TOML: {error}", file=str(path)) from error
    tables = content.get("planners")
    if not isinstance(tables, list) or not tables or content.keys() != {"planners"}:
        found = ", ".join(content) or "nothing"
        raise InputError(
            f"found {found}, expected tables [[planners]]; `pddl-pipeline new planners` prints an "
            "example",
            file=str(path),
        )
    found_names = set[str]()
    planners = []
    for number, table in enumerate(tables, start=1):
        try:
            values = dict(table) if isinstance(table, dict) else {}
            name = str(values.get("name", f"planner {number}"))
            planner = _planner(values, name, path.parent.absolute())
        except InputError as error:
            raise InputError(error.message, file=str(path)) from error
        if planner.name in found_names:
            raise InputError(f"two planners have the name '{planner.name}'", file=str(path))
        found_names.add(planner.name)
        planners.append(planner)
    return planners


def _planner(values: dict[str, Any], name: str, folder: Path) -> Planner:
    try:
        texts = msgspec.convert({key: values[key] for key in _COMMANDS & values.keys()}, _TEXTS)
        values |= {key: words_of(name, text, folder) for key, text in texts.items()}
        return planner_of(msgspec.convert(values, CommandPlanner))
    except msgspec.ValidationError as error:
        raise InputError(f"{name}: {error}") from error
