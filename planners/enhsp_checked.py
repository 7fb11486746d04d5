"""ENHSP with an exact check of each plan that it claims; see `checked_search`."""

from __future__ import annotations

import json
from functools import partial
from typing import Final

from pddl_pipeline.model.limits import Limits
from pddl_pipeline.planners import enhsp, enhsp_checked_process
from pddl_pipeline.planners.checked_search import FACTOR, FIRST_S
from pddl_pipeline.planners.java import java_command
from pddl_pipeline.planners.own_process import ending, own_command
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.sandbox.launcher import command_of
from pddl_pipeline.validation.features import FEATURES

_SEARCHES: Final = ("enhsp", "enhsp-strict")
"""The planners of the first search and of those from later states. In a later state, tolerance
accepts near misses that the strict search does not stop at."""


def _command() -> tuple[str, ...]:
    engines = {planner.name: planner.up_engine for planner in enhsp.PLANNERS}
    commands = [command_of(engines[name]) for name in _SEARCHES]
    return own_command(enhsp_checked_process, json.dumps(commands))


def _adapted(command: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
    *start, commands, domain, problem, plan = command
    adapted = [java_command(tuple(each), limits) for each in json.loads(commands)]
    return (*start, json.dumps(adapted), domain, problem, plan)


PLANNERS: Final = (
    Planner(
        name="enhsp-checked",
        about="ENHSP; rejects each plan that fails the exact check, and searches on",
        distribution="up-enhsp",
        command=_command,
        adapt=_adapted,
        setting=json.dumps([_SEARCHES, FIRST_S, FACTOR]),
        ending=partial(ending, "enhsp-checked"),
        statistics=enhsp.STATISTICS,
        sample="countdown",
        features=FEATURES,
        needs_values=True,
        needs_java=True,
    ),
)
