"""A page for each run: why it ended as it did, the end of its log, and its plan."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Final

from pddl_pipeline.io.files import make_folder, write_file
from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.reporting.instance_table import RunName, ending_text
from pddl_pipeline.reporting.report import Report, store_labels
from pddl_pipeline.runs.shards import store_folders
from pddl_pipeline.runs.store import iterate_store
from pddl_pipeline.tables.html_page import html_page
from pddl_pipeline.tables.linked_text import Link
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable

_LOG_BYTES: Final = 8_000
_LOG_LINES: Final = 60
_PLAN_LINES: Final = 2_000


class RunPages:
    """The pages of the runs of a report, in a folder."""

    def __init__(self, report: Report, folder: Path, page: Path) -> None:
        """Prepare to write the pages.

        Args:
            report: the runs.
            folder: the folder of the pages; created if it does not exist.
            page: the report's page, from which they are linked.
        """
        self._report = report
        self._folder = folder
        start = page.absolute().parent if page.name != "-" else Path.cwd()
        self._href = os.path.relpath(folder.absolute(), start).replace(os.sep, "/")
        self.links: dict[RunName, tuple[Link, ...]] = {}
        """The links to the pages of each run."""

    def write(self, stores: Sequence[str | Path], *, by_store: bool) -> Iterator[RunResult]:
        """Write the pages; yield each run whose page is written.

        Raises:
            InputError: a file cannot be written.
        """
        make_folder(self._folder)
        newest = {(run.planner, run.key): run for run in self._report.runs}
        for number, (store, label) in enumerate(store_labels(stores).items(), start=1):
            prefix = f"{number}-" if by_store else ""
            for folder in store_folders(store):
                for stored in iterate_store(folder):
                    name = f"{stored.planner}{label if by_store else ''}", stored.key
                    run = newest.get(name)
                    # A retried run is stored twice under one key.
                    if run is not None and run.started == stored.started:
                        self._write(run, stored, folder, f"{prefix}{stored.key}.html")
                        yield run

    def _write(self, run: RunResult, stored: RunResult, folder: Path, name: str) -> None:
        write_file(self._folder / name, run_page(self._report, run, stored, folder))
        self.links[run.planner, run.key] = (Link("run", f"{self._href}/{name}"),)


def run_page(report: Report, run: RunResult, stored: RunResult, store: Path) -> str:
    """Return the page of a run.

    Args:
        report: the report that has the run.
        run: the run, named as in the report.
        stored: the same run with its plan.
        store: the folder of its store.
    """
    title = f"{run.id}: {run.planner}"
    parts = [
        f"<h1>{escape(title)}</h1>",
        _facts(report, run).to_html("The run"),
        _plan(stored),
        _log(store / run.log if run.log else None),
    ]
    return html_page(title, parts)


def _facts(report: Report, run: RunResult) -> TextTable:
    limits = ", ".join(f"{name} {value}" for name, value in run.limits.items() if value is not None)
    facts = {
        "domain": run.domain,
        "size": str(run.size),
        "planner": f"{run.planner} {run.planner_version}",
        "end": ending_text(run),
        "outcome": str(run.outcome),
        "verdict": str(run.status or NO_NUMBER),
        "why": report.why(run) or run.reason or NO_NUMBER,
        "cost": NO_NUMBER if run.cost is None else number_text(run.cost),
        "steps": NO_NUMBER if run.steps is None else str(run.steps),
        "time": f"{run.wall_s} s, {run.cpu_s} s of CPU time",
        "memory": f"{run.memory_mb} MiB",
        "limits": limits,
        "started": run.started,
        "key": run.key,
    }
    return TextTable(("what", "of this run"), tuple(facts.items()), names=2)


def _plan(stored: RunResult) -> str:
    if stored.plan is None:
        return "<h2>Plan</h2><p>No plan was found.</p>"
    text = "\n".join(stored.plan[:_PLAN_LINES])
    more = len(stored.plan) - _PLAN_LINES
    rest = f"<p class=note>and {more} more lines</p>" if more > 0 else ""
    return f"<h2>Plan</h2><pre tabindex=0>{escape(text)}</pre>{rest}"


def _log(file: Path | None) -> str:
    """Return the last lines of a log, or why there are none."""
    if file is None:
        return "<h2>Log</h2><p>The planner printed nothing.</p>"
    try:
        with file.open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - _LOG_BYTES))
            text = stream.read().decode(errors="replace")
    except OSError as error:
        return (
            f"<h2>Log</h2><p>{escape(file.name)} cannot be read: {escape(str(error.strerror))}</p>"
        )
    lines = text.splitlines()[-_LOG_LINES:]
    return f"<h2>End of the log</h2><pre tabindex=0>{escape(chr(10).join(lines))}</pre>"
