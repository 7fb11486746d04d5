"""The verdicts of an earlier `score -o` whose file is written again, to report what changes."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.format_version import SCORE
from pddl_pipeline.validation.version import FIRST_VERSION, VERDICT_VERSION

_Key = tuple[str | None, int | None, str | None]
"""Id, attempt and model of an answer."""


class ScoreChange(NamedTuple):
    """The verdict on an answer, before and now."""

    id: str | None
    attempt: int | None
    model: str | None
    old: str
    new: str


class FormerScores:
    """The verdicts of older versions in a file, compared with those that replace them."""

    def __init__(self, path: Path | None) -> None:
        """Read the file, if there is one that `score -o` wrote; another file has no verdicts.

        Raises:
            InputError: a newer version of this program wrote the file.
        """
        self.versions = Counter[int]()
        """The number of older verdicts by version."""
        self.changes: list[ScoreChange] = []
        """What `compare` found."""
        self._statuses: dict[_Key, str] = {}
        if path is not None and str(path) != STANDARD and path.is_file():
            self._read(path)

    def _read(self, path: Path) -> None:
        with path.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                try:
                    found = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if isinstance(found, dict) and {"strict_status", "status"} <= found.keys():
                    if fault := SCORE.fault(found):
                        raise InputError(fault, file=str(path))
                    self._add(found)

    def _add(self, line: dict[str, Any]) -> None:
        version = line.get("verdict_version", FIRST_VERSION)
        if isinstance(version, int) and version < VERDICT_VERSION:
            self.versions[version] += 1
            key = (line.get("id"), line.get("attempt"), line.get("model"))
            if all(isinstance(each, str | int | None) for each in key):
                self._statuses[key] = str(line["status"])

    def compare(self, name: str | None, attempt: int | None, model: str | None, new: str) -> None:
        """Note whether the status of an answer's verdict differs from the older one."""
        key = name, attempt, model
        old = self._statuses.get(key) if self._statuses else None
        if old is not None and old != new:
            self.changes.append(ScoreChange(*key, old, new))
