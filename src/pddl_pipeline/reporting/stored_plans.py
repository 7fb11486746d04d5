"""What the commands of run stores were to make, and which of these runs are missing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pddl_pipeline.model.result import RunResult
from pddl_pipeline.runs.jobs import ScheduledRun
from pddl_pipeline.runs.store import store_folders
from pddl_pipeline.runs.stored_commands import StoredCommand, planned_runs, read_commands


@dataclass(frozen=True, slots=True)
class MissingRun:
    """A run that is planned and not in the stores."""

    planner: str
    domain: str
    id: str
    """Id of the instance."""
    size: int
    time_s: float | None
    """The limit of time that it would have, in seconds; None if that is not known."""
    repetition: int = 1


_Instance = tuple[str, str]
"""The domain and the id of an instance."""


@dataclass(slots=True)
class StoredPlans:
    """The planned runs of one or more stores, and the commands that planned them."""

    runs: dict[ScheduledRun, float] = field(default_factory=dict)
    """Each run with its limit of time, in seconds."""
    commands: list[StoredCommand] = field(default_factory=list)
    """The commands without their runs, in the order of their time."""

    def add(self, store: Path, label: str = "") -> None:
        """Add the plans of a store, or of the shards in a folder.

        The first shard that begins knows the runs of all of them. A shard that is named itself
        counts for its own runs only.

        Args:
            store: the folder.
            label: what follows the planners' names in the report.
        """
        for folder in store_folders(store):
            commands = read_commands(folder)
            planned = planned_runs(commands)
            parts = (planned.here, planned.elsewhere if folder != store else {})
            for run, limit in ((run, part[run]) for part in parts for run in part):
                self.runs[run._replace(planner=f"{run.planner}{label}")] = limit
            self.commands += [replace(each, planned=(), elsewhere=()) for each in commands]
        self.commands.sort(key=lambda each: (each.started, each.command, each.shard or ""))

    def missing(self, results: Sequence[RunResult]) -> list[MissingRun]:
        """Return the planned runs that are not among these results.

        If no command planned any run of a planner in a domain, as in stores of former versions, the
        instances of the domain are planned that any planner ran on.
        """
        sizes = {(r.domain, r.id): r.size for r in results}
        sizes |= {(run.domain, run.id): run.size for run in self.runs}
        present = {(r.planner, (r.domain, r.id), r.repetition) for r in results}
        planned: dict[tuple[str, _Instance, int], float | None] = {
            (run.planner, (run.domain, run.id), run.repetition): limit
            for run, limit in self.runs.items()
        }
        planned |= _unrecorded(results, sizes, {(run.planner, run.domain) for run in self.runs})
        return [
            MissingRun(planner, *instance, sizes[instance], limit, repetition)
            for (planner, instance, repetition), limit in planned.items()
            if (planner, instance, repetition) not in present
        ]


def _unrecorded(
    results: Iterable[RunResult],
    instances: Mapping[_Instance, int],
    recorded: set[tuple[str, str]],
) -> dict[tuple[str, _Instance, int], float | None]:
    """Return all runs of the planners, by domain, of which no planned run is recorded."""
    limits = defaultdict[tuple[str, str], set[float | None]](set)
    for result in results:
        if (result.planner, result.domain) not in recorded:
            limits[result.planner, result.domain].add(result.limits.get("time_s"))
    of_domain = defaultdict[str, list[_Instance]](list)
    for instance in instances:
        of_domain[instance[0]].append(instance)
    return {
        (planner, instance, 1): next(iter(found)) if len(found) == 1 else None
        for (planner, domain), found in limits.items()
        for instance in of_domain[domain]
    }
