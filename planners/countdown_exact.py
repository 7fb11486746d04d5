"""The exact countdown solver included in this project."""

from __future__ import annotations

from functools import partial
from typing import Final

from pddl_pipeline.planners.own_process import ending, own_command
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.validation.features import NUMERIC

PLANNERS: Final = (
    Planner(
        name="countdown-exact",
        about="countdown only: finds a plan or proves that there is none, up to 11 numbers",
        distribution="pddl-pipeline",
        command=partial(own_command, "countdown_process"),
        complete_for="countdown",
        ending=partial(ending, "countdown-exact"),
        statistics={
            "expanded": (r"Values: (\d+)", 1),
            "claimed_cost": (r"Plan cost: (\d+)", 1),
        },
        features=NUMERIC,
    ),
)
