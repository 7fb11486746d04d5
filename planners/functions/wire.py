"""Encodes states for other processes: as JSON that preserves the Python types.

Lists, strings, integers, floats, true, false and null are as in JSON; any other value is an object
with one field, whose name is the type.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

_BASES: Final[tuple[Any, ...]] = (int, float, str, list, tuple, dict, set, frozenset)
_PLAIN: Final = (str, int, float, bool, type(None))


class NotPlain(Exception):
    """A value is not plain data; the text describes it."""


def encode(value: Any) -> str:
    """Return a value as text.

    Raises:
        NotPlain: the value contains other than plain data, or is nested too deeply.
    """
    try:
        return json.dumps(_to_json(value))
    except (RecursionError, ValueError) as error:
        raise NotPlain(str(error)) from error


def decode(text: str | bytes) -> Any:
    """Return a value from its text.

    Raises:
        ValueError: the text does not come from `encode`.
    """
    try:
        return json.loads(text, object_hook=_from_json)
    except (ValueError, RecursionError, KeyError, TypeError, ZeroDivisionError) as error:
        raise ValueError("found no value") from error


def _to_json(value: Any) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is list:
        return [_to_json(part) for part in value]
    if kind is tuple:
        return {"tuple": [_to_json(part) for part in value]}
    if kind is dict:
        return {"dict": [[_to_json(key), _to_json(part)] for key, part in value.items()]}
    if kind in (set, frozenset):
        return {kind.__name__: [_to_json(part) for part in value]}
    if kind is Fraction:
        return {"fraction": [value.numerator, value.denominator]}
    return _to_json(_as_plain(value))


def _as_plain(value: Any) -> Any:
    """Return an instance of a subclass, or a NumPy number or array, as plain Python data."""
    for plain in _BASES:
        if isinstance(value, plain):
            return plain(value)
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return value.tolist()
    raise NotPlain(f"found a {type(value).__name__}, expected plain data")


def _fraction(parts: list[Any]) -> Fraction:
    # As text, a short number could take all memory: 1e999999999.
    if [type(part) for part in parts] != [int, int]:
        raise ValueError("expected two integers")
    return Fraction(*parts)


_KINDS: Final[dict[str, Callable[[Any], Any]]] = {
    "tuple": tuple,
    "dict": dict,
    "set": set,
    "frozenset": frozenset,
    "fraction": _fraction,
}


def _from_json(found: dict[str, Any]) -> Any:
    ((kind, parts),) = found.items()
    return _KINDS[kind](parts)
