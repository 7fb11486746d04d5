"""The distance between the leaves of CATS's two trees (section 4.1, equation 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from pddl_pipeline.search.regression import Partial, Regression, StateRegression

FORWARD: Final = 0
BACKWARD: Final = 1
_NOWHERE: Final = -1

_Matrix = npt.NDArray[np.float32]


class LeafDistances:
    """The nodes of both trees by number: which of them are leaves, and how near they are.

    J is the Jaccard distance, 1 - overlap / union. The distance reward is 1 - min J, which is the
    largest similarity. A state determines every atom; a partial state determines only the needed
    atoms, the unwanted atoms, and the atoms that exclude a needed one. Similarity is computed over
    these atoms only: the overlap consists of the needed atoms that hold, the union of the needed
    atoms and the excluded atoms that hold. It is 1 exactly where the trees meet. Over all atoms, it
    would be smaller for goals with fewer atoms. For complete states, it is the Jaccard similarity
    of the sets of atoms that hold.

    Args:
        regression: tells which atoms a partial state excludes.
        width: the number of atoms.
        is_printed: whether J is overlap / union, as equation 2 prints it. Then, the reward is the
            largest distance.
    """

    def __init__(
        self, regression: Regression | StateRegression, width: int, *, is_printed: bool = False
    ) -> None:
        self._regression = regression
        self._width = width
        self._is_printed = is_printed
        self._sides = (_Side(width), _Side(width))

    def add_states(self, states: Sequence[int]) -> None:
        """Add leaves of the forward tree."""
        holds = [self._row(state) for state in states]
        self._add(FORWARD, holds, holds)

    def add_partials(self, partials: Sequence[Partial]) -> None:
        """Add leaves of the backward tree."""
        needed = [self._row(each.needed) for each in partials]
        excluded = [self._row(self._regression.excluded(each)) for each in partials]
        self._add(BACKWARD, needed, excluded)

    def _row(self, mask: int) -> _Matrix:
        content = np.frombuffer(mask.to_bytes(self._width // 8 + 1, "little"), np.uint8)
        row: _Matrix = np.unpackbits(content, bitorder="little")[: self._width].astype(np.float32)
        return row

    def _add(self, way: int, first: Sequence[_Matrix], second: Sequence[_Matrix]) -> None:
        if first:
            self._leaves_appear(way, self._sides[way].append(np.array(first), np.array(second)))

    def reopen(self, way: int, number: int) -> None:
        """Mark a node as a leaf again."""
        self._sides[way].is_leaf[number] = True
        self._leaves_appear(way, np.array([number]))

    def close(self, way: int, number: int) -> None:
        """Mark a node as no longer a leaf."""
        self._sides[way].is_leaf[number] = False
        other = self._sides[1 - way]
        orphans = np.flatnonzero(
            other.is_leaf[: other.size] & (other.nearest[: other.size] == number)
        )
        self._find_nearest(1 - way, orphans)

    def leaves(self, way: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float64]]:
        """Return the leaves of a tree, in the order of their numbers, and their rewards."""
        side, other = self._sides[way], self._sides[1 - way]
        found = np.flatnonzero(side.is_leaf[: side.size])
        if not other.is_leaf[: other.size].any():
            return found, np.zeros(len(found))
        return found, side.reward[found].astype(np.float64)

    def _leaves_appear(self, way: int, new: npt.NDArray[np.intp]) -> None:
        self._find_nearest(way, new)
        other = self._sides[1 - way]
        rows = np.flatnonzero(other.is_leaf[: other.size])
        if len(rows):
            other.improve(rows, new, self._rewards(1 - way, rows, new))

    def _find_nearest(self, way: int, rows: npt.NDArray[np.intp]) -> None:
        """Recompute the nearest leaf of the other tree for each of these nodes."""
        side, other = self._sides[way], self._sides[1 - way]
        side.reward[rows], side.nearest[rows] = -1.0, _NOWHERE
        columns = np.flatnonzero(other.is_leaf[: other.size])
        if len(rows) and len(columns):
            side.improve(rows, columns, self._rewards(way, rows, columns))

    def _rewards(
        self, way: int, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]
    ) -> _Matrix:
        """Return 1 - J, by the chosen definition of J, for each pair of nodes of both trees."""
        similarity = self._similarity(way, rows, columns)
        return 1 - similarity if self._is_printed else similarity

    def _similarity(
        self, way: int, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]
    ) -> _Matrix:
        """Return overlap / union for each pair of a node of one tree and a node of the other."""
        if way == BACKWARD:
            return self._similarity(FORWARD, columns, rows).T
        forward, backward = self._sides
        holds = forward.first[rows]
        needed, excluded = backward.first[columns], backward.second[columns]
        union = needed.sum(axis=1) + holds @ excluded.T
        found: _Matrix = np.ones_like(union)
        np.divide(holds @ needed.T, union, out=found, where=union > 0)
        return found


class _Side:
    """The nodes of one tree, as rows of growing arrays."""

    def __init__(self, width: int) -> None:
        self.size = 0
        self.first = np.zeros((64, width), np.float32)
        self.second = np.zeros((64, width), np.float32)
        self.is_leaf = np.zeros(64, np.bool_)
        self.reward = np.full(64, -1.0, np.float32)
        self.nearest = np.full(64, _NOWHERE, np.intp)

    def append(self, first: _Matrix, second: _Matrix) -> npt.NDArray[np.intp]:
        """Add leaves; return their numbers."""
        new = np.arange(self.size, self.size + len(first))
        while new[-1] >= len(self.is_leaf):
            self._grow()
        self.first[new], self.second[new], self.is_leaf[new] = first, second, True
        self.size += len(first)
        return new

    def _grow(self) -> None:
        self.first = np.concatenate([self.first, np.zeros_like(self.first)])
        self.second = np.concatenate([self.second, np.zeros_like(self.second)])
        self.is_leaf = np.concatenate([self.is_leaf, np.zeros_like(self.is_leaf)])
        self.reward = np.concatenate([self.reward, np.full_like(self.reward, -1.0)])
        self.nearest = np.concatenate([self.nearest, np.full_like(self.nearest, _NOWHERE)])

    def improve(
        self, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp], rewards: _Matrix
    ) -> None:
        """Replace the nearest leaves where one of the new leaves gives a larger reward."""
        best = rewards.argmax(axis=1)
        reward = rewards[np.arange(len(rows)), best]
        better = reward > self.reward[rows]
        self.reward[rows[better]] = reward[better]
        self.nearest[rows[better]] = columns[best[better]]
