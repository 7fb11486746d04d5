"""The ids of a dataset: any text, unique within the dataset."""

from __future__ import annotations

import json
import sqlite3
from contextlib import AbstractContextManager
from typing import Any, Final

from pddl_pipeline.translators.field_checks import FieldFault

MAX_ID: Final = 200
"""The largest number of characters of an id."""
_SHOWN: Final = 60


def check_id(value: Any) -> str:
    """Return an id as a text; a number becomes its text.

    Raises:
        FieldFault: the value is neither a text nor a number, or the text is blank, too long or not
            Unicode.
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = value if isinstance(value, str) else json.dumps(value)
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise FieldFault("id", f"found {text[:_SHOWN]}, expected a text or a number")
    if not text.strip():
        raise FieldFault("id", "is empty")
    if len(text) > MAX_ID:
        found = f"found {text[:_SHOWN]}… of {len(text):,} characters"
        raise FieldFault("id", f"{found}, expected at most {MAX_ID}")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            found = f"contains an unpaired surrogate ({ascii(text[error.start])[1:-1]})"
            raise FieldFault("id", f"{found}; expected valid Unicode") from None
    return text


class Names(AbstractContextManager["Names"]):
    """Unique names, each with a text. Stored on disk, since datasets may have millions."""

    def __init__(self) -> None:
        # With an empty name, SQLite uses a temporary file and removes it on close.
        self._base = sqlite3.connect("", isolation_level=None)
        for statement in (
            "PRAGMA journal_mode = OFF",
            "CREATE TABLE names (name TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID",
            "BEGIN",
        ):
            self._base.execute(statement).close()

    def add(self, name: str, text: str = "") -> str | None:
        """Store a name and its text; if it is stored already, return the earlier text instead."""
        added = self._base.execute("INSERT OR IGNORE INTO names VALUES (?, ?)", (name, text))
        if added.rowcount:
            return None
        found = self._base.execute("SELECT text FROM names WHERE name = ?", (name,))
        earlier: str = found.fetchone()[0]
        return earlier

    def __exit__(self, *error: object) -> None:
        self._base.close()


def add_id(ids: Names, name: str, place: str) -> None:
    """Store an id and where it was read.

    Raises:
        FieldFault: the id was used before.
    """
    used = ids.add(name, place)
    if used is not None:
        raise FieldFault("id", f"'{name}' is already used at {used}")
