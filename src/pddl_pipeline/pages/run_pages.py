"""A page for each run: why it ended as it did, the end of its log, and its plan."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from pddl_pipeline.io.files import make_folder, relative_link, write_file
from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.pages.html_page import rendered
from pddl_pipeline.pages.shown_plan import plan_of_run
from pddl_pipeline.reporting.report import Report, store_labels
from pddl_pipeline.reporting.report_tables import RunName, ending_text, limits_text
from pddl_pipeline.runs.rejudging import problem_of
from pddl_pipeline.runs.store import iterate_store, store_folders
from pddl_pipeline.tables.linked_text import Link
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable
from pddl_pipeline.translators.ids import FileNames

_LOG_BYTES: Final = 8_000
_LOG_LINES: Final = 60


class RunPages(AbstractContextManager["RunPages"]):
    """The pages of the runs of a report, in a folder."""

    def __init__(self, report: Report, folder: Path, page: Path) -> None:
        """Prepare to write the pages.

        Args:
            report: the runs.
            folder: the folder of the pages; created if it does not exist.
            page: the report's page, from which they are linked.

        Raises:
            InputError: the folder cannot be created.
        """
        self._report = report
        self._folder = folder
        self._href = relative_link(folder, page)
        self._names = FileNames()
        self.links: dict[RunName, tuple[Link, ...]] = {}
        """The links to the pages of each run: its plan, if it has one, and why it ended so."""
        make_folder(folder)

    def write(self, stores: Sequence[str | Path], *, by_store: bool) -> Iterator[RunResult]:
        """Write the pages; yield each run whose pages are written.

        Args:
            stores: the stores of the report.
            by_store: whether the report tells the same planner in two stores apart.

        Raises:
            InputError: a file cannot be written.
        """
        newest = {(run.planner, run.key): run for run in self._report.runs}
        for store, label in store_labels(stores).items():
            for folder in store_folders(store):
                for stored in iterate_store(folder):
                    planner = f"{stored.planner}{label if by_store else ''}"
                    run = newest.get((planner, stored.key))
                    # A run that was repeated is stored twice under one key.
                    if run is not None and run.started == stored.started:
                        self.links[planner, stored.key] = tuple(self._links(run, stored, folder))
                        yield run

    def _links(self, run: RunResult, stored: RunResult, store: Path) -> Iterator[Link]:
        shown = plan_of_run(stored, problem_of(stored, store))
        repetition = run.name.removeprefix(run.id)
        if shown.walk is not None:
            about = f"{run.planner}, version {run.planner_version}: {ending_text(run)}"
            file = f"{self._names.name_of(f'{run.name}-{run.planner}')}.html"
            shown._replace(about=(about,)).write(self._folder / file)
            yield Link(f"plan{repetition}", f"{self._href}/{file}")
        file = f"{self._names.name_of(f'{run.name}-{run.planner}-log')}.html"
        write_file(self._folder / file, run_page(self._report, run, store))
        yield Link(f"log{repetition}", f"{self._href}/{file}")

    def __exit__(self, *error: object) -> None:
        self._names.__exit__(*error)


def run_page(report: Report, run: RunResult, store: Path) -> str:
    """Return the page of a run: why it ended as it did, and the end of its log.

    Args:
        report: the report that has the run.
        run: the run.
        store: the folder of its store.
    """
    log, why_not = _log(run, store)
    return rendered(
        "run.html.j2", title=f"{run.name}: {run.planner}", facts=_facts(report, run), log=log,
        why_not=why_not,
    )  # fmt: skip


def _facts(report: Report, run: RunResult) -> TextTable:
    hit = f"; ended by the limit of {run.limits['hit']}" if run.limits.get("hit") else ""
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
        "limits": limits_text(run.limits) + hit,
        "started": run.started,
        "repetition": str(run.repetition),
        "seed": NO_NUMBER if run.seed is None else str(run.seed),
        "key": run.key,
    }
    return TextTable(("property", "value"), tuple(facts.items()), names=2)


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
            stream.seek(max(0, size - _LOG_BYTES))
            text = stream.read().decode(errors="replace")
    except (OSError, ValueError) as error:
        return "", f"The log cannot be read: {error}"
    return "\n".join(text.splitlines()[-_LOG_LINES:]), ""
