"""K*, forward search for the k best plans or all plans of a quality (Katz and Lee 2023)."""

from __future__ import annotations

import sys
from functools import partial
from typing import Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.planners.fast_downward import without_makespan
from pddl_pipeline.planners.fast_downward_log import STATISTICS, asks_too_much, driver_ending
from pddl_pipeline.planners.installed import package_folder
from pddl_pipeline.planners.planner import Planner, Termination
from pddl_pipeline.planners.sandbox.request import DOMAIN, PROBLEM

_SYMMETRIES: Final = (
    "sym=structural_symmetries(time_bound=0,search_symmetries=oss,"
    "stabilize_initial_state=false,keep_operator_symmetries=true)"
)


def _ending(log: str, status: int | None) -> Termination | None:
    if asks_too_much(log):
        return Termination(Outcome.UNSUPPORTED, "K*'s translator does not accept the problem")
    if "no solution!" in log and "Completely explored state space" in log:
        return Termination(Outcome.CLAIMS_UNSOLVABLE, "K* claims that there is no plan")
    return driver_ending("K*", log, status)


def _command(which: str) -> tuple[str, ...]:
    build = package_folder("kstar-planner", "kstar_planner") / "builds" / "release" / "bin"
    search = (
        f"kstar(lmcut(transform=undo_to_origin()),{which},find_unordered_plans=false,"
        "dump_plan_files=true,json_file_to_dump=plans.json,symmetries=sym)"
    )
    return (
        sys.executable, "-m", "kstar_planner.driver.main", "--build", str(build),
        DOMAIN, PROBLEM, "--symmetries", _SYMMETRIES, "--search", search,
    )  # fmt: skip


def _kstar(name: str, about: str, which: str) -> Planner:
    return Planner(
        name=name,
        about=about,
        command=partial(_command, which),
        setting=which,
        distribution="kstar-planner",
        prepare=without_makespan,
        ending=_ending,
        plans=("found_plans/sas_plan.*",),
        statistics={**STATISTICS, "claimed_cost": (r"Optimal cost:(\d+)", 1)},
        features=frozenset({"costs"}),
        optimal=True,
        multi_plan=True,
    )


PLANNERS: Final = (
    _kstar("kstar-topk", "K*: the 5 best plans", "k=5"),
    _kstar("kstar-topq", "K*: all cost-optimal plans, in every order of their steps", "q=1.0"),
)
