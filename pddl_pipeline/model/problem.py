"""A planning problem as a pair of PDDL texts, the form that every planner reads."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """The PDDL texts of one planning problem."""

    domain: str
    """Text of the domain file."""
    problem: str
    """Text of the problem file."""
