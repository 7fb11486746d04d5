"""VAL, if it is installed, as a second opinion, taken from its output.

Its exit status is ignored: it is 0 for plans that VAL cannot read, and otherwise the number of
failed plans modulo 256.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryDirectory
from typing import Final

from pddl_pipeline.endpoints.settings import public_environment, without_key
from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.model.verdict import Opinion, Status
from pddl_pipeline.validation.opinions import Validator, contradicts
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.val.text import (
    BAD_PLAN,
    FINAL_VALUE,
    GOAL_MISSED,
    NOT_EXECUTED,
    VALID,
)

_SECONDS: Final = 300
_FILES: Final = ("domain.pddl", "problem.pddl", "plan")
_TOLERANCES: Final = ("0.0001", "0.001", "0.01")
"""The last one is VAL's default."""
_SAYS: Final = {
    VALID: Status.VALID,
    GOAL_MISSED: Status.INVALID,
    NOT_EXECUTED: Status.INVALID,
    BAD_PLAN: Status.MALFORMED,
}
"""The lines that state VAL's verdict."""
_VALUE: Final = FINAL_VALUE.rstrip()


def find_val() -> str | None:
    """Return the path of VAL's program, or None if it is not on the search path."""
    return next(filter(None, map(shutil.which, ("Validate", "validate"))), None)


class Val:
    """A validator that runs VAL, one process per plan: VAL crashes in a shared process."""

    def __init__(self, domain: str, problem: str, task: Task) -> None:
        """Find VAL, for a domain and problem given as text.

        Raises:
            EngineError: VAL is not installed.
        """
        found = find_val()
        if found is None:
            raise EngineError("VAL's program 'Validate' is not on the search path (PATH)")
        self._program, self._domain, self._problem, self._task = found, domain, problem, task

    def judge(self, plan: str) -> Opinion:
        """Return VAL's opinion on the text of a plan; ``undecided`` if it prints no verdict.

        For a task with durative actions, VAL has a tolerance. It is also the largest difference
        between a duration and its bound, and times that are at most a tenth of it apart are merged,
        so that a plan may need a small or a large one: 26.667 for 80/3 needs at least 0.001. The
        first tolerance counts that does not contradict `Task.judge`, or else the first one. The
        values of plans with rounded durations are not compared.
        """
        if not self._task.vocabulary.snaps:
            return self._ask(plan)
        verdict, said = self._task.judge(plan), list[Opinion]()
        for tolerance in _TOLERANCES:
            opinion = self._ask(plan, "-t", tolerance)
            if verdict.notes:  # 0.667 counts as 2/3, but VAL's effects use 0.667
                opinion = opinion._replace(cost=None)
            if not contradicts(verdict, opinion):
                return _named(opinion, tolerance)
            said.append(opinion)
        return _named(said[0], ", ".join(_TOLERANCES))

    def _ask(self, plan: str, *options: str) -> Opinion:
        return run_validator((self._program, *options), (self._domain, self._problem, plan), _read)


def run_validator(
    command: Sequence[str], texts: Sequence[str], read: Callable[[CompletedProcess[str]], Opinion]
) -> Opinion:
    """Run a validator's program on files, and return its opinion; ``undecided`` if it cannot run.

    Args:
        command: the program with its options; the names of the files follow.
        texts: the domain, the problem and the plan.
        read: returns the opinion of the process that has ended.
    """
    with TemporaryDirectory(prefix="pddl-pipeline-") as folder:
        for name, text in zip(_FILES, texts, strict=True):
            Path(folder, name).write_text(text, encoding="utf-8", newline="")
        try:
            done = subprocess.run(
                [*command, *_FILES], stdin=subprocess.DEVNULL, check=False, capture_output=True,
                timeout=_SECONDS, cwd=folder, encoding="utf-8", errors="replace",
                env=public_environment(),
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            return Opinion(Status.UNDECIDED, f"cannot be run: {error}")
    done.stdout, done.stderr = map(without_key, (done.stdout, done.stderr))
    return read(done)


def _read(done: CompletedProcess[str]) -> Opinion:
    printed = done.stdout.splitlines()
    said = [line.strip() for line in printed if line.strip() in _SAYS]
    # VAL crashed, or printed no verdict or two.
    if len({_SAYS[line] for line in said}) != 1:
        complaint = done.stderr.split("\n")[0].strip()
        how = f"ended by signal {-done.returncode}" if done.returncode < 0 else "no verdict"
        return Opinion(Status.UNDECIDED, f"{how}{': ' if complaint else ''}{complaint}")
    status = _SAYS[said[0]]
    if status is Status.VALID:
        return Opinion(status, cost=_cost(printed))
    return Opinion(status, said[0].rstrip("!").lower())


def _named(opinion: Opinion, tolerances: str) -> Opinion:
    """Return an opinion; its reason names the tolerances with which VAL has it."""
    reason = f"{opinion.reason}, " if opinion.reason else ""
    return opinion._replace(reason=f"{reason}with -t {tolerances}")


def _cost(printed: list[str]) -> Fraction | None:
    """Return the value that VAL printed, with ten digits; None if there is not exactly one."""
    values = next((line for line in printed if line.startswith(_VALUE)), _VALUE)
    try:
        (value,) = values.removeprefix(_VALUE).split()
        return Fraction(value)
    except ValueError:
        return None


def check_val() -> Iterator[tuple[str, str]]:
    """Yield whether VAL is installed, for ``pddl-pipeline doctor``."""
    found = find_val()
    yield (
        "VAL",
        f"{'ok, ' + found if found else 'optional, not found'}, for validate --cross-check val",
    )


VALIDATORS: Final = (Validator("val", Val),)
CHECKS: Final = (check_val,)
