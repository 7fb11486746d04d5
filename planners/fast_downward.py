"""Fast Downward, a classical planner with action costs (Helmert 2006)."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.planner import Ending, Planner
from pddl_pipeline.planners.request import UpEngine

# The exit codes of its parts, as its driver documents and prints them.
_ENDINGS: Final = {
    10: Ending(Outcome.CLAIMS_UNSOLVABLE, "Fast Downward's translator claims there is no plan"),
    11: Ending(Outcome.CLAIMS_UNSOLVABLE, "Fast Downward claims that there is no plan"),
    12: Ending(Outcome.GAVE_UP, "Fast Downward ended its incomplete search without a plan"),
    20: Ending(Outcome.MEMOUT, "Fast Downward's translator ran out of memory"),
    21: Ending(Outcome.TIMEOUT, "Fast Downward's translator ran out of time"),
    22: Ending(Outcome.MEMOUT, "Fast Downward's search ran out of memory"),
    23: Ending(Outcome.TIMEOUT, "Fast Downward's search ran out of time"),
    24: Ending(Outcome.MEMOUT, "Fast Downward's search ran out of memory, and of time"),
    33: Ending(Outcome.INPUT_ERROR, "Fast Downward does not accept the search options"),
    34: Ending(Outcome.UNSUPPORTED, "Fast Downward does not support a part of the problem"),
}
# The translator's, for whatever it does not accept.
_REFUSED: Final = 31
_MEMORY_MARGIN: Final = 2**20


def _ending(log: str, status: int | None) -> Ending | None:
    del status
    codes = [int(code) for code in re.findall(r"exit code: (-?\d+)", log)]
    if "MemoryError" in log and 30 in codes:
        # The translator sets memory aside for this message, and had too little even for that.
        return _ENDINGS[20]
    if _REFUSED in codes:
        return _refused(log)
    return next((_ENDINGS[code] for code in codes if code in _ENDINGS), None)


def _refused(log: str) -> Ending:
    """Tell PDDL that is broken from PDDL that asks for too much, by the translator's words."""
    reasons = re.findall(r"^(?:Reason: |Got: |Error: )(.+)$", log, re.MULTILINE)
    reason = "; ".join(reasons)[:300]
    if "Could not parse" in log:
        return Ending(Outcome.INPUT_ERROR, f"Fast Downward could not read the problem: {reason}")
    return Ending(
        Outcome.UNSUPPORTED, f"Fast Downward's translator does not accept the problem: {reason}"
    )


def _with_memory_limit(command: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
    """Let the planner know its memory limit; it counts address space, of each part in its turn."""
    python, script, *rest = command
    memory = f"{max(1, limits.memory_bytes // _MEMORY_MARGIN)}M"
    return (python, script, "--overall-memory-limit", memory, *rest)


def _without_makespan(problem: Problem) -> Problem:
    """Take out a metric that says nothing without time: the translator knows only total-cost."""
    pattern = r"\(\s*:metric\s+minimize\s+\(?\s*total-time\s*\)?\s*\)"
    return replace(problem, problem=re.sub(pattern, "", problem.problem, flags=re.IGNORECASE))


def _whole(plan: str, log: str) -> bool:
    """Say whether a plan file was written to its end, which is a line with the cost."""
    del log
    return re.search(r"^; cost = \d+ \(.+\)\n\Z", plan, re.MULTILINE) is not None


# Every numeric constant counts as real in Unified Planning, but whole ones are served; and IPC
# problems leave costs out that no action can need.
_OVERLOOK: Final = frozenset({"REAL_NUMBERS_IN_ACTIONS_COST", "UNDEFINED_INITIAL_NUMERIC"})
_engine = partial(UpEngine, overlook=_OVERLOOK)

_fast_downward = partial(
    Planner,
    distribution="up-fast-downward",
    adapt=_with_memory_limit,
    prepare=_without_makespan,
    ending=_ending,
    whole=_whole,
    statistics={
        "expanded": (r"Expanded (\d+) state\(s\)", 1),
        "evaluated": (r"Evaluated (\d+) state\(s\)", 1),
        "generated": (r"Generated (\d+) state\(s\)", 1),
        "search_s": (r"Search time: (\d+\.?\d*(?:e-?\d+)?)s", 1),
        "planner_memory_mb": (r"Peak memory: (\d+) KB", 2**-10),
        "claimed_cost": (r"Plan cost: (\d+)", 1),
    },
    features=frozenset({"costs"}),
)

PLANNERS: Final = (
    _fast_downward(
        name="lama-first",
        about="Fast Downward, the first plan of LAMA 2011; costs are not optimised",
        engine=_engine("fast-downward", {"fast_downward_alias": "lama-first"}),
    ),
    _fast_downward(
        name="lama",
        about="Fast Downward, LAMA 2011: better and better plans until the time is over",
        engine=_engine("fast-downward", {"fast_downward_anytime_alias": "lama"}, anytime=True),
        anytime=True,
    ),
    _fast_downward(
        name="seq-opt-lmcut",
        about="Fast Downward, A* with LM-cut: cost-optimal plans",
        engine=_engine("fast-downward-opt"),
        optimal=True,
    ),
    _fast_downward(
        name="fd-blind",
        about="Fast Downward, A* without a heuristic: cost-optimal plans",
        engine=_engine("fast-downward", {"fast_downward_search_config": "astar(blind())"}),
        optimal=True,
    ),
)


def search_planner(search: str) -> Planner:
    """Return Fast Downward with any search, such as ``astar(lmcut())``."""
    return _fast_downward(
        name=f"fd:{search}",
        about="Fast Downward with the search that its name gives",
        # Unified Planning would take what is between spaces for an argument each.
        engine=_engine("fast-downward", {"fast_downward_search_config": "".join(search.split())}),
    )
