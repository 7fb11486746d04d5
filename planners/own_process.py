"""Exit statuses and last output lines of this project's search processes."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NoReturn

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import EngineError, InputError, NotJudged
from pddl_pipeline.planners.planner import Termination
from pddl_pipeline.planners.sandbox.request import DOMAIN, PLAN, PROBLEM
from pddl_pipeline.search.baseline import SearchResult, UnsupportedTask

FOUND: Final = 0
_UNSOLVABLE: Final = 11
GAVE_UP: Final = 12
_OUT_OF_MEMORY: Final = 22
_INPUT_ERROR: Final = 33
_UNSUPPORTED: Final = 34

_OUTCOMES: Final = {
    _UNSOLVABLE: Outcome.CLAIMS_UNSOLVABLE,
    GAVE_UP: Outcome.GAVE_UP,
    _OUT_OF_MEMORY: Outcome.MEMOUT,
    _INPUT_ERROR: Outcome.INPUT_ERROR,
    _UNSUPPORTED: Outcome.UNSUPPORTED,
}
_LINE: Final = r"^(?:Unsolvable|Gave up|Out of memory|Input error|Unsupported)\b.*$"


def own_command(program: str, *arguments: str) -> tuple[str, ...]:
    """Return the command line of a program of this folder."""
    module = f"pddl_pipeline.planners.{program}"
    return (sys.executable, "-P", "-m", module, *arguments, DOMAIN, PROBLEM, PLAN)


def run_search(
    search: Callable[[], SearchResult],
    plan: Path,
    figures: Callable[[], Iterable[str]] = tuple,
) -> int:
    """Search, write the plan if there is one, and print how it ended; return the exit status.

    `figures` returns lines that are printed at the end, also if the process is terminated.
    """

    def terminated(number: int, _: object) -> NoReturn:
        say(*figures())
        sys.exit(-number)

    def searched() -> tuple[int, str]:
        found = search()
        if found.plan is not None:
            plan.write_text(str(found.plan), encoding="utf-8")
            return FOUND, "Plan found"
        if found.proof:
            return _UNSOLVABLE, f"Unsolvable: {found.reason}"
        return GAVE_UP, f"Gave up: {found.reason}"

    signal.signal(signal.SIGTERM, terminated)
    status, line = explained(searched)
    say(*figures(), line)
    return status


def explained(work: Callable[[], tuple[int, str]]) -> tuple[int, str]:
    """Return the exit status and the last line of a process; see `ending` for those of errors."""
    try:
        return work()
    except MemoryError:
        return _OUT_OF_MEMORY, "Out of memory"
    except (UnsupportedTask, EngineError, NotJudged) as error:
        return _UNSUPPORTED, f"Unsupported: {error}"
    except InputError as error:
        return _INPUT_ERROR, f"Input error: {error}"


def say(*lines: str) -> None:
    """Print lines and flush them, since the process may be ended at any time."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def ending(planner: str, log: str, status: int | None) -> Termination | None:
    """Return how a search process without a plan ended, from its last line and exit status."""
    said = re.findall(_LINE, log, re.MULTILINE)
    if status in _OUTCOMES and said:
        return Termination(_OUTCOMES[status], f"{planner}: {said[-1]}")
    if "MemoryError" in log:
        return Termination(Outcome.MEMOUT, f"{planner} ran out of memory")
    return None
