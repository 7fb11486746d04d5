"""Run ENHSP on the instances of Countdown that were left; see countdown/protocol-late.md.

With ``--continue``, make the runs that are missing; else print what they give.
"""

from __future__ import annotations

import sys
from typing import Final

from scipy.stats import binomtest

from pddl_pipeline.model.limits import Limits
from pddl_pipeline.papers.countdown import transition_data, zeros
from pddl_pipeline.papers.stored_runs import PlannedRun, StoredRuns, read_stored_runs, run_planned
from pddl_pipeline.runs.stored_commands import machine

SIZES: Final = (16, 18, 20)
ROUNDS: Final = range(14, 20)
LIMITS: Final = Limits(time_s=1200, cpu_s=120)
SHARE: Final = 0.75


def planned_runs() -> list[PlannedRun]:
    """Return all runs in their order."""
    cases = zeros.read_cases()
    return [
        PlannedRun(case.instance, transition_data.ENHSP.planner, LIMITS)
        for number in ROUNDS
        for case in transition_data.round_of(cases, number)
        if case.size in SIZES
    ]


def main(*, makes_runs: bool) -> None:
    """Make the missing runs, or print the test and what plans pass through."""
    store = transition_data.store_file(zeros.STORE).with_name("late.jsonl.gz")
    planned = planned_runs()
    if makes_runs:
        with StoredRuns(store) as runs:
            for _ in run_planned(runs, planned, lambda *_: {}, machine()):
                pass
        return
    claims = [run for run in read_stored_runs(store) if run.result.claimed]
    false = [run for run in claims if run.is_false]
    made = f"{len(read_stored_runs(store))} of {len(planned)} runs"
    found = binomtest(len(false), len(claims), SHARE, "greater")
    low, high = binomtest(len(false), len(claims)).proportion_ci()
    sys.stdout.write(
        f"{made}: {len(false)} of {len(claims)} claims are false ({low:.3f} to {high:.3f}), "
        f"p={found.pvalue:.2g}; {zeros.kind_table(claims).to_markdown()}\n"
    )


if __name__ == "__main__":
    main(makes_runs=sys.argv[1:] == ["--continue"])
