"""Determines the outcome of an attempt from its exit status, log, plans and limits."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterable
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.model.attempt import Attempt, Outcome, Statistics
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.planner import Planner, Termination
from pddl_pipeline.planners.sandbox.request import Observation
from pddl_pipeline.planners.sandbox.up_worker import STATUS
from pddl_pipeline.validation.features import has_undefined_fluents
from pddl_pipeline.validation.spelling import with_spelling
from pddl_pipeline.validation.task import task_of

_UP_STATUSES: Final = {
    "MEMOUT": Termination(Outcome.MEMOUT, "the planner ran out of memory"),
    "TIMEOUT": Termination(Outcome.TIMEOUT, "the planner reached its own time limit"),
    "UNSOLVABLE_INCOMPLETELY": Termination(Outcome.GAVE_UP, "the planner ended without a plan"),
    "UNSOLVABLE_PROVEN": Termination(
        Outcome.CLAIMS_UNSOLVABLE, "the planner claims there is no plan"
    ),
}
_HITS: Final = {
    "time": Termination(Outcome.TIMEOUT, "stopped at the time limit"),
    "cpu": Termination(Outcome.TIMEOUT, "stopped at the CPU time limit"),
    "memory": Termination(Outcome.MEMOUT, "stopped at the memory limit"),
}
_FULL: Final = Termination(
    Outcome.MEMOUT, "the planner was out of memory and spent its time freeing memory"
)
# A driver's exit status is above this number when a signal has ended the program that it runs.
_SIGNALS: Final = 128
# A plan of a million steps fits. Reading a plan takes several times its size in memory.
_LARGEST_PLAN_BYTES: Final = 10**8
_LOST: Final = Attempt(
    Outcome.LOST,
    reason="the process that supervised the planner was killed; the outcome is unknown",
)


def read_attempt(
    planner: Planner, problem: Problem, work: Path, log: Path, seen: Observation | None
) -> Attempt:
    """Return the attempt with its outcome, plans and measurements.

    Args:
        planner: the planner that ran.
        problem: the problem that it was given.
        work: its working directory.
        log: the file with its raw output.
        seen: what its supervisor observed; None if the supervisor was killed.
    """
    if seen is None:
        return _LOST
    raw = log.read_bytes() if log.exists() else b""
    text = raw.decode(errors="replace")
    plans = [with_spelling(plan, problem) for plan in _plans(planner, work, text, seen)]
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
    """Return the texts of the completely written plans, the best one first."""
    # Unified Planning's process writes each plan file completely or not at all.
    by_itself = seen.through_up or (seen.status is not None and 0 <= seen.status < _SIGNALS)
    files = [] if _unreadable(planner, work) else _plan_files(planner, work)
    found: list[str] = []
    for file in _best_first(planner, files, found):
        text = file.read_bytes().decode(errors="replace")
        if seen.status != 0 and not seen.through_up and not text.strip():
            # A script that redirects its output made the file before the planner failed.
            continue
        plan = _without_comments(planner.read_plan(text) if planner.read_plan else text)
        is_complete = by_itself or planner.is_complete(text, log)
        if is_complete and plan.strip() != planner.no_plan:
            found.append(plan)
    if planner.plan_in_log is not None and by_itself:
        printed = planner.plan_in_log(log)
        if printed is not None:
            found.insert(len(found) if planner.multi_plan else 0, _without_comments(printed))
    return found


def _plan_files(planner: Planner, work: Path) -> list[Path]:
    """Return the plan files in natural order. Folders, pipes and devices are not plans."""
    files = {file for pattern in planner.plans for file in work.glob(pattern) if file.is_file()}
    return sorted(files, key=_natural)


def _unreadable(planner: Planner, work: Path) -> Termination | None:
    """Return the termination of an attempt with a plan file that cannot be read, or None."""
    files = _plan_files(planner, work)
    sizes = [file.stat().st_size for file in files]
    size = sum(sizes) if planner.multi_plan else max(sizes, default=0)
    if size > _LARGEST_PLAN_BYTES:
        reason = f"its plan has {size:,} bytes, more than the {_LARGEST_PLAN_BYTES:,} that are read"
        return Termination(Outcome.CRASH, f"{planner.name}: {reason}")
    if not all(os.access(file, os.R_OK) for file in files):
        return Termination(Outcome.CRASH, f"{planner.name}: its plan cannot be read")
    return None


def _best_first(planner: Planner, files: list[Path], found: list[str]) -> Iterable[Path]:
    """Yield the files whose plans count; without `multi_plan`, only until one was found."""
    if planner.multi_plan:
        yield from files
    else:
        # A planner may write thousands, and only the best one counts.
        yield from takewhile(lambda _: not found, reversed(files))


def _without_comments(plan: str) -> str:
    lines = [line.strip() for line in plan.splitlines()]
    return "".join(f"{line}\n" for line in lines if line and not line.startswith(";"))


def _natural(file: Path) -> list[tuple[int, str]]:
    """Return a sort key that puts ``plan.2`` before ``plan.10``."""
    return [
        (int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", file.name)
    ]


def _ending(planner: Planner, work: Path, log: str, seen: Observation) -> Termination:
    """Return how an attempt without a plan ended."""
    if seen.fault is not None:
        return Termination(Outcome.CRASH, f"the planner cannot be started: {seen.fault}")
    fault = _unreadable(planner, work)
    if fault is not None:
        return fault
    if seen.hit is not None:
        full = seen.hit == "time" and planner.memory_was_full(work)
        return _FULL if full else _HITS[seen.hit]
    up = work / STATUS
    if up.exists():
        return _up_ending(planner, json.loads(up.read_text(encoding="utf-8")), log)
    said = planner.ending(log, seen.status)
    if said is not None:
        return said
    how = "an unknown exit status" if seen.status is None else _how(seen.status)
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
    """Return the last figures that the planner printed."""
    found: dict[str, Any] = {}
    for name, (pattern, scale) in planner.statistics.items():
        figures = re.findall(pattern, log)
        if figures:
            figure = figures[-1]
            found[name] = int(figure) if scale == 1 and figure.isdigit() else float(figure) * scale
    return Statistics(**found)
