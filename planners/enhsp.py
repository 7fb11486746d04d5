"""ENHSP, a heuristic search planner for numeric planning (Scala et al. 2020). Needs Java.

It compares doubles with a tolerance, so that its plans may miss their goals; see the README.
"""

from __future__ import annotations

from typing import Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.planners.planner import Ending, Planner


def _ending(log: str) -> Ending:
    """Read how ENHSP ended: it exits with 0 on broken input and says "unsolvable" then, too."""
    if "OutOfMemoryError" in log:
        return Ending(Outcome.MEMOUT, "ENHSP: the Java heap is full")
    if "Grammar is violated" in log:
        return Ending(Outcome.INPUT_ERROR, "ENHSP could not read the problem")
    if "Problem parsed" not in log:
        return Ending(Outcome.CRASH, "ENHSP ended before it had read the problem")
    if "Problem unsolvable" in log or "Unsolvable by AIBR" in log:
        return Ending(Outcome.CLAIMS_UNSOLVABLE, "ENHSP claims that there is no plan")
    if "Metric (Search)" not in log:
        return Ending(Outcome.CRASH, "ENHSP ended in the middle of its search")
    return Ending(Outcome.GAVE_UP, "ENHSP ended without a plan")


PLANNERS: Final = (
    Planner(
        name="enhsp",
        about="ENHSP, greedy best-first search with hadd: the papers' numeric baseline",
        engine="enhsp",
        distribution="up-enhsp",
        expanded=r"Expanded Nodes:\s*(\d+)",
        ending=_ending,
        parameters={"params": "-s gbfs -h hadd"},
        features=frozenset({"numeric", "costs"}),
        needs_values=True,
        needs_java=True,
    ),
)
