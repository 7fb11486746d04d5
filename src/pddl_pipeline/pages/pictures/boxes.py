"""Draws the states of a task: things in and on each other, on a map if there is one.

What is in a thing stands in its slots. Two things that are never there together may share a slot,
so that a ferry for one car needs one; nothing else moves when something comes or goes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from itertools import count, product
from math import ceil
from typing import Final, NamedTuple

from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.pages.html_page import part
from pddl_pipeline.pages.pictures.grid import cells_of, neighbour_facts
from pddl_pipeline.pages.pictures.looks import LOOKS
from pddl_pipeline.pages.pictures.picture import Drawing, Shape, Spot
from pddl_pipeline.pages.pictures.profile import Profile, Rule
from pddl_pipeline.pages.pictures.svg import fill, rect, text, text_width
from pddl_pipeline.validation.language import Atom, Ground, conjuncts
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.vocabulary import changing_predicates

_ALL: Final = ""
"""The name of what contains everything."""
_WIDTH: Final = 800
_INNER_WIDTH: Final = 330
_MARGIN: Final = 12
_GAP: Final = 8
_BADGE: Final = 17
_ROW: Final = 20
"""Height of a row of badges."""
_OTHER: Final = "also true"
"""The name of what shows the facts that have no place in or on another thing."""
_MOST_OTHER: Final = 40
_NUMBERS: Final = re.compile(r"\d+(?:-\d+)*$")
_FRAMED: Final = ("box", "holder", "tile", "place")
"""The looks with room for a badge of the goal."""
Size = tuple[float, float]
_Places = dict[str, tuple[str, Rule, Ground]]


class NotDrawn(Exception):
    """A task has the predicates of a profile, but its states cannot be laid out."""


class _Arranged(NamedTuple):
    """The things in and on each thing in a state."""

    inside: Mapping[str, list[str]]
    on: Mapping[str, list[str]]
    facts: Mapping[str, tuple[Ground, ...]]
    """The fact that places a thing."""


def _places_in(state: State, rules: Sequence[Rule]) -> _Places:
    """Return what each thing is in or on, and the rule and fact that say so, without circles."""
    wanted = {rule.predicate for rule in rules}
    facts = sorted(fact for fact in state.facts if fact[0] in wanted)
    places: _Places = {}
    for rule in rules:
        for fact in facts:
            if fact[0] == rule.predicate:
                child, parent = rule.child.format(*fact), rule.parent.format(*fact)
                at = parent
                while at != child and at in places:
                    at = places[at][0]
                if at != child:
                    places.setdefault(child, (parent, rule, fact))
    return places


class BoxScene:
    """The scene of a task by a profile."""

    def __init__(self, task: Task, states: Sequence[State], profile: Profile) -> None:
        """Lay out the states, which are all that will be drawn.

        Raises:
            NotDrawn: the states do not fit the profile.
        """
        self._profile = profile
        self._shows_all = not profile.predicates
        self._changing = changing_predicates(task.vocabulary)
        self._values = {
            name for state in states for name, value in state.values.items()
            if self._shows_all and states[0].values.get(name) != value and name != ("total-cost",)
        }  # fmt: skip
        places = [_places_in(state, profile.rules) for state in states]
        self._rules = {child: at[1] for each in places for child, at in each.items()}
        self._parents = {parent for each in places for parent, *_ in each.values()}
        self._on_map = neighbour_facts(task.facts.facts, profile.grid)
        self._cells = {name for fact in self._on_map for name in fact[1:3]}
        self._kinds = kinds_of(task, self._changing)
        if not set(profile.kinds) <= {kind for kinds in self._kinds.values() for kind in kinds}:
            raise NotDrawn(f"kinds: found none of the objects, expected {', '.join(profile.kinds)}")
        self._place_looks()
        self._place_facts(states)
        static = sorted(task.facts.facts) if profile.colours else []
        self._tints = {fact[1]: fact[2] for fact in static if fact[0] in profile.colours}
        self._colours = sorted(set(self._tints.values()))
        self._fixed = {
            name for name, look in self._looks.items()
            if LOOKS[look].is_place and name not in self._rules
        }  # fmt: skip
        self._named: dict[tuple[str, ...], float] = defaultdict(float)
        """The width in which the names of all things of a look and a kind have room."""
        for name in self._looks:
            room = _room(name.split()[-1], 13)
            self._named[self._like(name)] = max(self._named[self._like(name)], room)
        self._place_goals(task)
        self._place_badges(states)
        arranged = list(map(self._arranged, places))
        self._sizes: dict[str, Size] = {}
        self._spots: dict[str, dict[int, Spot]] = {}
        self._lay_out(arranged)
        ground = [*self._inside(_ALL, (0, 0), arranged[0], states[0], is_ground=True)]
        self._ground = "".join(
            f"<g transform='translate({each.x:g} {each.y:g})'>{each.body}</g>" for each in ground
        )
        self._places: dict[str, Spot] = {each.key: each[1:5] for each in ground}

    def _place_looks(self) -> None:
        """Set the look of each thing that is drawn, and the number of its colour."""
        ever = {name for name in self._profile.looks if name.startswith("the ")}
        involved = ever.union(self._cells, self._rules, self._parents)
        shown = [
            name for name, kinds in self._kinds.items()
            if self._shows_all or name in involved
            or not self._profile.looks.keys().isdisjoint((*kinds, "object"))
        ]  # fmt: skip
        names = [*sorted(shown, key=lambda name: name not in involved), *sorted(involved)]
        looks = {name: self._look(name) for name in names}
        self._looks = {name: look for name, look in looks.items() if look != "hidden"}
        types = sorted({kinds[:1] for kinds in self._kinds.values()})
        self._number = {
            name: types.index(kinds[:1]) if self._shows_all and types[1:] else number
            for number, (name, kinds) in enumerate(self._kinds.items())
        }

    def _look(self, name: str) -> str:
        kinds, rule = self._kinds.get(name, ()), self._rules.get(name)
        known = {name, *kinds, "object"}
        look = next((look for key, look in self._profile.looks.items() if key in known), "")
        if not look and name in self._cells:
            look = "tile" if self._shows_all else "cell"
        look = look or (rule.look if rule is not None else "")
        if not look:
            holding = {self._kinds.get(each, ())[:1] for each in self._parents}
            is_place = rule is None and kinds[:1] and kinds[:1] in holding
            look = "holder" if is_place or name in self._parents else "box"
        is_used = name in self._cells or name in self._parents
        return look if is_used or LOOKS[look].equal != "cell" else "wall"

    def _like(self, name: str) -> tuple[str, ...]:
        return self._looks[name], *self._kinds.get(name, ())[:1]

    def _place_facts(self, states: Sequence[State]) -> None:
        """Find the facts and values that badges show: on an object, or on what shows the others."""
        badges, shown = self._profile.badges, {rule.predicate for rule in self._profile.rules}
        left = self._changing - shown if self._shows_all else set[str]()
        facts = {
            fact for state in states for fact in state.facts if fact[0] in left | badges.keys()
        }
        self._badged = defaultdict[str, list[Ground]](list)
        for fact in sorted(facts.union(self._values)):
            is_own = len(fact) > 1 if fact[0] in badges else (len(fact) == 2 and fact not in facts)
            if badges.get(fact[0], _OTHER):
                self._badged[fact[1] if is_own else _OTHER].append(fact)
        if self._badged[_OTHER]:
            more = len(self._badged[_OTHER]) - _MOST_OTHER
            del self._badged[_OTHER][_MOST_OTHER:]
            self._looks[_OTHER] = "holder"
            self._kinds[_OTHER] = (f"and {more} more, in the table" if more > 0 else "",)

    def _place_goals(self, task: Task) -> None:
        """Find the things that the goal is about, what it puts there, and the facts."""
        atoms = [part for part in conjuncts(task.facts.goal) if isinstance(part, Atom)]
        self._goal_facts = {(atom.predicate, *atom.terms) for atom in atoms}
        self._goals = defaultdict[str, list[tuple[str, Ground]]](list)
        for fact in sorted(self._goal_facts):
            for rule in self._profile.rules:
                if rule.predicate == fact[0] and not rule.on:
                    place = rule.parent.format(*fact)
                    self._goals[place].append((rule.child.format(*fact), fact))
            if fact[0] in self._profile.badges and len(fact) > 1:
                self._goals[fact[1]].append((" ".join(fact[2:]), fact))

    def _place_badges(self, states: Sequence[State]) -> None:
        """Set the badges that a thing has in some state, a row for each, and the largest width.

        All cells of a map have the same rows.
        """
        self._row_group = {name: LOOKS[look].equal or name for name, look in self._looks.items()}
        self._badge_rows = defaultdict[str, set[str]](set)
        self._badge_width = defaultdict[str, float](float)
        for name, state in product(self._looks, states):
            for key, (label, _) in self._badges(name, state).items():
                self._badge_rows[self._row_group[name]].add(key)
                self._badge_width[name] = max(self._badge_width[name], _room(label) + 4)

    def _badges(self, name: str, state: State) -> dict[str, tuple[str, tuple[Ground, ...]]]:
        """Return text and facts of an object's badges, by the predicate or function."""
        found: dict[str, tuple[str, tuple[Ground, ...]]] = {}
        for fact in self._badged[name]:
            if fact in state.facts or fact in state.values:
                key = atom_text(fact) if name == _OTHER else fact[0]
                label = self._profile.badges.get(fact[0], "").format(*fact) or key
                if fact in state.values:
                    label += f" = {number_text(state.values[fact])}"
                labels, facts = found.get(key, ("", ()))
                found[key] = f"{labels}, {label}".removeprefix(", "), (*facts, fact)
        goals = [
            goal for goal in self._goals.get(name, ()) if goal[0] and goal[1] not in state.facts
        ]
        if goals and self._looks[name] in _FRAMED:
            said = ", ".join(label for label, _ in goals)
            found["goal"] = f"goal: {said}", tuple(fact for _, fact in goals)
        return found

    def _arranged(self, places: _Places) -> _Arranged:
        inside, on = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
        for name in self._looks:
            parent, rule, _ = places.get(name, (_ALL, None, None))
            (on if rule is not None and rule.on else inside)[parent].append(name)
        facts = {name: (fact,) for name, (*_, fact) in places.items()}
        return _Arranged(dict(inside), dict(on), facts)

    def _lay_out(self, arranged: Sequence[_Arranged]) -> None:
        """Set the slots and the size of each thing, from the inside to the outside."""
        together = defaultdict[str, set[tuple[str, ...]]](set)
        contents: dict[str, set[str]] = {_ALL: set(), **{name: set() for name in self._looks}}
        for each in arranged:
            for parent, children in each.inside.items():
                together[parent].add(tuple(children))
                queue = [*children]
                for child in queue:
                    queue += each.on.get(child, ())
                contents[parent].update(queue)
        self._slots = {parent: self._shared(groups) for parent, groups in together.items()}
        try:
            order = [*TopologicalSorter(contents).static_order()]
        except CycleError as error:
            raise NotDrawn("rules: found things in each other, expected no circle") from error
        for name in order:
            if name == _ALL:
                self._equalise()
            slots = defaultdict[int, Size](lambda: (0, 0))
            for each in arranged:
                for child in each.inside.get(name, ()):
                    slot, size = self._slots[name][child], self._tower(child, each)
                    slots[slot] = max(slots[slot][0], size[0]), max(slots[slot][1], size[1])
            self._sizes[name] = self._box_size(name, slots)

    def _shared(self, groups: Iterable[tuple[str, ...]]) -> dict[str, int]:
        """Return a slot for each thing of these groups, which are those that are there together."""
        slots: dict[str, int] = {}
        found = sorted(groups, key=len)
        if len(found) == 1:
            return {name: slot for slot, name in enumerate(found[0])}
        for name, look in self._looks.items():
            near = {other for group in found if name in group for other in group}
            if near:
                row = LOOKS[look].row
                taken = {
                    slot for other, slot in slots.items()
                    if other in near or LOOKS[self._looks[other]].row != row
                }  # fmt: skip
                slots[name] = next(slot for slot in count() if slot not in taken)
        return slots

    def _tower(self, name: str, arranged: _Arranged) -> Size:
        """Return the size of a thing with everything on it."""
        width, height = self._sizes[name]
        above = arranged.on.get(name, ())
        if not above:
            return width, height
        widths, heights = zip(*(self._tower(each, arranged) for each in above), strict=True)
        return max(width, sum(widths)), height + max(heights)

    def _equalise(self) -> None:
        """Give the things of a group of looks the size of the largest one."""
        groups = defaultdict[str, list[str]](list)
        for name, look in self._looks.items():
            groups[LOOKS[look].equal].append(name)
        groups.pop("", None)
        for names in groups.values():
            widths, heights = zip(*(self._sizes[name] for name in names), strict=True)
            self._sizes |= dict.fromkeys(names, (max(widths), max(heights)))

    def _box_size(self, name: str, slots: Mapping[int, Size]) -> Size:
        """Set the places of the slots in a thing; return its size."""
        rows = {
            slot: LOOKS[self._looks[child]].row
            for child, slot in self._slots.get(name, {}).items()
        }  # fmt: skip
        if name == _ALL:
            return self._whole_size(slots, rows)
        spots, (width, height) = _flow(slots, rows, _INNER_WIDTH)
        look = LOOKS[self._looks[name]]
        top = look.top + _ROW * len(self._badge_rows[self._row_group[name]])
        named = min(look.most, max(look.least, self._named[self._like(name)]))
        whole = max(width + 2 * look.side, named, self._badge_width[name])
        spare = max(0.0, look.room - height)
        self._spots[name] = _moved(spots, (whole - width) / 2, top + spare)
        return whole, top + max(height, look.room) + look.bottom

    def _whole_size(self, slots: Mapping[int, Size], rows: Mapping[int, int]) -> Size:
        """Set the places of what is in nothing: the cells of a map, and everything else below."""
        on_map: dict[int, Spot] = {}
        width = height = 0.0
        cells = [name for name, look in self._looks.items() if LOOKS[look].equal == "cell"]
        if cells:
            found = cells_of(cells, self._on_map)
            if found is None:
                raise NotDrawn("grid: found neighbours that fit no map, expected cells in rows")
            wide, high = self._sizes[cells[0]]
            for name, (x, y) in found.items():
                on_map[self._slots[_ALL][name]] = x * wide, y * high, wide, high
                width, height = max(width, (x + 1) * wide), max(height, (y + 1) * high)
        others = {slot: size for slot, size in slots.items() if slot not in on_map}
        spots, size = _flow(others, rows, _WIDTH, from_top=True)
        below = height + _MARGIN if cells and others else height
        spots = _moved(spots, 0, below) | on_map
        self._map = rect(_MARGIN, _MARGIN, width, height, "wall") if cells else ""
        self._spots[_ALL] = _moved(spots, _MARGIN, _MARGIN)
        return max(width, size[0], 200) + 2 * _MARGIN, below + size[1] + 2 * _MARGIN

    def draw(self, state: State) -> Drawing:
        """Return the drawing of a state."""
        width, height = self._sizes[_ALL]
        arranged = self._arranged(_places_in(state, self._profile.rules))
        shapes = tuple(self._inside(_ALL, (0, 0), arranged, state))
        ground = self._map + self._ground
        things: Mapping[str, Sequence[str]] = {
            each.predicate: [
                name for rule in self._profile.rules if rule.predicate == each.predicate
                for name in (rule.child, rule.parent)
            ] for each in self._profile.rules
        }  # fmt: skip
        return Drawing(width, height, ground, shapes, self._places, things)

    def _inside(
        self, parent: str, corner: Size, arranged: _Arranged, state: State, *,
        is_ground: bool = False,
    ) -> Iterator[Shape]:  # fmt: skip
        for child in arranged.inside.get(parent, ()):
            x, y, width, height = self._spots[parent][self._slots[parent][child]]
            own_width, own_height = self._sizes[child]
            at = corner[0] + x + (width - own_width) / 2, corner[1] + y + height - own_height
            if is_ground == (child in self._fixed):
                yield Shape(
                    child, *at, own_width, own_height, self._body(child), (child,), parent,
                    arranged.facts.get(child, ()),
                )  # fmt: skip
            if not is_ground:
                yield from self._content(child, at, arranged, state)

    def _content(self, name: str, at: Size, arranged: _Arranged, state: State) -> Iterator[Shape]:
        """Yield the badges of a thing, and what is in and on it."""
        x, y = at
        look = LOOKS[self._looks[name]]
        rows = sorted(self._badge_rows[self._row_group[name]])
        for key, (label, facts) in self._badges(name, state).items():
            width = _room(label)
            style, on = (self._style(name), "on") if name in self._tints else ("paper edge", "")
            body = rect(0, 0, width, _BADGE, style, 8)
            if self._goal_facts.intersection(facts):
                on = "goodtext"
                body += rect(0, 0, width, _BADGE, "good", 8)
            body += text(width / 2, 12.5, label, size=11, style=on)
            middle = x + self._sizes[name][0] / 2
            top = y + look.top + rows.index(key) * _ROW
            yield Shape(
                f"badge {name} {key}", middle - width / 2, top, width, _BADGE, body, within=name,
                facts=facts,
            )  # fmt: skip
        yield from self._inside(name, at, arranged, state)
        above = arranged.on.get(name, ())
        left = x + (self._sizes[name][0] - sum(self._sizes[each][0] for each in above)) / 2
        for each in above:
            width, height = self._sizes[each]
            place = left, y - height
            yield Shape(
                each, *place, width, height, self._body(each), (each,), name,
                arranged.facts.get(each, ()),
            )  # fmt: skip
            yield from self._content(each, place, arranged, state)
            left += width

    def _style(self, name: str) -> str:
        tint = self._tints.get(name)
        return fill(self._number.get(name, 0) if tint is None else self._colours.index(tint))

    def _body(self, name: str) -> str:
        look, (width, height) = self._looks[name], self._sizes[name]
        # Only the numbers of a long name have room in a cell.
        is_long = LOOKS[look].most <= 60 and text_width(name, 9) > width - 6
        numbers = _NUMBERS.search(name) if is_long else None
        is_box = look in ("box", "holder")
        kind = " ".join(self._kinds[name][:1]) if is_box else self._tints.get(name, "")
        label = numbers[0] if numbers else name
        body = _drawn(look, label, kind, width, height, self._style(name))
        is_goal = name in self._goals and name in self._kinds
        return body + rect(2, 2, width - 4, height - 4, "good", 4) if is_goal else body


@lru_cache(maxsize=10_000)
def _drawn(look: str, *attributes: object) -> str:
    return str(part("looks.svg.j2", look, *attributes)).strip()


def _room(label: str, size: float = 11) -> float:
    """Return the width of a box around a text."""
    return float(ceil(text_width(label, size) + 14))


def _flow(
    slots: Mapping[int, Size], rows: Mapping[int, int], width: float, *, from_top: bool = False
) -> tuple[dict[int, Spot], Size]:
    """Return the places of slots in lines of at most this width, and the size of them all."""
    lines: list[list[int]] = []
    x = y = reach = 0.0
    for slot in sorted(slots, key=lambda slot: (rows[slot], slot)):
        if not lines or x + slots[slot][0] > width or rows[lines[-1][0]] != rows[slot]:
            lines.append([])
            x = 0.0
        lines[-1].append(slot)
        x += slots[slot][0] + _GAP
    found: dict[int, Spot] = {}
    for line in lines:
        x, low = 0.0, y + max(slots[slot][1] for slot in line)
        for slot in line:
            found[slot] = x, y if from_top else low - slots[slot][1], *slots[slot]
            x += slots[slot][0] + _GAP
        reach, y = max(reach, x - _GAP), low + _GAP
    return found, (reach, max(0.0, y - _GAP))


def _moved(spots: Mapping[int, Spot], right: float, down: float) -> dict[int, Spot]:
    return {slot: (x + right, y + down, w, h) for slot, (x, y, w, h) in spots.items()}


def kinds_of(task: Task, changing: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the most specific types of each object, the other types, and the fixed unary facts."""
    unary = defaultdict[str, list[str]](list)
    for fact in sorted(task.facts.facts):
        if len(fact) == 2 and fact[0] not in changing:
            unary[fact[1]].append(fact[0])
    parents, found = task.vocabulary.types.parents, {}
    for name, types in task.vocabulary.objects.items():
        above = {each for own in types for each in parents.get(own, ()) if each != own}
        own = types - {"object"}
        found[name] = *sorted(own - above), *sorted(own & above), *unary[name]
    return found
