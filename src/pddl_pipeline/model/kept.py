"""A limited number of values that are kept because they take long to make."""

from __future__ import annotations

from collections.abc import Hashable
from random import randrange
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Kept(dict[Key, Value]):
    """The values that were kept. For each above the limit, one of the older half is dropped.

    It is a random one, so that values are found that are asked for in a circle, although they are a
    few more than the limit. If the oldest was dropped, none would be.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self._keys: list[Key] = []
        self._at = 0

    def keep(self, key: Key, value: Value) -> Value:
        """Keep a value, and return it."""
        if len(self._keys) < self._most:
            self._keys.append(key)
        else:
            # The keys from `at` on are in the order of their age.
            keys, at = self._keys, self._at
            other = (at + randrange(self._most // 2)) % self._most
            self.pop(keys[other], None)
            keys[other], keys[at] = keys[at], key
            self._at = (at + 1) % self._most
        self[key] = value
        return value
