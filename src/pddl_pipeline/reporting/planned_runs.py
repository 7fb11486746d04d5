"""What the commands of run stores were to make."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pddl_pipeline.runs.jobs import ScheduledRun
from pddl_pipeline.runs.store import store_folders
from pddl_pipeline.runs.stored_commands import StoredCommand, read_commands


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


class PlannedRuns:
    """The planned runs of one or more stores, and the commands that planned them."""

    def __init__(self, stores: Sequence[tuple[Path, str]] = ()) -> None:
        """Prepare to read the plans of stores, or of the shards in folders.

        Args:
            stores: the folders, each with what follows the planners' names in the report.
        """
        self._stores = stores
        self.commands: list[StoredCommand] = []
        """The commands that were read, without their runs, in the order of their time."""

    def __iter__(self) -> Iterator[tuple[ScheduledRun, float]]:
        """Read the commands; yield each run with its limit of time, of which the last one counts.

        The first shard that begins knows the runs of all of them. A shard that is named itself
        counts for its own runs only.
        """
        self.commands.clear()
        for store, label in self._stores:
            for folder in store_folders(store):
                for command in read_commands(folder):
                    bare = replace(command, planned=(), elsewhere=())
                    # A command with many runs is several lines.
                    if bare not in self.commands[-1:]:
                        self.commands.append(bare)
                    for run in command.planned + (command.elsewhere if folder != store else ()):
                        named = run._replace(planner=f"{run.planner}{label}") if label else run
                        yield named, command.limits.time_s
        self.commands.sort(key=lambda each: (each.started, each.command, each.shard or ""))
