"""What the black-box domains say of themselves: the form of their states, their own functions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from pddl_pipeline.autotos.space import Space, State
from pddl_pipeline.model.discovery import discover


class Misstep(NamedTuple):
    """What is wrong with a transition, as far as a partial soundness check can tell."""

    reason: str
    """In a few words."""
    feedback: str
    """What AutoToS tells the model, lines."""


@dataclass(frozen=True, slots=True)
class Domain:
    """One of AutoToS's domains, or countdown."""

    name: str
    succ: Callable[..., Iterable[State]]
    """The project's own: takes a state, and the setting where `succ_takes` says so."""
    isgoal: Callable[..., bool]
    """The project's own: takes a state, and the setting where there is one."""
    key: Callable[[State], Hashable]
    """As of `Space`, for the states of anybody's functions."""
    tidy: Callable[[Any], State]
    """Makes a state, or a setting, from JSON: pairs are tuples, as the prompts show them."""
    check_transition: Callable[[State, State], Misstep | None]
    """The partial soundness check of a state and a successor (AutoToS, section 4, step 3)."""
    setting: str = ""
    """What beside the state an instance has, as the files of tests name it; empty for nothing."""
    succ_takes: bool = False
    """Whether `succ` is given the setting too, as `isgoal` always is."""
    same: Callable[[State, State], bool] | None = None
    """Whether two states count as the same in tests; those of one key where None."""


class Puzzle(NamedTuple):
    """An instance of a domain."""

    start: State
    setting: Any = None
    """The goal of blocksworld, the grid of Sokoban, the target of countdown."""


@cache
def domains() -> dict[str, Domain]:
    """Return every domain by its name."""
    return {each.name: each for each in discover("pddl_pipeline.autotos.domains", "DOMAINS")}


def own_space(domain: Domain, puzzle: Puzzle) -> Space:
    """Return the state space of an instance under the project's own functions."""
    start, setting = puzzle
    succ, isgoal = domain.succ, domain.isgoal
    return Space(
        start,
        (lambda state: succ(state, setting)) if domain.succ_takes else succ,
        (lambda state: isgoal(state, setting)) if domain.setting else isgoal,
        domain.key,
    )
