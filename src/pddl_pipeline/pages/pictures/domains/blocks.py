"""Blocksworld: stacks of blocks on a table, and a hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from pddl_pipeline.model.number import number_text
from pddl_pipeline.pages.pictures.names import Names, predicate_names
from pddl_pipeline.pages.pictures.picture import Drawing, Picture, Scene, SceneMaker, Shape
from pddl_pipeline.pages.pictures.svg import line, path, rect, text, text_width, thing
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

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


class _Blocks:
    def __init__(self, task: Task, names: Names, states: Sequence[State]) -> None:
        self._names = names
        self._blocks = list(task.vocabulary.objects)
        self._number = {name: index for index, name in enumerate(self._blocks)}
        longest = max((text_width(name) for name in self._blocks), default=0)
        self._size = min(120.0, max(44.0, longest + 16))
        bottoms: set[str] = set()
        tallest = 1
        for state in states:
            for stack in self._stacks(state):
                bottoms.add(stack[0])
                tallest = max(tallest, len(stack))
        columns = [name for name in self._blocks if name in bottoms]
        self._column = {
            name: _MARGIN + index * (self._size + _GAP) for index, name in enumerate(columns)
        }
        self._costs = {
            name: value for name, value in sorted(states[0].values.items())
            if len(name) == 1 and name != _TOTAL
        }  # fmt: skip
        self._has_cost = _TOTAL in states[0].values and bool(self._costs)
        self._prices = " · ".join(
            f"{name.removesuffix('-cost')} {number_text(value)}"
            for (name,), value in self._costs.items()
        )
        wide = max(1, len(columns)) * (self._size + _GAP) - _GAP + 2 * _MARGIN
        self._width = max(wide, 300, text_width(self._prices) + 110 if self._has_cost else 0)
        self._table = _MARGIN + _HAND + _HEIGHT + 34 + tallest * _HEIGHT
        self._height = self._table + (56 if self._has_cost else 30)

    def _stacks(self, state: State) -> list[list[str]]:
        """Return the stacks from the bottom up; blocks without a place are stacks of their own."""
        on, hold = self._names["on"], self._names["hold"]
        below = {fact[1]: fact[2] for fact in sorted(state.facts) if fact[0] == on}
        above: dict[str, str] = {}
        for block, under in below.items():
            if (hold, block) not in state.facts:
                above.setdefault(under, block)
        stacks, seen = [], set[str]()
        bottoms = [name for name in self._blocks if above.get(below.get(name, "")) != name]
        for start in (*bottoms, *self._blocks):
            if start in seen or (hold, start) in state.facts:
                continue
            stack = [start]
            seen.add(start)
            while (upper := above.get(stack[-1])) is not None and upper not in seen:
                stack.append(upper)
                seen.add(upper)
            stacks.append(stack)
        return stacks

    def draw(self, state: State) -> Drawing:
        shapes = [self._hand(state)]
        for stack in self._stacks(state):
            for level, block in enumerate(stack):
                x = self._column[stack[0]]
                y = self._table - (level + 1) * _HEIGHT
                shapes.append(self._block(block, x, y))
        held = [block for block in self._blocks if (self._names["hold"], block) in state.facts]
        for index, block in enumerate(held):
            x = (self._width - self._size) / 2 + index * (self._size + 4)
            shapes.append(self._block(block, x, _MARGIN + _HAND))
        if self._has_cost:
            shapes += self._cost(state)
        return Drawing(self._width, self._height, self._ground(), tuple(shapes))

    def _ground(self) -> str:
        table = rect(_MARGIN / 2, self._table, self._width - _MARGIN, 8, "wall", 2)
        name = text(self._width - _MARGIN, self._table + 23, "table", anchor="end", style="muted",
                    size=11)  # fmt: skip
        prices = ""
        if self._has_cost:
            prices = text(_MARGIN, self._table + 46, f"prices: {self._prices}", anchor="start",
                          style="muted", size=12)  # fmt: skip
        return table + name + prices

    def _hand(self, state: State) -> Shape:
        """Return the hand, open or closed; it never moves."""
        is_empty = (self._names["empty"],) in state.facts
        width = self._size + 28
        middle = width / 2
        spread = width / 2 - 4 if is_empty else self._size / 2 + 3
        arm = line(middle, 0, middle, 14, "thick")
        fingers = path(
            f"M{middle - spread:.1f} {_HAND + 14}V18H{middle + spread:.1f}V{_HAND + 14}", "thick"
        )
        label = text(middle + 8, 11, "hand, empty" if is_empty else "hand", size=11,
                     anchor="start", style="muted")  # fmt: skip
        x = (self._width - width) / 2
        return Shape("the hand", x, _MARGIN, width, _HAND + 14, arm + fingers + label,
                     is_frame=True)  # fmt: skip

    def _block(self, name: str, x: float, y: float) -> Shape:
        body = thing(name, self._size, _HEIGHT, self._number[name], radius=2)
        return Shape(name, x, y, self._size, _HEIGHT, body, (name,))

    def _cost(self, state: State) -> Iterator[Shape]:
        value = state.values.get(_TOTAL)
        if value is not None:
            said = f"cost so far: {number_text(value)}"
            body = text(0, 14, said, anchor="start", bold=True)
            yield Shape("cost", _MARGIN, self._table + 12, text_width(said), 18, body)


def _scene_of(variants: Iterable[Mapping[str, tuple[str, int]]]) -> SceneMaker:
    def scene(task: Task, states: Sequence[State]) -> Scene | None:
        names = predicate_names(task, variants)
        return None if names is None else _Blocks(task, names, states).draw

    return scene


PICTURES: Final = (
    Picture(
        "blocksworld",
        "Blocks stand in stacks on a table. The hand holds at most one block.",
        _scene_of(_VARIANTS),
    ),
    Picture(
        "mystery",
        "Drawn as blocks: an object stands on the one that it craves; those with planet stand on "
        "the table, the one with pain is in the hand, and in harmony the hand is empty.",
        _scene_of(_MYSTERY),
    ),
)
