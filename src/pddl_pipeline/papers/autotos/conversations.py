"""Repeated conversations with a model, stored and resumable, so that nothing is asked twice.

``settings.json`` has everything that determines the conversations; another setting needs another
folder. ``calls.jsonl`` has a line for each reply, written before the reply is checked, and one for
the outcome of its checks. Each line is on the disk before the next step.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from pddl_pipeline.endpoints.prices import Tokens, most_tokens
from pddl_pipeline.endpoints.settings import ChatModel, EndpointSettings, Message, Reply
from pddl_pipeline.io.files import writing
from pddl_pipeline.io.synced_lines import OneWriter, append_to, cut_torn_line
from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.errors import InputError, StoreError
from pddl_pipeline.papers.autotos.loop import (
    SYSTEM,
    CheckOutcome,
    End,
    Loop,
    Opening,
    Request,
    outcome_from_json,
)
from pddl_pipeline.planners.foreign_code.process import CodeSource

CALLS: Final = "calls.jsonl"
SETTINGS: Final = "settings.json"
_LOCK: Final = ".lock"
_REPLY, _OUTCOME = "reply", "outcome"


class StoredCall(NamedTuple):
    """A call of the model that was paid for."""

    request: Request
    reply: Reply
    outcome: CheckOutcome | None
    """None if the process ended before the checks did."""


class CallStore(OneWriter):
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
        self._settings = settings
        super().__init__(folder / _LOCK, folder, "to this folder")

    def _open(self) -> None:
        _claim(self.folder, self._settings)
        self._file.touch()
        cut_torn_line(self._file)
        self._calls = _read(self._file)

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

    def add_outcome(self, repetition: int, outcome: CheckOutcome) -> None:
        """Append the outcome of the checks of the last reply of a conversation.

        Raises:
            StoreError: the file cannot be written.
        """
        self._append({"kind": _OUTCOME, "repetition": repetition, **outcome.to_json()})
        self._calls[repetition][-1] = self._calls[repetition][-1]._replace(outcome=outcome)

    def _append(self, fields: Mapping[str, Any]) -> None:
        append_to(self._file, json.dumps(fields).encode() + b"\n")


def _claim(folder: Path, settings: Mapping[str, Any]) -> None:
    """Write the settings into a new folder, or compare them with those of a folder in use."""
    file = folder / SETTINGS
    # As they will be read: JSON has no tuples.
    wanted = json.loads(json.dumps(settings))
    if not file.exists():
        others = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
        # Files of something else may be there, which this command must not mix with its own.
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
                # An outcome belongs to the last reply of its conversation.
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
        request=int(fields.get("request", 0)),
    )  # fmt: skip
    return StoredCall(Request(str(fields["function"]), str(fields["prompt"])), reply, None)


REPETITIONS: Final = 5
"""The number of conversations in the paper (section 5)."""


class Call(NamedTuple):
    """A call of the model with the outcome of the checks of its reply."""

    request: Request
    reply: Reply
    outcome: CheckOutcome


class Conversation(NamedTuple):
    """A conversation that ended."""

    repetition: int
    """Its number, from 1."""
    end: End
    calls: tuple[Call, ...]
    sources: Mapping[str, CodeSource]
    """The last functions by role; both are there unless the calls were used up before."""

    def count(self, function: str) -> int:
        """Return the number of calls for a function."""
        return sum(call.request.function == function for call in self.calls)


class Checks(Protocol):
    """What checks a reply; see `Checker.check`."""

    def check(self, reply: str, function: str, others: Mapping[str, CodeSource]) -> CheckOutcome:
        """Return the outcome of the checks of a reply."""
        ...


def unwatched(_repetition: int, _call: Call) -> None:
    """Do nothing with a new call."""


class Conditions(NamedTuple):
    """What all conversations of an experiment have in common."""

    opening: Opening
    checks: Checks
    max_calls: int
    watch: Callable[[int, Call], None] = unwatched
    """Called with the number of the repetition after each new call."""


def converse(
    repetition: int, conditions: Conditions, model: ChatModel, store: CallStore
) -> Conversation:
    """Hold a conversation to its end. Stored calls are not repeated.

    Args:
        repetition: the number of the conversation, from 1.
        conditions: the prompts and checks.
        model: the model; it is asked only what is not stored.
        store: the store, which gets each reply before it is checked.

    Raises:
        StoreError: a stored call is not the one that follows from those before it, or the file
            cannot be written. Errors of the model pass, too; what was stored remains.
    """
    loop, done = Loop(conditions.opening, conditions.max_calls), list[Call]()
    stored = iter(tuple(store.calls(repetition)))  # without those that are added
    while loop.request is not None:
        known = next(stored, None)
        call = _call(loop, loop.request, known, (repetition, conditions, model, store))
        loop.receive(call.reply.text, call.outcome)
        done.append(call)
        if known is None:
            conditions.watch(repetition, call)
    if loop.end is None:
        raise AssertionError
    return Conversation(repetition, loop.end, tuple(done), loop.sources)


def _call(
    loop: Loop,
    request: Request,
    known: StoredCall | None,
    rest: tuple[int, Conditions, ChatModel, CallStore],
) -> Call:
    """Return the next call: the stored one, or one of the model."""
    repetition, conditions, model, store = rest
    if known is None:
        reply = model.reply([*loop.messages, Message("user", request.prompt)])
        # Before the checks: they may take minutes, and the reply has been paid for.
        store.add_reply(repetition, request, reply)
    elif known.request != request:
        place = (
            f"{store.folder / CALLS}: repetition {repetition}, call {sum(loop.calls.values()) + 1}"
        )
        raise StoreError(f"{place}: the stored request does not follow from the calls before it")
    else:
        reply = known.reply
    # A crash during the checks leaves a reply without an outcome.
    outcome = None if known is None else known.outcome
    if outcome is None:
        outcome = conditions.checks.check(reply.text, request.function, loop.sources)
        store.add_outcome(repetition, outcome)
    return Call(request, reply, outcome)


def stored_replies(
    conversations: Iterable[Sequence[StoredCall]], settings: EndpointSettings
) -> Iterator[tuple[Reply, Tokens]]:
    """Yield the replies of stored calls, with the upper bounds of their tokens.

    Args:
        conversations: the calls of each conversation, in their order.
        settings: how the model is asked.
    """
    for calls in conversations:
        messages = [Message("system", SYSTEM)]
        for request, reply, _ in calls:
            messages.append(Message("user", request.prompt))
            yield reply, most_tokens(messages, settings)
            messages.append(Message("assistant", reply.text))
