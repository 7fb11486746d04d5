"""The ids of a dataset, which must be unique."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from pddl_pipeline.translators.field_checks import FieldFault


class Ids:
    """The place where each id was read. Stored on disk, since datasets may have millions."""

    def __init__(self) -> None:
        # With an empty name, SQLite uses a temporary file and removes it on close.
        self._base = sqlite3.connect("")
        with closing(self._base.execute("PRAGMA journal_mode = OFF")):
            self._base.execute("CREATE TABLE ids (id TEXT PRIMARY KEY, place TEXT) WITHOUT ROWID")

    def add(self, name: str, place: str) -> None:
        """Store where an id was read.

        Raises:
            FieldFault: the id was used before.
        """
        try:
            self._base.execute("INSERT INTO ids VALUES (?, ?)", (name, place))
        except sqlite3.IntegrityError:
            found = self._base.execute("SELECT place FROM ids WHERE id = ?", (name,))
            raise FieldFault("id", f"'{name}' is already used at {found.fetchone()[0]}") from None

    def close(self) -> None:
        """Close the database and discard its contents."""
        self._base.close()
