"""The ids of a dataset: each once."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from pddl_pipeline.translators.field_checks import FieldFault


class Ids:
    """Knows where each id was read; on the disk, since datasets may have millions."""

    def __init__(self) -> None:
        # The empty name is a temporary file that goes with the connection.
        self._base = sqlite3.connect("")
        with closing(self._base.execute("PRAGMA journal_mode = OFF")):
            self._base.execute("CREATE TABLE ids (id TEXT PRIMARY KEY, place TEXT) WITHOUT ROWID")

    def add(self, name: str, place: str) -> None:
        """Remember where an id was read.

        Raises:
            FieldFault: it was used before.
        """
        try:
            self._base.execute("INSERT INTO ids VALUES (?, ?)", (name, place))
        except sqlite3.IntegrityError:
            found = self._base.execute("SELECT place FROM ids WHERE id = ?", (name,))
            raise FieldFault("id", f"'{name}' was used before, at {found.fetchone()[0]}") from None

    def close(self) -> None:
        """Forget everything."""
        self._base.close()
