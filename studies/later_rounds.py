"""Run ENHSP on the instances of Countdown that were left; see countdown/protocol-late.md.

With ``--continue``, make the runs that are missing; else print what they give.
"""

from __future__ import annotations

import sys
from typing import Final

from scipy.stats import binomtest

from pddl_pipeline.model.limits import Limits
from pddl_pipeline.papers.countdown import transition_data, zeros
from pddl_pipeline.papers.stored_runs import (
    PlannedRun,
    StoredRun,
    StoredRuns,
    read_stored_runs,
    run_planned,
)
from pddl_pipeline.runs.stored_commands import machine

SIZES: Final = (16, 18, 20)
ROUNDS: Final = range(14, 20)
LIMITS: Final = Limits(time_s=1200, cpu_s=120)
SHARE: Final = 0.75
STORE: Final = transition_data.store_file(zeros.STORE).with_name("late.jsonl.gz")


def planned_runs() -> list[PlannedRun]:
    """Return all runs in their order."""
    cases = zeros.read_cases()
    return [
        PlannedRun(case.instance, transition_data.ENHSP.planner, LIMITS)
        for number in ROUNDS
        for case in transition_data.round_of(cases, number)
        if case.size in SIZES
    ]


def found() -> tuple[list[StoredRun], float]:
    """Return the stored runs, and the p of the test of the protocol."""
    runs = read_stored_runs(STORE)
    claims = [run for run in runs if run.result.claimed]
    false = sum(run.is_false for run in claims)
    return runs, float(binomtest(false, len(claims), SHARE, "greater").pvalue)


def main(*, makes_runs: bool) -> None:
    """Make the missing runs, or print the test and what plans pass through."""
    if makes_runs:
        with StoredRuns(STORE) as store:
            for _ in run_planned(store, planned_runs(), lambda *_: {}, machine()):
                pass
        return
    runs, p = found()
    claims = [run for run in runs if run.result.claimed]
    sys.stdout.write(
        f"{len(runs)} of {len(planned_runs())} runs: {sum(run.is_false for run in claims)} of "
        f"{len(claims)} claims are false, p={p:.2g}\n{zeros.kind_table(claims).to_markdown()}\n"
    )


if __name__ == "__main__":
    main(makes_runs=sys.argv[1:] == ["--continue"])
