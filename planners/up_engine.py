"""Any installed engine of Unified Planning: ``up:NAME`` or ``up:NAME:key=value,…``."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.metadata import packages_distributions
from typing import Any, Final

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.sandbox.request import UpEngine
from pddl_pipeline.planners.unified_planning import get_environment
from pddl_pipeline.validation.features import FEATURES

_PREFIX: Final = "up:"
UP_ENGINE: Final = re.compile(_PREFIX)
"""The start of the name of a planner that is an engine of Unified Planning."""
# The planners of this project have no such names, also if they are registered in this process.
_OWN: Final = "pddl-pipeline"


@cache
def up_planner(text: str) -> Planner:
    """Return the planner of a text such as ``up:tamer`` or ``up:tamer:weight=0.8``.

    Unified Planning runs the engine, and decides which problems it supports.

    Raises:
        InputError: Unified Planning has no such engine that finds plans, or a setting has no value.
    """
    name, _, settings = text.removeprefix(_PREFIX).partition(":")
    known = _engines()
    if name not in known:
        raise InputError(
            f"{_PREFIX}{name}: Unified Planning has no engine '{name}' that finds plans on this "
            f"machine{hint(name, known)}; most engines are packages of their own, such as up-{name}"
        )
    engine = known[name]
    return Planner(
        name=text,
        about=f"the engine {name} of Unified Planning",
        distribution=_distribution(engine),
        engine=UpEngine(name, _parameters(text, settings), anytime=not engine.is_oneshot_planner()),
        checks_settings=bool(settings),
        features=FEATURES,
    )


@cache
def _engines() -> dict[str, Any]:
    """Return the classes of the engines that find plans, by name."""
    environment = get_environment()
    environment.credits_stream = None
    factory = environment.factory
    classes = {name: factory.engine(name) for name in factory.engines}
    return {
        name: engine for name, engine in classes.items()
        if (engine.is_oneshot_planner() or engine.is_anytime_planner()) and _OWN not in name
    }  # fmt: skip


def _distribution(engine: Any) -> str:
    package = engine.__module__.partition(".")[0]
    return packages_distributions().get(package, ["unified-planning"])[0]


def _parameters(text: str, settings: str) -> dict[str, Any]:
    """Return the engine's parameters; a value is JSON if possible, otherwise text."""
    found: dict[str, Any] = {}
    for part in filter(None, settings.split(",")):
        key, equals, value = part.partition("=")
        if not key or not equals:
            raise InputError(f"{text}: found '{part}', expected KEY=VALUE")
        try:
            found[key] = json.loads(value)
        except json.JSONDecodeError:
            found[key] = value
    return found
