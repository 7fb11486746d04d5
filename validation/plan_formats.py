"""The formats in which planners print plans, converted to the IPC format.

The text may be a complete log. If it has several plans, the last one counts, since planners print
better plans later. A log without a plan is an error, never the empty plan.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import groupby, takewhile
from typing import Final, NamedTuple

from pddl_pipeline.model.errors import PlanSyntaxError
from pddl_pipeline.model.suggestion import check_name
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.model.verdict import Verdict, malformed
from pddl_pipeline.validation.plan_reader import read_steps

AUTO: Final = "auto"
IPC: Final = "ipc"


class PlanFormat(NamedTuple):
    """A format in which a planner prints plans."""

    name: str
    about: str
    """A description of one line, for users."""
    steps: Callable[[list[str]], Iterable[str] | None]
    """Returns the steps of the last plan among lines, in the IPC format; None without a plan.
    Raises PlanSyntaxError if a step is missing."""


def ipc_plan(text: str, form: str) -> str:
    """Return the plan of a text in the IPC format.

    Args:
        text: a plan file, or the output of a planner.
        form: a name in `plan_formats`, or ``auto`` to try the IPC format and then the others.

    Raises:
        InputError: there is no format with that name.
        PlanSyntaxError: the text has no plan in that format.
    """
    if form == IPC:
        return text
    if form == AUTO:
        return _detected(text)
    check_name(form, plan_formats(), "unknown plan format")
    if form not in _FORMATS:
        return text
    steps = _FORMATS[form].steps(text.splitlines())
    if steps is None:
        raise PlanSyntaxError(
            f"found no plan in the format {form}: {_FORMATS[form].about}", line=1, column=1
        )
    return _joined(steps)


def ipc_plan_or_text(text: str, form: str = AUTO) -> str:
    """Return the plan of a text in the IPC format, or the text if it has no plan."""
    try:
        return ipc_plan(text, form)
    except PlanSyntaxError:
        return text


def plan_or_verdict(text: str, form: str) -> tuple[str, Verdict | None]:
    """Return the plan of a text, and the verdict ``malformed`` on a text without one.

    Raises:
        InputError: there is no format with that name.
    """
    try:
        return ipc_plan(text, form), None
    except PlanSyntaxError as error:
        return "", malformed(error)


def plan_formats() -> dict[str, str]:
    """Return the names of all formats, each with a one-line description."""
    return {
        AUTO: "ipc, or the format that the text looks like",
        IPC: "plan files, '(move a b)'",
        **{each.name: each.about for each in _FORMATS.values()},
        "pyperplan": "pyperplan's plan files, which have the format ipc",
    }


def look_alike(text: str) -> str | None:
    """Return the name of the format that a text looks like, or None."""
    with suppress(PlanSyntaxError):
        return next((name for name, _ in _found(text)), None)
    return None


def _found(text: str) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield each format that a text looks like, and the steps."""
    lines = text.splitlines()
    for name, form in _FORMATS.items():
        steps = form.steps(lines)
        if steps is not None:
            yield name, steps


def last_steps(text: str) -> str:
    """Return the last block of consecutive lines of a log that are steps in the IPC format."""
    lines = text.splitlines()
    ends = [at for at, line in enumerate(lines, start=1) if _IPC.match(line)]
    if not ends:
        return ""
    steps = takewhile(_IPC.match, reversed(lines[: ends[-1]]))
    return _joined(reversed([line.strip() for line in steps]))


def _detected(text: str) -> str:
    if len(_POPF_SOLUTION.findall(text)) > 1:
        return ipc_plan(text, "popf")  # as comments, the lines between would join the solutions
    try:
        read_steps(text)
    except PlanSyntaxError:
        for _, steps in _found(text):
            return _joined(steps)
        raise
    return text


def _joined(steps: Iterable[str]) -> str:
    return "".join(f"{step}\n" for step in steps)


_NAMES: Final = r"[^\s():;\[\]]+(?: +[^\s():;\[\]]+)*"
_FF: Final = re.compile(rf"(?:step)? *(\d+): ({_NAMES}) *$")
_IPC: Final = re.compile(r"\s*(?:\d+(?:\.\d+)?: *)?\([^()]*\)(?: *\[[\d.]+\])?\s*$")
_ENHSP: Final = re.compile(r"\d+(?:\.\d+)?: *(\([^()]*\)) *$")
# Time passes until the next stamp.
_ENHSP_WAITING: Final = re.compile(r"\d+(?:\.\d+)?: *-+waiting-+ *\[[\d.]+\] *$")
# In its plan files, a parenthesis without an opening one follows the durations of durative actions.
_LPG: Final = re.compile(
    r" *(\d+(?:\.\d+)?: *\([^()]*\)) *(?:\[D:([\d.]+)[^\]]*\]|\[([\d.]+)\]\)) *$"
)
_LPG_HEADING: Final = "Time: (ACTION) [action Duration; action Cost]"
_LPG_EMPTY: Final = "No action in solution."
_POPF: Final = re.compile(r" *(\d+(?:\.\d+)?: *\([^()]*\)) *\[([\d.]+)\] *$")
# The first follows the figures of the search on their line.
_POPF_SOLUTION: Final = re.compile(
    r"^(?:.*;;;; Solution Found *$|; Plan found with metric )", re.MULTILINE
)
_DOWNWARD: Final = re.compile(rf"({_NAMES}) \(\d+\)$")
_DOWNWARD_LENGTH: Final = re.compile(r"(?:\[t=[^\]]*\] )?Plan length: (\d{1,9}) step\(s\)\.$")
_CALL: Final = re.compile(r"([^\s(),]+)(?:\(([^()]*)\))?")
_UP: Final = re.compile(r"\s+(\d[\d.]*: )?([^\s(),:]+(?:\([^()]*\))?)( \[[\d.]+\])?\s*$", re.ASCII)
_MADAGASCAR: Final = re.compile(r"STEP (\d+): (.*)$")


def _last(lines: list[str], is_wanted: Callable[[str], object]) -> int | None:
    """Return the index of the last line that is wanted, or None."""
    return next((at for at in reversed(range(len(lines))) if is_wanted(lines[at])), None)


def _run_of(lines: Iterable[str], step: re.Pattern[str]) -> list[re.Match[str]]:
    """Return the first lines, which are steps.

    Blank lines before the first step do not count; any other line ends the plan.
    """
    found = list[re.Match[str]]()
    for line in lines:
        match = step.match(line)
        if match is not None:
            found.append(match)
        elif found or line.strip():
            break
    return found


def _ff(lines: list[str]) -> Iterable[str] | None:
    if any(line.startswith("ff: goal can be simplified to TRUE") for line in lines):
        return ()
    at = _last(lines, re.compile(r"step +0: ").match)
    if at is None:
        return None
    steps = _numbered(lines, at, _FF)
    # Some versions end the plan with a step that only they know.
    return (f"({step})" for step in steps if step != "REACH-GOAL")


def _enhsp(lines: list[str]) -> Iterable[str] | None:
    at = _last(lines, lambda line: line.strip().startswith("Found Plan:"))
    if at is None:
        return None
    after = (line for line in lines[at + 1 :] if not _ENHSP_WAITING.match(line))
    steps = [match[1] for match in _run_of(after, _ENHSP)]
    # Without steps, the plan is empty only if the log goes on.
    return steps if steps or any(line.strip() for line in lines[at + 1 :]) else None


def _lpg(lines: list[str]) -> Iterable[str] | None:
    at = _last(lines, lambda line: line.strip().startswith((_LPG_HEADING, _LPG_EMPTY)))
    if at is None:
        return _lpg_without_heading(lines)
    if lines[at].strip() == _LPG_EMPTY:
        return ()
    return _timed(_run_of(lines[at + 1 :], _LPG)) or None


def _lpg_without_heading(lines: list[str]) -> Iterable[str] | None:
    """Return all steps of a text if no other line is among them: then a step may be missing."""
    steps = [at for at, line in enumerate(lines) if _LPG.match(line)]
    if not steps:
        return None
    block = [line for line in lines[steps[0] : steps[-1] + 1] if line.strip()]
    return _timed(_run_of(block, _LPG)) if len(block) == len(steps) else None


def _timed(found: Iterable[re.Match[str]]) -> list[str]:
    """Return steps with their stamps and durations: steps with equal stamps are simultaneous."""
    return [f"{match[1]} [{match[match.lastindex or 1]}]" for match in found]


def _popf(lines: list[str]) -> Iterable[str] | None:
    at = _last(lines, _POPF_SOLUTION.match)
    if at is None:
        return None
    # Lines of figures are before each solution, the first of them its heading in most versions.
    blocks = groupby(lines[at + 1 :], lambda line: line.startswith(";"))
    plans = [_run_of(block, _POPF) for is_figures, block in blocks if not is_figures]
    return next((_timed(plan) for plan in reversed(plans) if plan), None)


def _downward(lines: list[str]) -> Iterable[str] | None:
    """Return the steps above the last plan length, so that a log cut short has no plan."""
    at = _last(lines, _DOWNWARD_LENGTH.match)
    end = None if at is None else _DOWNWARD_LENGTH.match(lines[at])
    if at is None or end is None:
        return None
    length = int(end[1])
    found = [_DOWNWARD.match(line) for line in lines[max(0, at - length) : at]]
    steps = [f"({match[1]})" for match in found if match is not None]
    return steps if len(steps) == length else None


def _unified_planning(lines: list[str]) -> Iterable[str] | None:
    at = _last(lines, lambda line: line.endswith(("SequentialPlan:", "TimeTriggeredPlan:")))
    if at is None:
        return None
    found = _run_of(lines[at + 1 :], _UP)
    steps = _calls(match[2] for match in found)
    return [f"{m[1] or ''}{step}{m[3] or ''}" for m, step in zip(found, steps, strict=True)]


def _madagascar(lines: list[str]) -> Iterable[str] | None:
    at = _last(lines, lambda line: line.startswith("STEP 0: "))
    return None if at is None else _calls(_numbered(lines, at, _MADAGASCAR))


def _numbered(lines: list[str], at: int, step: re.Pattern[str]) -> list[str]:
    """Return the steps from a line on without their numbers, which count from 0.

    Raises:
        PlanSyntaxError: a number is missing.
    """
    found = _run_of(lines[at:], step)
    for number, match in enumerate(found):
        if int(match[1]) != number:
            reason = f"found step {match[1]}, expected step {number}"
            raise PlanSyntaxError(reason, line=at + number + 1, column=1, step=number + 1)
    return [match[2] for match in found]


def _calls(steps: Iterable[str]) -> Iterator[str]:
    for step in steps:
        for name, arguments in _CALL.findall(step):
            yield atom_text([name, *arguments.replace(",", " ").split()])


_FORMATS: Final = {
    each.name: each
    for each in (
        PlanFormat("ff", "FF and Metric-FF, 'step    0: MOVE A B'", _ff),
        PlanFormat("enhsp", "ENHSP, 'Found Plan:' and '0.0: (move a b)'", _enhsp),
        PlanFormat("lpg", "LPG, '0.0000: (MOVE A B) [D:1.00; C:1.00]'", _lpg),
        PlanFormat("popf", "POPF and OPTIC, '0.000: (move a b)  [1.000]' in a log", _popf),
        PlanFormat("fd-log", "the log of Fast Downward, 'move a b (1)'", _downward),
        PlanFormat("up", "Unified Planning, 'SequentialPlan:' and 'move(a, b)'", _unified_planning),
        PlanFormat("madagascar", "Madagascar, 'STEP 0: move(a,b) wait(c)'", _madagascar),
    )
}
