"""Aries, lifted planning by constraint solving (Bit-Monnot 2023).

It has no command line for PDDL: Unified Planning runs it as a server of its own. Some of its plans
are wrong, of minigrid for example; as everywhere, the validator finds that out.
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
        about="Aries, deeper and deeper searches by constraint solving",
        distribution="up-aries",
        engine=UpEngine("aries"),
        requires_up=True,
        ending=_ending,
    ),
)
