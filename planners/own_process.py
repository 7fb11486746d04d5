"""The processes of this project's planners: exit statuses, last lines, and that of a baseline.

``python -m … NAME SETTINGS USES domain.pddl problem.pddl plan`` runs a baseline. SETTINGS is JSON,
and so is USES: the command lines of planners, by their names. The instance's record is read from
``record.json`` if that file exists. The last line of the output reports the result.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, NoReturn

import msgspec

from pddl_pipeline.endpoints.settings import Reply, known_sum, public_environment
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.discovery import discover, plugin_named, plugin_names, registry
from pddl_pipeline.model.errors import EngineError, InputError, NotJudged
from pddl_pipeline.model.number import number_from_json
from pddl_pipeline.model.problem import RECORD
from pddl_pipeline.planners.planner import DOMAIN, PLAN, PROBLEM, Termination
from pddl_pipeline.search.baseline import (
    Baseline,
    SearchEffort,
    SearchInput,
    SearchResult,
    UnsupportedTask,
)
from pddl_pipeline.validation.task import read_task

# The exit statuses of Fast Downward's search for the same results.
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
        # A search proves that there is no plan only if it was complete for the task.
        if found.proof:
            return _UNSOLVABLE, f"Unsolvable: {found.reason}"
        return GAVE_UP, f"Gave up: {found.reason}"

    signal.signal(signal.SIGTERM, terminated)
    # Figures come before the last line, which reports the result.
    status, line = explained(searched)
    say(*figures(), line)
    return status


CALLS: Final = {
    "calls": (r"(?m)^Calls: (\d+)", 1),
    "prompt_tokens": (r"(?m)^Prompt tokens: (\d+)", 1),
    "answer_tokens": (r"(?m)^Answer tokens: (\d+)", 1),
}
"""The figures that `say_calls` prints; see `Log.statistics`."""


def say_calls(replies: Sequence[Reply]) -> None:
    """Print the number of a model's replies and their tokens."""
    say(f"Calls: {len(replies)}")
    for what, tokens in (
        ("Prompt", known_sum(reply.prompt_tokens for reply in replies)),
        ("Answer", known_sum(reply.completion_tokens for reply in replies)),
    ):
        if tokens is not None:
            say(f"{what} tokens: {tokens}")


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


class InnerRun(NamedTuple):
    """A run of another planner inside this process's attempt."""

    status: int
    log: str
    plan: str
    """The content of the file `PLAN`; empty if there is none."""


def run_inside(
    command: Sequence[str],
    domain: str,
    problem: str,
    work: Path,
    prepare: Callable[[], None] | None = None,
) -> InnerRun:
    """Run a planner's command in a temporary folder of `work`, which has the two texts.

    `prepare` is called in the planner's process.
    """
    with TemporaryDirectory(dir=work, prefix="inner-") as name:
        folder = Path(name)
        (folder / DOMAIN).write_text(domain, encoding="utf-8")
        (folder / PROBLEM).write_text(problem, encoding="utf-8")
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", check=False,
            preexec_fn=prepare, env=public_environment(),
        )  # fmt: skip
        file = folder / PLAN
        plan = file.read_text(encoding="utf-8") if file.is_file() else ""
    return InnerRun(done.returncode, done.stdout, plan)


def ending(planner: str, log: str, status: int | None) -> Termination | None:
    """Return how a search process without a plan ended, from its last line and exit status."""
    said = re.findall(_LINE, log, re.MULTILINE)
    if status in _OUTCOMES and said:
        return Termination(_OUTCOMES[status], f"{planner}: {said[-1]}")
    # Python was out of memory before it could print a last line.
    if "MemoryError" in log:
        return Termination(Outcome.MEMOUT, f"{planner} ran out of memory")
    return None


_PACKAGE: Final = "pddl_pipeline.planners.baselines"
_GROUP: Final = "pddl_pipeline.baselines"


@cache
def baselines() -> dict[str, Baseline[Any]]:
    """Return every baseline by its name."""
    return registry(_PACKAGE, _GROUP)


def main() -> int:
    """Search, write the plan and print the figures; return the exit status."""
    name, settings, uses, *files = sys.argv[1:]
    domain, problem, plan = map(Path, files)
    effort = SearchEffort()

    def search() -> SearchResult:
        baseline = _baseline(name)
        given = _given(domain, problem, json.loads(uses))
        chosen = msgspec.convert(json.loads(settings), baseline.settings)
        return baseline.search(given, chosen, effort)

    def figures() -> Iterator[str]:
        yield f"Expanded: {effort.expanded}"
        yield f"Generated: {effort.generated}"
        yield f"Predictions: {effort.predictions}"

    return run_search(search, plan, figures)


def _baseline(name: str) -> Baseline[Any]:
    """Return a baseline, without importing all others, which takes longer than many searches."""
    file = f"{_PACKAGE}.{name.replace('-', '_')}"
    if name in plugin_names(_GROUP):
        found = getattr(plugin_named(_GROUP, name).module, "BASELINES", ())
    elif find_spec(file):
        found = import_module(file).BASELINES
    else:
        found = discover(_PACKAGE, "BASELINES")
    return next((each for each in found if each.name == name), None) or baselines()[name]


def _given(domain: Path, problem: Path, uses: dict[str, list[str]]) -> SearchInput:
    record: dict[str, Any] = {}
    file = domain.parent / RECORD
    if file.exists():
        record = json.loads(file.read_text(encoding="utf-8"))
    budget = number_from_json(record.get("budget"))
    witness = tuple(record.get("witness", ()))
    commands = {name: tuple(command) for name, command in uses.items()}
    task = read_task(domain, problem)
    return SearchInput(task, budget, witness, domain.parent, (domain, problem), commands)


if __name__ == "__main__":
    sys.exit(main())
