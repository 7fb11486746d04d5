"""Runs ENHSP and checks its plans, as a process: ``python -m … COMMANDS domain problem plan``.

COMMANDS is JSON: the command lines of ENHSP for the first search and for those from later states.
The last line of the output reports the result.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, NoReturn

from pddl_pipeline.io.platform import resource
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.planners import enhsp
from pddl_pipeline.planners.checked_search import Claim, Rejections, repaired_plan
from pddl_pipeline.planners.own_process import run_search, say
from pddl_pipeline.planners.planner import Termination
from pddl_pipeline.planners.problem_from_state import problem_from_state
from pddl_pipeline.planners.sandbox.request import DOMAIN, PLAN, PROBLEM
from pddl_pipeline.search.baseline import SearchResult
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task, read_task

_COUNTED: Final = ("expanded", "evaluated")


class _Ended(NamedTuple):
    """One search of ENHSP."""

    claim: Claim
    termination: Termination | None
    """How it ended without a plan."""


class _Enhsp:
    """ENHSP in separate folders, with totals over all its searches."""

    def __init__(self, domain: Path, problem: Path) -> None:
        self.domain = domain.read_text(encoding="utf-8", errors="replace")
        self.problem = problem.read_text(encoding="utf-8", errors="replace")
        self._work = domain.parent
        self._totals = dict.fromkeys(_COUNTED, 0)
        self._searches = 0

    def search(self, command: Sequence[str], problem: str, seconds: float | None = None) -> _Ended:
        """Search for a plan of a problem, without or with a limit of CPU time."""
        self._searches += 1
        with TemporaryDirectory(dir=self._work, prefix="enhsp-") as name:
            folder = Path(name)
            (folder / DOMAIN).write_text(self.domain, encoding="utf-8")
            (folder / PROBLEM).write_text(problem, encoding="utf-8")
            done = subprocess.run(
                command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, errors="replace", check=False,
                preexec_fn=None if seconds is None else partial(_limit, seconds),
            )  # fmt: skip
            file = folder / PLAN
            plan = file.read_text(encoding="utf-8") if file.is_file() else ""
        return self._read(done, plan)

    def _read(self, done: subprocess.CompletedProcess[str], plan: str) -> _Ended:
        for name in _COUNTED:
            pattern, _ = enhsp.STATISTICS[name]
            found = re.findall(pattern, done.stdout)
            self._totals[name] += int(found[-1]) if found else 0
        if enhsp.is_complete(plan, done.stdout):
            say(f"Search {self._searches}: claims a plan of {len(plan.splitlines())} steps")
            return _Ended(Claim(plan), None)
        was_cut = done.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
        ended = enhsp.ending(done.stdout, done.returncode)
        how = "cut" if was_cut else ended.reason if ended else f"exit status {done.returncode}"
        say(f"Search {self._searches}: {how}")
        return _Ended(Claim(None, was_cut), ended)

    def print_totals(self) -> None:
        """Print the totals in ENHSP's words."""
        say(f"Expanded Nodes: {self._totals['expanded']}")
        say(f"States Evaluated: {self._totals['evaluated']}")


def _limit(seconds: float) -> None:
    whole = max(1, round(seconds))
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> int:
    """Search, write a plan that is valid and print the figures; return the exit status."""
    first, later = json.loads(sys.argv[1])
    domain, problem, plan = map(Path, sys.argv[2:])
    runner, rejections = _Enhsp(domain, problem), Rejections()
    signal.signal(signal.SIGTERM, _on_signal(runner, rejections))

    def search() -> SearchResult:
        task = read_task(domain, problem)
        ended = runner.search(first, runner.problem)
        if ended.claim.plan is None:
            return _without_plan(ended.termination)
        again = partial(_search_from, runner, task, later)
        found = repaired_plan(task, ended.claim.plan, again, rejections)
        return SearchResult(found, "no search from a state of a false plan found a valid one")

    status, line = run_search(search, plan)
    _print_figures(runner, rejections)
    say(line)
    return status


def _search_from(
    runner: _Enhsp, task: Task, command: Sequence[str], state: State, seconds: float
) -> Claim:
    try:
        problem = problem_from_state(task, runner.problem, state)
    except OverflowError:
        return Claim(None)
    return runner.search(command, problem, seconds).claim


def _without_plan(ended: Termination | None) -> SearchResult:
    """Return the result of the first search if it claims no plan."""
    if ended is None:
        raise ChildProcessError("ENHSP ended unexpectedly")
    if ended.outcome is Outcome.MEMOUT:
        raise MemoryError
    if ended.outcome is Outcome.INPUT_ERROR:
        raise InputError(ended.reason)
    if ended.outcome is Outcome.CRASH:
        raise ChildProcessError(ended.reason)
    is_claim = ended.outcome is Outcome.CLAIMS_UNSOLVABLE
    return SearchResult(None, ended.reason, proof=is_claim)


def _on_signal(runner: _Enhsp, rejections: Rejections) -> Callable[[int, object], NoReturn]:
    """Return a signal handler that prints the figures and exits."""

    def handle(number: int, _: object) -> NoReturn:
        _print_figures(runner, rejections)
        sys.exit(-number)

    return handle


def _print_figures(runner: _Enhsp, rejections: Rejections) -> None:
    for reason in rejections.reasons:
        say(f"Rejected: {reason}")
    runner.print_totals()


if __name__ == "__main__":
    sys.exit(main())
