"""ForbidIterative: diverse planning (Katz and Sohrabi 2020)."""

from __future__ import annotations

import sys
from typing import Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.planners.fast_downward import without_makespan
from pddl_pipeline.planners.fast_downward_log import asks_too_much
from pddl_pipeline.planners.installed import package_folder
from pddl_pipeline.planners.planner import Planner, Termination
from pddl_pipeline.planners.sandbox.request import DOMAIN, PROBLEM

# By default, it works in one system folder that all runs share, or in its own package.
_IN_WORKING_DIRECTORY: Final = """
import os, runpy
from forbiditerative import copy_plans
def here(*_, **__):
    folder = os.path.join(os.getcwd(), "iterations")
    os.makedirs(folder, exist_ok=True)
    return folder
copy_plans.create_local_folder = here
runpy.run_path(os.path.join(os.path.dirname(copy_plans.__file__), "plan.py"), run_name="__main__")
"""


def _ending(log: str, status: int | None) -> Termination | None:
    """Return how ForbidIterative ended, from its log; its exit status is always 0."""
    del status
    if asks_too_much(log):
        return Termination(Outcome.UNSUPPORTED, "ForbidIterative does not accept the problem")
    if "unsupported feature" in log:
        return Termination(
            Outcome.UNSUPPORTED, "ForbidIterative does not support a part of the problem"
        )
    if "MemoryError" in log or "search exit code: 22" in log:
        return Termination(Outcome.MEMOUT, "ForbidIterative ran out of memory")
    if "Could not parse" in log or "Could not read" in log:
        return Termination(Outcome.INPUT_ERROR, "ForbidIterative could not read the problem")
    if "Completely explored state space" in log or "Unsolvable task" in log:
        return Termination(
            Outcome.CLAIMS_UNSOLVABLE, "ForbidIterative claims that there is no plan"
        )
    if "search exit code: 12" in log:
        return Termination(
            Outcome.GAVE_UP, "ForbidIterative ended an incomplete search without a plan"
        )
    return None


def _command() -> tuple[str, ...]:
    package_folder("forbiditerative", "forbiditerative")
    return (
        sys.executable, "-c", _IN_WORKING_DIRECTORY, "--planner", "diverse",
        "--domain", DOMAIN, "--problem", PROBLEM, "--number-of-plans", "5",
        "--symmetries", "--use-local-folder", "--plans-as-json", "--results-file", "results.json",
    )  # fmt: skip


PLANNERS: Final = (
    Planner(
        name="forbiditerative-diverse",
        about="ForbidIterative: 5 diverse plans",
        distribution="forbiditerative",
        command=_command,
        setting="diverse, 5 plans",
        prepare=without_makespan,
        ending=_ending,
        plans=("found_plans/sas_plan.*",),
        statistics={"claimed_cost": (r"Plan cost: (\d+)", 1)},
        features=frozenset({"costs"}),
        multi_plan=True,
    ),
)
