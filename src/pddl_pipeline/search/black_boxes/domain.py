"""The interface of black-box domains: the form of their states, and the project's functions."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pddl_pipeline.model.discovery import discover
from pddl_pipeline.search.space import Space, State


@cache
def _texts() -> Mapping[str, str]:
    text = (Path(__file__).parent / "feedback.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def feedback(kind: str, **values: Any) -> str:
    """Return a feedback to a model, with the values of its fields; see ``feedback.toml``."""
    return _texts()[kind].format(**values)


class Misstep(NamedTuple):
    """A fault of a transition, found by a partial soundness check."""

    reason: str
    """A few words."""
    feedback: str
    """AutoToS's feedback to the model, as lines."""


@dataclass(frozen=True, slots=True)
class Domain:
    """One of AutoToS's domains, or countdown."""

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
    """The partial soundness check of a state, a successor and the setting (AutoToS, section 4,
    step 3)."""
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


@cache
def domains() -> dict[str, Domain]:
    """Return all domains, by name."""
    return {
        each.name: each for each in discover("pddl_pipeline.search.black_boxes.domains", "DOMAINS")
    }


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
