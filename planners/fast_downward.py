"""Fast Downward, a classical planner with action costs (Helmert 2006)."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.planners.planner import Ending, Planner

# The driver's exit codes, as far as Unified Planning reports them as something else.
_ENDINGS: Final = {
    20: Ending(Outcome.MEMOUT, "Fast Downward's translator ran out of memory"),
    21: Ending(Outcome.TIMEOUT, "Fast Downward's translator ran out of time"),
    31: Ending(Outcome.UNSUPPORTED, "Fast Downward's translator does not accept the problem"),
    34: Ending(Outcome.UNSUPPORTED, "Fast Downward does not support a part of the problem"),
}


def _ending(log: str) -> Ending | None:
    for code in re.findall(r"exit code: (\d+)", log):
        if int(code) in _ENDINGS:
            return _ENDINGS[int(code)]
    return None


# Every numeric constant counts as real in Unified Planning, but whole ones are served; and IPC
# problems leave costs out that no action can need.
_OVERLOOK: Final = frozenset({"REAL_NUMBERS_IN_ACTIONS_COST", "UNDEFINED_INITIAL_NUMERIC"})

_fast_downward = partial(
    Planner,
    distribution="up-fast-downward",
    expanded=r"Expanded (\d+) state\(s\)",
    ending=_ending,
    features=frozenset({"costs"}),
    overlook=_OVERLOOK,
)

PLANNERS: Final = (
    _fast_downward(
        name="lama-first",
        about="Fast Downward, the first plan of LAMA 2011; costs are not optimised",
        engine="fast-downward",
        parameters={"fast_downward_alias": "lama-first"},
    ),
    _fast_downward(
        name="lama",
        about="Fast Downward, LAMA 2011: better and better plans until the time is over",
        engine="fast-downward",
        parameters={"fast_downward_anytime_alias": "lama"},
        anytime=True,
    ),
    _fast_downward(
        name="seq-opt-lmcut",
        about="Fast Downward, A* with LM-cut: cost-optimal plans",
        engine="fast-downward-opt",
    ),
    _fast_downward(
        name="fd-blind",
        about="Fast Downward, A* without a heuristic: cost-optimal plans",
        engine="fast-downward",
        parameters={"fast_downward_search_config": "astar(blind())"},
    ),
)
