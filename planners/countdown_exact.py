"""The exact solver of countdown that comes with this project."""

from __future__ import annotations

import re
import sys
from typing import Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.planners.planner import Ending, Planner
from pddl_pipeline.planners.sandbox.request import DOMAIN, PLAN, PROBLEM
from pddl_pipeline.search import countdown_process as process

_OUTCOMES: Final = {
    process.UNSOLVABLE: Outcome.CLAIMS_UNSOLVABLE,
    process.GAVE_UP: Outcome.GAVE_UP,
    process.OUT_OF_MEMORY: Outcome.MEMOUT,
    process.INPUT_ERROR: Outcome.INPUT_ERROR,
    process.UNSUPPORTED: Outcome.UNSUPPORTED,
}
_LINE: Final = r"^(?:Unsolvable|Gave up|Out of memory|Input error|Unsupported)\b.*$"


def _command() -> tuple[str, ...]:
    return (sys.executable, "-P", "-m", process.__name__, DOMAIN, PROBLEM, PLAN)


def _ending(log: str, status: int | None) -> Ending | None:
    said = re.findall(_LINE, log, re.MULTILINE)
    if status in _OUTCOMES and said:
        return Ending(_OUTCOMES[status], f"countdown-exact: {said[-1]}")
    if "MemoryError" in log:
        return Ending(Outcome.MEMOUT, "countdown-exact ran out of memory")
    return None


PLANNERS: Final = (
    Planner(
        name="countdown-exact",
        about="countdown only: a plan or a proof that there is none, up to 11 numbers",
        distribution="pddl-pipeline",
        command=_command,
        decides="countdown",
        ending=_ending,
        statistics={
            "expanded": (r"Values: (\d+)", 1),
            "claimed_cost": (r"Plan cost: (\d+)", 1),
        },
        features=frozenset({"numeric", "general-numeric"}),
    ),
)
