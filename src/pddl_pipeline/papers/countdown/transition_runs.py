"""The stored runs of the study of the second phase transition: reading and continuing them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from pddl_pipeline.model.errors import StoreError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.papers.countdown.replay import replay
from pddl_pipeline.papers.countdown.transition_protocol import (
    ARMS,
    PAPER_FOLDER,
    ROUNDS,
    STORE,
    Case,
    cases_of,
    has_enough,
    primary_runs,
    round_of,
    secondary_runs,
)
from pddl_pipeline.papers.dataset_card import read_dataset
from pddl_pipeline.papers.places import study_folder
from pddl_pipeline.papers.planned_runs import PlannedRun, run_planned
from pddl_pipeline.papers.stored_runs import StoredRun, StoredRuns, read_stored_runs
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.runs.stored_commands import machine


def read_cases() -> list[Case]:
    """Return the instances of both arms.

    Raises:
        EngineError: the folder of the study does not exist.
        InputError: a dataset cannot be read.
    """
    folder = study_folder(PAPER_FOLDER) / "data"
    return [case for arm in ARMS for case in cases_of(arm, read_dataset(folder / f"{arm}.toml"))]


def store_file() -> Path:
    """Return the file of the stored runs.

    Raises:
        EngineError: the folder of the study does not exist.
    """
    return study_folder(PAPER_FOLDER).joinpath(*STORE)


def continue_runs(bench: Workbench, cases: list[Case]) -> None:
    """Make the missing runs, round by round, until the stopping rule ends the study.

    Raises:
        EngineError: a planner is not installed.
        StoreError: the stored runs cannot be written, or another process writes them.
    """
    file = store_file()
    with StoredRuns(file) as store:
        for number in range(ROUNDS):
            own = round_of(cases, number)
            _make(bench, store, primary_runs(own))
            _make(bench, store, secondary_runs(own, read_stored_runs(file)))
            if has_enough(cases, read_stored_runs(file), number):
                return


def _make(bench: Workbench, store: StoredRuns, planned: list[PlannedRun]) -> None:
    runs = run_planned(store, planned, _measures, machine(), workers=bench.workers)
    for _ in bench.watch(runs, len(planned), store.added):
        pass


def _measures(instance: Instance[Any], run: RunResult) -> Mapping[str, Any]:
    """Return the exact miss of a claimed plan; None if no single number is left."""
    if not run.claimed or run.status is Status.MALFORMED:
        return {}
    replayed = replay(instance, run)
    miss = replayed.miss(instance.record.target)
    return {"miss": None if miss is None else str(miss), "zeros": replayed.zeros}


def read_runs(cases: list[Case], first: int | None = None) -> list[StoredRun]:
    """Return the stored runs, or the first ones of the file, in the order in which they were made.

    Raises:
        EngineError: the folder of the study does not exist.
        StoreError: the file cannot be read, or has a run on another instance.
    """
    file = store_file()
    records = {case.instance.id: case.instance.record for case in cases}
    runs = read_stored_runs(file, first)
    for run in runs:
        known = records.get(run.result.id)
        if known is None or msgspec.convert(run.record, type(known)) != known:
            raise StoreError(f"{file}: the run on {run.result.id} is not on that instance")
    return runs
