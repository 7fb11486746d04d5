"""Fast Downward, a classical planner with action costs (Helmert 2006)."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Final

import psutil

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.fast_downward_log import STATISTICS, driver_ending, is_complete
from pddl_pipeline.planners.fast_downward_parts import parts_command
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.sandbox.request import UpEngine

_DRIVER_BYTES: Final = 48 << 20
_PREFIX: Final = "fd:"
SEARCH: Final = re.compile(_PREFIX)
"""The start of the name of a planner that is Fast Downward with a search of the user."""


def with_memory_limit(command: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
    """Return the driver's command line with the planner's memory limit.

    The driver applies the limit to the address space of each part. If a part notices the limit
    before it is ended from outside, it still prints its figures.
    """
    python, script, *rest = command
    return (python, script, "--overall-memory-limit", f"{_memory_mb(limits)}M", *rest)


def without_driver(command: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
    """Return a command line with the same limit that starts the parts without the driver.

    The driver stays where it does more than that.
    """
    return parts_command(command, _memory_mb(limits)) or with_memory_limit(command, limits)


def _memory_mb(limits: Limits) -> int:
    """Return the limit of a part's address space: the memory limit, less the driver's memory."""
    # The system rejects a limit that is larger than the machine's memory.
    limit = min(limits.memory_bytes, psutil.virtual_memory().total)
    return max(1, max(limit - _DRIVER_BYTES, limit // 2) >> 20)


def without_makespan(problem: Problem) -> Problem:
    """Remove a total-time metric, which has no effect without time.

    Fast Downward's translator supports only total-cost.
    """
    pattern = r"\(\s*:metric\s+minimize\s+(?:\(\s*total-time\s*\)|total-time)\s*\)"
    return replace(
        problem, problem_pddl=re.sub(pattern, "", problem.problem_pddl, flags=re.IGNORECASE)
    )


# Unified Planning counts every numeric constant as real, but Fast Downward supports integers; and
# IPC problems omit costs that no action needs.
OVERLOOK: Final = frozenset({"REAL_NUMBERS_IN_ACTIONS_COST", "UNDEFINED_INITIAL_NUMERIC"})
_engine = partial(UpEngine, overlook=OVERLOOK)

_fast_downward = partial(
    Planner,
    distribution="up-fast-downward",
    adapt=without_driver,
    prepare=without_makespan,
    ending=partial(driver_ending, "Fast Downward"),
    is_complete=is_complete,
    statistics=STATISTICS,
    features=frozenset({"costs"}),
)

PLANNERS: Final = (
    _fast_downward(
        name="lama-first",
        about="Fast Downward: the first plan of LAMA 2011; does not minimise costs",
        engine=_engine("fast-downward", {"fast_downward_alias": "lama-first"}),
    ),
    _fast_downward(
        name="lama",
        about="Fast Downward: LAMA 2011, improves its plan until the time limit",
        engine=_engine("fast-downward", {"fast_downward_anytime_alias": "lama"}, anytime=True),
        anytime=True,
    ),
    _fast_downward(
        name="seq-opt-lmcut",
        about="Fast Downward: A* with LM-cut, cost-optimal plans",
        engine=_engine("fast-downward-opt"),
        optimal=True,
    ),
    _fast_downward(
        name="fd-blind",
        about="Fast Downward: A* without a heuristic, cost-optimal plans",
        engine=_engine("fast-downward", {"fast_downward_search_config": "astar(blind())"}),
        optimal=True,
    ),
)


def search_planner(name: str) -> Planner:
    """Return Fast Downward with the search of a name such as ``fd:astar(lmcut())``.

    Raises:
        InputError: the name has no search.
    """
    # Unified Planning would split the search at spaces into several arguments.
    search = "".join(name.removeprefix(_PREFIX).split())
    if not search:
        raise InputError(f"{_PREFIX} expected a search after the colon, such as fd:astar(lmcut())")
    return _fast_downward(
        name=name,
        about="Fast Downward with the search in its name",
        checks_settings=True,
        engine=_engine("fast-downward", {"fast_downward_search_config": search}),
    )
