"""Reads JSON as rows: one value per line, or the elements of one list, one at a time.

The parser is stricter than Python's.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any, Final, Protocol

from pddl_pipeline.io.text_file import no_text
from pddl_pipeline.io.text_lines import json_fault, open_binary, text_lines
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.number import MAX_DIGITS
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.format import DataRow

_CHUNK: Final = 1 << 16
_AROUND: Final = ("instances", "data", "rows", "results", "records", "examples")
"""Names of the field with the rows, in an object around them."""
_COLUMNS: Final = "columns"
_BESIDE: Final = (_COLUMNS, "index", "schema", "features")
"""Names of fields that describe the rows: of pandas, and of the viewer of Hugging Face."""
_FRAME: Final = (
    "found the columns of a data frame, expected its rows: frame.to_json(FILE, orient='records')"
)
_ROWS: Final = re.compile(r"\[\s*([{\[])")
_MODELS: Final = ("engine", "model")
"""Names of a field beside the rows with the model that answered; the first is of PlanBench."""


class Stream(Protocol):
    """A source of bytes."""

    def read(self, size: int = ..., /) -> bytes:
        """Return the next bytes, or no bytes at the end."""


class JsonStream:
    """Reads the elements of lists and the fields of objects from a stream, one by one."""

    def __init__(self, file: Stream, name: str, *, errors: str = "strict") -> None:
        """Start reading a stream.

        Args:
            file: UTF-8 text.
            name: name of the file, for messages.
            errors: how to handle bytes that are not UTF-8; an error handler of `codecs`.
        """
        self._file = file
        self._name = name
        self._text = ""
        self._at = 0
        self._line = 1  # the line in which the next bytes start
        self._decode = codecs.getincrementaldecoder("utf-8-sig")(errors).decode

    def elements(self) -> Iterator[Any]:
        """Yield the elements of the next list.

        Raises:
            RecordError: the list is missing, malformed or truncated.
        """
        yield from (self.value() for _ in self._parts("[", "]"))

    def fields(self) -> Iterator[str]:
        """Yield the names of the fields of the next object; the caller reads each value.

        Raises:
            RecordError: the object is missing, malformed or truncated.
        """
        for _ in self._parts("{", "}"):
            name = self.value()
            if not isinstance(name, str):
                raise self._fault("found a field name that is not a string")
            self._expect(":")
            yield name

    def value(self) -> Any:
        """Read and return the next value.

        Raises:
            RecordError: the value is missing, malformed or truncated.
        """
        self.sign()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                # A value at the end of the buffer may be incomplete, including a number.
                if not self._more():
                    raise self._fault(json_fault(error, "the end of the file")) from None
            except (ValueError, RecursionError, FieldFault) as error:
                raise self._fault(_reason(error)) from None
            else:
                if end < len(self._text) or not self._more():
                    self._text, self._at = self._text[end:], 0
                    return value

    def sign(self) -> str:
        """Return the next non-blank character without consuming it; empty at the end.

        Raises:
            RecordError: the stream is not valid text.
        """
        while True:
            while self._at < len(self._text) and self._text[self._at].isspace():
                self._at += 1
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def starts(self, pattern: re.Pattern[str]) -> str:
        """Return the group of a pattern that the text in memory begins with; else nothing."""
        self.sign()
        found = pattern.match(self._text, self._at)
        return found[1] if found else ""

    def end(self, what: str = "list") -> None:
        """Check that nothing follows.

        Raises:
            RecordError: another character follows.
        """
        if self.sign():
            raise self._fault(f"found {self.sign()!r} after the {what}")

    def _parts(self, opening: str, closing: str) -> Iterator[None]:
        """Yield before each part of a list or an object; the caller reads the part."""
        self._expect(opening)
        if self.sign() == closing:
            self._at += 1
            return
        while True:
            yield
            sign = self.sign()
            if sign not in {",", closing}:
                raise self._fault(f"found {sign or 'the end'!r}, expected ',' or '{closing}'")
            self._at += 1
            if sign == closing:
                return

    def _expect(self, expected: str) -> None:
        sign = self.sign()
        if sign != expected:
            raise self._fault(f"found {sign or 'the end'!r}, expected '{expected}'")
        self._at += 1

    def _more(self) -> bool:
        # A value that goes on is parsed anew after each read; doubling the text keeps that linear.
        chunk = self._file.read(max(_CHUNK, len(self._text)))
        nul = chunk.find(b"\0")
        if nul >= 0:
            raise self._no_text(chunk, nul)
        try:
            self._text += self._decode(chunk, not chunk)
        except UnicodeDecodeError as error:
            raise self._no_text(error.object, error.start) from None
        self._line += chunk.count(b"\n")
        return bool(chunk)

    def _no_text(self, chunk: bytes, at: int) -> RecordError:
        line = self._line + chunk.count(b"\n", 0, at)
        return RecordError(no_text(chunk[at]), file=self._name, line=line)

    def _fault(self, message: str) -> RecordError:
        return RecordError(message, file=self._name)


def parse_json(text: str) -> Any:
    """Return one JSON value, parsed more strictly than Python does.

    Raises:
        json.JSONDecodeError: the text is not JSON.
        FieldFault: a field is given twice.
        ValueError: NaN or infinity, a number with too many digits, or too deep nesting.
    """
    try:
        return _DECODER.decode(text)
    except (json.JSONDecodeError, FieldFault):
        raise
    except (ValueError, RecursionError) as error:
        raise ValueError(_reason(error)) from None


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    # Python's message explains how to raise its limit on digits, which does not help users.
    return f"a number of more than {MAX_DIGITS} digits" if "digits" in str(error) else str(error)


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for name, value in pairs:
        if name in record:
            raise FieldFault(name, "is given twice", verb=True)
        record[name] = value
    return record


def _no_constant(name: str) -> Any:
    raise ValueError(f"found {name}, which is not JSON")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_without_duplicates, parse_constant=_no_constant
)


JSON_SUFFIXES: Final = (".json", ".jsonl", ".ndjson")


def json_lines(path: Path) -> Iterator[DataRow | InputError]:
    """Yield the values of a file with one JSON value per line.

    Raises:
        InputError: the file cannot be read.
    """
    for position, (number, line) in enumerate(text_lines(path), start=1):
        if isinstance(line, InputError):
            yield line
            continue
        try:
            value = value_of_line(line, str(path), number)
            is_row = position > 1 or not _is_frame(value)
            found = DataRow(str(path), number, position, value, line)
            yield found if is_row else RecordError(_FRAME, file=str(path), line=number)
        except RecordError as error:
            yield error


def value_of_line(line: str, file: str, number: int) -> Any:
    """Return the JSON value in a line.

    Args:
        line: the line.
        file: name of the file, for messages.
        number: the number of the line, from 1.

    Raises:
        RecordError: the line is not JSON, or `parse_json` rejects it.
    """
    try:
        return parse_json(line)
    except FieldFault as fault:
        message, column = str(fault), column_of(fault.field, line)
    except json.JSONDecodeError as error:
        message, column = json_fault(error, "the end of the line"), error.colno
    except ValueError as error:
        message, column = str(error), None
    raise RecordError(message, file=file, line=number, column=column)


def _is_frame(value: Any) -> bool:
    """Return whether an object has all rows of a data frame, by their columns or their index."""
    parts = list(value.values()) if isinstance(value, dict) else []
    are_alike = all(isinstance(part, dict) and part.keys() == parts[0].keys() for part in parts)
    return len(parts) > 1 and are_alike and bool(parts[0])


def column_of(field: str, line: str) -> int:
    """Return the 1-based column of a field's name in a line, or 1 if it is not in the line."""
    return max(line.find(json.dumps(field)), 0) + 1


def json_items(path: Path) -> Iterator[DataRow | InputError]:
    """Yield the elements of a list, or the values of a file with one value per line.

    Raises:
        InputError: the file cannot be read, or the list is malformed or truncated.
    """
    return json_list(path) if has_list(path) else json_lines(path)


def has_list(path: Path) -> bool:
    """Return whether a file is a list, or an object with a list of rows behind texts and numbers.

    Raises:
        InputError: the file cannot be read.
    """
    head = head_of(path)
    line, _, rest = head.partition(b"\n")
    # One object a line may have such a field, too.
    is_whole = not (rest.strip() and line.rstrip().endswith(b"}"))
    return head[:1] == b"[" or (is_whole and head[:1] == b"{" and _is_around(head))


def _is_around(head: bytes) -> bool:
    """Return whether an object, of which this is the beginning, has a list of rows."""
    stream, before = JsonStream(BytesIO(head), "", errors="replace"), list[str]()
    with suppress(InputError):  # the beginning ends within a value
        for name in stream.fields():
            if name in _AROUND and (rows := stream.starts(_ROWS)):
                return rows == "{" or _COLUMNS in before
            if isinstance(stream.value(), dict | list) and name not in _BESIDE:
                return False
            before.append(name)
    return False


def head_of(path: Path) -> bytes:
    """Return the beginning of a file from its first character that is not blank.

    Raises:
        InputError: the file cannot be read.
    """
    with open_binary(path) as file:
        return file.read(_CHUNK).lstrip(b"\xef\xbb\xbf \t\r\n")


def is_json(path: Path) -> bool:
    """Return whether a file starts with the bracket of a list or an object."""
    return head_of(path)[:1] in (b"[", b"{")


def json_list(path: Path, errors: str = "strict") -> Iterator[DataRow]:
    """Yield the elements of the list in a file without loading all of it.

    The model that stands above a list in an object is that of each element.

    Args:
        path: the file.
        errors: how to handle bytes that are not UTF-8; an error handler of `codecs`.

    Raises:
        InputError: the file cannot be read, or the list is malformed or truncated.
    """
    with open_binary(path) as file:
        stream = JsonStream(file, str(path), errors=errors)
        above, columns = dict[str, Any](), list[Any]()
        is_wrapped = stream.sign() == "{"
        # A bare list is read as the field of an object that is named for its rows.
        for name in stream.fields() if is_wrapped else _AROUND[:1]:
            if name not in _AROUND or stream.sign() != "[":
                value = stream.value()
                above |= {"model": value} if name in _MODELS else {}
                columns = value if name == _COLUMNS and isinstance(value, list) else columns
                continue
            for position, value in enumerate(stream.elements(), start=1):
                if columns and isinstance(value, list) and len(value) == len(columns):
                    value = dict(zip(map(str, columns), value, strict=True))  # noqa: PLW2901
                named = {**above, **value} if above and isinstance(value, dict) else value
                yield DataRow(str(path), None, position, named)
        stream.end("object" if is_wrapped else "list")
