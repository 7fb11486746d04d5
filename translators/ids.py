"""The ids of a dataset, unique within it, and the names of the files that are written for them."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, Final

from pddl_pipeline.model.text import printable, surrogate_in
from pddl_pipeline.translators.field_checks import FieldFault

MAX_ID: Final = 200
"""The largest number of characters of an id."""
_SHOWN: Final = 60
_FEW: Final = 100_000
"""So many names are kept in memory, in about 20 MB: a database takes longer."""


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
        raise FieldFault("id", "is empty", verb=True)
    if len(text) > MAX_ID:
        found = f"found {text[:_SHOWN]}… of {len(text):,} characters"
        raise FieldFault("id", f"{found}, expected at most {MAX_ID}")
    if half := surrogate_in(text):
        found = f"contains an unpaired surrogate ({half})"
        raise FieldFault("id", f"{found}; expected valid Unicode")
    return text


class Names(AbstractContextManager["Names"]):
    """Unique names, each with a text. Many are stored on disk, since datasets may have millions."""

    def __init__(self) -> None:
        self._few: dict[str, str] = {}
        self._base: sqlite3.Connection | None = None

    def add(self, name: str, text: str = "") -> str | None:
        """Store a name and its text; if it is stored already, return the earlier text instead."""
        if self._base is None:
            if name in self._few:
                return self._few[name]
            if len(self._few) < _FEW:
                self._few[name] = text
                return None
            self._base = _database(self._few)
        added = self._base.execute("INSERT OR IGNORE INTO names VALUES (?, ?)", (name, text))
        if added.rowcount:
            return None
        found = self._base.execute("SELECT text FROM names WHERE name = ?", (name,))
        return str(found.fetchone()[0])

    def __exit__(self, *error: object) -> None:
        if self._base is not None:
            self._base.close()


def _database(names: Mapping[str, str]) -> sqlite3.Connection:
    # With an empty name, SQLite uses a temporary file and removes it on close.
    base = sqlite3.connect("", isolation_level=None)
    base.executescript(
        # One transaction that is never committed: nothing needs these names after a crash.
        "PRAGMA journal_mode = OFF;"
        "CREATE TABLE names (name TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID;"
        "BEGIN"
    )
    base.executemany("INSERT INTO names VALUES (?, ?)", names.items())
    return base


def add_id(ids: Names, name: str, place: str) -> None:
    """Store an id and where it was read.

    Raises:
        FieldFault: the id was used before.
    """
    used = ids.add(name, printable(place))
    if used is not None:
        raise FieldFault("id", f"'{name}' is already used at {used}")


# The names of devices on Windows are not names of files, with any suffix.
_PLAIN: Final = re.compile(
    r"(?!(con|prn|aux|nul|com\d|lpt\d)(\.|$))[a-z0-9][a-z0-9._-]{0,150}", re.ASCII | re.IGNORECASE
)
_OTHERS: Final = re.compile(r"[^A-Za-z0-9_-]+")
_KEPT: Final = 60


class FileNames(AbstractContextManager["FileNames"]):
    """Chooses a file name for each id, such that no two names differ only in case.

    An id that is a portable file name keeps its name. Any other name is the id's letters, digits
    and hyphens, cut, and a hash of the id.
    """

    def __init__(self) -> None:
        self._names = Names()

    def name_of(self, instance_id: str) -> str:
        """Return the name for an id, without a suffix; each call chooses a new one."""
        text = instance_id
        name = text if _PLAIN.fullmatch(text) else _hashed(instance_id, text)
        # Some file systems do not tell upper from lower case.
        while self._names.add(name.lower()) is not None:
            # Another id has this name, or the same in another case.
            text = f"{text} again"
            name = _hashed(instance_id, text)
        return name

    def __exit__(self, *error: object) -> None:
        self._names.__exit__()


def _hashed(instance_id: str, text: str) -> str:
    readable = _OTHERS.sub("-", instance_id).strip("-")[:_KEPT]
    return f"{readable or 'id'}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
