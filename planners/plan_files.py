"""The plan files of an attempt, read and judged while the planner writes them.

A planner may write numbered files, or one file again and again. A file is read when it has stayed
the same between two looks, so a plan that is replaced within about 40 ms, or 2 % of the time since
the start, is not seen.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from pddl_pipeline.model.attempt import Outcome, TimedPlan, best_plan
from pddl_pipeline.model.errors import PlanSyntaxError
from pddl_pipeline.model.verdict import Status, Verdict, malformed
from pddl_pipeline.planners.canonical import Prepared
from pddl_pipeline.planners.planner import Observation, Planner, Termination
from pddl_pipeline.translators.field_checks import natural
from pddl_pipeline.validation.plan_formats import (
    AUTO,
    IPC,
    LOG,
    has_plan,
    ipc_plan,
    without_idle_durations,
)
from pddl_pipeline.validation.spelling import with_spelling
from pddl_pipeline.validation.task import Task, task_of

LOOK_S: Final = 0.02
"""Least seconds between two looks at the plan files."""
# The pause after a look, as a share of the time since the start: long attempts cost nothing.
_SHARE: Final = 0.01
# Thousands of files and long plans take at most a fifth of the runner's time.
_PAUSE: Final = 4
_REPORT_S: Final = 1.0
_LONGEST_LOOK_S: Final = 0.1
# A plan of a million steps fits. Reading a plan takes several times its size in memory.
_LARGEST_PLAN_BYTES: Final = 10**8
_MOST_PLANS: Final = 1_000
# Of a plan that cannot be read, this many characters are kept.
_MOST_UNREAD: Final = 2**16
# A driver's exit status is above this number when a signal has ended the program that it runs.
_SIGNALS: Final = 128

Judge = Callable[[str], Verdict]
Report = Callable[[TimedPlan], object]


class _Version(NamedTuple):
    """What a plan file contained when it was read."""

    file: Path
    text: str
    plan: TimedPlan


class PlanFiles:
    """The plans of an attempt."""

    def __init__(
        self, planner: Planner, given: Prepared, work: Path, judge: Judge | None, report: Report
    ) -> None:
        """Prepare to read plans.

        Args:
            planner: the planner.
            given: the problem, and its texts for the planner.
            work: its working directory.
            judge: judges each plan; None if they are judged later.
            report: is called with the best valid plan, at most once a second, and only if the
                planner has been running for a second since the plan was found.
        """
        self.planner, self.given, self.work = planner, given, work
        self.problem = given.problem
        plans = planner.plans
        self._form = LOG if plans.format == AUTO and not plans.files else plans.format
        self._judge, self._report = judge, report
        self._states: dict[Path, tuple[int, ...]] = {}
        self._read: dict[Path, tuple[int, ...]] = {}
        self._versions: list[_Version] = []
        self._reported: TimedPlan | None = None
        self._due: float | None = None
        self._next = self._start = time.monotonic()
        self.begin = time.time()
        """When the planner started, by the clock of files."""

    def look(self) -> None:
        """Read the plans that the planner has written since the last look."""
        now = time.monotonic()
        if now < self._next or self.planner.plans.several:
            return
        self._read_files(plan_files(self.planner, self.work), is_over=False)
        best = best_plan(version.plan for version in self._versions)
        if best is not self._reported:
            self._due = self._due or now + _REPORT_S
            if now >= self._due and best is not None:
                self._reported, self._due = best, None
                self._report(best)
        end = time.monotonic()
        self._next = end + max(LOOK_S, _PAUSE * (end - now), _SHARE * (now - self._start))

    def _read_files(self, files: Sequence[Path], *, is_over: bool) -> None:
        # Of many new plans, the last ones are judged at once, the others when there is time.
        until = math.inf if is_over else time.monotonic() + _LONGEST_LOOK_S
        for file in files if is_over else reversed(files):
            is_claim = is_over and file == files[-1]
            if time.monotonic() > until:
                break
            if self.planner.plans.several or is_claim or len(self._versions) < _MOST_PLANS:
                self._read_file(file, is_over=is_over)

    def _read_file(self, file: Path, *, is_over: bool) -> None:
        try:
            info = file.stat()
            state = info.st_ino, info.st_mtime_ns, info.st_size
            is_steady, self._states[file] = self._states.get(file) == state, state
            is_ready = is_over or (is_steady and info.st_size)
            if not is_ready or self._read.get(file) == state or info.st_size > _LARGEST_PLAN_BYTES:
                return
            self._read[file] = state
            text = file.read_bytes().decode(errors="replace")
        except OSError:  # deleted, or not readable: see `unreadable`
            return
        # A link, or a copy with its time, may be older than the attempt.
        found = info.st_ctime if info.st_ctime >= self.begin else time.time()
        self._add(file, text, found - self.begin)

    def _add(self, file: Path, text: str, time_s: float) -> None:
        if _without_comments(text).strip() == self.planner.plans.none:
            return
        former = next(
            (version for version in reversed(self._versions) if version.file == file), None
        )
        if former is not None and text.startswith(former.text):
            self._versions.remove(former)  # it was being written
        plan, verdict = self._judged(text)
        self._versions.append(_Version(file, text, TimedPlan(time_s, plan, verdict)))

    @cached_property
    def _task(self) -> Task:
        return task_of(self.problem)

    def _judged(self, text: str) -> tuple[str, Verdict | None]:
        """Return the plan of a text in the IPC format, and the verdict on it.

        An unreadable text is returned up to the line that is not understood.
        """
        try:
            is_hybrid = self._form != IPC and self._task.vocabulary.is_hybrid
            plan, notes = ipc_plan(text, self._form, is_hybrid=is_hybrid), tuple[str, ...]()
        except PlanSyntaxError as error:
            lines = text.splitlines(keepends=True)[: error.line]
            return "".join(lines)[-_MOST_UNREAD:], malformed(error)
        plan = with_spelling(_without_comments(plan), self.problem, self.given.names)
        if self._form != IPC and "[" in plan:
            plan, notes = without_idle_durations(plan, self._task)
        if self._judge is None:
            return plan, None
        verdict = self._judge(plan)
        return plan, verdict.replace(notes=(*verdict.notes, *notes))

    def finish(self, log: str, seen: Observation) -> tuple[list[str], tuple[TimedPlan, ...]]:
        """Return the claimed plans of an attempt that has ended, and all plans in their order.

        The best claimed plan is the first; without `Plans.several`, it is the only one.
        """
        files = plan_files(self.planner, self.work)
        if unreadable(self.planner, self.work) is None:
            self._read_files(files, is_over=True)
        else:
            # A file that is too large or unreadable is no claim, whatever an earlier look has read.
            self._versions.clear()
        if not self.planner.plans.files and has_plan(log, self._form):
            # The log is a version as well; the folder stands for its file.
            files.append(self.work)
            self._add(self.work, log, seen.wall_s)
        self._versions.sort(key=lambda each: (each.plan.time_s, natural(each.file.name)))
        counted = [version for version in self._versions if self._counts(version, files, log, seen)]
        named = sorted(counted, key=lambda each: (each.file in files, natural(each.file.name)))
        texts = [each.plan.text for each in named]
        if self.planner.plans.several:
            return texts, ()
        # The clock of files may be set during a run, and `begin` is a moment before the start.
        return texts[-1:], tuple(
            replace(each.plan, time_s=min(max(each.plan.time_s, 0.0), seen.wall_s))
            for each in counted
        )

    def _counts(
        self, version: _Version, files: Sequence[Path], log: str, seen: Observation
    ) -> bool:
        """Return whether a plan is complete and claimed, or valid."""
        plans, verdict = self.planner.plans, version.plan.verdict
        is_complete = plans.is_complete
        # Also if the planner was stopped afterwards, or has deleted the file.
        if verdict is not None and verdict.status is Status.VALID:
            return True
        # The planner has deleted it, and so no longer claims it.
        if version.file not in files:
            return False
        # Unified Planning's process writes each plan file completely or not at all.
        by_itself = seen.through_up or (seen.status is not None and 0 <= seen.status < _SIGNALS)
        if not version.text.strip() and seen.status != 0 and not seen.through_up:
            return False  # a script that redirects its output made the file before it failed
        if by_itself or (is_complete and is_complete(version.text, log)):
            return True
        # An interrupted planner was not writing the plans that came before its last one.
        return not plans.several and version is not self._versions[-1]


def plan_files(planner: Planner, work: Path) -> list[Path]:
    """Return the plan files in natural order. Folders, pipes and devices are not plans."""
    files = {
        file for pattern in planner.plans.files for file in work.glob(pattern) if file.is_file()
    }
    return sorted(files, key=lambda file: natural(file.name))


def unreadable(planner: Planner, work: Path) -> Termination | None:
    """Return the termination of an attempt with a plan file that cannot be read, or None."""
    files = plan_files(planner, work)
    sizes = [file.stat().st_size for file in files]
    size = sum(sizes) if planner.plans.several else max(sizes, default=0)
    if size > _LARGEST_PLAN_BYTES:
        reason = f"its plan has {size:,} bytes, more than the {_LARGEST_PLAN_BYTES:,} that are read"
        return Termination(Outcome.CRASH, f"{planner.name}: {reason}")
    if not all(os.access(file, os.R_OK) for file in files):
        return Termination(Outcome.CRASH, f"{planner.name}: its plan cannot be read")
    return None


def _without_comments(plan: str) -> str:
    lines = [line.strip() for line in plan.splitlines()]
    return "".join(f"{line}\n" for line in lines if line and not line.startswith(";"))
