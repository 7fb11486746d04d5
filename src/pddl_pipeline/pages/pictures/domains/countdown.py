"""Countdown: a tree of numbers, in which two numbers join to a new one at each step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple

from pddl_pipeline.model.number import Number, normal, number_text
from pddl_pipeline.model.plan import Step
from pddl_pipeline.pages.pictures.names import fits
from pddl_pipeline.pages.pictures.picture import Drawing, Picture, Scene, Shape
from pddl_pipeline.pages.pictures.svg import fill, line, rect, text, text_width
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

_HEIGHT: Final = 42
_LEVEL: Final = 78
_GAP: Final = 18
_MARGIN: Final = 14
_TOP: Final = 40
_SIGNS: Final = {"add": "+", "subtract": "−", "multiply": "×", "divide": "÷"}  # noqa: RUF001


class _Node(NamedTuple):
    """A number of the tree."""

    key: str
    name: str
    """The object whose value it is."""
    value: Number
    parts: tuple[_Node, ...] = ()
    """The two numbers of which it was made."""


class _Countdown:
    def __init__(self, task: Task, states: Sequence[State]) -> None:
        self._colours = {name: number for number, name in enumerate(task.vocabulary.objects)}
        self._target = states[0].values.get(("targetvalue",))
        initial = {name: _Node(name, name, _value(states[0], name)) for name in _active(states[0])}
        self._trees = {states[0]: initial}
        for before, after in pairwise(states):
            if after not in self._trees:
                self._trees[after] = _joined(self._trees[before], before, after)
        forest = self._trees[states[-1]]
        leaves = [node for tree in forest.values() for node in _nodes(tree) if not node.parts]
        every = [tree for trees in self._trees.values() for tree in trees.values()]
        numbers = [number_text(node.value) for tree in every for node in _nodes(tree)]
        self._size = min(150, max(58, *(text_width(each, 16) + 16 for each in numbers)))
        self._column = {
            leaf.key: _MARGIN + index * (self._size + _GAP) for index, leaf in enumerate(leaves)
        }
        levels = max(_depth(tree) for tree in forest.values())
        self._width = max(len(leaves) * (self._size + _GAP) - _GAP + 2 * _MARGIN, 320)
        self._height = _TOP + levels * _LEVEL + _HEIGHT + 2 * _MARGIN

    def draw(self, state: State) -> Drawing:
        return Drawing(self._width, self._height, "", tuple(self._shapes(state)))

    def _shapes(self, state: State) -> Iterator[Shape]:
        is_done = ("goalreached",) in state.facts
        said = "target: " + ("?" if self._target is None else number_text(self._target))
        said += " ✓ reached" if is_done else ""
        body = text(
            4, 18, said, anchor="start", size=16, bold=True, style="goodtext" if is_done else ""
        )
        yield Shape("target", _MARGIN, _MARGIN, text_width(said, 16) + 8, 26, body,
                    facts=(("goalreached",), ("targetvalue",)))  # fmt: skip
        for name, tree in self._trees[state].items():
            yield from self._tree(tree, is_active=("active", name) in state.facts)

    def _place(self, node: _Node) -> tuple[float, float]:
        """Return the upper left corner of a node: above the middle of its parts."""
        y = self._height - _MARGIN - _HEIGHT - _depth(node) * _LEVEL
        if not node.parts:
            return self._column[node.key], y
        xs = [self._place(part)[0] for part in node.parts]
        return sum(xs) / len(xs), y

    def _tree(
        self, node: _Node, *, is_active: bool, above: tuple[str, ...] = ()
    ) -> Iterator[Shape]:
        """Yield a number with those below it, of which it was made; `above` are made of it."""
        for part in node.parts:
            yield from self._tree(part, is_active=False, above=(*above, node.name))
        x, y = self._place(node)
        middle = self._size / 2
        style = fill(self._colours[node.name]) if is_active else "panel edge"
        on = "on" if is_active else "muted"
        body = ""
        for part in node.parts:
            px, py = self._place(part)
            body += line(middle, _HEIGHT, px - x + middle, py - y)
        if node.parts:
            body += text(middle, _HEIGHT + 20, _sign(node), size=18, bold=True)
        body += rect(0, 0, self._size, _HEIGHT, style, 8)
        body += text(
            middle, 21, number_text(node.value), size=16, width=self._size - 8, style=on, bold=True
        )
        body += text(middle, 35, node.name, size=10, width=self._size - 8, style=on)
        # A result has the name of its first number: only the uppermost one stands for the object.
        objects = () if node.name in above else (node.name,)
        names = ("active", "value", "numerator", "denominator") if is_active else ()
        facts = *((name, node.name) for name in names), *(("numactive",) for _ in names[:1])
        yield Shape(node.key, x, y, self._size, _HEIGHT, body, objects, facts=facts)


def _value(state: State, name: str) -> Number:
    """Return a number's value, which the rational encoding keeps in two parts."""
    values = state.values
    if ("value", name) in values:
        return values["value", name]
    above, below = values.get(("numerator", name), 0), values.get(("denominator", name), 1)
    return normal(Fraction(above) / below) if below else 0


def _active(state: State) -> list[str]:
    return sorted(fact[1] for fact in state.facts if fact[0] == "active")


def _joined(trees: Mapping[str, _Node], before: State, after: State) -> dict[str, _Node]:
    """Return the trees after a step: the number that changed is made of itself and the one used."""
    used = set(_active(before)) - set(_active(after))
    found = {name: tree for name, tree in trees.items() if name not in used}
    kept = [name for name in found if _value(before, name) != _value(after, name)]
    if not kept and len(used) == 1:
        # A number that stays the same, such as 3 - 0: which one it was, the state does not tell.
        kept = [name for name in found if name not in used][:1] if len(found) == 1 else []
    for name in kept:
        parts = (trees[name], *(trees[each] for each in sorted(used) if each in trees))
        key = f"{trees[name].key}({' '.join(part.key for part in parts[1:])})"
        found[name] = _Node(key, name, _value(after, name), parts)
    if used and not kept:
        found |= {name: trees[name] for name in used if name in trees}
    return found


def _sign(node: _Node) -> str:
    """Return the signs of the operations by which a number may have been made of two others."""
    one, other = (part.value for part in node.parts[:2]) if len(node.parts) > 1 else (0, 0)
    found = {"+": one + other, "−": one - other, "×": one * other}  # noqa: RUF001 -- the signs
    if other:
        found["÷"] = Fraction(one) / other
    return " or ".join(sign for sign, value in found.items() if value == node.value) or "?"


def _nodes(node: _Node) -> Iterator[_Node]:
    yield node
    for part in node.parts:
        yield from _nodes(part)


def _depth(node: _Node) -> int:
    return 1 + max(map(_depth, node.parts)) if node.parts else 0


def _sentence(step: Step, before: State | None, after: State | None) -> str:
    """Return a step as a calculation, with exact values if it can be executed."""
    names = step.arguments
    if step.action == "checkgoal" and len(names) == 1:
        return f"check that {names[0]} is the target and the only number left"
    sign = _SIGNS.get(step.action)
    if sign is None or len(names) != 2:
        return ""
    one, other = names
    if before is None or after is None:
        return f"{one} {sign} {other}"
    left, right, result = (
        number_text(_value(state, name))
        for state, name in ((before, one), (before, other), (after, one))
    )
    return f"{left} {sign} {right} = {result}: {one} becomes {result}, {other} is used up"


def _scene(task: Task, states: Sequence[State]) -> Scene | None:
    functions = task.vocabulary.functions
    has_values = "value" in functions or {"numerator", "denominator"} <= functions.keys()
    is_countdown = has_values and fits(task, {"active": 1, "goalreached": 0})
    return _Countdown(task, states).draw if is_countdown and _active(states[0]) else None


PICTURES: Final = (
    Picture(
        "countdown",
        "Each step joins two numbers to a new one above them. Coloured numbers can still be used.",
        _scene,
        _sentence,
        {"active": "{0} is unused", "goalreached": "the target is reached"},
    ),
)
