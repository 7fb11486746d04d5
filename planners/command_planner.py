"""User-defined planners: a command line, from an option or from a file of planners."""

from __future__ import annotations

import re
import shlex
import subprocess
from functools import cache, partial
from pathlib import Path
from typing import Final

import msgspec

from pddl_pipeline.model.attempt import Outcome, Statistics
from pddl_pipeline.model.errors import InputError, PlanSyntaxError
from pddl_pipeline.planners.command_words import content_of, files_of, filled, places_of, words_of
from pddl_pipeline.planners.planner import Planner, first_sign
from pddl_pipeline.planners.sandbox.request import PLAN
from pddl_pipeline.validation.features import FEATURES
from pddl_pipeline.validation.plan_formats import (
    AUTO,
    IPC,
    ipc_plan,
    last_steps,
    look_alike,
    plan_formats,
)

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,60}")
_VERSION_S: Final = 20.0
_SPEC: Final = "="
_COMMAND: Final = "cmd:"
_JSON: Final = "json:"
SPECIFICATION: Final = re.compile(f"[^{_SPEC}]*{_SPEC}(?:{_COMMAND}|{_JSON})")
"""The start of the name of a planner that a user defines, such as ``mine=cmd:./mine``."""


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
    supports: tuple[str, ...] = tuple(sorted(FEATURES))
    unsolvable: str = ""
    """Regular expression for output that claims that there is no plan."""
    out_of_memory: str = ""
    """Regular expression for output of a planner that ran out of memory."""
    statistics: dict[str, str] = {}
    """Regular expressions for fields of `Statistics`; the last match counts."""

    @property
    def prints_plan(self) -> bool:
        """Whether the plan is taken from standard output, since the command has no ``{plan}``."""
        return not any("plan" in places_of(word) for word in self.command)


def specified_planner(text: str) -> Planner:
    """Return the planner of a text such as ``mine=cmd:./mine {domain} {problem} {plan}``.

    The command is split as a shell would split it, and run without a shell. A relative executable,
    and every other word that names a file, is looked up from the current directory.

    Raises:
        InputError: the name or the command is invalid, or the executable does not exist.
    """
    name, _, definition = text.partition(_SPEC)
    if definition.startswith(_JSON):
        return planner_of(msgspec.json.decode(definition.removeprefix(_JSON), type=CommandPlanner))
    command = words_of(name, definition.removeprefix(_COMMAND), Path.cwd())
    return planner_of(CommandPlanner(name, command))


def planner_of(defined: CommandPlanner) -> Planner:
    """Return the planner that a definition describes.

    Raises:
        InputError: a part of the definition is invalid, or the version command fails.
    """
    _check(defined)
    states = [file.stat() for file in files_of(defined.command)]
    return _planner_of(
        msgspec.json.encode(defined), tuple((each.st_mtime_ns, each.st_size) for each in states)
    )


@cache
def _planner_of(known: bytes, states: tuple[tuple[int, int], ...]) -> Planner:
    """Return the planner of a definition in JSON; the second argument changes with its files.

    It is asked for before every run, and reading a large file takes long.
    """
    del states
    defined = msgspec.json.decode(known, type=CommandPlanner)
    contents = {file: content_of(file) for file in files_of(defined.command)}
    named = ", ".join(f"{file.name} {content[:12]}" for file, content in contents.items())
    version = _version(defined) or named
    return Planner(
        name=defined.name,
        about=defined.about,
        distribution="",
        version=version,
        specification=f"{defined.name}{_SPEC}{_JSON}{known.decode()}",
        command=lambda: defined.command,
        fill=filled,
        ending=partial(first_sign, _signs(defined)),
        is_complete=_ends_with_cost,
        read_plan=partial(_ipc, defined),
        plan_in_log=partial(_printed, defined) if defined.prints_plan else None,
        plans=() if defined.prints_plan else defined.plan_files,
        setting=msgspec.json.encode([defined, *contents.values()]).decode(),
        statistics={name: (pattern, 1) for name, pattern in defined.statistics.items()},
        features=frozenset(defined.supports),
        optimal=defined.optimal,
        anytime=defined.anytime,
        multi_plan=defined.multi_plan,
    )


def _check(defined: CommandPlanner) -> None:
    def fail(reason: str) -> InputError:
        return InputError(f"planner '{defined.name}': {reason}")

    if not _NAME.fullmatch(defined.name):
        raise fail(
            "found an invalid name, expected up to 61 letters, digits and '_', '.', '+', '-'"
        )
    unknown = set(defined.supports) - FEATURES
    if unknown:
        raise fail(f"supports: found '{min(unknown)}', expected {', '.join(sorted(FEATURES))}")
    if defined.plan_format not in plan_formats():
        raise fail(f"plan_format: found '{defined.plan_format}', expected one of "
                   f"{', '.join(plan_formats())}")  # fmt: skip
    unknown = defined.statistics.keys() - set(Statistics.__dataclass_fields__)
    if unknown:
        known = ", ".join(Statistics.__dataclass_fields__)
        raise fail(f"statistics: found '{min(unknown)}', expected one of {known}")
    patterns = {"unsolvable": defined.unsolvable, "out_of_memory": defined.out_of_memory}
    for key, pattern in (patterns | defined.statistics).items():
        try:
            groups = re.compile(pattern).groups
        except re.error as error:
            raise fail(f"{key}: '{pattern}' is not a regular expression: {error}") from error
        if key in defined.statistics and groups != 1:
            raise fail(f"{key}: found {groups} groups in '{pattern}', expected 1, the number")


def _version(defined: CommandPlanner) -> str:
    """Return the first line that the version command prints."""
    if not defined.version_command:
        return ""
    text = shlex.join(defined.version_command)
    try:
        done = subprocess.run(
            defined.version_command, stdin=subprocess.DEVNULL, capture_output=True, check=False,
            timeout=_VERSION_S, text=True, errors="replace",
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"{defined.name}: the version command fails: {text}: {error}") from error
    lines = (done.stdout or done.stderr).strip().splitlines()
    if done.returncode or not lines:
        raise InputError(
            f"{defined.name}: the version command printed no version and ended with exit status "
            f"{done.returncode}: {text}"
        )
    return lines[0][:200]


def _signs(defined: CommandPlanner) -> list[tuple[str, Outcome, str]]:
    """Return the signs in the output of how the planner ended without a plan."""
    name = defined.name
    signs = [
        (defined.unsolvable, Outcome.CLAIMS_UNSOLVABLE, f"{name} claims there is no plan"),
        (defined.out_of_memory, Outcome.MEMOUT, f"{name} ran out of memory"),
        (r"\Aexit status 0\n", Outcome.GAVE_UP, "the planner ended without a plan"),
    ]
    return [sign for sign in signs if sign[0]]


def _ends_with_cost(plan: str, log: str) -> bool:
    """Return whether an interrupted planner wrote a plan completely: up to a line with its cost."""
    del log
    lines = plan.strip().splitlines()
    return bool(lines) and lines[-1].startswith("; cost")


def _ipc(defined: CommandPlanner, text: str) -> str:
    """Return the plan of a plan file in the IPC format, or the text if it cannot be read."""
    try:
        return ipc_plan(text, defined.plan_format)
    except PlanSyntaxError:
        return text


def _printed(defined: CommandPlanner, log: str) -> str | None:
    """Return the plan in the output, or None."""
    try:
        plan = ipc_plan(log, defined.plan_format)
    except PlanSyntaxError:
        plan = last_steps(log) if defined.plan_format in {AUTO, IPC} else ""
    return plan if plan.strip() or look_alike(log) else None
