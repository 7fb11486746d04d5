"""JSON as rows: a value a line, or the elements of one list, read one by one."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final, Protocol

from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.number import MAX_DIGITS
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.format import Row
from pddl_pipeline.translators.formats.text_lines import open_binary, text_lines

_CHUNK: Final = 1 << 16


def json_lines(path: Path) -> Iterator[Row | InputError]:
    """Yield the values of a file with one a line.

    Raises:
        InputError: the file cannot be read.
    """
    for position, (number, line) in enumerate(text_lines(path), start=1):
        if isinstance(line, InputError):
            yield line
            continue
        try:
            yield Row(str(path), number, position, parse_json(line), line)
        except FieldFault as fault:
            column = column_of(fault.field, line)
            yield RecordError(str(fault), file=str(path), line=number, column=column)
        except json.JSONDecodeError as error:
            message = f"not JSON: {error.msg}"
            yield RecordError(message, file=str(path), line=number, column=error.colno)
        except ValueError as error:
            yield RecordError(str(error), file=str(path), line=number)


def column_of(field: str, line: str) -> int:
    """Return the 1-based column at which a field's name stands in a line, 1 if nowhere."""
    return max(line.find(json.dumps(field)), 0) + 1


def json_items(path: Path) -> Iterator[Row | InputError]:
    """Yield the elements of a list, or the values of a file with one a line.

    Raises:
        InputError: the file cannot be read, or the list is broken or cut off.
    """
    if is_json_list(path):
        yield from json_list(path)
    else:
        yield from json_lines(path)


def is_json_list(path: Path) -> bool:
    """Whether a file's first sign is the bracket of a list.

    Raises:
        InputError: the file cannot be read.
    """
    with open_binary(path) as file:
        while chunk := file.read(_CHUNK):
            start = chunk.lstrip(b"\xef\xbb\xbf \t\r\n")
            if start:
                return start.startswith(b"[")
    return False


def json_list(path: Path) -> Iterator[Row]:
    """Yield the elements of the one list that a file holds, without holding all of it.

    Raises:
        InputError: the file cannot be read, or the list is broken or cut off.
    """
    with open_binary(path) as file:
        reader = _ListReader(file, str(path))
        for position in count(1):
            found, value = reader.next()
            if not found:
                return
            yield Row(str(path), None, position, value)


class _Stream(Protocol):
    def read(self, size: int = ..., /) -> bytes: ...


class _ListReader:
    """Takes the elements of a list from a stream of bytes."""

    def __init__(self, file: _Stream, name: str) -> None:
        self._file = file
        self._name = name
        self._text = ""
        self._at = 0
        self._first = True
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode

    def next(self) -> tuple[bool, Any]:
        """Return whether there is another element, and it."""
        sign = self._sign()
        if sign == "]" and not self._first:
            return self._end()
        expected = "[" if self._first else ","
        if sign != expected:
            raise self._fault(f"found {sign or 'the end'!r}, expected ',' or ']'")
        self._take()
        if self._first and self._sign() == "]":
            return self._end()
        self._first = False
        return True, self._value()

    def _end(self) -> tuple[bool, Any]:
        """Take the bracket that ends the list; nothing may follow it."""
        self._take()
        if self._sign():
            raise self._fault(f"found {self._sign()!r} after the list")
        return False, None

    def _value(self) -> Any:
        self._sign()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                # A number at the end of what was read may go on; so may everything else.
                if not self._more():
                    raise self._fault(f"not JSON: {error.msg}, or cut off") from None
            except (ValueError, RecursionError, FieldFault) as error:
                raise self._fault(_reason(error)) from None
            else:
                if end < len(self._text) or not self._more():
                    self._text, self._at = self._text[end:], 0
                    return value

    def _sign(self) -> str:
        """Return the next sign that is not blank, without taking it; none at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at].isspace():
                self._at += 1
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def _take(self) -> None:
        self._at += 1

    def _more(self) -> bool:
        chunk = self._file.read(max(_CHUNK, len(self._text)))
        try:
            self._text += self._decode(chunk, not chunk)
        except UnicodeDecodeError:
            raise self._fault("found a byte that is not UTF-8 text") from None
        return bool(chunk)

    def _fault(self, message: str) -> RecordError:
        return RecordError(message, file=self._name)


def parse_json(text: str) -> Any:
    """Read one JSON value, more strictly than Python does.

    Raises:
        json.JSONDecodeError: it is none.
        FieldFault: a field is given twice.
        ValueError: NaN and the like, a number too long to be read, too deep a nesting.
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
    # Python says how to lift its limit on digits, which is nothing to a user.
    return f"a number of more than {MAX_DIGITS} digits" if "digits" in str(error) else str(error)


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for name, value in pairs:
        if name in record:
            raise FieldFault(name, "is given twice")
        record[name] = value
    return record


def _no_constant(name: str) -> Any:
    raise ValueError(f"found {name}, which is not JSON")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_without_duplicates, parse_constant=_no_constant
)
