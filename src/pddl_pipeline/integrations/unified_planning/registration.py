"""Makes the engines known to Unified Planning."""

from __future__ import annotations

from typing import Any, Final

from unified_planning.environment import get_environment

from pddl_pipeline.integrations.unified_planning.planner_engines import PREFIX, SandboxedPlanner
from pddl_pipeline.integrations.unified_planning.validator_engine import NAME, PlanValidator
from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.planners.planner import check_installed
from pddl_pipeline.planners.registry import planners

# One solves countdown only; the other repeats the plan of a record.
_LEFT_OUT: Final = frozenset({"countdown-exact", "witness"})


def register(environment: Any = None) -> list[str]:
    """Register the validator and the installed planners, and return the names of the engines.

    Unified Planning finds them by name only: its lists of preferences do not change. A second call
    changes nothing.

    Args:
        environment: an environment or a factory of Unified Planning; None for the global
            environment.
    """
    given: Any = get_environment(None) if environment is None else environment
    factory: Any = getattr(given, "factory", given)
    engines = {NAME: (PlanValidator.__module__, PlanValidator.__name__)}
    for name, planner in planners().items():
        if name not in _LEFT_OUT and _is_installed(planner.distribution):
            engines[f"{PREFIX}{name}"] = (SandboxedPlanner.__module__, name)
    for name, place in engines.items():
        if name not in factory.engines:
            before = list(factory.preference_list)
            factory.add_engine(name, *place)
            # It adds the engine, and meta-engines with it, to the preferences.
            factory.preference_list = before
    return list(engines)


def _is_installed(distribution: str) -> bool:
    try:
        check_installed(distribution)
    except EngineError:
        return False
    return True
