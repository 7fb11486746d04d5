"""The interface of black-box domains: the form of their states, and the project's functions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pddl_pipeline.search.space import Space, State


class FunctionFault(NamedTuple):
    """What is wrong with functions, from which a text for their author can be made."""

    kind: str
    """Its name, such as ``length``."""
    values: Mapping[str, Any]
    """The values that the text mentions; a value may be another fault."""


def fault_of(kind: str, **values: Any) -> FunctionFault:
    """Return a fault with its values."""
    return FunctionFault(kind, values)


class Misstep(NamedTuple):
    """A fault of a transition, found by a partial soundness check."""

    reason: str
    """A few words."""
    fault: FunctionFault


@dataclass(frozen=True, slots=True)
class Domain:
    """A domain whose states are plain data."""

    name: str
    succ: Callable[..., Iterable[State]]
    """The project's function; its arguments are a state, and the setting if `succ_takes`."""
    isgoal: Callable[..., bool]
    """The project's function; its arguments are a state, and the setting if there is one."""
    key: Callable[[State], Hashable]
    """As `Space.key`, for the states of any functions."""
    tidy: Callable[[Any], State]
    """Return a state, or a setting, from JSON; pairs become tuples, as the prompts show them."""
    check_transition: Callable[[State, State, Any], Misstep | None]
    """The partial soundness check of a state, a successor and the setting."""
    setting: str = ""
    """Name of the setting (the data of an instance besides the state) in test files; "" if none."""
    succ_takes: bool = False
    """Whether `succ` gets the setting as an argument too; `isgoal` always does."""
    same: Callable[[State, State], bool] | None = None
    """Return whether two states count as equal in tests; None compares their keys."""


class Puzzle(NamedTuple):
    """An instance of a domain."""

    start: State
    setting: Any = None
    """The goal of blocksworld, the grid of Sokoban, the target of countdown."""


def own_space(domain: Domain, puzzle: Puzzle) -> Space:
    """Return the state space of an instance with the project's functions."""
    start, setting = puzzle
    succ, isgoal = domain.succ, domain.isgoal
    return Space(
        start,
        (lambda state: succ(state, setting)) if domain.succ_takes else succ,
        (lambda state: isgoal(state, setting)) if domain.setting else isgoal,
        domain.key,
    )
