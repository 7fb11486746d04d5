"""Runs a baseline as a process: ``python -m … NAME SETTINGS USES domain.pddl problem.pddl plan``.

SETTINGS is JSON, and so is USES: the command lines of planners, by their names. The instance's
record is read from ``record.json`` if that file exists. The last line of the output reports the
result.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from pddl_pipeline.model.discovery import discover
from pddl_pipeline.model.errors import EngineError, InputError, NotJudged
from pddl_pipeline.model.number import Number, normal
from pddl_pipeline.model.problem import RECORD
from pddl_pipeline.search import process_end as process
from pddl_pipeline.search.baseline import (
    Baseline,
    SearchEffort,
    SearchInput,
    SearchResult,
    UnsupportedTask,
)
from pddl_pipeline.validation.task import read_task


@cache
def baselines() -> dict[str, Baseline[Any]]:
    """Return every baseline by its name."""
    return {each.name: each for each in discover("pddl_pipeline.planners.baselines", "BASELINES")}


def main() -> int:
    """Search, write the plan and print the figures; return the exit status."""
    name, settings, uses, *files = sys.argv[1:]
    domain, problem, plan = map(Path, files)
    effort = SearchEffort()
    signal.signal(signal.SIGTERM, _on_signal(effort))
    try:
        baseline = baselines()[name]
        given = _given(domain, problem, json.loads(uses))
        chosen = msgspec.convert(json.loads(settings), baseline.settings)
        found = baseline.search(given, chosen, effort)
    except MemoryError:
        status, line = process.OUT_OF_MEMORY, "Out of memory"
    except (UnsupportedTask, EngineError, NotJudged) as error:
        status, line = process.UNSUPPORTED, f"Unsupported: {error}"
    except InputError as error:
        status, line = process.INPUT_ERROR, f"Input error: {error}"
    else:
        status, line = _kept(found, plan)
    _print_effort(effort)
    return process.end(status, line)


def _given(domain: Path, problem: Path, uses: dict[str, list[str]]) -> SearchInput:
    record: dict[str, Any] = {}
    file = domain.parent / RECORD
    if file.exists():
        record = json.loads(file.read_text(encoding="utf-8"))
    budget: Number | None = record.get("budget")
    if isinstance(budget, str):
        budget = normal(Fraction(budget))
    witness = tuple(record.get("witness", ()))
    commands = {name: tuple(command) for name, command in uses.items()}
    task = read_task(domain, problem)
    return SearchInput(task, budget, witness, domain.parent, (domain, problem), commands)


def _kept(found: SearchResult, file: Path) -> tuple[int, str]:
    """Write the plan, if there is one; return the exit status and the last line."""
    if found.plan is not None:
        file.write_text(str(found.plan), encoding="utf-8")
        return process.FOUND, "Plan found"
    if found.proof:
        return process.UNSOLVABLE, f"Unsolvable: {found.reason}"
    return process.GAVE_UP, f"Gave up: {found.reason}"


def _on_signal(effort: SearchEffort) -> Callable[[int, object], NoReturn]:
    """Return a signal handler that prints the figures and exits."""

    def handle(number: int, _: object) -> NoReturn:
        _print_effort(effort)
        sys.exit(-number)

    return handle


def _print_effort(effort: SearchEffort) -> None:
    process.say(f"Expanded: {effort.expanded}")
    process.say(f"Generated: {effort.generated}")
    process.say(f"Predictions: {effort.predictions}")


if __name__ == "__main__":
    sys.exit(main())
