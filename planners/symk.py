"""SymK, symbolic search for one, the k best or all best plans (Speck et al. 2020, 2025).

SymK is built on Fast Downward and uses its driver and exit codes. Its decision diagrams allocate
half a gigabyte at the start.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.planners.fast_downward import OVERLOOK, with_memory_limit, without_makespan
from pddl_pipeline.planners.fast_downward_log import STATISTICS, driver_ending, is_complete
from pddl_pipeline.planners.planner import Planner, Termination
from pddl_pipeline.planners.sandbox.request import UpEngine


def _ending(log: str, status: int | None) -> Termination | None:
    said = driver_ending("SymK", log, status)
    if said is not None and said.outcome is Outcome.GAVE_UP:
        # SymK's search is complete if the cost of plans is not bounded, as here.
        return replace(
            said, outcome=Outcome.CLAIMS_UNSOLVABLE, reason="SymK claims that there is no plan"
        )
    return said


_symk = partial(
    Planner,
    distribution="up-symk",
    adapt=with_memory_limit,
    prepare=without_makespan,
    ending=_ending,
    is_complete=is_complete,
    statistics=STATISTICS,
    features=frozenset({"costs"}),
    optimal=True,
)

PLANNERS: Final = (
    _symk(
        name="symk-opt",
        about="SymK: bidirectional symbolic search, cost-optimal plans",
        engine=UpEngine("symk-opt", overlook=OVERLOOK),
    ),
    _symk(
        name="symk-topk",
        about="SymK: the 5 best plans",
        engine=UpEngine("symk", {"number_of_plans": 5}, anytime=True, overlook=OVERLOOK),
        multi_plan=True,
    ),
)
