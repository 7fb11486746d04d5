"""Reads what came of an attempt from the files that the child left in its directory."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Final

from pddl_pipeline.model.attempt import Attempt, Outcome
from pddl_pipeline.planners.child import END, LOG, PLANS
from pddl_pipeline.planners.planner import Ending, Planner
from pddl_pipeline.planners.supervision import Watch

_TAIL_BYTES: Final = 2**20

_OUTCOMES: Final = {
    "MEMOUT": Ending(Outcome.MEMOUT, "the planner ran out of memory"),
    "TIMEOUT": Ending(Outcome.TIMEOUT, "the planner ended itself at a time limit"),
    "UNREADABLE": Ending(Outcome.UNSUPPORTED, "Unified Planning cannot read the problem"),
    "UNSOLVABLE_INCOMPLETELY": Ending(Outcome.GAVE_UP, "the planner ended without a plan"),
    "UNSOLVABLE_PROVEN": Ending(Outcome.CLAIMS_UNSOLVABLE, "the planner claims there is no plan"),
    "UNSUPPORTED_PROBLEM": Ending(Outcome.UNSUPPORTED, "the engine does not support the problem"),
}


def read_attempt(planner: Planner, place: Path, watch: Watch, status: int) -> Attempt:
    """Return the attempt, given the exit status of its child and what was seen meanwhile."""
    log = _tail(place / LOG)
    plan = _last_plan(place / PLANS)
    ending = Ending(Outcome.PLAN_FOUND, "") if plan is not None else _ending(
        planner, place, watch, log, status
    )  # fmt: skip
    counts = re.findall(planner.expanded, log)
    return Attempt(
        outcome=ending.outcome,
        plan=plan,
        reason=ending.reason or None,
        hit=watch.hit,
        wall_s=watch.wall_s,
        cpu_s=watch.cpu_s,
        memory_mb=watch.peak_bytes / 2**20,
        expanded=int(counts[-1]) if counts else None,
    )


def _ending(planner: Planner, place: Path, watch: Watch, log: str, status: int) -> Ending:
    """Say how an attempt without a plan ended."""
    if watch.hit == "time":
        return Ending(Outcome.TIMEOUT, "stopped at the time limit")
    if watch.hit == "memory":
        return Ending(Outcome.MEMOUT, "stopped at the memory limit")
    if not watch.started or not (place / END).exists():
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        last = _tail(place / "child.log").strip().rpartition("\n")[2][:300]
        return Ending(Outcome.CRASH, f"the attempt's process ended with {how}: {last}")
    end = json.loads((place / END).read_text(encoding="utf-8"))
    if end["status"] == "UNREADABLE":
        known = _OUTCOMES["UNREADABLE"]
        return Ending(known.outcome, f"{known.reason}: {end['reason']}")
    if end["status"] == "UNSUPPORTED_PROBLEM":
        return Ending(Outcome.UNSUPPORTED, f"{planner.name}: {log.strip()[:300]}")
    return (
        planner.ending(log)
        or _OUTCOMES.get(end["status"])
        or Ending(Outcome.CRASH, f"Unified Planning reports {end['status']}")
    )


def _last_plan(file: Path) -> str | None:
    """Return the last plan that was written whole."""
    if not file.exists():
        return None
    lines = file.read_text(encoding="utf-8").split("\n")[:-1]
    return str(json.loads(lines[-1])) if lines else None


def _tail(file: Path) -> str:
    """Return the last part of a file, where the statistics are; empty if there is no file."""
    if not file.exists():
        return ""
    with file.open("rb") as stream:
        stream.seek(0, os.SEEK_END)
        stream.seek(max(0, stream.tell() - _TAIL_BYTES))
        return stream.read().decode("utf-8", errors="replace")
