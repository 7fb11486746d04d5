"""The general picture, for domains without a specific one: boxes in boxes, and a list of facts.

An object stands inside the object where it is (`Placing`). Its unary facts and values are badges on
it. All other facts that change are listed beside the boxes.

`(at ?package ?place)` and `(in ?package ?truck)` place packages. Such facts are found in the states
that are drawn: a predicate places the objects at one of its positions if none of them has two
places in any state, its facts and those of the predicates chosen before taken together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Final, NamedTuple

from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.pages.pictures.picture import Drawing, Picture, Scene, Shape
from pddl_pipeline.pages.pictures.svg import fill, rect, text, text_width
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.vocabulary import changing_predicates

Places = Mapping[str, str]
"""By object, the object that it is in, at or on."""
_PLAIN: Final = ("object",)


class _Rule(NamedTuple):
    """A predicate that places objects, with the positions (from 1) of the object and its place."""

    predicate: str
    child: int
    parent: int

    def pairs(self, state: State) -> list[tuple[str, str]]:
        """Return each placed object with its place, in a fixed order."""
        facts = sorted(fact for fact in state.facts if fact[0] == self.predicate)
        return [(fact[self.child], fact[self.parent]) for fact in facts]

    def children(self, states: Sequence[State]) -> set[str]:
        """Return the objects that it places in some state."""
        facts = (fact for state in states for fact in state.facts if fact[0] == self.predicate)
        return {fact[self.child] for fact in facts}


class Placing:
    """The facts of a task that place objects."""

    def __init__(self, task: Task, states: Sequence[State]) -> None:
        changing = changing_predicates(task.vocabulary)
        moves = changing - task.vocabulary.derived
        self._rules: list[_Rule] = []
        moving = (rule for rule in _rules(task) if rule.predicate in moves)
        for rule in sorted(moving, key=lambda rule: -len(rule.children(states))):
            self._choose(rule, states)
        movers = {child for rule in self._rules for child in rule.children(states)}
        fixed = (rule for rule in _fixed(task, states) if rule.predicate not in changing)
        # A camera is on its satellite: what moves comes first as a place.
        for rule in sorted(fixed, key=lambda rule: not _parents(rule, states[0]) <= movers):
            if movers.isdisjoint(rule.children(states)):
                self._choose(rule, states)
        self.predicates = frozenset(rule.predicate for rule in self._rules)
        """The predicates whose facts the places show."""

    def _choose(self, rule: _Rule, states: Sequence[State]) -> None:
        """Add a rule if every object still has at most one place in every state."""
        if any(rule.predicate == other.predicate for other in self._rules):
            return
        rules = [*self._rules, rule]
        for state in states:
            children = [child for each in rules for child, _ in each.pairs(state)]
            if len(set(children)) < len(children):
                return
        if rule.children(states):
            self._rules = rules

    def of(self, state: State) -> dict[str, str]:
        """Return the places in a state, without circles."""
        places: dict[str, str] = {}
        for rule in self._rules:
            for child, parent in rule.pairs(state):
                if child not in _way(places, parent):
                    places[child] = parent
        return places


def _rules(task: Task) -> Iterator[_Rule]:
    """Yield the rules that each predicate may be; the place is the first other object."""
    for name, signature in task.vocabulary.predicates.items():
        if len(signature) > 1:
            for child in range(1, len(signature) + 1):
                yield _Rule(name, child, 2 if child == 1 else 1)


def _fixed(task: Task, states: Sequence[State]) -> Iterator[_Rule]:
    """Yield the predicates whose facts give each object one place of another kind at first."""
    for name, signature in task.vocabulary.predicates.items():
        is_typed = signature != (_PLAIN, _PLAIN)
        if len(signature) == 2 and not (is_typed and signature[0] == signature[1]):
            rule = _Rule(name, 1, 2)
            children, parents = rule.children(states), _parents(rule, states[0])
            is_nesting = len(parents) < len(children) or len(children) == 1
            if is_nesting and parents.isdisjoint(children):
                yield rule


def _parents(rule: _Rule, state: State) -> set[str]:
    return {parent for _, parent in rule.pairs(state)}


def _way(places: Places, start: str) -> Iterator[str]:
    """Yield an object, then the one that it is in, and so on."""
    at: str | None = start
    while at is not None:
        yield at
        at = places.get(at)


_WIDTH: Final = 760
_ROW: Final = 20
_ROWS: Final = 40
_MARGIN: Final = 12
_HEADER: Final = 36
_PILL: Final = 17
_PILL_ROW: Final = 21
_GAP: Final = 10
_PADDING: Final = 8
_BOX_ROW: Final = 330


class Box(NamedTuple):
    """A box with the boxes inside it."""

    width: float
    height: float
    children: dict[str, tuple[float, float, Box]]
    """By name, the place relative to the box, and the box."""

    @classmethod
    def around(cls, inner: Mapping[str, Box], width: float, header: float) -> Box:
        """Return the box around others, below a header of this height."""
        if not inner:
            return cls(width, header, {})
        sizes = [(box.width, box.height) for box in inner.values()]
        places, reach, bottom = _flow(sizes, max(_BOX_ROW, width), _PADDING, header)
        children = {
            name: (x, y, box) for (name, box), (x, y) in zip(inner.items(), places, strict=True)
        }
        return cls(max(width, reach + _PADDING), bottom + _PADDING, children)


class _General:
    def __init__(self, task: Task, states: Sequence[State]) -> None:
        self._task = task
        self._changing = changing_predicates(task.vocabulary)
        self._placing = Placing(task, states)
        self._order = {name: index for index, name in enumerate(task.vocabulary.objects)}
        self._values = _changing_values(states)
        self._ever: dict[str, set[str]] = {}
        """By object, the objects that are inside it in some state."""
        named: set[str] = set()
        for state in states:
            for child, parent in self._placing.of(state).items():
                self._ever.setdefault(parent, set()).add(child)
                named |= {child, parent}
            named |= {fact[1] for fact in state.facts if self._is_badge(fact)}
            named |= {value[1] for value in self._values if len(value) == 2}
        self._shown = self._ordered(named)
        self._pills = {name: self._badge_rows(name, states) for name in self._shown}
        rows = {fact for state in states for fact in state.facts if self._is_row(fact)}
        rows |= {value for value in self._values if len(value) != 2}
        self._rows = {fact: index for index, fact in enumerate(sorted(rows)[:_ROWS])}
        self._left_out = len(rows) - len(self._rows)
        self._reserved = self._reserve()
        layouts = [self._roots(state) for state in states]
        self._sizes = {
            name: (max(each[name].width for each in layouts if name in each),
                   max(each[name].height for each in layouts if name in each))
            for name in {name for each in layouts for name in each}
        }  # fmt: skip
        roots = [name for name in self._shown if name in self._sizes]
        places, width, height = _flow([self._sizes[name] for name in roots], _WIDTH, _MARGIN)
        self._at = dict(zip(roots, places, strict=True))
        self._rows_at = height + _MARGIN if roots else _MARGIN
        shown = len(self._rows) + bool(self._left_out)
        columns = 2 if shown > 8 else 1
        self._columns, self._per_column = columns, -(-shown // columns)
        longest = max((text_width(_longest_text(fact, states)) for fact in self._rows), default=0)
        listed_width = columns * (min(longest, _WIDTH / columns) + 2 * _MARGIN) + _MARGIN
        self._width = max(width + _MARGIN, listed_width, 200)
        listed = (self._per_column + 1.5) * _ROW if self._rows else 0
        self._height = self._rows_at + listed + _MARGIN

    def _ordered(self, changing: set[str]) -> list[str]:
        """Return all objects: those that change and empty places, then those that never change."""
        kinds = {self._kind(name) for name in self._ever} - {""}
        self._places = {*self._ever} | {
            name for name in self._order if name not in changing and self._kind(name) in kinds
        }
        first = changing | self._places
        return sorted(self._order, key=lambda name: (name not in first, self._order[name]))

    def draw(self, state: State) -> Drawing:
        shapes = list(self._boxes(state))
        shapes += self._listed(state)
        return Drawing(self._width, self._height, self._ground(), tuple(shapes))

    def _ground(self) -> str:
        if not self._rows:
            return ""
        parts = [text(_MARGIN, self._rows_at + 14, "Also true", anchor="start", bold=True)]
        if self._left_out:
            more = f"… and {self._left_out} more, in the table of facts"
            x, y = self._row_place(len(self._rows))
            parts.append(text(x, y + 14, more, anchor="start", style="muted"))
        return "".join(parts)

    def _row_place(self, index: int) -> tuple[float, float]:
        column, row = divmod(index, self._per_column)
        x = _MARGIN + column * (self._width - _MARGIN) / self._columns
        return x, self._rows_at + (row + 1.2) * _ROW

    def _listed(self, state: State) -> Iterator[Shape]:
        width = (self._width - _MARGIN) / self._columns - _MARGIN
        for fact, index in self._rows.items():
            if fact in state.facts:
                content = atom_text(fact)
            elif fact in state.values:
                content = f"{atom_text(fact)} = {number_text(state.values[fact])}"
            else:
                continue
            x, y = self._row_place(index)
            inside = min(width, text_width(content) + 8)
            body = text(4, 14, content, anchor="start", width=width - 4)
            yield Shape(f"fact {atom_text(fact)}", x, y, inside, _ROW - 2, body)

    def _is_badge(self, fact: Ground) -> bool:
        return len(fact) == 2 and fact[0] in self._changing

    def _is_row(self, fact: Ground) -> bool:
        if fact[0] not in self._changing or len(fact) == 2:
            return False
        return fact[0] not in self._placing.predicates

    def _badges(self, name: str, state: State) -> dict[str, str]:
        """Return the badges of an object by what they tell: its unary facts, then its values."""
        found = {
            predicate: predicate for predicate in sorted(self._changing)
            if (predicate, name) in state.facts
        }  # fmt: skip
        for value in self._values:
            if value[1:] == (name,) and value in state.values:
                found[f"{value[0]} ="] = f"{value[0]} = {number_text(state.values[value])}"
        return found

    def _badge_rows(self, name: str, states: Sequence[State]) -> tuple[dict[str, int], float]:
        """Return the row of each badge that an object has in some state, and the largest width."""
        every = [self._badges(name, state) for state in states]
        widths = (text_width(badge, 11) + 12 for badges in every for badge in badges.values())
        told = sorted({each for badges in every for each in badges})
        return {each: row for row, each in enumerate(told)}, max(widths, default=0)

    def _reserve(self) -> bool:
        """Return whether each object can have its own slot in every object that contains it."""
        if any(len(inside) > 12 for inside in self._ever.values()):
            return False
        try:
            TopologicalSorter(self._ever).prepare()
        except CycleError:
            return False
        return True

    def _roots(self, state: State) -> dict[str, Box]:
        """Return the layouts of the objects that are in no other object."""
        places = self._placing.of(state)
        return {
            name: self._layout(name, places) for name in self._shown
            if name not in places
        }  # fmt: skip

    def _layout(self, name: str, places: Places) -> Box:
        inside = self._ever.get(name, set())
        if not self._reserved:
            inside = {child for child in inside if places.get(child) == name}
        children = sorted(inside, key=self._order.__getitem__)
        boxes = [self._layout(child, places) for child in children]
        rows, width = self._pills[name]
        header = max(
            text_width(name, 14) + 20, text_width(self._kind(name), 10) + 14, width + 12, 64
        )
        return Box.around(
            dict(zip(children, boxes, strict=True)), header, _HEADER + len(rows) * _PILL_ROW + 4
        )

    def _kind(self, name: str) -> str:
        """Return the most specific type of an object, empty in untyped domains."""
        types = self._task.vocabulary.objects[name] - {"object"}
        parents = self._task.vocabulary.types.parents
        above = {each for own in types for each in parents.get(own, ()) if each != own}
        return " ".join(sorted(types - above)) or " ".join(
            sorted(f[0] for f in self._task.facts.facts
                   if f[1:] == (name,) and f[0] not in self._changing)[:1]
        )  # fmt: skip

    def _boxes(self, state: State) -> Iterator[Shape]:
        places = self._placing.of(state)
        for name, box in self._roots(state).items():
            x, y = self._at[name]
            width, height = self._sizes[name]
            yield from self._box(name, box._replace(width=width, height=height), (x, y), "", state,
                                 places)  # fmt: skip

    def _box(  # noqa: PLR0913, PLR0917 -- where and in which state
        self, name: str, box: Box, at: tuple[float, float], within: str, state: State,
        places: Places,
    ) -> Iterator[Shape]:  # fmt: skip
        x, y = at
        holds = name in self._places
        style = "box edge" if holds else fill(self._order[name])
        on = "" if holds else "on"
        body = rect(0, 0, box.width, box.height, style, 6)
        body += text(8, 17, name, anchor="start", bold=True, width=box.width - 14, style=on)
        body += text(8, 30, self._kind(name), anchor="start", size=10, width=box.width - 14,
                     style="muted" if holds else "on")  # fmt: skip
        is_fixed = not within and name not in places and holds
        yield Shape(name, x, y, box.width, box.height, body, (name,), is_fixed, within)
        for told, badge in self._badges(name, state).items():
            width = text_width(badge, 11) + 12
            pill = rect(0, 0, width, _PILL, "paper edge", 8)
            pill += text(width / 2, 12.5, badge, size=11)
            row = self._pills[name][0][told]
            place = (x + 7, y + _HEADER + row * _PILL_ROW)
            yield Shape(f"badge {name} {told}", *place, width, _PILL, pill, (), within=name)
        for child, (dx, dy, inner) in box.children.items():
            if places.get(child) == name:
                yield from self._box(child, inner, (x + dx, y + dy), name, state, places)


def _flow(
    sizes: Sequence[tuple[float, float]], width: float, margin: float, top: float | None = None
) -> tuple[list[tuple[float, float]], float, float]:
    """Return the places of boxes in rows of at most this width, and the size of them all."""
    places = []
    x, y = margin, margin if top is None else top
    row_height = reach = 0.0
    for box_width, box_height in sizes:
        if x > margin and x + box_width > width:
            x, y, row_height = margin, y + row_height + _GAP, 0.0
        places.append((x, y))
        reach = max(reach, x + box_width)
        x += box_width + _GAP
        row_height = max(row_height, box_height)
    return places, reach, y + row_height


def _longest_text(fact: Ground, states: Sequence[State]) -> str:
    """Return the longest text of a row: a fact, or a fluent with its value."""
    values = (state.values[fact] for state in states if fact in state.values)
    texts = (f"{atom_text(fact)} = {number_text(value)}" for value in values)
    return max(texts, key=len, default=atom_text(fact))


def _changing_values(states: Sequence[State]) -> list[Ground]:
    """Return the fluents whose values differ between states, except the cost."""
    first = states[0].values
    found = {
        name for state in states for name, value in state.values.items()
        if first.get(name) != value and name != ("total-cost",)
    }  # fmt: skip
    return sorted(found)


def _scene(task: Task, states: Sequence[State]) -> Scene:
    return _General(task, states).draw


GENERAL: Final = Picture(
    "general",
    "Boxes are objects. A box inside another one is in, at or on it; badges are facts about it.",
    _scene,
)
