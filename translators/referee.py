"""How a referee goes through a plan: step by step on the domain's own board."""

from __future__ import annotations

from collections.abc import Callable

from pddl_pipeline.model.plan import Plan, Step


def play_all(plan: Plan, play: Callable[[Step], str | None]) -> str | None:
    """Do every step; return the first fault with the step that it is in, or None."""
    for position, step in enumerate(plan.steps, start=1):
        fault = play(step)
        if fault:
            return f"step {position} {step}: {fault}"
    return None
