"""Runs a baseline as a process: ``python -m … NAME SETTINGS USES domain.pddl problem.pddl plan``.

SETTINGS is JSON, and so is USES: the command lines of planners, by their names. The instance's
record is read from ``record.json`` if that file exists. The last line of the output reports the
result.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from pddl_pipeline.model.discovery import discover, plugin_named, plugin_names, registry
from pddl_pipeline.model.number import number_from_json
from pddl_pipeline.model.problem import RECORD
from pddl_pipeline.planners.own_process import run_search
from pddl_pipeline.search.baseline import Baseline, SearchEffort, SearchInput, SearchResult
from pddl_pipeline.validation.task import read_task

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
    if name in plugin_names(_GROUP):
        found = getattr(plugin_named(_GROUP, name).module, "BASELINES", ())
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
