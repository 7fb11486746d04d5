"""The cells of tables: whole numbers from texts and lists, and values as JSON."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, Final

from pddl_pipeline.model.number import MAX_DIGITS
from pddl_pipeline.translators.field_checks import FieldFault

_WHOLE: Final = re.compile(r"([-+]?\d+)(\.0*)?", re.ASCII)
_SHOWN: Final = 40
_OPENING: Final = {"[": "]", "(": ")", "{": "}"}
_NUMBER: Final = "expected a whole number"
_NUMBERS: Final = "expected whole numbers such as 3 4 5 6"


def whole_number_of(field: str, value: Any, expected: str = _NUMBER, where: str = "") -> int:
    """Return the whole number in a cell: a number, or a text such as ``24`` or ``24.0``.

    Args:
        field: name of the field, for messages.
        value: the cell.
        expected: what is expected, for messages.
        where: the list that contains the value, for messages.

    Raises:
        FieldFault: the cell is empty or contains something else.
    """
    number = as_whole(value)
    if number is not None:
        return number
    if is_empty(value) and not where:
        raise FieldFault(field, f"is empty, {expected}")
    if len(str(value)) > MAX_DIGITS and _WHOLE.fullmatch(str(value)):
        raise FieldFault(field, f"a number of more than {MAX_DIGITS} digits")
    raise FieldFault(field, f"found {_shown(value)}{where}, {expected}")


def whole_numbers_of(field: str, value: Any) -> list[int]:
    """Return the whole numbers in a cell: a list of numbers, of texts, or one text.

    A text may be ``3 4 5 6``, ``3,4,5,6`` or ``[3, 4, 5, 6]``.

    Raises:
        FieldFault: the cell is empty or contains something else, or the list is mixed.
    """
    if is_empty(value) or value == []:
        raise FieldFault(field, f"is empty, {_NUMBERS}")
    parts: Any = _parts(value) if isinstance(value, str) else value
    if not isinstance(parts, list):
        raise FieldFault(field, f"found {_shown(value)}, {_NUMBERS}")
    if len({isinstance(part, str) for part in parts}) > 1:
        raise FieldFault(field, f"found {_shown(value)}, a list of numbers and texts")
    where = f" in {_shown(value)}"
    return [
        whole_number_of(field, part, _NUMBERS, "" if part == value else where) for part in parts
    ]


def _parts(text: str) -> list[str]:
    """Return the words of a list of numbers, without brackets and quotation marks."""
    inner = text.strip()
    if _OPENING.get(inner[:1]) == inner[-1:]:
        inner = inner[1:-1]
    return [part.strip("'\"") for part in re.split(r"\s*[,;\s]\s*", inner.strip())] or [text]


def as_whole(value: Any) -> int | None:
    """Return a number, or a text with one, as a whole number; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if not isinstance(value, str) or len(value) > MAX_DIGITS:
        return None
    match = _WHOLE.fullmatch(value.strip())
    return int(match[1]) if match else None


def is_empty(value: Any) -> bool:
    """Return whether a cell has no value: None, NaN in a table, or a blank text."""
    return value is None or (isinstance(value, str) and not value.strip())


def plain(value: Any) -> Any:
    """Return a value of a data frame or of Parquet as JSON has it.

    NaN becomes None, and infinity a text. In objects, fields without a value are left out: Parquet
    gives each object the fields of all.
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        items = ((str(name), plain(each)) for name, each in value.items())
        return {name: each for name, each in items if each is not None}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    if hasattr(value, "tolist"):  # numbers and arrays of NumPy
        return plain(value.tolist())
    return None if type(value).__name__ in {"NAType", "NaTType"} else str(value)


def _shown(value: Any) -> str:
    text = repr(value) if isinstance(value, str) else json.dumps(value, default=str)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
