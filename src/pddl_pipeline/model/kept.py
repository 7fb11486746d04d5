"""A limited number of values that are kept because they take long to make."""

from __future__ import annotations

from collections.abc import Hashable
from random import randrange
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Kept(dict[Key, Value]):
    """The values that were kept. For each above the limit, a random one is dropped.

    If twice as many values as the limit are asked for in a circle, a fifth is found. If the oldest
    was dropped, none would be.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self._keys: list[Key] = []

    def keep(self, key: Key, value: Value) -> Value:
        """Keep a value, and return it."""
        if len(self._keys) < self._most:
            self._keys.append(key)
        else:
            at = randrange(self._most)
            # A key that was kept twice is listed twice, and may be gone.
            self.pop(self._keys[at], None)
            self._keys[at] = key
        self[key] = value
        return value
