"""Files of prompts: the lines that ``pddl-pipeline prompt`` writes, and its batch requests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final, NamedTuple, Self, get_args

from pddl_pipeline.endpoints.settings import Message, Role
from pddl_pipeline.io.spool import Spool
from pddl_pipeline.io.text_lines import text_lines
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.translators.formats.json_rows import value_of_line

_ROLES: Final = get_args(Role)
_BATCH_FIELDS: Final = frozenset({"model", "messages"})
_EXPECTED: Final = "expected a line that `pddl-pipeline prompt` writes"


class _Line(NamedTuple):
    """What a line asks."""

    id: str
    messages: Sequence[Message]


class PromptFile(AbstractContextManager["PromptFile"]):
    """The prompts of a file, in its order. Their texts are on the disk."""

    def __init__(self, path: Path, model: str) -> None:
        """Read a file.

        Args:
            path: the file; ``-`` is standard input.
            model: the model to ask; batch requests must be for this one.

        Raises:
            InputError: the file cannot be read, a line is not a prompt, an id occurs twice, or
                there are no prompts.
        """
        self.ids: list[str] = []
        self.characters = 0
        """Number of characters of all prompts."""
        self._spool = Spool()
        try:
            self._read(path, model)
        except BaseException:
            self._spool.close()
            raise

    def _read(self, path: Path, model: str) -> None:
        places: dict[str, int] = {}
        for number, line in text_lines(path):
            if isinstance(line, RecordError):
                raise line
            found = _line(line, path, number, model)
            if found.id in places:
                said = f"found the id '{found.id}' again, which line {places[found.id]} has"
                raise InputError(said, file=str(path), line=number)
            places[found.id] = number
            self.ids.append(found.id)
            self.characters += sum(len(message.text) for message in found.messages)
            self._spool.add(json.dumps(found.messages).encode())
        if not self.ids:
            raise InputError("found no prompts", file=str(path))

    def __len__(self) -> int:
        return len(self.ids)

    def messages(self, index: int) -> list[Message]:
        """Return the conversation of a prompt, by its position."""
        return [Message(role, text) for role, text in json.loads(self._spool[index])]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._spool.close()


def _line(line: str, path: Path, number: int, model: str) -> _Line:
    value = value_of_line(line, str(path), number)
    if not isinstance(value, dict):
        raise _fault("found no JSON object", path, number)
    try:
        return _batch_request(value, model) if "custom_id" in value else _prompt(value)
    except ValueError as error:
        raise _fault(str(error), path, number) from None


def _fault(found: str, path: Path, number: int) -> RecordError:
    return RecordError(f"{found}, {_EXPECTED}", file=str(path), line=number)


def _prompt(value: Mapping[str, Any]) -> _Line:
    name = value.get("id")
    name = str(name) if type(name) is int else name
    if not isinstance(name, str):
        raise ValueError(f"found no 'id' of text{did_you_mean('id', [*value]) or ''}")  # noqa: TRY004
    text = value.get("prompt")
    if not isinstance(text, str) or not text.strip():
        near = did_you_mean("prompt", [*value]) or ""
        raise ValueError(f"found no 'prompt' of text{near}")
    return _Line(name, (Message("user", _encodable(text)),))


def _batch_request(value: Mapping[str, Any], model: str) -> _Line:
    name, body = value["custom_id"], value.get("body")
    if not isinstance(name, str) or not isinstance(body, dict):
        raise ValueError("found no 'custom_id' of text with an object 'body'")  # noqa: TRY004
    others = sorted(map(str, body.keys() - _BATCH_FIELDS))
    if others:
        raise ValueError(f"found '{others[0]}' in the request, which is an option here")
    if body.get("model", model) != model:
        raise ValueError(f"found a request for the model '{body['model']}'")
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise ValueError("found a request without messages")
    return _Line(name, [_message(each) for each in messages])


def _message(value: object) -> Message:
    if isinstance(value, dict) and value.get("role") in _ROLES:
        text = value.get("content")
        if isinstance(text, str):
            return Message(value["role"], _encodable(text))
    raise ValueError("found a message without a role and a text")


def _encodable(text: str) -> str:
    """Return a text that can be sent.

    Raises:
        ValueError: it contains half of a character.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = f"\\u{ord(text[error.start]):04x}"
        raise ValueError(f"found an unpaired surrogate ({half}) in a prompt") from None
    return text
