"""Remembers what a reader found in a text: answers to one instance have many lines in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import Final, TypeVar

Reader = TypeVar("Reader")
Given = TypeVar("Given", bound=Sequence[str])
Found = TypeVar("Found")
_Method = Callable[[Reader, Given], Found]

_LONGEST: Final = 400


def remembered(
    most: int,
) -> Callable[[_Method[Reader, Given, Found]], _Method[Reader, Given, Found]]:
    """Return a decorator that remembers the results of a method of one argument.

    The argument is a text or a sequence of words, and determines the result. Longer ones than 400
    characters or words are not remembered. The result must not be changed.

    Args:
        most: how many results to remember, for all objects together.
    """

    def decorated(method: _Method[Reader, Given, Found]) -> _Method[Reader, Given, Found]:
        known: Callable[..., Found] = lru_cache(most)(method)

        @wraps(method)
        def read(reader: Reader, given: Given) -> Found:
            if len(given) > _LONGEST:
                return method(reader, given)
            return known(reader, given if isinstance(given, str) else tuple(given))

        return read

    return decorated
