"""The states of a stored run's plan."""

from __future__ import annotations

from pathlib import Path

from pddl_pipeline.model.result import RunResult
from pddl_pipeline.pages.walk import Walk, walk_of
from pddl_pipeline.runs.dataset_problems import DatasetProblems
from pddl_pipeline.translators.judging import judge_plan


def walk_of_run(run: RunResult, store: Path, problems: DatasetProblems) -> Walk | str:
    """Return the walk of a run's plan, judged again, or the reason why there is none.

    Args:
        run: the run, as it is stored.
        store: the folder of its store.
        problems: the problems of runs whose store does not have them.
    """
    if run.plan is None:
        return run.reason or ""
    found = problems.find(run, store)
    if isinstance(found, str):
        return found
    text = "".join(f"{step}\n" for step in run.plan)
    verdict = judge_plan(text, found.task, found.instance)
    return walk_of(found.task, text, verdict, found.instance.budget)
