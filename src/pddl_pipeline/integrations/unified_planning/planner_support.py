"""Which features of Unified Planning the PDDL for a planner may have."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from unified_planning.environment import get_environment

from pddl_pipeline.integrations.unified_planning.kinds import COSTS, NUMERIC, PDDL, STRIPS
from pddl_pipeline.model.discovery import OWN
from pddl_pipeline.planners.fast_downward import OVERLOOK
from pddl_pipeline.planners.planner import Planner, UpEngine

_LINEAR: Final = frozenset({"GENERAL_NUMERIC_PLANNING", "FLUENTS_IN_NUMERIC_ASSIGNMENTS"})
# Planners that run by their own command line, and the engine that runs the same program.
_SAME_PROGRAM: Final = {
    "forbiditerative": UpEngine("fast-downward-opt", overlook=OVERLOOK),
    "kstar-planner": UpEngine("fast-downward-opt", overlook=OVERLOOK),
    "up-lpg": UpEngine("lpg"),
    "up-pyperplan": UpEngine("pyperplan"),
}
_STRIPS_ONLY: Final = frozenset({"cats"})
"""Searches of this project that work backwards."""


def supported_features(planner: Planner) -> frozenset[str]:
    """Return the features of the problems that a planner accepts.

    They are those that Unified Planning states for the same program and that the planner's
    description contains. Searches of this project accept what the validator judges. Of a program
    that Unified Planning does not know, typed STRIPS is assumed.
    """
    found = _stated(planner) & PDDL
    if "numeric" not in planner.features:
        found -= NUMERIC
    if "general-numeric" not in planner.features:
        found -= _LINEAR
    if "costs" not in planner.features:
        found -= COSTS - {"PLAN_LENGTH"}
    if planner.claims.optimal:
        # Claims of optimality are about the sum of costs.
        found -= {"FINAL_VALUE", "MAKESPAN"}
    if planner.claims.largest_number is not None:
        found -= {"UNDEFINED_INITIAL_NUMERIC"}
    return found


def _stated(planner: Planner) -> frozenset[str]:
    if planner.name in _STRIPS_ONLY:
        return STRIPS | COSTS
    if planner.distribution == OWN:
        return PDDL
    program = planner.engine or _SAME_PROGRAM.get(planner.distribution)
    engine = _engines().get(program.name) if program is not None else None
    if program is not None and engine is not None:
        return frozenset(engine.supported_kind().features) | program.overlook
    return STRIPS | COSTS | NUMERIC - {"FINAL_VALUE"}


@cache
def _engines() -> dict[str, Any]:
    factory = get_environment().factory
    return {name: factory.engine(name) for name in factory.engines}
