"""A page for each run: why it ended as it did, the end of its log, and its plan."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from pddl_pipeline.io.files import make_folder, relative_link, write_file
from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.pages.html_page import in_a_row, rendered
from pddl_pipeline.pages.shown_plan import ShownPlan, plan_of_run
from pddl_pipeline.reporting.report import Report, store_labels
from pddl_pipeline.reporting.report_tables import RunName, ending_text, limits_text
from pddl_pipeline.runs.rejudging import problem_of
from pddl_pipeline.runs.store import iterate_store, store_folders
from pddl_pipeline.tables.linked_text import Link
from pddl_pipeline.tables.text_table import NO_NUMBER, facts_table
from pddl_pipeline.translators.ids import FileNames

_LOG_BYTES: Final = 8_000
_LOG_LINES: Final = 60
_RESULTS: Final = 8
"""The number of facts that are the result of a run."""


def write_run_pages(
    report: Report, stores: Sequence[str | Path], folder: Path, page: Path, *, by_store: bool
) -> Iterator[tuple[RunName, tuple[Link, ...]]]:
    """Write the pages of the runs of a report; yield the links to those of each run.

    They are its plan, if it has one, and why it ended so.

    Args:
        report: the runs.
        stores: the stores of the report.
        folder: the folder of the pages; created if it does not exist.
        page: the report's page, from which they are linked.
        by_store: whether the report tells the same planner in two stores apart.

    Raises:
        InputError: the folder or a file cannot be written.
    """
    make_folder(folder)
    href = relative_link(folder, page)
    with FileNames() as names:
        pages = _pages(report, stores, names, by_store=by_store)
        for _, (run, store, shown, plan, log), way in in_a_row(pages, folder, page):
            both = [Link(name, file) for name, file in (("plan", plan), ("log", log)) if file]
            if plan:
                shown.write(folder / plan, way=[*way, *both])
            facts, (end, why_not) = _facts(report, run), _log(run, store)
            page_of_run = rendered(
                "run.html.j2", title=f"{run.name}: {run.planner}", log=end, why_not=why_not,
                way=[*way, *both],
                result=facts_table(facts[:_RESULTS]), about=facts_table(facts[_RESULTS:]),
            )  # fmt: skip
            write_file(folder / log, page_of_run)
            repetition = run.name.removeprefix(run.id)
            yield (
                (run.planner, run.key),
                tuple(Link(f"{name}{repetition}", f"{href}/{file}") for name, file in both),
            )


def _pages(
    report: Report, stores: Sequence[str | Path], names: FileNames, *, by_store: bool
) -> Iterator[tuple[str, tuple[RunResult, Path, ShownPlan, str, str]]]:
    """Yield the first page of each run, with the run, its store, plan, and both pages."""
    newest = {(run.planner, run.key): run for run in report.runs}
    for store, label in store_labels(stores).items():
        for folder in store_folders(store):
            for stored in iterate_store(folder, []):
                planner = f"{stored.planner}{label if by_store else ''}"
                run = newest.get((planner, stored.key))
                # A run that was repeated is stored twice under one key.
                if run is not None and run.started == stored.started:
                    about = f"{run.planner}, version {run.planner_version}: {ending_text(run)}"
                    found = problem_of(stored, folder)
                    shown = plan_of_run(stored, found)._replace(about=(about,))
                    name = f"{run.name}-{run.planner}"
                    plan = f"{names.name_of(name)}.html" if shown.walk else ""
                    log = f"{names.name_of(f'{name}-log')}.html"
                    yield plan or log, (run, folder, shown, plan, log)


def _facts(report: Report, run: RunResult) -> list[tuple[str, str]]:
    """Return the facts of a run; the first ones are its result."""
    hit = f"; ended by the limit of {run.limits['hit']}" if run.limits.get("hit") else ""
    return list(
        {
            "end": ending_text(run),
            "outcome": str(run.outcome),
            "verdict": str(run.status or NO_NUMBER),
            "why": report.why(run) or run.reason or NO_NUMBER,
            "cost": NO_NUMBER if run.cost is None else number_text(run.cost),
            "steps": NO_NUMBER if run.steps is None else str(run.steps),
            "time": f"{run.wall_s} s, {run.cpu_s} s of CPU time",
            "memory": f"{run.memory_mb} MiB",
            "domain": run.domain,
            "size": str(run.size),
            "planner": f"{run.planner} {run.planner_version}",
            "limits": limits_text(run.limits) + hit,
            "started": run.started,
            "repetition": str(run.repetition),
            "seed": NO_NUMBER if run.seed is None else str(run.seed),
            "key": run.key,
        }.items()
    )


def _log(run: RunResult, store: Path) -> tuple[str, str]:
    """Return the last lines of a log, or why there are none."""
    if not run.log:
        return "", "No log is stored."
    file = store / run.log
    try:
        # A store of others may name any file.
        if not file.resolve().is_relative_to(store.resolve()):
            return "", "The log is outside of the store, and is not shown."
        with file.open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            # Logs may have gigabytes; why a run ended is at the end.
            stream.seek(max(0, size - _LOG_BYTES))
            text = stream.read().decode(errors="replace")
    except (OSError, ValueError) as error:
        return "", f"The log cannot be read: {error}"
    return "\n".join(text.splitlines()[-_LOG_LINES:]), ""
