"""The jobs of instances, as `run` queues them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.runs.jobs import Job, JobQueue


def jobs_for(
    instances: Iterable[Instance[Any]], names: Sequence[str], limits: Limits, **options: Any
) -> list[Job]:
    """Return a job for each instance and each of its planners; see `JobQueue`."""
    with JobQueue(names, limits, **options) as queue:
        for instance in instances:
            queue.add(instance)
        return list(queue.jobs())
