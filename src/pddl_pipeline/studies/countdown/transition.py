"""The study of the second phase transition: is it a floating-point artefact?"""

from __future__ import annotations

from typing import Final

from pddl_pipeline.studies.countdown.transition_protocol import ARMS
from pddl_pipeline.studies.countdown.transition_runs import continue_runs, read_cases, read_runs
from pddl_pipeline.studies.study import Study
from pddl_pipeline.studies.study_result import StudyResult
from pddl_pipeline.studies.workbench import Workbench


def _run(bench: Workbench) -> StudyResult:
    cases = read_cases()
    if bench.continue_runs:
        continue_runs(bench, cases)
    runs = read_runs(cases)
    return StudyResult(
        conditions=f"{len(runs)} runs.",
        comparisons=(),
        tables=(),
        unexplained=sum(run.result.unexplained for run in runs),
    )


STUDIES: Final = (
    Study(
        "countdown-transition",
        "Is the second phase transition a floating-point artefact? From stored runs",
        _run,
        cards=tuple(f"data/{arm}.toml" for arm in ARMS),
    ),
)
