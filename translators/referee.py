"""Plays a plan for a referee: each step on the domain's own board, then the goal."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pddl_pipeline.model.atom import atom_text
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.translators.pddl_printing import Fact


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
