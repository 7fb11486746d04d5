"""Pyperplan, a STRIPS planner in Python for teaching (Alkhazraji et al. 2020)."""

from __future__ import annotations

import sys
from typing import Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.planners.installed import package_folder
from pddl_pipeline.planners.planner import Planner, Termination
from pddl_pipeline.planners.sandbox.request import DOMAIN, PROBLEM


def _ending(log: str, status: int | None) -> Termination | None:
    if "MemoryError" in log:
        return Termination(Outcome.MEMOUT, "pyperplan ran out of memory")
    if "Found unknown keyword" in log or "SemanticError" in log:
        return Termination(Outcome.UNSUPPORTED, "pyperplan does not support a part of the problem")
    if "ParseError" in log or "FileNotFoundError" in log:
        return Termination(Outcome.INPUT_ERROR, "pyperplan could not read the problem")
    if status == 0 and "Task unsolvable" in log:
        return Termination(Outcome.CLAIMS_UNSOLVABLE, "pyperplan claims that there is no plan")
    return None


def _command() -> tuple[str, ...]:
    package_folder("up-pyperplan", "pyperplan")
    return (sys.executable, "-m", "pyperplan", "-s", "gbf", "-H", "hff", DOMAIN, PROBLEM)


PLANNERS: Final = (
    Planner(
        name="pyperplan",
        about="pyperplan: greedy best-first search with hff; STRIPS without costs",
        distribution="up-pyperplan",
        command=_command,
        setting="-s gbf -H hff",
        ending=_ending,
        plans=(f"{PROBLEM}.soln",),
        statistics={
            "expanded": (r"(\d+) Nodes expanded", 1),
            "search_s": (r"Search time: (\d+\.?\d*(?:e-?\d+)?)", 1),
            "claimed_cost": (r"Plan length: (\d+)", 1),
        },
    ),
)
