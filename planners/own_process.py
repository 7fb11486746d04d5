"""Determines how one of this project's search processes ended."""

from __future__ import annotations

import re
from typing import Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.planners.planner import Termination
from pddl_pipeline.search import process_end

_OUTCOMES: Final = {
    process_end.UNSOLVABLE: Outcome.CLAIMS_UNSOLVABLE,
    process_end.GAVE_UP: Outcome.GAVE_UP,
    process_end.OUT_OF_MEMORY: Outcome.MEMOUT,
    process_end.INPUT_ERROR: Outcome.INPUT_ERROR,
    process_end.UNSUPPORTED: Outcome.UNSUPPORTED,
}
_LINE: Final = r"^(?:Unsolvable|Gave up|Out of memory|Input error|Unsupported)\b.*$"


def ending(planner: str, log: str, status: int | None) -> Termination | None:
    """Return how a search process without a plan ended, from its last line and exit status."""
    said = re.findall(_LINE, log, re.MULTILINE)
    if status in _OUTCOMES and said:
        return Termination(_OUTCOMES[status], f"{planner}: {said[-1]}")
    if "MemoryError" in log:
        return Termination(Outcome.MEMOUT, f"{planner} ran out of memory")
    return None
