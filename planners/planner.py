"""What an engine's file says of each of its planners."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.sandbox.request import UpEngine


@dataclass(frozen=True, slots=True)
class Termination:
    """What an attempt without a plan came to."""

    outcome: Outcome
    reason: str


def terminated_without_plan(log: str, status: int | None) -> Termination | None:
    """Say how a planner ended of which nothing but the exit status tells."""
    del log
    if status == 0:
        return Termination(Outcome.GAVE_UP, "the planner ended without a plan")
    return None


def never_full(work: Path) -> bool:
    """Say of a planner that does not tell: that it had memory left."""
    del work
    return False


def never_whole(plan: str, log: str) -> bool:
    """Say of a planner that does not mark the end of its plans: it may have been interrupted."""
    del plan, log
    return False


@dataclass(frozen=True, slots=True)
class Planner:
    """One configuration of an engine."""

    name: str
    about: str
    """One line for users."""
    distribution: str
    """The distribution on the package index that brings the engine."""
    engine: UpEngine | None = None
    """Unified Planning's engine object. It makes the command line, and runs the planner itself
    where there is none."""
    command: Callable[[], tuple[str, ...]] | None = None
    """Makes the command line of a planner that Unified Planning has no command line for; raises
    `EngineError` where the planner is not installed."""
    adapt: Callable[[tuple[str, ...], Limits], tuple[str, ...]] | None = None
    """Adds to the command line what depends on the machine and the limits."""
    prepare: Callable[[Problem], Problem] | None = None
    """Rewrites what the engine would stumble over although it means nothing to it."""
    requires_up: bool = False
    """Whether it has no command line, so that Unified Planning has to run it."""
    ending: Callable[[str, int | None], Termination | None] = terminated_without_plan
    """Says, from the log and the exit status, what an attempt without a plan came to; None where
    they say nothing special. The status is None where Unified Planning ran the planner."""
    is_complete: Callable[[str, str], bool] = never_whole
    """Says whether a plan file, of a planner that was ended from outside, was written to its end,
    given its text and the log."""
    memory_was_full: Callable[[Path], bool] = never_full
    """Says, from the files in its folder, whether a planner that the clock ended was out of memory
    and only went on looking for some."""
    plans: tuple[str, ...] = ("plan", "plan.*")
    """Patterns of the files in which it leaves plans; the last in natural order is the best."""
    no_plan: str | None = None
    """What it writes into a plan file where it has found none."""
    multi_plan: bool = False
    """Whether it is asked for several plans; the first is the run's plan then."""
    setting: str = ""
    """What tells this configuration from others of its command, for the key of a run."""
    statistics: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    """For fields of `Statistics`, a regular expression whose last match in the log has the figure
    as its group, and what the figure is to be multiplied by for the unit of the field."""
    complete_for: str = ""
    """The domain of ours of whose instances it proves that there is no plan where it says so."""
    optimal: bool = False
    """Whether it claims that no plan is cheaper than its plan."""
    anytime: bool = False
    """Whether it goes on after its first plan until the time is over."""
    features: frozenset[str] = frozenset()
    """What it supports beyond classical planning: ``numeric``, ``costs``."""
    needs_values: bool = False
    """Whether it takes a numeric fluent without an initial value for a proof that there is no
    plan."""
    needs_java: bool = False
    reads_record: bool = False
    """Whether it reads the file `RECORD`, with what the record says and PDDL cannot."""
    configure: Callable[[str], Planner] | None = None
    """Makes the planner with settings that follow its name and a colon, such as
    ``omega=0.5,nodes=500``; raises `InputError` for what it cannot read."""

    @property
    def up_engine(self) -> UpEngine:
        """The engine object of Unified Planning.

        Raises:
            EngineError: there is none.
        """
        if self.engine is None:
            raise EngineError(f"{self.name} cannot be run through Unified Planning")
        return self.engine

    @property
    def options(self) -> dict[str, object]:
        """What tells this configuration from others, for the key of a run."""
        return dict(self.engine.parameters) if self.engine else {"setting": self.setting}
