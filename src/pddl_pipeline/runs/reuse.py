"""Takes results from run stores that somebody else has filled."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.runs.execution import Finished
from pddl_pipeline.runs.store import RUNS, iterate_places, read_line


class Reuse:
    """A run store to take results from; it is not changed."""

    def __init__(self, folder: Path) -> None:
        """Look for the keys of a store.

        Raises:
            InputError: the folder is no run store.
            StoreError: a line before the last cannot be read.
        """
        self._folder = folder
        self._places = {result.key: place for place, result in iterate_places(folder)}

    def take(self, key: str, without: Collection[Outcome] = ()) -> Finished | None:
        """Return the last result for a key; None without one, or with one of these outcomes."""
        if key not in self._places:
            return None
        result = read_line(self._folder / RUNS, self._places[key])
        if result.outcome in without:
            return None
        logs = (self._folder / result.log).parent if result.log else None
        files = {} if logs is None else {f.name: f.read_bytes() for f in sorted(logs.glob("*"))}
        return Finished(result, files)
