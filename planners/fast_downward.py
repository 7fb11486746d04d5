"""Fast Downward, a classical planner with action costs (Helmert 2006)."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Final

import psutil

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.planner import Planner, Termination
from pddl_pipeline.planners.sandbox.request import UpEngine
from pddl_pipeline.search.downward import is_whole

# The exit codes of Fast Downward's components, as its driver documents and prints them.
_CODES: Final = {
    10: (Outcome.CLAIMS_UNSOLVABLE, "the translator claims that there is no plan"),
    11: (Outcome.CLAIMS_UNSOLVABLE, "the search claims that there is no plan"),
    12: (Outcome.GAVE_UP, "an incomplete search ended without a plan"),
    13: (Outcome.GAVE_UP, "an incomplete search ended without a plan"),
    20: (Outcome.MEMOUT, "the translator ran out of memory"),
    21: (Outcome.TIMEOUT, "the translator ran out of time"),
    22: (Outcome.MEMOUT, "the search ran out of memory"),
    23: (Outcome.TIMEOUT, "the search ran out of time"),
    24: (Outcome.MEMOUT, "the search ran out of memory and time"),
    33: (Outcome.INPUT_ERROR, "the search options are not accepted"),
    34: (Outcome.UNSUPPORTED, "the search does not support a part of the problem"),
    # The CPU time limit ended a component before the component noticed it.
    -24: (Outcome.TIMEOUT, "a part of the planner ran out of time"),
}
# The translator's exit codes for input that it does not accept.
_REFUSED: Final = (30, 31)
_DRIVER_BYTES: Final = 48 << 20


def driver_ending(planner: str, log: str, status: int | None) -> Termination | None:
    """Return how a planner run by Fast Downward's driver ended, from the driver's output."""
    del status
    codes = [int(code) for code in re.findall(r"exit code: (-?\d+)", log)]
    # The translator reserves memory for its message, but even that may be too little.
    if "MemoryError" in log and 30 in codes:
        codes = [20]
    known = next((_CODES[code] for code in codes if code in _CODES), None)
    if known is not None:
        return Termination(known[0], f"{planner}: {known[1]}")
    return _refused(planner, log) if set(codes) & set(_REFUSED) else None


def _refused(planner: str, log: str) -> Termination | None:
    """Distinguish invalid PDDL from unsupported PDDL by the translator's messages."""
    reason = "; ".join(re.findall(r"^(?:Reason: |Got: )(.+)$", log, re.MULTILINE))[:300]
    if "Could not parse" in log or "Could not read file" in log:
        return Termination(Outcome.INPUT_ERROR, f"{planner} could not read the problem: {reason}")
    if "exit code: 31" not in log:
        return None
    return Termination(
        Outcome.UNSUPPORTED, f"{planner}: the translator does not accept the problem: {reason}"
    )


def asks_too_much(log: str) -> bool:
    """Return whether an older translator stopped because it does not support numbers."""
    return ":numeric-fluents" in log or "Fractional numbers are not supported" in log


def with_memory_limit(command: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
    """Return the command line with the planner's memory limit, less the driver's own memory.

    The planner applies the limit to the address space of each component in turn. If it notices the
    limit before it is ended from outside, it still prints its figures.
    """
    python, script, *rest = command
    # The system rejects a limit that is larger than the machine's memory.
    limit = min(limits.memory_bytes, psutil.virtual_memory().total)
    memory = max(limit - _DRIVER_BYTES, limit // 2)
    return (python, script, "--overall-memory-limit", f"{max(1, memory >> 20)}M", *rest)


def without_makespan(problem: Problem) -> Problem:
    """Remove a total-time metric, which has no effect without time.

    Fast Downward's translator supports only total-cost.
    """
    pattern = r"\(\s*:metric\s+minimize\s+(?:\(\s*total-time\s*\)|total-time)\s*\)"
    return replace(
        problem, problem_pddl=re.sub(pattern, "", problem.problem_pddl, flags=re.IGNORECASE)
    )


def whole_with_cost(plan: str, log: str) -> bool:
    """Return whether a plan file ends with the line that has the cost."""
    del log
    return is_whole(plan)


STATISTICS: Final = {
    # From the final statistics or, if the search did not end, from the last progress line.
    "expanded": (r"(?:Expanded (?=\d+ state)| (?=\d+ expanded))(\d+)", 1),
    "evaluated": (r"(?:Evaluated (?=\d+ state)| (?=\d+ evaluated))(\d+)", 1),
    "generated": (r"Generated (\d+) state\(s\)", 1),
    "search_s": (r"Search time: (\d+\.?\d*(?:e-?\d+)?)s", 1),
    "planner_memory_mb": (r"Peak memory: (\d+) KB", 2**-10),
    "claimed_cost": (r"Plan cost: (\d+)", 1),
}

# Unified Planning counts every numeric constant as real, but Fast Downward supports integers; and
# IPC problems omit costs that no action needs.
OVERLOOK: Final = frozenset({"REAL_NUMBERS_IN_ACTIONS_COST", "UNDEFINED_INITIAL_NUMERIC"})
_engine = partial(UpEngine, overlook=OVERLOOK)

_fast_downward = partial(
    Planner,
    distribution="up-fast-downward",
    adapt=with_memory_limit,
    prepare=without_makespan,
    ending=partial(driver_ending, "Fast Downward"),
    is_complete=whole_with_cost,
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


def search_planner(search: str) -> Planner:
    """Return Fast Downward with any search, such as ``astar(lmcut())``."""
    return _fast_downward(
        name=f"fd:{search}",
        about="Fast Downward with the search in its name",
        # Unified Planning would split the search at spaces into several arguments.
        engine=_engine("fast-downward", {"fast_downward_search_config": "".join(search.split())}),
    )
