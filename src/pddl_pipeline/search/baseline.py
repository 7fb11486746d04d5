"""The description of a baseline, and the data between it and the process that runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.validation.features import UNTIMED
from pddl_pipeline.validation.task import Task

Settings = TypeVar("Settings")


class SearchInput(NamedTuple):
    """A task, and the parts of its record that PDDL cannot express."""

    task: Task
    budget: Number | None
    """The largest allowed cost of a plan; None without a limit."""
    witness: tuple[str, ...]
    """The steps of a known plan; empty if there is none."""
    folder: Path
    """A private folder with the domain file and the problem file; the process may write there."""
    files: tuple[Path, Path] = (Path("domain.pddl"), Path("problem.pddl"))
    """The domain file and the problem file."""
    commands: Mapping[str, tuple[str, ...]] = {}
    """Command lines of the planners that the baseline uses, by name; each runs in a separate folder
    with its own copies of ``domain.pddl`` and ``problem.pddl``."""

    def texts(self) -> tuple[str, str]:
        """Return the texts of the domain file and the problem file."""
        domain, problem = (
            file.read_text(encoding="utf-8", errors="replace") for file in self.files
        )
        return domain, problem


@dataclass(slots=True)
class SearchEffort:
    """Counters of a search, also printed when the search is ended from outside."""

    expanded: int = 0
    """Number of states whose successors were generated."""
    generated: int = 0
    """Number of generated successors."""
    predictions: int = 0
    """Number of predictions or draws of a next action, as SimPlan counts them (Appendix E.2): one
    prediction scores all applicable actions of a state."""


class SearchResult(NamedTuple):
    """The result of a search."""

    plan: Plan | None
    reason: str = ""
    """Why there is no plan, in one line."""
    proof: bool = False
    """Whether the search proves that there is no plan."""

    @classmethod
    def exhausted(cls) -> SearchResult:
        """Return the result of a search that explored all reachable states without a plan."""
        return cls(None, "the search explored all reachable states", proof=True)


class UnsupportedTask(Exception):
    """The baseline does not support the task; the message says why."""


@dataclass(frozen=True, slots=True)
class Baseline(Generic[Settings]):
    """A baseline of a paper."""

    name: str
    about: str
    """One line for users."""
    settings: type[Settings]
    """A frozen dataclass. Each field has a default and the metadata ``help``, and the metadata
    ``file`` if it is a path, with ``inside``, the file's name if a folder may be given. Its
    ``__post_init__`` raises `InputError` for invalid values."""
    search: Callable[[SearchInput, Settings, SearchEffort], SearchResult]
    """Search for a plan and update the effort meanwhile; raise `UnsupportedTask`."""
    features: frozenset[str] = UNTIMED
    """See `Planner.features`."""
    optimal: bool = False
    """Whether no plan is cheaper than its plans."""
    complete_for: str = ""
    """See `Planner.complete_for`."""
    secrets: tuple[str, ...] = ()
    """See `Planner.secrets`."""
    uses: tuple[str, ...] = ()
    """Names of the planners whose command lines it needs."""
