"""The description of a planner, as an engine's file provides it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.sandbox.request import UpEngine


@dataclass(frozen=True, slots=True)
class Termination:
    """How an attempt without a plan ended."""

    outcome: Outcome
    reason: str


def terminated_without_plan(log: str, status: int | None) -> Termination | None:
    """Return the termination from the exit status alone."""
    del log
    if status == 0:
        return Termination(Outcome.GAVE_UP, "the planner ended without a plan")
    return None


def first_sign(
    signs: Iterable[tuple[str, Outcome, str]], log: str, status: int | None
) -> Termination | None:
    """Return the termination of the first sign that the log shows, None if there is none.

    A sign is a regular expression, an outcome and the reason. The expression is searched in a first
    line ``exit status N`` and the log.
    """
    text = f"exit status {status}\n{log}"
    for pattern, outcome, reason in signs:
        if re.search(pattern, text):
            return Termination(outcome, reason)
    return None


def never_full(work: Path) -> bool:
    """Default for planners that do not report memory exhaustion: return False."""
    del work
    return False


def never_complete(plan: str, log: str) -> bool:
    """Default for planners that do not mark the end of their plans: return False."""
    del plan, log
    return False


@dataclass(frozen=True, slots=True)
class Planner:
    """One configuration of an engine."""

    name: str
    about: str
    """One line for users."""
    distribution: str
    """Name of the distribution on the package index that contains the engine; empty for a command
    that the user gave."""
    engine: UpEngine | None = None
    """Unified Planning's engine object. It runs the planner if there is no command line."""
    command: Callable[[], tuple[str, ...]] | None = None
    """Return the command line; raise `EngineError` if the planner is not installed."""
    adapt: Callable[[tuple[str, ...], Limits], tuple[str, ...]] | None = None
    """Return the command line with the options that depend on the machine and the limits."""
    fill: Callable[[tuple[str, ...], Path, Limits], tuple[str, ...]] | None = None
    """Return the command line with the paths of an attempt, given its working directory."""
    prepare: Callable[[Problem], Problem] | None = None
    """Return the problem without the parts that the engine rejects although they have no meaning
    for it."""
    ending: Callable[[str, int | None], Termination | None] = terminated_without_plan
    """Return how an attempt without a plan ended, given the log and the exit status; None if they
    show nothing specific. The status is None if Unified Planning ran the planner."""
    is_complete: Callable[[str, str], bool] = never_complete
    """Return whether an interrupted planner wrote a plan file completely, given the text of the
    file and the log."""
    memory_was_full: Callable[[Path], bool] = never_full
    """Return whether a planner that was stopped at the time limit was out of memory and spent its
    time freeing memory, given its working directory."""
    plans: tuple[str, ...] = ("plan", "plan.*")
    """Patterns of its plan files; the last file in natural order is the best plan."""
    read_plan: Callable[[str], str] | None = None
    """Return the plan of a plan file in the IPC format, if the planner writes another format."""
    plan_in_log: Callable[[str], str | None] | None = None
    """Return the plan in the log of a planner that writes no plan file, or None."""
    no_plan: str | None = None
    """The content of a plan file if the planner found no plan."""
    multi_plan: bool = False
    """Whether the planner returns several plans; the first one is the plan of the run."""
    setting: str = ""
    """Identifies this configuration among those with the same command, for the key of a run."""
    checks_settings: bool = False
    """Whether only the engine can check the settings; see `check_settings`."""
    version: str = ""
    """The version of a command that the user gave; for other planners, see `planner_version`."""
    specification: str = ""
    """The text by which `planner_named` finds it in any process, if its name is not enough."""
    statistics: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    """For fields of `Statistics`: a regular expression whose last match in the log has the figure
    as its group, and the factor that converts the figure to the unit of the field."""
    complete_for: str = ""
    """Domain for which this planner is complete: its "unsolvable" is a proof."""
    sample: str = "blocksworld"
    """Domain whose first problem shows that the planner works, unless it is complete for one."""
    optimal: bool = False
    """Whether it claims that no plan is cheaper than its plan."""
    anytime: bool = False
    """Whether it continues after its first plan until the time limit."""
    features: frozenset[str] = frozenset()
    """The features that it supports beyond classical planning; see `task_features`."""
    needs_values: bool = False
    """Whether it reports problems as unsolvable if a numeric fluent has no initial value."""
    needs_java: bool = False
    reads_record: bool = False
    """Whether it reads the file `RECORD`, with the parts of the record that PDDL cannot express."""
    keeps_answers: bool = False
    """Whether it reads from the file `RECORD` where to store a language model's answers."""
    configure: Callable[[str], Planner] | None = None
    """Return the planner with the settings that follow its name and a colon, such as
    ``omega=0.5,nodes=500``; raise `InputError` if they are invalid."""

    @property
    def reference(self) -> str:
        """The text by which `planner_named` finds this planner in any process."""
        return self.specification or self.name

    @property
    def up_engine(self) -> UpEngine:
        """The engine object of Unified Planning.

        Raises:
            EngineError: Unified Planning has no engine for this planner.
        """
        if self.engine is None:
            raise EngineError(f"{self.name} cannot be run through Unified Planning")
        return self.engine

    @property
    def options(self) -> dict[str, object]:
        """The options that identify this configuration, for the key of a run."""
        return dict(self.engine.parameters) if self.engine else {"setting": self.setting}
