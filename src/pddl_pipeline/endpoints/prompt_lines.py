"""Files of prompts: the lines that ``pddl-pipeline prompt`` writes."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.endpoints.settings import Message
from pddl_pipeline.io.spool import Spool
from pddl_pipeline.io.text_lines import text_lines
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.model.text import surrogate_in
from pddl_pipeline.translators.formats.json_rows import value_of_line

_EXPECTED: Final = "expected a line that `pddl-pipeline prompt` writes"


class PromptFile(AbstractContextManager["PromptFile"]):
    """The prompts of a file, in its order. Their texts are on the disk."""

    def __init__(self, path: Path) -> None:
        """Read a file.

        Args:
            path: the file; ``-`` is standard input.

        Raises:
            InputError: the file cannot be read, a line is not a prompt, an id occurs twice, or
                there are no prompts.
        """
        self.ids: list[str] = []
        self._spool = Spool()
        try:
            self._read(path)
        except BaseException:
            self._spool.close()
            raise

    def _read(self, path: Path) -> None:
        places: dict[str, int] = {}
        for number, line in text_lines(path):
            if isinstance(line, RecordError):
                raise line
            name, text = _prompt(line, path, number)
            if name in places:
                said = f"found the id '{name}' again, which line {places[name]} has"
                raise InputError(said, file=str(path), line=number)
            places[name] = number
            self.ids.append(name)
            self._spool.add(text.encode())
        if not self.ids:
            raise InputError("found no prompts", file=str(path))

    def __len__(self) -> int:
        return len(self.ids)

    def messages(self, index: int) -> list[Message]:
        """Return the conversation of a prompt, by its position."""
        return [Message("user", self._spool[index].decode())]

    def __exit__(self, *error: object) -> None:
        self._spool.close()


def _prompt(line: str, path: Path, number: int) -> tuple[str, str]:
    """Return the id and the text of a line."""
    value = value_of_line(line, str(path), number)
    if not isinstance(value, dict):
        raise _fault("found no JSON object", path, number)
    name: Any = value.get("id")
    text: Any = value.get("prompt")
    # Not `isinstance`, for which True is a number.
    name = str(name) if type(name) is int else name
    for key, is_given in (
        ("id", isinstance(name, str)),
        ("prompt", isinstance(text, str) and bool(text.strip())),
    ):
        if not is_given:
            near = did_you_mean(key, [*value]) or ""
            raise _fault(f"found no '{key}' of text{near}", path, number)
    if half := surrogate_in(text):
        raise _fault(f"found an unpaired surrogate ({half}) in a prompt", path, number)
    return name, text


def _fault(found: str, path: Path, number: int) -> RecordError:
    return RecordError(f"{found}, {_EXPECTED}", file=str(path), line=number)
