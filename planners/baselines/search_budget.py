"""The limits of a search, as in SimPlan (Appendix E.2), and Fast Downward inside a baseline."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Annotated, Final, NamedTuple

from msgspec import Meta

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.canonical import classical
from pddl_pipeline.planners.fast_downward import driver_ending, expanded_states, is_complete
from pddl_pipeline.planners.own_process import run_inside, say
from pddl_pipeline.search.baseline import SearchEffort, SearchInput

LAMA: Final = "lama-first"
"""The planner whose expansions determine the limit on predictions."""
TIMES: Final = 16
"""The limit on predictions is this many times these expansions."""


@dataclass(frozen=True)
class LimitSettings:
    """The limits of a search."""

    predictions: Annotated[str, Meta(pattern="^(lama|none|[0-9]+)$")] = field(
        default="lama",
        metadata={
            "help": "maximum number of predictions of a next action: a number, none, or lama, which"
            " is 16 times the number of states that lama-first expands"
        },
    )
    seconds: Annotated[float, Meta(gt=0)] = field(
        default=300, metadata={"help": "time limit of the search, in seconds of wall-clock time"}
    )


class SearchBudget:
    """The remaining budget of a search."""

    def __init__(self, given: SearchInput, settings: LimitSettings, effort: SearchEffort) -> None:
        self._effort = effort
        self._most = _most_predictions(given, settings.predictions)
        self._seconds = settings.seconds
        self._end = time.monotonic() + settings.seconds

    def predict(self) -> str:
        """Count a prediction; return the exceeded limit as text, or the empty string."""
        if self._most is not None and self._effort.predictions >= self._most:
            return f"no plan within {self._most} predictions"
        if time.monotonic() > self._end:
            return f"no plan within {self._seconds:g} s"
        self._effort.predictions += 1
        return ""


def _most_predictions(given: SearchInput, asked: str) -> int | None:
    if asked == "none":
        return None
    if asked != "lama":
        return int(asked)
    if LAMA not in given.commands:
        raise InputError(f"predictions=lama: {LAMA} is not available")
    run = run_downward(given, LAMA)
    # Fast Downward ended before its search: there is nothing to multiply.
    if run.expanded is None:
        say(f"No limit on predictions: {LAMA} did not search ({run.last_line})")
        return None
    say(f"At most {TIMES * run.expanded} predictions: {LAMA} expanded {run.expanded} states")
    return TIMES * run.expanded


class DownwardRun(NamedTuple):
    """The result of a run."""

    expanded: int | None
    """Number of expanded states; None if it did not search."""
    plan: str | None
    unsolvable: bool
    """Whether it claims that there is no plan."""
    last_line: str
    """The last line that it printed."""


def run_downward(given: SearchInput, name: str) -> DownwardRun:
    """Run one of `SearchInput.commands` on the files of a task; return the result."""
    texts = classical(Problem(*given.texts())).texts
    done = run_inside(given.commands[name], texts.domain_pddl, texts.problem_pddl, given.folder)
    ending = driver_ending("Fast Downward", done.log, None)
    return DownwardRun(
        expanded_states(done.log),
        done.plan if is_complete(done.plan, done.log) else None,
        ending is not None and ending.outcome is Outcome.CLAIMS_UNSOLVABLE,
        (done.log.strip().splitlines() or ["it printed nothing"])[-1],
    )
