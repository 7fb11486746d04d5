"""A report's runs as the ``properties`` file of an evaluation directory of Downward Lab 8."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.io.files import make_folder, write_file
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.number import number_fields
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.reporting.report import Report
from pddl_pipeline.reporting.row import agile_score, instance_key, satisficing_score, time_limit

PROPERTIES: Final = "properties"

_KIB: Final = 1024
_SHORTEST_S: Final = 0.01
"""Lab's minimum of search and total time, so that they have logarithms."""

# Lab's names of outcomes: its reports know which of them are successes. Two have no name there.
ERRORS: Final = {
    Outcome.PLAN_FOUND: "plan-found",
    Outcome.CLAIMS_UNSOLVABLE: "search-unsolvable",
    Outcome.GAVE_UP: "search-unsolved-incomplete",
    Outcome.TIMEOUT: "search-out-of-time",
    Outcome.MEMOUT: "search-out-of-memory",
    Outcome.UNSUPPORTED: "search-unsupported",
    Outcome.INPUT_ERROR: "search-input-error",
    Outcome.CRASH: "search-critical-error",
    Outcome.LOST: "lost",
}
_STOPPED_BY: Final = {
    "time": "search-plan-found-and-out-of-time",
    "cpu": "search-plan-found-and-out-of-time",
    "memory": "search-plan-found-and-out-of-memory",
    "disk": "search-plan-found-and-out-of-memory",
}


def write_lab(report: Report, folder: Path) -> None:
    """Write ``properties`` to a folder; create the folder if it does not exist.

    Raises:
        InputError: the file cannot be written; an existing file is left unchanged.
    """
    make_folder(folder)
    write_file(folder / PROPERTIES, lab_properties(report))


def lab_properties(report: Report) -> str:
    """Return the text of the file: a JSON object with one run per line, sorted by name."""
    faults: dict[str, list[str]] = {}
    for title, results in report.urgent[:-1]:
        for result in results:
            why = report.why(result)
            faults.setdefault(result.key, []).append(f"{title}: {why}" if why else title)
    runs = {}
    for result in report.runs:
        run = {**_properties(report, result), "unexplained_errors": faults.get(result.key)}
        known = {name: value for name, value in run.items() if value is not None}
        name = "-".join(run["id"])
        runs[name] = f"{json.dumps(name)}: {json.dumps(known, sort_keys=True)}"
    return "{\n" + ",\n".join(runs[name] for name in sorted(runs)) + "\n}\n"


def _properties(report: Report, result: RunResult) -> dict[str, Any]:
    """Return the attributes of a run; None for an attribute without a value."""
    solved, number, cost = result.solved, result.repetition, result.cost
    memory = round(result.memory_mb * _KIB)
    # The counts of other searches are partial.
    is_complete = solved or result.outcome is Outcome.CLAIMS_UNSOLVABLE
    algorithm = result.planner if number == 1 else f"{result.planner} #{number}"
    return {
        "id": [algorithm, result.domain, result.id],
        # Lab takes one run of an algorithm on a problem.
        "algorithm": algorithm,
        "domain": result.domain,
        "problem": result.id,
        "size": result.size,
        "planner_version": result.planner_version,
        "started": result.started,
        "node": "unknown",
        "run_dir": str(Path(result.log).parent) if result.log else "",
        "coverage": int(solved),
        "unsolvable": int(result.outcome is Outcome.CLAIMS_UNSOLVABLE),
        "error": _error(result),
        "quality": float(satisficing_score(result, report.best.get(instance_key(result)))),
        "score_agile": agile_score(result),
        "planner_time_limit": time_limit(result),
        "planner_memory_limit": result.limits.get("memory_mb"),
        "planner_wall_clock_time": result.wall_s,
        "raw_memory": memory,
        "expansions": result.expanded if is_complete else None,
        "evaluations": result.evaluated if is_complete else None,
        "generated": result.generated if is_complete else None,
        # Of solved runs only: Lab sums them over the instances that all planners solved.
        **({} if not solved else {
            # Lab sums costs; one that is too large for a float has no value.
            "cost": cost if isinstance(cost, int) else number_fields("cost", cost)["cost_float"],
            "plan_length": result.steps,
            "memory": memory,
            "planner_memory": memory,
            "planner_time": result.cpu_s,
            "total_time": max(result.cpu_s, _SHORTEST_S),
            "search_time": None if result.search_s is None else max(result.search_s, _SHORTEST_S),
        }),
    }  # fmt: skip


def _error(result: RunResult) -> str:
    """Return the name of the outcome in Lab's reports."""
    if result.solved:
        return _STOPPED_BY.get(result.limits.get("hit") or "", "success")
    if result.within_budget is False:
        return "over-budget"
    if result.status is not None:
        return f"{result.status}-plan"
    return ERRORS[result.outcome]
