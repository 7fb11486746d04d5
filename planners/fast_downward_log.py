"""Fast Downward's output: exit codes, statistics and plan files.

Planners that are built on it have the same output.
"""

from __future__ import annotations

import re
from typing import Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.planners.planner import Termination

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
_LAST_LINE: Final = re.compile(r"^; cost = \d+ \(.+\)\n\Z", re.MULTILINE)

STATISTICS: Final = {
    # From the final statistics or, if the search did not end, from the last progress line.
    "expanded": (r"(?:Expanded (?=\d+ state)| (?=\d+ expanded))(\d+)", 1),
    "evaluated": (r"(?:Evaluated (?=\d+ state)| (?=\d+ evaluated))(\d+)", 1),
    "generated": (r"Generated (\d+) state\(s\)", 1),
    "search_s": (r"Search time: (\d+\.?\d*(?:e-?\d+)?)s", 1),
    "planner_memory_mb": (r"Peak memory: (\d+) KB", 2**-10),
    "claimed_cost": (r"Plan cost: (\d+)", 1),
}


def driver_ending(planner: str, log: str, status: int | None) -> Termination | None:
    """Return how a planner run by Fast Downward's driver ended, from the driver's output."""
    del status
    codes = [int(code) for code in re.findall(r"exit code: (-?\d+)", log)]
    # The translator reserves memory for its message, but even that may be too little, or too little
    # to load the libraries of Python.
    if ("MemoryError" in log and 30 in codes) or ("failed to map segment" in log and 127 in codes):
        codes = [20]
    known = next((_CODES[code] for code in codes if code in _CODES), None)
    if known is not None:
        said = f": {_usage_error(log)}" if known[0] is Outcome.INPUT_ERROR else ""
        return Termination(known[0], f"{planner}: {known[1]}{said}")
    return _refused(planner, log) if set(codes) & set(_REFUSED) else None


def _usage_error(log: str) -> str:
    """Return the message of the search about its options, in one line."""
    said = re.findall(r"^(.+)\nUsage error occurred", log, re.MULTILINE)
    return said[-1][:300] if said else "no message"


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


def expanded_states(log: str) -> int | None:
    """Return the number of states that a finished search expanded; None if there is none."""
    found = re.findall(r"Expanded (\d+) state", log)
    return int(found[-1]) if found else None


def is_complete(plan: str, log: str) -> bool:
    """Return whether a plan file is complete: its last line has the cost."""
    del log
    return _LAST_LINE.search(plan) is not None
