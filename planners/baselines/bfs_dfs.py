"""Breadth-first and depth-first search over `succ` and `isgoal` (AutoToS, Cao et al. 2024)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal

from msgspec import Meta

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.planners.foreign_code.guarded import CodeFails, Guarded, functions_in
from pddl_pipeline.planners.foreign_code.process import Functions
from pddl_pipeline.search.baseline import (
    Baseline,
    SearchEffort,
    SearchInput,
    SearchResult,
    UnsupportedTask,
)
from pddl_pipeline.search.black_boxes.bridges import (
    Bridge,
    Unsound,
    bridge_of,
    countdown_bridge,
    world_bridge,
)
from pddl_pipeline.search.space import (
    Bounds,
    NonDeterministic,
    Searched,
    Space,
    breadth_first,
    depth_first,
)


@dataclass(frozen=True, slots=True)
class BreadthFirstSettings:
    """The functions to search with, and the limits of the search."""

    code: str = field(
        default="", metadata={"help": "file with the functions succ and isgoal", "file": True}
    )
    states: Annotated[int, Meta(ge=1)] = field(
        default=10_000_000, metadata={"help": "maximum number of states to store"}
    )
    seconds: Annotated[float, Meta(ge=0, lt=1e9)] = field(
        default=0, metadata={"help": "time limit in seconds; 0 means no limit"}
    )
    numbers: Literal["exact", "float"] = field(
        default="exact", metadata={"help": "countdown: exact fractions, or rounded floats"}
    )
    zeros: Literal["yes", "no"] = field(
        default="yes", metadata={"help": "countdown: whether intermediate results may be 0"}
    )
    tolerance: Annotated[float, Meta(ge=0, lt=1e9)] = field(
        default=0, metadata={"help": "countdown with floats: allowed distance from the target"}
    )

    def __post_init__(self) -> None:
        if self.tolerance and self.numbers == "exact":
            raise InputError(f"tolerance={self.tolerance}: applies only to numbers=float")
        if self.code and (self.numbers, self.zeros) != ("exact", "yes"):
            raise InputError("code: numbers and zeros apply only to the project's own functions")


@dataclass(frozen=True, slots=True)
class DepthFirstSettings(BreadthFirstSettings):
    """The settings of breadth-first search, and the order of successors."""

    order: Literal["first", "last"] = field(
        default="first", metadata={"help": "which successor to expand first"}
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
            # The black box allows more plans than the PDDL does; see `bridges`.
            bridge = world_bridge(given.task)
            done = search(bridge.space)
    if done.path is not None:
        return SearchResult(bridge.plan(done.path))
    # Floats and forbidden zeros may leave out plans: the end of the search proves nothing.
    is_complete = settings.numbers == "exact" and settings.zeros == "yes"
    return SearchResult(None, done.reason, proof=done.exhausted and is_complete)


def _bridge(given: SearchInput, settings: BreadthFirstSettings) -> Bridge:
    if (settings.numbers, settings.zeros) == ("exact", "yes"):
        return bridge_of(given.task, *given.texts())
    found = countdown_bridge(
        given.task,
        floats=settings.numbers == "float",
        zeros=settings.zeros == "yes",
        tolerance=settings.tolerance,
    )
    if found is None:
        raise UnsupportedTask("the settings numbers and zeros apply only to countdown")
    return found


def _with_code(file: Path, bridge: Bridge, search: Callable[[Space], Searched]) -> SearchResult:
    """Search with the functions of a file; report any fault of theirs in one line."""
    if bridge.form is None:
        raise UnsupportedTask("the setting code applies only to blocksworld, Sokoban and countdown")
    try:
        sources = functions_in(file.read_text(encoding="utf-8", errors="replace"))
    except CodeFails as error:
        return SearchResult(None, str(error))
    with Functions(sources) as functions:
        try:
            done = search(Guarded(functions, bridge.form.domain).space(bridge.form.puzzle))
        except CodeFails as error:
            return SearchResult(None, str(error))
        except NonDeterministic:
            return SearchResult(None, "code: succ returns other successors when it is called again")
    if done.path is None:
        return SearchResult(None, f"code: {done.reason}")
    try:
        return SearchResult(bridge.plan(done.path))
    except Unsound as error:
        return SearchResult(None, f"succ-soundness: {error}")


BASELINES: Final = (
    Baseline(
        name="bfs",
        about="breadth-first search over succ and isgoal, built in or from a file: fewest steps",
        settings=BreadthFirstSettings,
        search=_breadth_first,
    ),
    Baseline(
        name="dfs",
        about="depth-first search over succ and isgoal, built in or from a file",
        settings=DepthFirstSettings,
        search=_depth_first,
    ),
)
