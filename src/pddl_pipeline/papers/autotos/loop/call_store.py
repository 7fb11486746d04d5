"""The folder in which a loop stores every call, so that nothing is asked twice.

``settings.json`` has everything that determines the conversations; another setting needs another
folder. ``calls.jsonl`` has a line for each reply, written before the reply is checked, and one for
the outcome of its checks. Each line is on the disk before the next step.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, NamedTuple

from pddl_pipeline.endpoints.settings import Reply
from pddl_pipeline.io.files import writing
from pddl_pipeline.io.synced_lines import append_to, cut_torn_line
from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.io.writer_lock import lock_for_writing
from pddl_pipeline.model.errors import InputError, StoreError
from pddl_pipeline.papers.autotos.loop.loop import Request
from pddl_pipeline.papers.autotos.loop.outcome import Outcome, outcome_from_json

CALLS: Final = "calls.jsonl"
SETTINGS: Final = "settings.json"
_LOCK: Final = ".lock"
_REPLY, _OUTCOME = "reply", "outcome"


class StoredCall(NamedTuple):
    """A call of the model that was paid for."""

    request: Request
    reply: Reply
    outcome: Outcome | None
    """None if the process ended before the checks did."""


class CallStore(AbstractContextManager["CallStore"]):
    """The stored calls of a folder, open for writing; a folder has at most one writer."""

    def __init__(self, folder: Path, settings: Mapping[str, Any]) -> None:
        """Open or create a store.

        Args:
            folder: the folder; it is created if it does not exist.
            settings: what determines the conversations, as JSON values by name.

        Raises:
            InputError: the folder has the calls of other settings, or other files.
            StoreError: another process writes to the folder, it cannot be written, or a line
                before the last is damaged.
        """
        self.folder = folder
        self._file = folder / CALLS
        self._lock = lock_for_writing(folder / _LOCK, folder, "to this folder")
        try:
            _claim(folder, settings)
            self._file.touch()
            cut_torn_line(self._file)
            self._calls = _read(self._file)
        except BaseException:
            self._lock.release()
            raise

    def calls(self, repetition: int) -> list[StoredCall]:
        """Return the stored calls of a conversation, in their order."""
        return self._calls.get(repetition, [])

    def conversations(self) -> list[list[StoredCall]]:
        """Return the stored calls of all conversations, those included that were added."""
        return list(self._calls.values())

    def add_reply(self, repetition: int, request: Request, reply: Reply) -> None:
        """Append a reply.

        Raises:
            StoreError: the file cannot be written.
        """
        fields = {**request._asdict(), **asdict(reply)}
        self._append({"kind": _REPLY, "repetition": repetition, **fields})
        self._calls.setdefault(repetition, []).append(StoredCall(request, reply, None))

    def add_outcome(self, repetition: int, outcome: Outcome) -> None:
        """Append the outcome of the checks of the last reply of a conversation.

        Raises:
            StoreError: the file cannot be written.
        """
        self._append({"kind": _OUTCOME, "repetition": repetition, **outcome.to_json()})
        self._calls[repetition][-1] = self._calls[repetition][-1]._replace(outcome=outcome)

    def _append(self, fields: Mapping[str, Any]) -> None:
        append_to(self._file, json.dumps(fields).encode() + b"\n")

    def __exit__(self, *error: object) -> None:
        self._lock.release()


def _claim(folder: Path, settings: Mapping[str, Any]) -> None:
    """Write the settings into a new folder, or compare them with those of a folder in use."""
    file = folder / SETTINGS
    wanted = json.loads(json.dumps(settings))
    if not file.exists():
        others = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
        if others:
            message = f"has '{others[0]}' but no {SETTINGS}; expected a new folder"
            raise InputError(message, file=str(folder))
        with writing(file, durable=True) as stream:
            stream.write(f"{json.dumps(wanted, indent=2)}\n")
        return
    try:
        found = json.loads(read_file(file))
        names = {*found, *wanted}
    except (ValueError, TypeError) as error:
        raise StoreError(f"{file}: found no settings ({error})") from error
    for name in sorted(names):
        if found.get(name) != wanted.get(name):
            raise InputError(
                f"has calls with {name} {_shown(found.get(name))}, found "
                f"{_shown(wanted.get(name))}; other settings need another folder",
                file=str(folder),
            )


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _read(file: Path) -> dict[int, list[StoredCall]]:
    calls = dict[int, list[StoredCall]]()
    for number, line in _lines(file):
        try:
            fields = json.loads(line)
            known = calls.setdefault(int(fields["repetition"]), [])
            if fields["kind"] == _REPLY:
                known.append(_stored(fields))
            else:
                request, reply, _ = known[-1]
                outcome = outcome_from_json(fields, request.function)
                known[-1] = StoredCall(request, reply, outcome)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            raise StoreError(f"{file}:{number}: found no stored call ({error!r})") from error
    return calls


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    with file.open("rb") as stream:
        yield from enumerate(stream, start=1)


def _stored(fields: Mapping[str, Any]) -> StoredCall:
    reply = Reply(
        str(fields["text"]), str(fields["finish_reason"]), fields["prompt_tokens"],
        fields["completion_tokens"], float(fields["seconds"]), str(fields.get("served_model", "")),
    )  # fmt: skip
    return StoredCall(Request(str(fields["function"]), str(fields["prompt"])), reply, None)
