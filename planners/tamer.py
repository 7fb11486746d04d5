"""Tamer, heuristic search for classical, numeric and temporal planning (Valentini et al. 2020).

Tamer has no command line: Unified Planning runs it in its own process.
"""

from __future__ import annotations

from typing import Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.planners.planner import Planner, Termination
from pddl_pipeline.planners.sandbox.request import UpEngine
from pddl_pipeline.validation.features import NUMERIC


def _ending(log: str, status: int | None) -> Termination | None:
    del status
    if "TamerError" in log or "NotImplementedError" in log:
        return Termination(Outcome.UNSUPPORTED, "Tamer does not support a part of the problem")
    return None


PLANNERS: Final = (
    Planner(
        name="tamer",
        about="Tamer: A* with hadd; supports numbers, but no costs and no type hierarchy",
        distribution="up-tamer",
        engine=UpEngine("tamer", {"weight": 0.5, "heuristic": "hadd"}),
        requires_up=True,
        ending=_ending,
        features=NUMERIC,
    ),
)
