"""LPG, stochastic local search in planning graphs, with numbers (Gerevini et al. 2003)."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.planners.installed import package_folder
from pddl_pipeline.planners.planner import Planner, Termination
from pddl_pipeline.planners.sandbox.request import DOMAIN, PLAN, PROBLEM
from pddl_pipeline.validation.features import FEATURES

# Without a fixed seed, every run is different.
_SEED: Final = "2003"


def _ending(log: str, status: int | None) -> Termination | None:
    if "proven unsolvable" in log or "The problem is unsolvable" in log:
        return Termination(Outcome.CLAIMS_UNSOLVABLE, "LPG claims that there is no plan")
    if "out of dynamic memory" in log:
        return Termination(Outcome.MEMOUT, "LPG ran out of memory")
    if "syntax error" in log or "Can't find" in log or "undeclared" in log:
        return Termination(Outcome.INPUT_ERROR, "LPG could not read the problem")
    if status == 0:
        return Termination(Outcome.GAVE_UP, "LPG ended without a plan")
    return None


def _command() -> tuple[str, ...]:
    # Run the program directly: its package cannot be imported with a current setuptools.
    program = package_folder("up-lpg", "up_lpg") / "lpg"
    return (
        str(program), "-o", DOMAIN, "-f", PROBLEM, "-n", "1", "-seed", _SEED, "-out", f"{PLAN}.SOL"
    )  # fmt: skip


PLANNERS: Final = (
    Planner(
        name="lpg",
        about="LPG: local search for the first plan; supports numbers, does not minimise costs",
        distribution="up-lpg",
        command=_command,
        setting=f"-n 1 -seed {_SEED}",
        ending=_ending,
        plans=(f"{PLAN}.SOL_*.SOL",),
        no_plan="no solution",
        statistics={
            "search_s": (r"Search time:\s+(\d+\.\d+)", 1),
            "claimed_cost": (r"Plan quality:\s+(\d+\.?\d*)", 1),
        },
        features=FEATURES,
    ),
)
