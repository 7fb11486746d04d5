"""The keys of runs by what they are made from, so that a start of a full store writes no PDDL."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
import psutil

from pddl_pipeline.io.files import write_bytes
from pddl_pipeline.io.synced_lines import checked_line, is_intact
from pddl_pipeline.model.discovery import usable_plugins
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.given_pddl import GivenPddl

KEYS: Final = "keys.json"
"""Name of the file in a run store. It may be deleted."""
_PACKAGE: Final = Path(__file__).parents[1]


@cache
def program_hash() -> str:
    """Return the hash of this program's files, which the PDDL of a record depends on.

    It is empty, and no key is kept, if the loaded modules may differ from the files, or a plug-in
    has domains.
    """
    files = [each for each in _PACKAGE.glob("*/**/*") if each.suffix in {".py", ".pddl"}]
    # Two seconds, since the system computes the start of a process from its own start.
    loaded = psutil.Process().create_time() - 2
    is_newer = any(max(each.stat().st_mtime, each.stat().st_ctime) > loaded for each in files)
    if is_newer or not files or usable_plugins("pddl_pipeline.domains"):
        return ""
    parts = ((str(each.relative_to(_PACKAGE)), each.read_bytes()) for each in sorted(files))
    hashes = [(name, hashlib.sha256(content).hexdigest()) for name, content in parts]
    return hashlib.sha256(msgspec.json.encode(hashes)).hexdigest()


class _Kept(msgspec.Struct):
    program: str
    keys: dict[str, str]


class KeptKeys:
    """The keys of a store's runs, each by a hash of the settings of the run and the record.

    Keys that another version of this program kept, and those of a damaged file, are not used.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Read the keys of a store, if there are any."""
        self._keys: dict[str, str] = {}
        self._is_new = False
        with suppress(OSError, ValueError):
            line = (folder / KEYS).read_bytes() if folder else b""
            kept = msgspec.json.decode(line, type=_Kept)
            if kept.program == program_hash() and is_intact(line):
                self._keys = kept.keys

    def key(self, settings: bytes, instance: Instance[Any], make: Callable[[], str]) -> str:
        """Return the key of a run, which is made if it is not known.

        Args:
            settings: a hash of what determines the key beside the instance and the program.
            instance: the instance. The key of one with PDDL is always made, by its texts.
            make: returns the key.
        """
        if isinstance(instance.record, GivenPddl):
            return make()
        try:
            content = settings + msgspec.json.encode(instance)
        except (TypeError, ValueError):  # such as half of a surrogate pair
            return make()
        digest = hashlib.blake2b(content, digest_size=16).hexdigest()
        key = self._keys.get(digest)
        if key is None:
            key = self._keys[digest] = make()
            self._is_new = True
        return key

    def save(self, folder: Path) -> None:
        """Keep the keys in a store.

        Raises:
            InputError: the file cannot be written.
        """
        if self._is_new and program_hash():
            kept = _Kept(program_hash(), self._keys)
            write_bytes(folder / KEYS, checked_line(msgspec.json.encode(kept)))
