"""The tables of a comparison of two settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pddl_pipeline.model.result import RunResult
from pddl_pipeline.reporting.instance_table import NOT_RUN, ending_text, linked
from pddl_pipeline.reporting.report_tables import Pages
from pddl_pipeline.reporting.run_comparison import ComparedRun, RunChange, RunComparison
from pddl_pipeline.tables.named_table import NamedTable
from pddl_pipeline.tables.text_table import TextTable

# The order in which the instances are listed.
_ORDER: Final = tuple(RunChange(name) for name in (
    "lost", "worse", "better", "equal", "neither", "not run",
))  # fmt: skip


def comparison_tables(
    compared: Sequence[RunComparison], pages: Pages | None = None
) -> list[NamedTable]:
    """Return, for each comparison, a summary by domain and a table by instance."""
    return [
        table for each in compared for table in (summary_table(each), _by_instance(each, pages))
    ]


def summary_table(compared: RunComparison) -> NamedTable:
    """Return the number of instances by domain and change."""
    rows = tuple(
        (domain, *(str(counts[change]) for change in RunChange))
        for domain, counts in compared.counts().items()
    )
    return NamedTable(_title(compared), TextTable(("domain", *RunChange), rows, names=1))


def changed_runs(compared: RunComparison) -> list[ComparedRun]:
    """Return the instances that differ, the lost ones first."""
    listed = _ORDER[:3]
    return sorted(
        (run for run in compared.runs if run.change in listed),
        key=lambda run: listed.index(run.change),
    )


def change_text(run: ComparedRun) -> str:
    """Return an instance's change in a line."""
    ends = " -> ".join(map(_ending, (run.first, run.second)))
    return f"{run.change}: {run.instance[1]}: {ends}"


def _by_instance(compared: RunComparison, pages: Pages | None) -> NamedTable:
    pages = pages or {}
    names = (compared.first, compared.second)
    rows = tuple(
        (
            run.instance[1], run.instance[0], str(run.size), str(run.change),
            *(
                _ending(r) if r is None else linked(_ending(r), pages.get((name, r.key), ()))
                for name, r in zip(names, (run.first, run.second), strict=True)
            ),
        )
        for run in sorted(compared.runs, key=lambda run: _ORDER.index(run.change))
    )  # fmt: skip
    headings = ("instance", "domain", "size", "change", *names)
    title = f"{_title(compared)}, by instance"
    return NamedTable(title, TextTable(headings, rows, names=len(headings)))


def _title(compared: RunComparison) -> str:
    return f"{compared.second}, compared with {compared.first}"


def _ending(result: RunResult | None) -> str:
    return NOT_RUN if result is None else ending_text(result)
