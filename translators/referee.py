"""The board of a referee: the places of things, moved as one would by hand, without PDDL."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.text import atom_text

Fact = tuple[str, ...]
"""Predicate or function, then objects."""


@dataclass(frozen=True, slots=True)
class Move:
    """What an action does. Names are those of its parameters; others stand for themselves."""

    parameters: tuple[str, ...]
    at: Mapping[str, str]
    """The place that each thing must have before."""
    to: Mapping[str, str]
    """The place that each thing gets."""
    clear: tuple[str, ...] = ()
    """What must hold nothing and not be carried."""


class Board:
    """Things and their places. A place is a name, and may be the name of another thing."""

    def __init__(
        self, moves: Mapping[str, Move], where: Mapping[str, str], carriers: Collection[str] = ()
    ) -> None:
        """Set up a board.

        Args:
            moves: the domain's actions.
            where: the place of each thing.
            carriers: the places whose things are carried.
        """
        self.moves = moves
        self.where = dict(where)
        self.carriers = carriers

    def play(self, step: Step) -> str | None:
        """Play one step; return why it is not possible, or None."""
        move = self.moves[step.action]
        names = dict(zip(move.parameters, step.arguments, strict=True))
        for thing, place in _named(move.at, names):
            if self.where.get(thing) != place:
                return f"{thing} is not at {place}"
        for each in move.clear:
            if not self.is_clear(names.get(each, each)):
                return f"{names.get(each, each)} is not clear"
        fault = self.further_fault(step.action, names)
        # All at once: a place on the right may be one that moves.
        if fault is None:
            self.where.update(_named(move.to, names))
        return fault

    def further_fault(self, _action: str, _names: Mapping[str, str]) -> str | None:
        """Return why a step is not possible although things are where they must be, or None.

        Args:
            action: name of the action.
            names: the arguments by the names of the parameters.
        """
        return None

    def is_clear(self, place: str) -> bool:
        """Return whether a place holds nothing and is not carried."""
        return place not in self.where.values() and self.where.get(place) not in self.carriers

    def satisfies(self, atom: Fact) -> bool:
        """Return whether an atom of the goal holds: by default, that a thing is at a place."""
        return self.where.get(atom[-2]) == atom[-1]

    def fault(self, plan: Plan, goal: Iterable[Fact]) -> str | None:
        """Play a plan; return the first fault, or None if the atoms of the goal hold then."""
        return play_all(plan, self.play, goal, self.satisfies)


def _named(places: Mapping[str, str], names: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(names.get(thing, thing), names.get(place, place)) for thing, place in places.items()]


def play_all(
    plan: Plan,
    play: Callable[[Step], str | None],
    goal: Iterable[Fact],
    satisfied: Callable[[Fact], bool],
) -> str | None:
    """Play a plan; return the first fault, or None.

    Args:
        plan: the steps.
        play: plays one step on the board; returns why it is not possible, or None.
        goal: atoms that must hold at the end.
        satisfied: returns whether an atom of the goal holds on the board.
    """
    for position, step in enumerate(plan.steps, start=1):
        fault = play(step)
        if fault:
            return f"step {position} {step}: {fault}"
    missed = [atom_text(atom) for atom in goal if not satisfied(atom)]
    return f"not reached: {' '.join(missed)}" if missed else None
