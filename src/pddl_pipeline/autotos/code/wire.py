"""How states pass between processes: as JSON that keeps apart what Python does.

Lists, strings, integers, floats, true, false and null are as in JSON; anything else is an object
with one field, which tells what it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

_BASES: Final[tuple[Any, ...]] = (int, float, str, list, tuple, dict, set, frozenset)
_PLAIN: Final = (str, int, float, bool, type(None))


class NotPlain(Exception):
    """A value is no plain data; the text says what it is."""


def encode(value: Any) -> str:
    """Return a value as text.

    Raises:
        NotPlain: it holds something else than plain data, or is nested too deep.
    """
    try:
        return json.dumps(_told(value))
    except (RecursionError, ValueError) as error:
        raise NotPlain(str(error)) from error


def decode(text: str | bytes) -> Any:
    """Return a value from its text.

    Raises:
        ValueError: the text does not come from `encode`.
    """
    try:
        return json.loads(text, object_hook=_untold)
    except (ValueError, RecursionError, KeyError, TypeError, ZeroDivisionError) as error:
        raise ValueError("found no value") from error


def _told(value: Any) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is list:
        return [_told(part) for part in value]
    if kind is tuple:
        return {"tuple": [_told(part) for part in value]}
    if kind is dict:
        return {"dict": [[_told(key), _told(part)] for key, part in value.items()]}
    if kind in (set, frozenset):
        return {kind.__name__: [_told(part) for part in value]}
    if kind is Fraction:
        return {"fraction": [value.numerator, value.denominator]}
    return _told(_as_plain(value))


def _as_plain(value: Any) -> Any:
    """Return what a subclass, or a number or an array of NumPy, is in plain Python."""
    for plain in _BASES:
        if isinstance(value, plain):
            return plain(value)
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return value.tolist()
    raise NotPlain(f"found a {type(value).__name__}, expected plain data")


_KINDS: Final[dict[str, Callable[[Any], Any]]] = {
    "tuple": tuple,
    "dict": dict,
    "set": set,
    "frozenset": frozenset,
    "fraction": lambda parts: Fraction(*parts),
}


def _untold(found: dict[str, Any]) -> Any:
    ((kind, parts),) = found.items()
    return _KINDS[kind](parts)
