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
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from pddl_pipeline.io.platform import resource
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.planners.checked_search import Claim, repaired_plan
from pddl_pipeline.planners.enhsp import STATISTICS, ending, is_complete
from pddl_pipeline.planners.own_process import run_search, say
from pddl_pipeline.planners.planner import Termination
from pddl_pipeline.planners.problem_from_state import problem_from_state
from pddl_pipeline.planners.sandbox.request import DOMAIN, PLAN, PROBLEM
from pddl_pipeline.search.baseline import SearchResult
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import read_task

_COUNTED: Final = {"expanded": "Expanded Nodes", "evaluated": "States Evaluated"}
"""Figures whose totals are printed, with ENHSP's words for them."""
_ERRORS: Final[Mapping[Outcome, Callable[[str], Exception]]] = {
    Outcome.MEMOUT: MemoryError,
    Outcome.INPUT_ERROR: InputError,
    Outcome.CRASH: ChildProcessError,
}


class _Enhsp:
    """ENHSP in separate folders, with totals over all its searches."""

    def __init__(self, domain: Path, problem: Path) -> None:
        self.domain = domain.read_text(encoding="utf-8", errors="replace")
        self.problem = problem.read_text(encoding="utf-8", errors="replace")
        self.rejected: list[str] = []
        self._work = domain.parent
        self._totals = dict.fromkeys(_COUNTED, 0)
        self._searches = 0

    def search(self, command: Sequence[str], problem: str, seconds: float | None = None) -> Claim:
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

    def _read(self, done: subprocess.CompletedProcess[str], plan: str) -> Claim:
        for name in _COUNTED:
            found = re.findall(STATISTICS[name][0], done.stdout)
            self._totals[name] += int(found[-1]) if found else 0
        if is_complete(plan, done.stdout):
            say(f"Search {self._searches}: claims a plan of {len(plan.splitlines())} steps")
            return Claim(plan)
        was_cut = done.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
        ended = ending(done.stdout, done.returncode)
        how = "cut" if was_cut else ended.reason if ended else f"exit status {done.returncode}"
        say(f"Search {self._searches}: {how}")
        return Claim(None, was_cut, ended or Termination(Outcome.CRASH, "ENHSP ended unexpectedly"))

    def figures(self) -> Iterator[str]:
        """Yield why plans were rejected, and the totals in ENHSP's words."""
        yield from (f"Rejected: {reason}" for reason in self.rejected)
        yield from (f"{words}: {self._totals[name]}" for name, words in _COUNTED.items())


def _limit(seconds: float) -> None:
    whole = max(1, round(seconds))
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> int:
    """Search, write a plan that is valid and print the figures; return the exit status."""
    first, later = json.loads(sys.argv[1])
    domain, problem, plan = map(Path, sys.argv[2:])
    runner = _Enhsp(domain, problem)

    def search() -> SearchResult:
        task = read_task(domain, problem)
        claim = runner.search(first, runner.problem)
        if claim.ending is not None:
            return _without_plan(claim.ending)

        def again(state: State, seconds: float) -> Claim:
            try:
                text = problem_from_state(task, runner.problem, state)
            except OverflowError:
                return Claim(None)
            return runner.search(later, text, seconds)

        found = repaired_plan(task, claim.plan or "", again, runner.rejected)
        return SearchResult(found, "no search from a state of a false plan found a valid one")

    return run_search(search, plan, runner.figures)


def _without_plan(ended: Termination) -> SearchResult:
    """Return the result of the first search if it claims no plan."""
    if ended.outcome in _ERRORS:
        raise _ERRORS[ended.outcome](ended.reason)
    is_claim = ended.outcome is Outcome.CLAIMS_UNSOLVABLE
    return SearchResult(None, ended.reason, proof=is_claim)


if __name__ == "__main__":
    sys.exit(main())
