"""The ids of a dataset: any text, unique within the dataset."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
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
