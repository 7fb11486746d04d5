"""Breadth-first and depth-first search over `succ` and `isgoal` (AutoToS, Cao et al. 2024)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from pddl_pipeline.autotos.breadth_first import breadth_first
from pddl_pipeline.autotos.checks.failure import CodeFails, unparsable
from pddl_pipeline.autotos.checks.guarded import Guarded
from pddl_pipeline.autotos.code.answer import Unparsable, functions_in
from pddl_pipeline.autotos.code.process import Functions
from pddl_pipeline.autotos.depth_first import depth_first
from pddl_pipeline.autotos.pddl import any_task, countdown
from pddl_pipeline.autotos.pddl.bridge import Bridge, Unsound
from pddl_pipeline.autotos.pddl.bridges import bridge_of
from pddl_pipeline.autotos.space import Bounds, NonDeterministic, Searched, Space
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.search.baseline import (
    Baseline,
    SearchEffort,
    SearchInput,
    SearchResult,
    UnsupportedTask,
)


@dataclass(frozen=True, slots=True)
class BreadthFirstSettings:
    """What is searched, and how much of it."""

    code: str = field(
        default="", metadata={"help": "file with functions succ and isgoal", "file": True}
    )
    states: int = field(default=10_000_000, metadata={"help": "states to remember at most"})
    seconds: float = field(default=0, metadata={"help": "time of the search; 0 is without end"})
    numbers: Literal["exact", "float"] = field(
        default="exact", metadata={"help": "of countdown: fractions, or rounded as floats are"}
    )
    zeros: Literal["yes", "no"] = field(
        default="yes", metadata={"help": "of countdown: whether 0 may be made on the way"}
    )
    tolerance: float = field(
        default=0, metadata={"help": "of countdown in floats: by how much the target may be missed"}
    )

    def __post_init__(self) -> None:
        if self.states < 1:
            raise InputError(f"states={self.states}: expected at least 1")
        if not 0 <= self.seconds < float("inf"):
            raise InputError(f"seconds={self.seconds}: expected 0 or more")
        if self.tolerance and (self.numbers == "exact" or not 0 <= self.tolerance < float("inf")):
            raise InputError(f"tolerance={self.tolerance}: expected 0 or more, with numbers=float")
        if self.code and (self.numbers, self.zeros) != ("exact", "yes"):
            raise InputError("code: numbers and zeros are for the project's own functions")


@dataclass(frozen=True, slots=True)
class DepthFirstSettings(BreadthFirstSettings):
    """Those of breadth-first search, and which successor comes first."""

    order: Literal["first", "last"] = field(
        default="first", metadata={"help": "the successor that is looked at first"}
    )


def _breadth_first(
    given: SearchInput, settings: BreadthFirstSettings, effort: SearchEffort
) -> SearchResult:
    bounds = Bounds(settings.states, settings.seconds)
    return _found(given, settings, lambda space: breadth_first(space, bounds, effort))


def _depth_first(
    given: SearchInput, settings: DepthFirstSettings, effort: SearchEffort
) -> SearchResult:
    bounds, last_first = Bounds(settings.states, settings.seconds), settings.order == "last"
    return _found(
        given, settings, lambda space: depth_first(space, bounds, effort, last_first=last_first)
    )


def _found(
    given: SearchInput, settings: BreadthFirstSettings, search: Callable[[Space], Searched]
) -> SearchResult:
    bridge = _bridge(given, settings)
    if settings.code:
        return _with_code(Path(settings.code), bridge, search)
    done = search(bridge.space)
    if done.path is not None:
        try:
            return SearchResult(bridge.plan(done.path))
        except Unsound:
            # The black box allows a little more than the PDDL does; see `sokoban.bridge`.
            bridge = any_task.bridge(given.task)
            done = search(bridge.space)
    if done.path is not None:
        return SearchResult(bridge.plan(done.path))
    is_whole = settings.numbers == "exact" and settings.zeros == "yes"
    return SearchResult(None, done.reason, proof=done.exhausted and is_whole)


def _bridge(given: SearchInput, settings: BreadthFirstSettings) -> Bridge:
    domain, problem = (
        (given.folder / name).read_text(encoding="utf-8")
        for name in ("domain.pddl", "problem.pddl")
    )
    if (settings.numbers, settings.zeros) == ("exact", "yes"):
        return bridge_of(given.task, domain, problem)
    found = countdown.bridge(
        given.task,
        floats=settings.numbers == "float",
        zeros=settings.zeros == "yes",
        tolerance=settings.tolerance,
    )
    if found is None:
        raise UnsupportedTask("numbers and zeros are settings for countdown")
    return found


def _with_code(file: Path, bridge: Bridge, search: Callable[[Space], Searched]) -> SearchResult:
    """Search with somebody's functions; whatever they do is told in one line."""
    if bridge.form is None:
        raise UnsupportedTask("code is for tasks of blocksworld, Sokoban and countdown")
    try:
        sources = functions_in(file.read_text(encoding="utf-8", errors="replace"))
    except Unparsable as error:
        return SearchResult(None, str(CodeFails(unparsable(error))))
    with Functions(sources) as functions:
        try:
            done = search(Guarded(functions, bridge.form.domain).space(bridge.form.puzzle))
        except CodeFails as error:
            return SearchResult(None, str(error))
        except NonDeterministic:
            return SearchResult(None, "code: succ gives other successors when it is asked again")
    if done.path is None:
        return SearchResult(None, f"code: {done.reason}")
    try:
        return SearchResult(bridge.plan(done.path))
    except Unsound as error:
        return SearchResult(None, f"succ-soundness: {error}")


BASELINES: Final = (
    Baseline(
        name="bfs",
        about="breadth first over succ and isgoal, our own or those of a file: fewest steps",
        settings=BreadthFirstSettings,
        search=_breadth_first,
        features=frozenset({"numeric", "general-numeric", "costs"}),
    ),
    Baseline(
        name="dfs",
        about="depth first over succ and isgoal, our own or those of a file",
        settings=DepthFirstSettings,
        search=_depth_first,
        features=frozenset({"numeric", "general-numeric", "costs"}),
    ),
)
