"""Isomorphism of two relational structures, by colour refinement with backtracking.

Elements keep the same colour while the tuples that they are in have the same colours. Where several
elements share a colour, one of them is matched with each candidate in turn. Groups of colours that
do not depend on each other are matched one after the other and never again, and a colour whose
elements can be exchanged freely is not searched: symmetric elements take no backtracking.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from math import perm, prod
from typing import Any, NamedTuple

from pddl_pipeline.search.effort import Effort


class Related(NamedTuple):
    """A tuple of elements in a relation."""

    relation: Any
    elements: tuple[str, ...]


Structure = frozenset[Related]
"""All that relates some elements; each is in a tuple of one element or more."""


def related(name: str, key: Any, symbol: Callable[[str], str | None]) -> Iterator[Related]:
    """Yield what relates the parts of a nested key, as `validation.shapes` returns it.

    Args:
        name: the element that stands for the key; those for its parts begin with it.
        key: a tuple, a frozen set, or a leaf.
        symbol: returns the element that a text stands for; None for a text that is a leaf.
    """
    queue = [(name, key)]
    for whole, node in queue:  # which grows
        inner = [*node] if isinstance(node, tuple | frozenset) else []
        yield Related((type(node), len(inner) if inner else node), (whole,))
        for position, part in enumerate(inner):
            known = symbol(part) if isinstance(part, str) else None
            place = position if isinstance(node, tuple) else None
            yield Related(place, (whole, known or f"{whole}/{position}"))
            queue += [] if known else [(f"{whole}/{position}", part)]


_Element = tuple[int, str]
"""The number of the structure, 0 or 1, and the element."""
_Colours = dict[_Element, int]
_SPLIT = -1


class Matching:
    """Two structures, and the colours that every isomorphism between them preserves."""

    def __init__(self, first: Structure, second: Structure, effort: Effort) -> None:
        self._effort, self._structures = effort, (first, second)
        self._tuples: list[tuple[int, tuple[_Element, ...]]] = []
        """The tuples of the first structure: the relation's number and the distinct elements."""
        self._within = defaultdict[_Element, list[tuple[int, int, tuple[_Element, ...]]]](list)
        numbers: dict[Hashable, int] = {}
        for side, structure in enumerate(self._structures):
            for relation, names in structure:
                pattern = tuple(map(names.index, names))
                number = numbers.setdefault((relation, pattern), len(numbers))
                distinct = tuple((side, name) for name in dict.fromkeys(names))
                self._tuples += [(number, distinct)] if side == 0 else []
                for position, element in enumerate(distinct):
                    self._within[element].append((number, position, distinct))
        self._first = [each for each in self._within if each[0] == 0]
        self._colours = self._refined(dict.fromkeys(self._within, 0))

    def isomorphism(self) -> dict[str, str] | None:
        """Return an isomorphism that keeps names where it can, or None if there is none.

        Raises:
            NotJudged: the time is over.
            RecursionError: too many elements have to be matched one after the other.
        """
        found = None if self._colours is None else self._solved(self._colours, self._first)
        if found is None:
            return None
        names: dict[str, str] = {}
        for cells in self._cells(found).values():
            both = [{name for _, name in cell} for cell in cells]
            kept = both[0] & both[1]
            one, other = (sorted(cell, key=lambda each: (each not in kept, each)) for cell in both)
            names |= zip(one, other, strict=True)
        first, second = self._structures
        # Equal colours are necessary only: this test is what makes the answer right.
        moved = {Related(each, tuple([names[x] for x in old])) for each, old in first}
        return names if moved == second else None

    def alike(self) -> dict[str, tuple[str, ...]]:
        """Return each element of the first structure with those of the same colour."""
        cells = [cell for cell, _ in self._cells(self._colours or {}).values()]
        return {name: tuple([each for _, each in cell]) for cell in cells for _, name in cell}

    def _refined(self, colours: _Colours) -> _Colours | None:
        """Return the coarsest stable colours below these; None if the structures differ in them."""
        # Colour refinement, which is the one-dimensional algorithm of Weisfeiler and Leman.
        while True:
            self._effort.spend(0)
            numbers: dict[Hashable, int] = {}
            after = {
                element: numbers.setdefault(
                    (colour, *sorted(
                        (number, position, *[colours[each] for each in others])
                        for number, position, others in self._within[element]
                    )), len(numbers),
                )
                for element, colour in colours.items()
            }  # fmt: skip
            counts = (Counter(after[each] for each in after if each[0] == side) for side in (0, 1))
            # Each colour must be as frequent on both sides.
            if next(counts) != next(counts):
                return None
            if len(numbers) == len({*colours.values()}):
                return after
            colours = after

    def _cells(self, colours: _Colours) -> dict[int, tuple[list[_Element], list[_Element]]]:
        cells: dict[int, tuple[list[_Element], list[_Element]]] = {}
        for element, colour in colours.items():
            cells.setdefault(colour, ([], []))[element[0]].append(element)
        return cells

    def _solved(self, colours: _Colours, among: Iterable[_Element]) -> _Colours | None:
        """Return colours with which all matchings of elements of a colour are isomorphisms."""
        for group in list(self._groups(colours, among)):
            found = self._matched(colours, group)
            if found is None:
                return None
            colours = found
        return colours

    def _matched(self, colours: _Colours, group: list[list[_Element]]) -> _Colours | None:
        smallest = sorted(group, key=len)
        element = min(smallest[0])
        others = [colour for colour in colours if colour[0] and colours[colour] == colours[element]]
        # The same name first: most objects keep theirs.
        for other in sorted(others, key=lambda each: (each[1] != element[1], each)):
            split = self._refined(colours | {element: _SPLIT, other: _SPLIT})
            found = split and self._solved(split, [each for cell in group for each in cell])
            if found:
                return found
        return None

    def _groups(
        self, colours: _Colours, among: Iterable[_Element]
    ) -> Iterator[list[list[_Element]]]:
        """Yield groups of cells of the first structure whose matchings depend on each other."""
        sizes = Counter(colours[each] for each in self._first)
        counts = Counter((number, *[colours[x] for x in each]) for number, each in self._tuples)
        groups: dict[int, set[int]] = {}
        for (_, *cells), count in counts.items():
            # If all tuples of these cells are there, the relation tells no two elements apart.
            every = prod(perm(sizes[cell], times) for cell, times in Counter(cells).items())
            linked = {cell for cell in cells if sizes[cell] > 1} if count < every else set()
            linked = linked.union(*(groups.get(cell, ()) for cell in linked))
            groups |= dict.fromkeys(linked, linked)
        members = defaultdict[int, list[_Element]](list)
        for each in among:
            members[colours[each]].append(each)
        for colour, group in groups.items():
            if colour == min(group) and colour in members:
                yield [members[cell] for cell in group]
