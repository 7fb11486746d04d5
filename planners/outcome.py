"""Reads what came of an attempt from its exit status, its log, its plans and its limits."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.model.attempt import Attempt, Outcome, Statistics
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.planner import Planner, Termination
from pddl_pipeline.planners.sandbox.request import Observation
from pddl_pipeline.planners.sandbox.up_worker import STATUS
from pddl_pipeline.validation.features import has_undefined_fluents
from pddl_pipeline.validation.task import task_of

_UP_STATUSES: Final = {
    "MEMOUT": Termination(Outcome.MEMOUT, "the planner ran out of memory"),
    "TIMEOUT": Termination(Outcome.TIMEOUT, "the planner ended itself at a time limit"),
    "UNSOLVABLE_INCOMPLETELY": Termination(Outcome.GAVE_UP, "the planner ended without a plan"),
    "UNSOLVABLE_PROVEN": Termination(
        Outcome.CLAIMS_UNSOLVABLE, "the planner claims there is no plan"
    ),
}
_HITS: Final = {
    "time": Termination(Outcome.TIMEOUT, "stopped at the time limit"),
    "cpu": Termination(Outcome.TIMEOUT, "stopped at the limit of CPU time"),
    "memory": Termination(Outcome.MEMOUT, "stopped at the memory limit"),
}
_FULL: Final = Termination(
    Outcome.MEMOUT, "it had no memory left, and spent its time looking for some"
)
# A driver ends with such a status when a signal has ended the program that it drives.
_SIGNALS: Final = 128
_LOST: Final = Attempt(
    Outcome.LOST, reason="the process that supervised the planner was killed; nothing is known"
)


def read_attempt(
    planner: Planner, problem: Problem, work: Path, log: Path, seen: Observation | None
) -> Attempt:
    """Return the attempt.

    Args:
        planner: what ran.
        problem: on what.
        work: the folder in which it worked.
        log: its raw output.
        seen: by its supervisor; None if that was killed.
    """
    if seen is None:
        return _LOST
    raw = log.read_bytes() if log.exists() else b""
    text = raw.decode(errors="replace")
    plans = _plans(planner, work, text, seen)
    ending = Termination(Outcome.PLAN_FOUND, "") if plans else _ending(planner, work, text, seen)
    if ending.outcome is Outcome.CLAIMS_UNSOLVABLE and planner.needs_values:
        task = task_of(problem)
        if has_undefined_fluents(task):
            ending = Termination(Outcome.INPUT_ERROR, "a numeric fluent has no initial value")
    return Attempt(
        outcome=ending.outcome,
        plan=plans[0] if plans else None,
        further_plans=tuple(plans[1:]) if planner.multi_plan else (),
        optimal=planner.optimal and seen.hit is None if plans else None,
        reason=ending.reason or None,
        hit=seen.hit,
        wall_s=seen.wall_s,
        cpu_s=seen.cpu_s,
        memory_mb=seen.peak_bytes / 2**20,
        measured=seen.measured,
        statistics=_statistics(planner, text),
        log=raw,
    )


def _plans(planner: Planner, work: Path, log: str, seen: Observation) -> list[str]:
    """Return the texts of the plans that were written whole, the best one first."""
    # What Unified Planning's process has written is there as a whole.
    by_itself = seen.through_up or (seen.status is not None and 0 <= seen.status < _SIGNALS)
    files = {file for pattern in planner.plans for file in work.glob(pattern) if file.is_file()}
    found = []
    for file in sorted(files, key=_natural):
        text = file.read_bytes().decode(errors="replace")
        plan = _without_comments(text)
        whole = by_itself or planner.is_complete(text, log)
        if whole and plan.strip() != planner.no_plan:
            found.append(plan)
    return found if planner.multi_plan else found[::-1]


def _without_comments(plan: str) -> str:
    lines = [line.strip() for line in plan.splitlines()]
    return "".join(f"{line}\n" for line in lines if line and not line.startswith(";"))


def _natural(file: Path) -> list[tuple[int, str]]:
    """Return a key that puts ``plan.2`` before ``plan.10``."""
    return [
        (int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", file.name)
    ]


def _ending(planner: Planner, work: Path, log: str, seen: Observation) -> Termination:
    """Say what an attempt without a plan came to."""
    if seen.fault is not None:
        return Termination(Outcome.CRASH, f"the planner cannot be started: {seen.fault}")
    if seen.hit is not None:
        full = seen.hit == "time" and planner.memory_was_full(work)
        return _FULL if full else _HITS[seen.hit]
    up = work / STATUS
    if up.exists():
        return _up_ending(planner, json.loads(up.read_text(encoding="utf-8")), log)
    said = planner.ending(log, seen.status)
    if said is not None:
        return said
    how = "nothing to tell how" if seen.status is None else _how(seen.status)
    return Termination(Outcome.CRASH, f"the planner ended with {how}{_last_words(log)}")


def _up_ending(planner: Planner, up: dict[str, str], log: str) -> Termination:
    if up["status"] in ("UNREADABLE", "UNSUPPORTED_PROBLEM"):
        return Termination(Outcome.UNSUPPORTED, f"{planner.name}: {up['reason']}")
    said = planner.ending(log, None) or _UP_STATUSES.get(up["status"])
    return said or Termination(Outcome.CRASH, f"Unified Planning reports {up['status']}")


def _how(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"signal {-status} ({signal.Signals(-status).name})"
    except ValueError:
        return f"signal {-status}"


def _last_words(log: str) -> str:
    last = next((line.strip() for line in reversed(log.splitlines()) if line.strip()), "")
    return f": {last[:300]}" if last else ""


def _statistics(planner: Planner, log: str) -> Statistics:
    """Read the figures that the planner printed last."""
    found: dict[str, Any] = {}
    for name, (pattern, scale) in planner.statistics.items():
        figures = re.findall(pattern, log)
        if figures:
            figure = figures[-1]
            found[name] = int(figure) if scale == 1 and figure.isdigit() else float(figure) * scale
    return Statistics(**found)
