"""The positions of a formula's words during evaluation.

A formula is evaluated in an environment: a tuple of the objects that its variables stand for,
followed by the words that the formula itself uses (predicates, functions, constants). A ground atom
is then a selection of positions from that tuple, which takes Python one call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import cast

from pddl_pipeline.validation.language import Ground

Environment = tuple[str, ...]
Pick = Callable[[Environment], Ground]
"""Returns the ground atom, fluent or pair of terms in an environment."""


class Frame:
    """The positions of one formula's words; quantifiers inside it open inner frames."""

    def __init__(self, variables: Iterable[str] = ()) -> None:
        self._positions = {name: position for position, name in enumerate(variables)}
        self.depth = len(self._positions)
        """Number of variables in the environments of this frame."""
        self.quantified = False
        """Whether the frame is inside a quantifier."""
        self._words: dict[str, int] = {}

    def inner(self, variables: Sequence[str]) -> Frame:
        """Return the frame of a quantifier's scope, whose variables shadow outer ones."""
        frame = Frame()
        frame._positions = {
            **self._positions,
            **{name: self.depth + index for index, name in enumerate(variables)},
        }
        frame.depth = self.depth + len(variables)
        frame.quantified = True
        frame._words = self._words
        return frame

    def pick(self, *words: str) -> Pick:
        """Return a function that returns these words, each variable replaced by its object."""
        if not any(word in self._positions for word in words):
            return lambda _: words
        return cast("Pick", itemgetter(*map(self._position, words)))

    def _position(self, word: str) -> int:
        if word in self._positions:
            return self._positions[word]
        # Counted from the end, so that quantifiers can insert their objects in between.
        return -1 - self._words.setdefault(word, len(self._words))

    @property
    def words(self) -> Environment:
        """The words at the end of every environment; complete once all formulas are compiled."""
        return tuple(reversed(self._words))
