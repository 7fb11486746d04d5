"""The work of ``--rejudge``, for ``run`` and ``report``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pddl_pipeline.cli.progress import progress, working
from pddl_pipeline.cli.store_messages import report_damage, report_rejudged
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.runs.dataset_problems import DatasetProblems
from pddl_pipeline.runs.rejudging import rejudge
from pddl_pipeline.runs.store import RunStore, check_store
from pddl_pipeline.translators.datasets import ReadOptions, load_records


def rejudge_stores(  # noqa: PLR0913 -- what the options say
    folders: Sequence[Path],
    data: Sequence[str],
    how: ReadOptions,
    planners: Sequence[str],
    *,
    limits: Limits | None = None,
    repair: bool = False,
) -> None:
    """Judge the plans of run stores again and print what changed.

    Args:
        folders: the stores.
        data: the datasets with the problems that the stores do not have.
        how: how to read them.
        planners: see `DatasetProblems`.
        limits: see `DatasetProblems`.
        repair: whether to move damaged lines of the stores to another file.

    Raises:
        InputError: a folder is not a run store, or the data cannot be read.
        StoreError: a store has a damaged line, or another process writes to it.
    """
    for folder in folders:
        check_store(folder)
    with DatasetProblems(planners, limits) as problems:
        if data:
            for instance in progress(load_records(*data, source=how), "reading"):
                problems.add(instance)
        for folder in folders:
            with RunStore(folder, repair=repair) as store, working("judging stored plans"):
                report_damage(store)
                done = rejudge(store, problems)
            report_rejudged(folder, done)
