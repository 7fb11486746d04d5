"""A file of a model's answers, one per line, which is continued after an interruption."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from pddl_pipeline.endpoints.settings import EndpointSettings, Message, Reply
from pddl_pipeline.io.synced_lines import OneWriter, append_to, cut_torn_line
from pddl_pipeline.model.errors import InputError, StoreError

_EXPECTED: Final = "expected a line that `pddl-pipeline ask` wrote"
_START: Final = b'{"id": "'
_OMITTED: Final = ("served_model", "notes", "request")
"""Fields that a line has only if they have a value."""


class _Line(msgspec.Struct, kw_only=True):
    id: str
    answer: str
    model: str
    attempt: int
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float = 0.0
    finish_reason: str = ""
    served_model: str | None = None
    notes: tuple[str, ...] = ()
    request: int = 0
    fingerprint: str
    settings: dict[str, Any]

    @property
    def figures(self) -> Reply:
        return Reply(
            # Enough to tell whether the answer is empty.
            self.answer.strip()[:1],
            self.finish_reason,
            self.prompt_tokens,
            self.completion_tokens,
            self.seconds,
            self.served_model or "",
            request=self.request,
        )


def fingerprint(settings: EndpointSettings, messages: Sequence[Message]) -> str:
    """Return a hash of a prompt and of everything else that determines its answers."""
    content = json.dumps(
        [settings.answering, [list(message) for message in messages]], sort_keys=True
    )
    return hashlib.sha256(content.encode()).hexdigest()[:32]


class StoredAnswers:
    """The answers in a file. A file that does not exist has none."""

    def __init__(self, path: Path, settings: EndpointSettings) -> None:
        """Read a file without changing it.

        Raises:
            InputError: a line is not an answer, or is one to other settings.
        """
        self.path = path
        self.usages: dict[tuple[str, int], Reply] = {}
        """By the id of the prompt and the number of the attempt. Of the texts, which need not fit
        into the memory, only the first character is there."""
        self._prompts: dict[str, tuple[str, int]] = {}
        """By the id: the fingerprint of the prompt, and the line of its first answer."""
        self._settings = settings
        self.torn_bytes = 0
        """The size of an incomplete last line, which a crash left."""
        self.is_open = False
        """Whether the break of the last line is missing."""
        for number, line in enumerate(_lines(path), start=1):
            self._read(line, number)
            self.is_open = not line.endswith(b"\n")

    def _read(self, line: bytes, number: int) -> None:
        try:
            found = msgspec.json.decode(line, type=_Line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            # A crash leaves at most one incomplete line. Any other line is not of this program.
            is_torn = not line.endswith(b"\n") and (self.usages or _START.startswith(line[:8]))
            if is_torn:
                self.torn_bytes = len(line)
                return
            said = f"{error}, {_EXPECTED}"
            raise InputError(said, file=str(self.path), line=number) from None
        difference = _difference(found.settings, self._settings.answering)
        if difference:
            said = f"found an answer {difference}; use a different file for different settings"
            raise InputError(said, file=str(self.path), line=number)
        self._prompts.setdefault(found.id, (found.fingerprint, number))
        self.usages.setdefault((found.id, found.attempt), found.figures)

    def check(self, name: str, prompt: str) -> None:
        """Check that the stored answers to an id are answers to this prompt.

        Args:
            name: the id.
            prompt: the `fingerprint` of the prompt.

        Raises:
            InputError: they are not.
        """
        known, line = self._prompts.get(name, (prompt, 0))
        if known != prompt:
            said = f"found an answer to another prompt with the id '{name}'"
            expected = "expected the same prompts; use a different file for changed ones"
            raise InputError(f"{said}, {expected}", file=str(self.path), line=line)


class AnswerFile(OneWriter):
    """A file of answers that is open for writing; it has at most one writer at a time."""

    def __init__(self, path: Path, settings: EndpointSettings, *, wait_s: float = 0.0) -> None:
        """Open a file, and remove an incomplete line at its end; the first answer creates it.

        Args:
            path: the file.
            settings: how the model is asked.
            wait_s: seconds to wait for another process that writes to the file.

        Raises:
            InputError: as for `StoredAnswers`.
            StoreError: another process writes to the file, or it cannot be written.
        """
        self._path, self._settings = path, settings
        self.requests = path.with_name(f".{path.name}.requests")
        """The file for the requests that were sent; see `Budget.keep`."""
        lock = path.with_name(f".{path.name}.lock")
        super().__init__(lock, path, "to this file", wait_s=wait_s)

    def _open(self) -> None:
        path = self._path
        self.stored = StoredAnswers(path, self._settings)
        """The answers in the file, those included that were added."""
        # Make the file end with a complete line.
        try:
            if self.stored.torn_bytes:
                cut_torn_line(path)
            elif self.stored.is_open:
                # Only the break is missing: the answer is complete, and was paid for.
                append_to(path, b"\n")
        except OSError as error:
            raise StoreError(f"{path}: cannot be written: {error.strerror}") from error

    def add(self, name: str, attempt: int, prompt: str, reply: Reply) -> None:
        """Append an answer, which is then on the disk.

        Args:
            name: the id of the prompt.
            attempt: the number of the attempt, from 1 on.
            prompt: the `fingerprint` of the prompt.
            reply: the model's reply.

        Raises:
            StoreError: the file cannot be written. It is unchanged.
        """
        model = self._settings.model
        line = _Line(
            id=name, answer=reply.text, model=model, attempt=attempt,
            prompt_tokens=reply.prompt_tokens, completion_tokens=reply.completion_tokens,
            seconds=reply.seconds, finish_reason=reply.finish_reason,
            served_model=reply.served_model if reply.served_model != model else None,
            notes=reply.notes, request=reply.request, fingerprint=prompt,
            settings=self._settings.answering,
        )  # fmt: skip
        values = msgspec.to_builtins(line).items()
        fields = {name: value for name, value in values if value or name not in _OMITTED}
        # Before the write, so that an interrupt in between does not report one answer too few.
        self.stored.usages[name, attempt] = line.figures
        append_to(self._path, f"{json.dumps(fields)}\n".encode())


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as stream:
            yield from stream
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(path)) from error


def _difference(found: Mapping[str, Any], expected: Mapping[str, Any]) -> str:
    """Return how the settings of an answer differ from others; empty if they do not."""
    for name in sorted({*found, *expected}):
        if found.get(name) != expected.get(name):
            return f"with {_said(found, name)}, expected {_said(expected, name)}"
    return ""


def _said(settings: Mapping[str, Any], name: str) -> str:
    words = name.replace("_", " ")
    return f"{words} {json.dumps(settings[name])}" if name in settings else f"no {words}"
