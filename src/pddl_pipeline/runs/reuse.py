"""Take results from other run stores."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.planners.attempt import ANSWERS
from pddl_pipeline.runs.execution import Finished
from pddl_pipeline.runs.store import RUNS, answers_file, iterate_places, read_line


class Reuse:
    """A run store to take results from, without changing it."""

    def __init__(self, folder: Path) -> None:
        """Index the results of a store by their keys.

        Raises:
            InputError: the folder is not a run store.
            StoreError: a line before the last cannot be read.
        """
        self._folder = folder
        self._places = {result.key: place for place, result in iterate_places(folder)}

    def take(self, key: str, without: Collection[Outcome] = ()) -> Finished | None:
        """Return the last result for a key; None if there is none or its outcome is excluded."""
        if key not in self._places:
            return None
        result = read_line(self._folder / RUNS, self._places[key])
        if result.outcome in without:
            return None
        logs = (self._folder / result.log).parent if result.log else None
        files = {} if logs is None else {f.name: f.read_bytes() for f in sorted(logs.glob("*"))}
        answers = answers_file(self._folder, key)
        if answers.is_file():
            files[ANSWERS] = answers.read_bytes()
        return Finished(result, files)
