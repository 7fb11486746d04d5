"""A report as one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from pddl_pipeline.experiment.report import Report
from pddl_pipeline.experiment.report_table import HEADINGS, cells
from pddl_pipeline.model.result import RunResult

_STYLE: Final = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem;
       color: #1a1a1a; }
table { border-collapse: collapse; margin: 1rem 0 2rem; }
th, td { padding: .35rem .9rem; border-bottom: 1px solid #ddd; text-align: left;
         vertical-align: top; }
th { border-bottom: 2px solid #888; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
tr.gap td { background: #fff3d6; }
p.note { color: #555; max-width: 50rem; }
"""
_NOTE: Final = (
    "A planner's plan is a claim. It counts as validated when the exact validator accepts it, "
    "within its budget where there is one. Cost and time are means over validated plans; rows in "
    "which claims failed are marked."
)


def report_html(report: Report) -> str:
    """Return the page."""
    rows = [_row(cells(row), "gap" if row.claimed > row.validated else "") for row in report.rows]
    parts = [
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>",
        f"<title>pddl-pipeline report</title><style>{_STYLE}</style></head><body>",
        "<h1>Planner runs</h1>",
        f"<p class='note'>{_NOTE}</p>",
        _table(HEADINGS, rows, numbers_from=2),
    ]
    for title, results in report.sections:
        if results:
            parts.append(f"<h2>{escape(title)} ({len(results)})</h2>")
            parts.append(_runs(results))
    parts.append("</body></html>\n")
    return "\n".join(parts)


def _runs(results: Iterable[RunResult]) -> str:
    headings = ("instance", "domain", "planner", "outcome", "verdict", "why")
    rows = [
        _row((r.id, r.domain, r.planner, str(r.outcome), str(r.status or "-"), _why(r)), "")
        for r in results
    ]
    return _table(headings, rows, numbers_from=len(headings))


def _why(result: RunResult) -> str:
    if result.within_budget is False:
        return f"costs {result.cost}"
    return result.reason or ""


def _table(headings: Sequence[str], rows: Iterable[str], numbers_from: int) -> str:
    head = "".join(
        f"<th{_number(index, numbers_from)}>{escape(heading)}</th>"
        for index, heading in enumerate(headings)
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _row(values: Sequence[str], style: str) -> str:
    numbers_from = 2 if len(values) == len(HEADINGS) else len(values)
    inner = "".join(
        f"<td{_number(index, numbers_from)}>{escape(value)}</td>"
        for index, value in enumerate(values)
    )
    return f"<tr{f' class={style!r}' if style else ''}>{inner}</tr>\n"


def _number(index: int, numbers_from: int) -> str:
    return " class='number'" if index >= numbers_from else ""
