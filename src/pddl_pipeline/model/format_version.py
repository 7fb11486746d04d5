"""Versions of the file formats that later commands read again.

A line without a version is of version 1, so the files of 0.1.0 need no conversion. A writer adds
the field when the version is above 1. docs/reference/compatibility.md has the promise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple


class FormatVersion(NamedTuple):
    """The version of a file format that this program reads and writes."""

    field: str
    """The field of a line with its version."""
    newest: int = 1
    """The newest version that this program reads."""

    def fault(self, line: Mapping[str, Any]) -> str | None:
        """Return why a line cannot be read because of its version, or None if it can be."""
        version = line.get(self.field, 1)
        if type(version) is int and 1 <= version <= self.newest:
            return None
        if type(version) is int and version > self.newest:
            return (
                f"found {self.field} {version}, expected at most {self.newest}; "
                "a newer version of pddl-pipeline wrote it, so update pddl-pipeline"
            )
        return f"field '{self.field}': expected a whole number from 1"


STORE: Final = FormatVersion("store_version")
"""Lines of ``runs.jsonl`` and ``commands.jsonl``."""
RECORD: Final = FormatVersion("record_version")
"""Records of instances."""
