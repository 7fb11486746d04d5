"""A planning problem as a pair of PDDL texts, the form that every planner reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pddl_pipeline.model.number import Number

RECORD: Final = "record.json"
"""Name of the file that passes budget and witness to the processes of this project's planners; to
those that ask a language model, also the instance's id and the file for the answers."""


@dataclass(frozen=True, slots=True)
class Problem:
    """The PDDL texts of one planning problem."""

    domain_pddl: str
    """Text of the domain file."""
    problem_pddl: str
    """Text of the problem file."""
    budget: Number | None = None
    """Maximum cost of a plan, from the instance's record; None for no limit. PDDL cannot express
    it, so only planners of this project see it."""
    witness: tuple[str, ...] = ()
    """The steps of the plan in the record, such as ``(add n1 n2)``; empty if there is none. Only
    the planner ``witness`` sees it."""

    def __repr__(self) -> str:
        domain, problem = len(self.domain_pddl), len(self.problem_pddl)
        return f"<Problem: domain {domain}, problem {problem} characters>"
