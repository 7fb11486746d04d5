"""Run other planners on the instances of ENHSP; see countdown/protocol-planners.md.

With ``--continue``, make the runs that are missing; else print a row for each stored run.
"""

from __future__ import annotations

import csv
import sys
from typing import Final, TextIO

from pddl_pipeline.model.limits import Limits
from pddl_pipeline.papers.countdown import transition_data, zeros
from pddl_pipeline.papers.stored_runs import PlannedRun, StoredRun, StoredRuns, run_planned
from pddl_pipeline.runs.stored_commands import machine

PLANNERS: Final = ("kairos", "tamer")
LIMITS: Final = Limits(time_s=600, cpu_s=60)
STORE: Final = "planners"


def planned_runs() -> list[PlannedRun]:
    """Return all runs in their order."""
    cases = zeros.read_cases()
    stored = transition_data.read_runs(cases, transition_data.store_file(zeros.STORE))
    tried = {run.result.id for run in transition_data.runs_of(transition_data.ENHSP, stored)}
    return [
        PlannedRun(case.instance, planner, LIMITS)
        for number in range(transition_data.ROUNDS)
        for planner in PLANNERS
        for case in transition_data.round_of(cases, number)
        if case.instance.id in tried
    ]


def stored_runs() -> list[StoredRun]:
    """Return the stored runs."""
    return transition_data.read_runs(zeros.read_cases(), transition_data.store_file(STORE))


def make_runs() -> None:
    """Make the runs that are missing, each stored at once."""
    folder = transition_data.store_file(zeros.STORE).parent
    with StoredRuns(folder / f"{STORE}.jsonl.gz") as store:
        for _ in run_planned(store, planned_runs(), lambda *_: {}, machine()):
            pass


def write_table(file: TextIO) -> None:
    """Write a row for each run."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(
        ["planner", "instance", "size", "outcome", "verdict", "passes through", "cpu_s"]
    )
    for run in stored_runs():
        found = run.result
        kind = zeros.kind_of(run) if found.claimed else ""
        status = found.status or "" if found.claimed else ""
        row = [found.planner, found.id, found.size, found.outcome, status, kind, found.cpu_s]
        writer.writerow(row)


if __name__ == "__main__":
    make_runs() if sys.argv[1:] == ["--continue"] else write_table(sys.stdout)
