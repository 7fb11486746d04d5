"""Blocksworld: stacks of blocks on a table, and a hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pddl_pipeline.model.number import number_text
from pddl_pipeline.pages.pictures.names import DomainScene, fitting
from pddl_pipeline.pages.pictures.picture import Picture, Shape
from pddl_pipeline.pages.pictures.svg import line, path, rect, text, text_width, thing
from pddl_pipeline.validation.state import State

_HEIGHT: Final = 34
_GAP: Final = 14
_MARGIN: Final = 16
_HAND: Final = 34
_TOTAL: Final = ("total-cost",)
_VARIANTS: Final = (
    {"on": ("on", 2), "table": ("ontable", 1), "clear": ("clear", 1), "hold": ("holding", 1),
     "empty": ("handempty", 0)},
    {"on": ("on", 2), "table": ("on-table", 1), "clear": ("clear", 1), "hold": ("holding", 1),
     "empty": ("arm-empty", 0)},
    {"on": ("on", 2), "table": ("on-table", 1), "clear": ("clear", 1), "hold": ("holding", 1),
     "empty": ("handempty", 0)},
    {"on": ("on", 2), "table": ("ontable", 1), "clear": ("clear", 1), "hold": ("holding", 1),
     "empty": ("arm-empty", 0)},
)  # fmt: skip
_MYSTERY: Final = (
    {"on": ("craves", 2), "table": ("planet", 1), "clear": ("province", 1), "hold": ("pain", 1),
     "empty": ("harmony", 0)},
)  # fmt: skip


class _Blocks(DomainScene):
    def arrange(self) -> None:
        self._size = fitting(self.colour, 44, 120, 16, 13)
        stacks = [stack for state in self.states for stack in self._stacks(state)]
        bottoms = {stack[0] for stack in stacks}
        columns = [name for name in self.colour if name in bottoms]
        self._column = {
            name: _MARGIN + index * (self._size + _GAP) for index, name in enumerate(columns)
        }
        values = self.states[0].values
        prices = " · ".join(
            f"{name[0].removesuffix('-cost')} {number_text(value)}"
            for name, value in sorted(values.items())
            if len(name) == 1 and name != _TOTAL
        )
        said = f"prices: {prices}" if prices and _TOTAL in values else ""
        wide = max(1, len(columns)) * (self._size + _GAP) - _GAP + 2 * _MARGIN
        wide = max(wide, 300, text_width(prices) + 110 if said else 0)
        self._table = _MARGIN + _HAND + _HEIGHT + 34 + max(map(len, stacks), default=1) * _HEIGHT
        self.size = wide, self._table + (56 if said else 30)
        self.ground = rect(_MARGIN / 2, self._table, wide - _MARGIN, 8, "wall", 2)
        self.ground += text(wide - _MARGIN, self._table + 23, "table", anchor="end", style="muted",
                            size=11)  # fmt: skip
        if said:
            self.ground += text(_MARGIN, self._table + 46, said, anchor="start", style="muted",
                                size=12)  # fmt: skip
        self._has_cost = bool(said)

    def _stacks(self, state: State) -> list[list[str]]:
        """Return the stacks from the bottom up; blocks without a place are stacks of their own."""
        on, hold = self.names["on"], self.names["hold"]
        below = {fact[1]: fact[2] for fact in sorted(state.facts) if fact[0] == on}
        above: dict[str, str] = {}
        for block, under in below.items():
            if (hold, block) not in state.facts:
                above.setdefault(under, block)
        stacks, seen = [], set[str]()
        bottoms = [name for name in self.colour if above.get(below.get(name, "")) != name]
        for start in (*bottoms, *self.colour):
            if start in seen or (hold, start) in state.facts:
                continue
            stack = [start]
            seen.add(start)
            while (upper := above.get(stack[-1])) is not None and upper not in seen:
                stack.append(upper)
                seen.add(upper)
            stacks.append(stack)
        return stacks

    def shapes(self, state: State) -> Iterator[Shape]:
        yield self._hand(state)
        for stack in self._stacks(state):
            for level, block in enumerate(stack):
                yield self._block(
                    block, self._column[stack[0]], self._table - (level + 1) * _HEIGHT
                )
        held = [block for block in self.colour if (self.names["hold"], block) in state.facts]
        for index, block in enumerate(held):
            x = (self.size[0] - self._size) / 2 + index * (self._size + 4)
            yield self._block(block, x, _MARGIN + _HAND)
        if self._has_cost and _TOTAL in state.values:
            said = f"cost so far: {number_text(state.values[_TOTAL])}"
            body = text(0, 14, said, anchor="start", bold=True)
            yield Shape("cost", _MARGIN, self._table + 12, text_width(said), 18, body)

    def _hand(self, state: State) -> Shape:
        """Return the hand, open or closed; it never moves."""
        is_empty = (self.names["empty"],) in state.facts
        width = self._size + 28
        middle = width / 2
        spread = width / 2 - 4 if is_empty else self._size / 2 + 3
        arm = line(middle, 0, middle, 14, "thick")
        fingers = path(
            f"M{middle - spread:.1f} {_HAND + 14}V18H{middle + spread:.1f}V{_HAND + 14}", "thick"
        )
        label = text(middle + 8, 11, "hand, empty" if is_empty else "hand", size=11,
                     anchor="start", style="muted")  # fmt: skip
        x = (self.size[0] - width) / 2
        return Shape("the hand", x, _MARGIN, width, _HAND + 14, arm + fingers + label,
                     is_frame=True)  # fmt: skip

    def _block(self, name: str, x: float, y: float) -> Shape:
        body = thing(name, self._size, _HEIGHT, self.colour[name], radius=2)
        return Shape(name, x, y, self._size, _HEIGHT, body, (name,))


PICTURES: Final = (
    Picture(
        "blocksworld",
        "Blocks stand in stacks on a table. The hand holds at most one block.",
        _Blocks.of(*_VARIANTS),
    ),
    Picture(
        "mystery",
        "Drawn as blocks: an object stands on the one that it craves; those with planet stand on "
        "the table, the one with pain is in the hand, and in harmony the hand is empty.",
        _Blocks.of(*_MYSTERY),
    ),
)
