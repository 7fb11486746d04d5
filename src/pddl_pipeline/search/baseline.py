"""What a baseline's file says of it, and what passes between it and the process that runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.validation.task import Task

Settings = TypeVar("Settings")


class SearchInput(NamedTuple):
    """A task, and what its record says that PDDL cannot."""

    task: Task
    budget: Number | None
    """The most that a plan may cost."""
    witness: tuple[str, ...]
    """The steps of a known plan; empty where there is none."""
    folder: Path
    """Where the domain file, the problem file and nobody else's files are: the process may write
    there."""
    files: tuple[Path, Path] = (Path("domain.pddl"), Path("problem.pddl"))
    """The domain file and the problem file."""
    commands: Mapping[str, tuple[str, ...]] = {}
    """Command lines of the planners that the baseline uses, by their names; each is run in a folder
    with its own ``domain.pddl`` and ``problem.pddl``."""


@dataclass(slots=True)
class SearchEffort:
    """What a search has done so far; printed also when the search is ended from outside."""

    expanded: int = 0
    """States whose successors were made."""
    generated: int = 0
    """Successors that were made."""
    predictions: int = 0
    """How often a next action was asked for or drawn, as SimPlan counts (Appendix E.2): all that
    one state makes possible are scored at once."""


class SearchResult(NamedTuple):
    """What came of a search."""

    plan: Plan | None
    reason: str = ""
    """Why there is no plan, in one line."""
    proof: bool = False
    """Whether there is none because every state was looked at."""


class UnsupportedTask(Exception):
    """The task is none that the baseline can be asked for; the text says why."""


@dataclass(frozen=True, slots=True)
class Baseline(Generic[Settings]):
    """A baseline of a paper."""

    name: str
    about: str
    """One line for users."""
    settings: type[Settings]
    """Frozen dataclass, each field with a default and ``help``, and ``file`` where it is a path, as
    metadata; its ``__post_init__`` raises `InputError` for what the types do not say."""
    search: Callable[[SearchInput, Settings, SearchEffort], SearchResult]
    """Searches; counts in the effort while it does. Raises `UnsupportedTask`."""
    features: frozenset[str] = field(default_factory=frozenset)
    """As `Planner.features`."""
    optimal: bool = False
    """Whether no plan is cheaper than its plans."""
    uses: tuple[str, ...] = ()
    """Names of planners whose command lines it is given."""
