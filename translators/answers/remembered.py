"""Remembers what a reader found in a text: answers to one instance have many lines in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import Concatenate, Final, ParamSpec, TypeVar

Reader = TypeVar("Reader")
Given = TypeVar("Given", bound=Sequence[str])
More = ParamSpec("More")
Found = TypeVar("Found")
_Method = Callable[Concatenate[Reader, Given, More], Found]

_LONGEST: Final = 400


def remembered(
    most: int,
) -> Callable[[_Method[Reader, Given, More, Found]], _Method[Reader, Given, More, Found]]:
    """Return a decorator that remembers the results of a method.

    The first argument is a text or a sequence of words; further ones are hashable. They determine
    the result. Texts longer than 400 characters or words are not remembered. The result must not
    be changed.

    Args:
        most: how many results to remember, for all objects together.
    """

    def decorated(
        method: _Method[Reader, Given, More, Found],
    ) -> _Method[Reader, Given, More, Found]:
        known: Callable[..., Found] = lru_cache(most)(method)

        @wraps(method)
        def read(reader: Reader, given: Given, /, *more: More.args, **named: More.kwargs) -> Found:
            if len(given) > _LONGEST:
                return method(reader, given, *more, **named)
            return known(reader, given if isinstance(given, str) else tuple(given), *more, **named)

        return read

    return decorated
