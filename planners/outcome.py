"""Reads what came of an attempt from the files that the child left in its directory."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from pddl_pipeline.model.attempt import Attempt, Outcome, Statistics
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.planners.child import END, LOG, PLANS
from pddl_pipeline.planners.planner import Ending, Planner
from pddl_pipeline.planners.supervision import Watch

# What the planner says of the problem is at the beginning, its statistics are at the end.
_HEAD_BYTES: Final = 2**16
_TAIL_BYTES: Final = 2**20

_OUTCOMES: Final = {
    "MEMOUT": Ending(Outcome.MEMOUT, "the planner ran out of memory"),
    "TIMEOUT": Ending(Outcome.TIMEOUT, "the planner ended itself at a time limit"),
    "UNSOLVABLE_INCOMPLETELY": Ending(Outcome.GAVE_UP, "the planner ended without a plan"),
    "UNSOLVABLE_PROVEN": Ending(Outcome.CLAIMS_UNSOLVABLE, "the planner claims there is no plan"),
}


def read_attempt(
    planner: Planner, place: Path, watch: Watch, limits: Limits, status: int
) -> Attempt:
    """Return the attempt, given the exit status of its child and what was seen meanwhile."""
    log = _excerpt(place / LOG)
    plan = _plan(planner, place / PLANS, watch, limits)
    if plan is not None:
        ending = Ending(Outcome.PLAN_FOUND, "")
    else:
        ending = _ending(planner, place, watch, log, status)
    # A planner that had its plan in time was only about to end when the limit came.
    hit = None if plan is not None and not planner.anytime else watch.hit
    counts = re.findall(planner.expanded, log)
    return Attempt(
        outcome=ending.outcome,
        plan=plan,
        reason=ending.reason or None,
        hit=hit,
        wall_s=watch.wall_s,
        cpu_s=watch.usage.cpu_s,
        memory_mb=watch.usage.peak_bytes / 2**20,
        statistics=Statistics(expanded=int(counts[-1]) if counts else None),
    )


def _plan(planner: Planner, file: Path, watch: Watch, limits: Limits) -> str | None:
    """Return the last plan that was written whole, if it was found within the time limit."""
    lines = file.read_text(encoding="utf-8").split("\n")[:-1] if file.exists() else []
    if not lines or watch.begin is None:
        return None
    last = json.loads(lines[-1])
    # An anytime planner was ended at the limit; what it had printed by then may be read later.
    in_time = planner.anytime or last["time"] <= watch.begin + limits.time_s
    return str(last["plan"]) if in_time else None


def _ending(planner: Planner, place: Path, watch: Watch, log: str, status: int) -> Ending:
    """Say how an attempt without a plan ended."""
    if watch.hit == "time":
        return Ending(Outcome.TIMEOUT, "stopped at the time limit")
    if watch.hit == "memory":
        return Ending(Outcome.MEMOUT, "stopped at the memory limit")
    if watch.begin is None or not (place / END).exists():
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        last = _excerpt(place / "child.log").strip().rpartition("\n")[2][:300]
        said = f": {last}" if last else ""
        return Ending(Outcome.CRASH, f"the attempt's process ended with {how}{said}")
    end = json.loads((place / END).read_text(encoding="utf-8"))
    if end["status"] in ("UNREADABLE", "UNSUPPORTED_PROBLEM"):
        return Ending(Outcome.UNSUPPORTED, f"{planner.name}: {end['reason']}")
    found = planner.ending(log) or _OUTCOMES.get(end["status"])
    if found is None:
        return Ending(Outcome.CRASH, f"Unified Planning reports {end['status']}")
    claims = found.outcome is Outcome.CLAIMS_UNSOLVABLE
    if claims and planner.needs_values and end["undefined"]:
        return Ending(Outcome.INPUT_ERROR, "a numeric fluent has no initial value")
    return found


def _excerpt(file: Path) -> str:
    """Return the beginning and the end of a file; empty if there is no file."""
    if not file.exists():
        return ""
    with file.open("rb") as stream:
        head = stream.read(_HEAD_BYTES)
        stream.seek(max(_HEAD_BYTES, file.stat().st_size - _TAIL_BYTES))
        return (head + stream.read()).decode("utf-8", errors="replace")
