"""A report as JSON lines, with exact numbers if they are known."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from pddl_pipeline.model.number import normal, number_json
from pddl_pipeline.reporting.report import Report
from pddl_pipeline.reporting.row import Row
from pddl_pipeline.reporting.table import outcome_counts
from pddl_pipeline.runs.result_json import result_to_json


def report_json(report: Report) -> str:
    """Return one object per line: the rows of each table, then each listed run.

    ``table`` is ``coverage``, ``sizes``, ``outcomes``, or the title of a list. A listed run has all
    stored fields except the plan, which is in the store under ``key``.
    """
    return "".join(f"{json.dumps(line)}\n" for line in _lines(report))


def _lines(report: Report) -> Iterator[dict[str, Any]]:
    for row in (*report.rows, *report.totals):
        line = _row(row)
        del line["size"]
        yield {"table": "coverage", **line}
    for row in report.sizes:
        yield {"table": "sizes", **_row(row)}
    for planner, counts in outcome_counts(report).items():
        yield {"table": "outcomes", "planner": planner, **{str(o): n for o, n in counts.items()}}
    for title, results in (*report.urgent, *report.further):
        for result in results:
            line = result_to_json(result)
            del line["plan"]
            yield {"table": title, **line, "why": report.why(result)}


def _row(row: Row) -> dict[str, Any]:
    values = {**asdict(row), "coverage": row.coverage}
    return {
        name: number_json(normal(value)) if isinstance(value, Fraction) else value
        for name, value in values.items()
    }
