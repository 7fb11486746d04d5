"""The description of a planner, as an engine's file provides it, and its messages and settings.

A planner's settings follow its name and a colon, such as ``cats:omega=0.5,reward=goal-count``. They
are the fields of a frozen dataclass. Each field has a default and the metadata ``help``; a field
whose value is the path of a file also has the metadata ``file``. The metadata ``idle`` has the
values of other fields with which a field has no effect. `ADDED_LATER` marks fields that were added
when results were already stored.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from pddl_pipeline.model.attempt import Outcome, Statistics
from pddl_pipeline.model.errors import EngineError, InputError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.planners.canonical import Prepared, general
from pddl_pipeline.validation.features import FEATURES
from pddl_pipeline.validation.plan_formats import IPC, plan_formats

Words = tuple[str, ...]
"""A command line."""


@dataclass(frozen=True, slots=True)
class Termination:
    """How an attempt without a plan ended."""

    outcome: Outcome
    reason: str


def first_sign(
    signs: Iterable[tuple[str | int, Outcome, str]],
    log: str,
    status: int | None,
    # `(?!)` matches nothing.
    wrong: str = "(?!)",
) -> Termination | None:
    """Return the termination of the first sign that the log shows, None if there is none.

    A sign is an exit status or a regular expression, an outcome and the reason. The expression is
    searched in a first line ``exit status N`` and the log. If the planner could not read the
    problem, the first match of `wrong` in the log follows the reason.
    """
    text = f"exit status {status}\n{log}"
    for pattern, outcome, reason in signs:
        if pattern == status if isinstance(pattern, int) else re.search(pattern, text):
            match = re.search(wrong, log) if outcome is Outcome.INPUT_ERROR else None
            detail = f": {match[0].strip()[:300]}" if match else ""
            return Termination(outcome, f"{reason}{detail}")
    return None


def groups_of(name: str, pattern: str) -> int:
    """Return the number of groups of a regular expression; raise `ValueError` if it is none."""
    try:
        return re.compile(pattern).groups
    except re.error as error:
        raise ValueError(f"{name}: '{pattern}' is not a regular expression: {error}") from error


GAVE_UP: Final = (0, Outcome.GAVE_UP, "the planner ended without a plan")
"""The sign of a planner that ended by itself; see `first_sign`."""
_terminated: Final = partial(first_sign, (GAVE_UP,))


@dataclass(frozen=True, slots=True)
class UpEngine:
    """An engine of Unified Planning."""

    name: str
    """Unified Planning's name of the engine."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the engine object."""
    anytime: bool = False
    """Whether it continues after its first plan until the time limit."""
    overlook: frozenset[str] = frozenset()
    """Problem features that the engine supports although Unified Planning reports otherwise."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command line that starts a planner."""

    words: Callable[[], Words]
    """Return the command line; raise `EngineError` if the planner is not installed."""
    adapt: Callable[[Words, Limits], Words] | None = None
    """Return the command line with the options that depend on the machine and the limits."""
    fill: Callable[[Words, Path, Limits], Words] | None = None
    """Return the command line with the paths of an attempt, given its working directory."""
    configuration: str | UpEngine = ""
    """Identifies the command line among those of its engine, for the key of a run: a text, or the
    engine of Unified Planning that makes the same command line, by its parameters."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What a planner receives besides the problem."""

    java: bool = False
    record: bool = False
    """Whether it reads the file `RECORD`, with the parts of the record that PDDL cannot express."""
    answers: bool = False
    """Whether it reads from the file `RECORD` where to store a language model's answers."""
    secrets: tuple[str, ...] = ()
    """Environment variables with secrets; see `public_environment`."""
    disk_bytes: int | None = None
    """The limit on the files of an attempt; None for ten times the memory limit."""


@dataclass(frozen=True, slots=True)
class Plans:
    """Where a planner's plans appear.

    Raises:
        ValueError: there is no such format, or the log is to contain several plans.
    """

    files: tuple[str, ...] = ("plan", "plan.*")
    """Patterns of its plan files; the last file in natural order is the best plan. Without a
    pattern, its plan is in the log."""
    format: str = IPC
    """The format of its plans; see `plan_formats`."""
    none: str | None = None
    """The content of a plan file if the planner found no plan."""
    several: bool = False
    """Whether the planner returns several plans; the first one is the plan of the run."""
    anytime: bool = False
    """Whether it continues after its first plan until the time limit."""
    is_complete: Callable[[str, str], bool] | None = None
    """Return whether an interrupted planner wrote a plan file completely, given the text of the
    file and the log; None if it does not mark the end of its plans."""

    def __post_init__(self) -> None:
        if self.format not in plan_formats():
            known = ", ".join(plan_formats())
            raise ValueError(f"plan_format: found '{self.format}', expected one of {known}")
        if self.several and not self.files:
            raise ValueError("multi_plan: found no plan files; a log contains one plan")


@dataclass(frozen=True, slots=True)
class Claims:
    """What a planner's claims mean."""

    optimal: bool = False
    """Whether it claims that no plan is cheaper than its plan."""
    complete_for: str = ""
    """Domain for which this planner is complete: its "unsolvable" is a proof."""
    delta: Number | None = None
    """The length of the steps of time in which its plans of PDDL+ are meant; None if time is
    continuous."""
    largest_number: float | None = None
    """The largest number that it represents. Its claim that there is no plan does not count if the
    problem has a larger number, or a numeric fluent without an initial value; None if it does."""


@dataclass(frozen=True, slots=True)
class Log:
    """How to read a planner's log.

    Raises:
        ValueError: a figure is not a field of `Statistics`, or its expression has not one group.
    """

    ending: Callable[[str, int | None], Termination | None] = _terminated
    """Return how an attempt without a plan ended, given the log and the exit status; None if they
    show nothing specific. The status is None if Unified Planning ran the planner."""
    statistics: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    """For fields of `Statistics`: a regular expression whose last match in the log has the figure
    as its group, and the factor that converts the figure to the unit of the field."""
    memory_was_full: Callable[[Path], bool] | None = None
    """Return whether a planner that was stopped at the time limit was out of memory and spent its
    time freeing memory, given its working directory; None if it does not report it."""

    def __post_init__(self) -> None:
        known = Statistics.__dataclass_fields__
        for name, (pattern, _) in self.statistics.items():
            if name not in known:
                raise ValueError(f"statistics: found '{name}', expected one of {', '.join(known)}")
            groups = groups_of(name, pattern)
            if groups != 1:
                found = f"found {groups} groups in '{pattern}'"
                raise ValueError(f"{name}: {found}, expected 1, the number")


@dataclass(frozen=True, slots=True, eq=False)
class Planner:
    """One configuration of an engine. Planners with the same reference, version and seed are equal.

    Raises:
        ValueError: its parts do not fit together.
    """

    name: str
    about: str
    """One line for users."""
    distribution: str
    """Name of the distribution on the package index that contains the engine; empty for a command
    that the user gave."""
    command: Callable[[], Words] | Command | UpEngine
    """What starts it: a command line, or an engine that Unified Planning runs. A function stands
    for a `Command` without options."""
    features: frozenset[str] = frozenset()
    """The features that it supports beyond classical planning; see `task_features`."""
    prepare: Callable[[Problem], Prepared] = general
    """Return the texts in forms that the planner reads; see `canonical`."""
    needs: Needs = Needs()
    plans: Plans = Plans()
    claims: Claims = Claims()
    log: Log = Log()
    seed: int | None = None
    """The seed that it runs with; None if it takes none."""
    with_seed: Callable[[int], Planner] | None = None
    """Return the planner with the seed of a repetition, counted from 1, if it takes a seed."""
    configure: Callable[[str], Planner] | None = None
    """Return the planner with the settings that follow its name and a colon, such as
    ``omega=0.5,nodes=500``; raise `InputError` if they are invalid."""
    version: str = ""
    """The version of a command that the user gave; for other planners, see `planner_version`."""
    specification: str = ""
    """The text by which `planner_named` finds it in any process, if its name is not enough."""
    sample: str = "blocksworld"
    """Domain whose first problem shows that the planner works."""

    def __post_init__(self) -> None:
        unknown = ", ".join(sorted(self.features - FEATURES))
        if unknown:
            raise ValueError(f"{self.name}: unknown features: {unknown}")
        if (self.seed is None) != (self.with_seed is None):
            raise ValueError(f"{self.name}: expected both seed and with_seed, or none of them")
        if isinstance(self.command, UpEngine) and (self.needs.record or self.needs.answers):
            raise ValueError(f"{self.name}: Unified Planning's engines read no record")

    # Not by the fields: functions compare by identity, and are made anew in each process.
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Planner) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[object, ...]:
        return self.name, self.reference, self.version, self.seed

    @property
    def start(self) -> Command | UpEngine:
        """What starts the planner."""
        given = self.command
        return given if isinstance(given, Command | UpEngine) else Command(given)

    @property
    def engine(self) -> UpEngine | None:
        """Unified Planning's engine that runs the planner, or makes the same command line."""
        start = self.start
        engine = start if isinstance(start, UpEngine) else start.configuration
        return engine if isinstance(engine, UpEngine) else None

    @property
    def reference(self) -> str:
        """The text by which `planner_named` finds this planner in any process."""
        return self.specification or self.name

    def repetition(self, number: int) -> Planner:
        """Return the planner as it runs in a repetition, counted from 1."""
        return self if self.with_seed is None else replace(self.with_seed(number), name=self.name)

    @property
    def options(self) -> dict[str, object]:
        """The options that identify this configuration, for the key of a run."""
        start = self.start
        key = start if isinstance(start, UpEngine) else start.configuration
        return dict(key.parameters) if isinstance(key, UpEngine) else {"setting": key}


LARGEST_MESSAGE: Final = 2**16
"""Largest message between the runner and the warm process, in bytes."""
DOMAIN: Final = "domain.pddl"
PROBLEM: Final = "problem.pddl"
PLAN: Final = "plan"
WORK: Final = "work"
"""The folder of an attempt's directory in which the planner runs. It contains the files `DOMAIN`,
`PROBLEM` and `PLAN`; the names of several plans begin with `PLAN`."""


@dataclass(frozen=True, slots=True)
class Request:
    """The request for one attempt."""

    place: str
    """The attempt's private directory; the planner runs in its folder `WORK`."""
    log: str
    """File for the planner's raw output."""
    what: Words | UpEngine
    """A command line, or the engine for Unified Planning to run."""
    environment: dict[str, str]
    """Environment variables in addition to those of the warm process."""
    limits: Limits
    disk_bytes: int
    """The limit on the files below `place`."""
    secrets: tuple[str, ...] = ()
    """See `Needs.secrets`."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What the supervisor observed of an attempt."""

    status: int | None = None
    """Exit status of the planner; negative for a signal, None if it did not end by itself."""
    hit: str | None = None
    """``time``, ``cpu``, ``memory`` or ``disk`` if the attempt was ended at that limit."""
    fault: str | None = None
    """Why the planner could not be started."""
    through_up: bool = False
    """Whether Unified Planning ran it; its process writes plan files completely or not at all."""
    stopped: bool = False
    """Whether the attempt was ended because it was cancelled."""
    wall_s: float = 0.0
    cpu_s: float = 0.0
    peak_bytes: int = 0


Settings = TypeVar("Settings")
ADDED_LATER: Final = {"added_later": True}
"""The metadata of a field that is not part of the key if it has its default."""


def read_settings(planner: str, kind: type[Settings], text: str) -> Settings:
    """Return the settings from a text such as ``omega=0.5,nodes=500``, with defaults for the rest.

    Raises:
        InputError: a setting is unknown, repeated or has no effect, a value has the wrong type, or
            a file does not exist.
    """
    known = {each.name.replace("_", "-"): each for each in fields(kind) if each.init}  # type: ignore[arg-type]
    given: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if name not in known or not equals:
            near = hint(name, known) or f"; expected NAME=VALUE with NAME one of {', '.join(known)}"
            raise InputError(f"{planner}:{text}: found '{part}', which is not a setting{near}")
        if known[name].name in given:
            raise InputError(f"{planner}:{text}: {name} is given twice")
        extra = known[name].metadata
        is_file = extra.get("file", False)
        given[known[name].name] = _file(value, extra.get("inside", "")) if is_file else value
    try:
        # Not strict: every value is text, such as `500`.
        settings = msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise InputError(f"{planner}:{text}: {error}") from error
    # Such a setting would make the same run twice, with two keys.
    for name, each in known.items():
        for other, values in each.metadata.get("idle", {}).items():
            value = getattr(settings, other)
            if each.name in given and value in values:
                raise InputError(f"{planner}:{text}: {name} has no effect with {other}={value}")
    return settings


def _file(name: str, inside: str) -> str:
    path = Path(name, inside) if Path(name).is_dir() else Path(name)
    if not path.is_file():
        raise InputError("no such file", file=str(path))
    return str(path.resolve())


def setting_key(settings: Any) -> str:
    """Return a key that identifies settings: the values, and the content hashes of files.

    Defaults of fields with the metadata `ADDED_LATER` are left out, so that stored results keep
    their keys.
    """
    values: dict[str, Any] = asdict(settings)
    for attribute in fields(settings):
        name = attribute.name
        if attribute.metadata.get("added_later") and values[name] == attribute.default:
            del values[name]
        elif attribute.metadata.get("file") and values[name]:
            # A changed file is another setting, and a moved one is the same.
            values[name] = hashlib.sha256(Path(values[name]).read_bytes()).hexdigest()
    return settings_json(values)


def settings_json(values: Mapping[str, Any]) -> str:
    """Return settings as one line of JSON."""
    return json.dumps(values, sort_keys=True)


def check_installed(distribution: str) -> str:
    """Return the version of a distribution; an empty string if the planner needs none.

    Raises:
        EngineError: it is not installed; the message says how to install it.
    """
    try:
        return version(distribution) if distribution else ""
    except PackageNotFoundError:
        raise _not_installed(distribution) from None


def package_folder(distribution: str, package: str) -> Path:
    """Return the folder of a package that a distribution installs.

    Raises:
        EngineError: it is not installed; the message says how to install it.
    """
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise _not_installed(distribution)
    return Path(next(iter(spec.submodule_search_locations)))


def _not_installed(distribution: str) -> EngineError:
    return EngineError(f"{distribution} is not installed; fix: pip install {distribution}")
