"""Aries, lifted planning by constraint solving (Bit-Monnot 2023).

Aries has no command line for PDDL: Unified Planning runs it as a separate server. Some of its plans
are wrong, for minigrid for example; the validator rejects them as it does for every planner.
"""

from __future__ import annotations

from typing import Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.planners.planner import Planner, Termination
from pddl_pipeline.planners.sandbox.request import UpEngine


def _ending(log: str, status: int | None) -> Termination | None:
    del status
    if "not supported" in log:
        return Termination(Outcome.UNSUPPORTED, "Aries does not support a part of the problem")
    return None


PLANNERS: Final = (
    Planner(
        name="aries",
        about="Aries: constraint solving with increasing depth",
        distribution="up-aries",
        engine=UpEngine("aries"),
        requires_up=True,
        ending=_ending,
    ),
)
