"""The main table of a report as text cells, as CSV and as JSON lines."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict
from typing import Final

from pddl_pipeline.experiment.report import Report, Row
from pddl_pipeline.experiment.result_json import result_to_json
from pddl_pipeline.model.number import normal, number_json
from pddl_pipeline.model.result import RunResult

HEADINGS: Final = (
    "domain",
    "planner",
    "instances",
    "claimed solved",
    "validated",
    "mean cost",
    "mean time (s)",
)


def cells(row: Row) -> tuple[str, ...]:
    """Return a row as text, one cell for each of `HEADINGS`."""
    return (
        row.domain,
        row.planner,
        str(row.instances),
        str(row.claimed),
        str(row.validated),
        "-" if row.mean_cost is None else f"{float(row.mean_cost):.2f}",
        "-" if row.mean_time_s is None else f"{row.mean_time_s:.2f}",
    )


def why(result: RunResult) -> str:
    """Return in a few words why a run is listed in a section of the report."""
    if result.within_budget is False:
        return f"costs {result.cost}"
    return result.reason or ""


def report_csv(report: Report) -> str:
    """Return the main table as CSV; empty where there is no mean."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(HEADINGS)
    for row in report.rows:
        writer.writerow("" if cell == "-" else cell for cell in cells(row))
    return stream.getvalue()


def report_json(report: Report) -> str:
    """Return JSON lines: ``{"table": "coverage", …}`` for each row, then each listed run."""
    lines = []
    for row in report.rows:
        cost = None if row.mean_cost is None else number_json(normal(row.mean_cost))
        lines.append(json.dumps({"table": "coverage", **asdict(row), "mean_cost": cost}))
    for title, results in (*report.urgent, *report.further):
        lines += [json.dumps({"table": title, **result_to_json(result)}) for result in results]
    return "".join(f"{line}\n" for line in lines)
