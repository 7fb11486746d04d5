"""The exact countdown solver included in this project."""

from __future__ import annotations

import sys
from functools import partial
from typing import Final

from pddl_pipeline.countdown import process
from pddl_pipeline.planners.own_process import ending
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.sandbox.request import DOMAIN, PLAN, PROBLEM


def _command() -> tuple[str, ...]:
    return (sys.executable, "-P", "-m", process.__name__, DOMAIN, PROBLEM, PLAN)


PLANNERS: Final = (
    Planner(
        name="countdown-exact",
        about="countdown only: finds a plan or proves that there is none, up to 11 numbers",
        distribution="pddl-pipeline",
        command=_command,
        complete_for="countdown",
        ending=partial(ending, "countdown-exact"),
        statistics={
            "expanded": (r"Values: (\d+)", 1),
            "claimed_cost": (r"Plan cost: (\d+)", 1),
        },
        features=frozenset({"numeric", "general-numeric"}),
    ),
)
