"""The names of the files that are written for instances."""

from __future__ import annotations

import hashlib
import re
from contextlib import AbstractContextManager
from typing import Final

from pddl_pipeline.translators.ids import Names

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
