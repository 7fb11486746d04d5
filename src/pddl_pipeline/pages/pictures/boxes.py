"""Draws the states of a task: things in and on each other, on a map if there is one.

What is in a thing stands in its slots. Two things that are never there together may share a slot,
so that a ferry for one car needs one; nothing else moves when something comes or goes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, count, product
from math import ceil
from typing import Final, NamedTuple, TypeVar

from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.pages.html_page import part
from pddl_pipeline.pages.pictures.grid import cells_of, neighbour_facts
from pddl_pipeline.pages.pictures.looks import LOOKS
from pddl_pipeline.pages.pictures.picture import Drawing, Shape, Spot
from pddl_pipeline.pages.pictures.profile import Profile, Rule
from pddl_pipeline.pages.pictures.svg import fill, rect, text, text_width
from pddl_pipeline.validation.language import Atom, Ground, Not, conjuncts
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.vocabulary import changing_predicates

_ALL: Final = ""
"""The name of what contains everything."""
_WIDTH: Final = 800
_INNER_WIDTH: Final = 330
_MARGIN: Final = 12
_GAP: Final = 8
_BADGE: Final = 17 / 11
_ROW: Final = 20 / 11
"""Height of a badge, and of a row of badges, per pixel of the font."""
_OTHER: Final = "other facts"
"""The name of what shows the facts that have no place in or on another thing."""
_MOST_OTHER: Final = 40
_NUMBERS: Final = re.compile(r"\d+(?:-\d+)*$")
_FRAMED: Final = ("box", "holder", "tile", "place", "block")
"""The looks with room for a badge of the goal."""
_GOAL: Final = ""
"""The key of that badge, whose row is the first."""
_MOST_GOALS: Final = 4
_REACHED: Final = "✓ "
Size = tuple[float, float]
Slot = tuple[int, int]
"""The row of a slot, and its number."""
Key = TypeVar("Key")
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
                child, parent = rule.pair(fact)
                at = parent
                # In a circle, such as two keys in each other, the last fact places nothing.
                while at != child and at in places:
                    at = places[at][0]
                if at != child:
                    # Rules come in the order of their importance: the first that places a thing
                    # counts.
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
        # Without predicates, the profile is for any domain, and nothing may be left out.
        self._shows_all = not profile.predicates
        self._changing = changing_predicates(task.vocabulary)
        self._values = {
            name
            for state in states
            for name, value in state.values.items()
            if self._shows_all and states[0].values.get(name) != value and name != ("total-cost",)
        }
        places = [_places_in(state, profile.rules) for state in states]
        self._rules = {child: at[1] for place in places for child, at in place.items()}
        self._parents = {parent for place in places for parent, *_ in place.values()}
        self._on_map = neighbour_facts(task.facts.facts, profile.grid)
        self._cells = {name for fact in self._on_map for name in fact[1:3]}
        self._kinds = kinds_of(task, self._changing)
        if not set(profile.kinds) <= {kind for kinds in self._kinds.values() for kind in kinds}:
            raise NotDrawn(f"kinds: found none of the objects, expected {', '.join(profile.kinds)}")
        self._place_looks()
        self._place_facts(states)
        self._place_goals(task)
        static = sorted(task.facts.facts) if profile.colours else []
        self._tints = {fact[1]: fact[2] for fact in static if fact[0] in profile.colours}
        colours = sorted(set(self._tints.values()))
        self._styles |= {name: fill(colours.index(tint)) for name, tint in self._tints.items()}
        self._like = {
            name: (look, *self._kinds.get(name, ())[:1]) for name, look in self._looks.items()
        }
        self._named = _largest(
            (like, (_room(name.split()[-1], 15), 0)) for name, like in self._like.items()
        )
        """The width in which the names of all things of a look and a kind have room."""
        self._place_badges(states)
        self._all = list(map(self._arranged, places))
        self._spots: dict[str, dict[Slot, Spot]] = {}
        self._lay_out()
        # Empty first, since `_inside` reads it while it is computed.
        self._places: dict[str, Spot] = {}
        self._places = {
            each.key: each[1:5]
            for each in self._inside(_ALL, (0, 0), self._all[0], states[0])
            if each.key in self._looks
            and LOOKS[self._looks[each.key]].is_place
            and each.key not in self._rules
        }
        self._ground = self._map + "".join(
            f"<g transform='translate({x:g} {y:g})'>{self._body(name)}</g>"
            for name, (x, y, *_) in self._places.items()
        )

    def _place_looks(self) -> None:
        """Set the look of each thing that is drawn, and the number of its colour."""
        # Things that are no objects, such as the table, which is there even if it is empty.
        ever = {name for name in self._profile.looks if name.startswith("the ")}
        involved = ever.union(self._cells, self._rules, self._parents)
        shown = [
            name
            for name, kinds in self._kinds.items()
            if self._shows_all
            or name in involved
            or not self._profile.looks.keys().isdisjoint((*kinds, "object"))
        ]
        self._holding = {self._kinds.get(parent, ())[:1] for parent in self._parents} - {()}
        names = [*sorted(shown, key=lambda name: name not in involved), *sorted(involved)]
        looks = {name: self._look(name) for name in names}
        self._looks = {name: look for name, look in looks.items() if look != "hidden"}
        types = sorted({kinds[:1] for kinds in self._kinds.values()})
        self._styles = {
            name: fill(types.index(kinds[:1]) if self._shows_all and types[1:] else number)
            for number, (name, kinds) in enumerate(self._kinds.items())
        }

    def _look(self, name: str) -> str:
        kinds, rule = self._kinds.get(name, ()), self._rules.get(name)
        known = {name, *kinds, "object"}
        is_cell, holds = name in self._cells, name in self._parents
        # An empty truck looks like the truck that holds something.
        is_like_holders = rule is None and kinds[:1] in self._holding
        # The profile first, then what the rules and the map say.
        found = [
            *(look for key, look in self._profile.looks.items() if key in known),
            ("tile" if self._shows_all else "cell") * is_cell,
            rule.look if rule is not None else "",
            "holder" if holds or is_like_holders else "box",
        ]
        look = next(filter(None, found))
        # A cell that has no neighbours and holds nothing is a wall.
        return look if is_cell or holds or LOOKS[look].equal != "cell" else "wall"

    def _place_facts(self, states: Sequence[State]) -> None:
        """Find the facts and values that badges show: on an object, or on what shows the others."""
        badges, shown = self._profile.badges, {rule.predicate for rule in self._profile.rules}
        self._left = self._changing - shown if self._shows_all else set[str]()
        facts = {
            fact
            for state in states
            for fact in state.facts
            if fact[0] in self._left | badges.keys()
        }
        self._badged = defaultdict[str, list[Ground]](list)
        for fact in sorted(facts.union(self._values)):
            is_own = len(fact) > 1 if fact[0] in badges else (len(fact) == 2 and fact not in facts)
            if badges.get(fact[0], _OTHER):
                self._badged[fact[1] if is_own else _OTHER].append(fact)
        # What has no place in the picture may be most of the facts; the table has them all.
        more = len(self._badged[_OTHER]) - _MOST_OTHER
        del self._badged[_OTHER][_MOST_OTHER:]
        self._kinds[_OTHER] = (f"and {more} more, in the table" if more > 0 else "",)

    def _place_goals(self, task: Task) -> None:
        """Find where the goals stand, in words: at their place, or at the thing itself."""
        literals = [
            (part.part, False) if isinstance(part, Not) else (part, True)
            for part in conjuncts(task.facts.goal)
        ]
        self._wanted = {
            (atom.predicate, *atom.terms): wanted
            for atom, wanted in literals
            if isinstance(atom, Atom)
        }
        """Each fact of the goal, and whether it must hold."""
        self._goals = defaultdict[str, list[tuple[str, Ground]]](list)
        for fact, wanted in sorted(self._wanted.items()):
            sign = "" if wanted else "not "
            for rule in self._profile.rules:
                if rule.predicate == fact[0]:
                    child, parent = rule.pair(fact)
                    # A goal stands where the thing shall be, or at the thing if that is on another.
                    is_there = parent in self._kinds and not rule.on
                    owner, label = (
                        (parent, child) if is_there else (child, "on " * rule.on + parent)
                    )
                    self._goals[owner].append((sign + label, fact))
            if fact[0] in self._profile.badges and len(fact) > 1:
                # The frame of a cell is enough for a goal that has no other object.
                is_framed = wanted and self._looks.get(fact[1]) == "tile"
                label = " ".join(fact[2:]) or ("" if is_framed else fact[0])
                self._goals[fact[1]].append((sign + label, fact))
            elif fact[0] in self._left:
                self._goals[_OTHER].append((sign + " ".join(fact), fact))
        if self._badged[_OTHER] or _OTHER in self._goals:
            self._looks[_OTHER] = "holder"

    def _place_badges(self, states: Sequence[State]) -> None:
        """Set the row of each badge that a thing has in some state, and the largest width.

        All cells of a map have the same rows. Badges that are never there together share one.
        """
        # Things of one look are equally large, so their badges are in the same rows.
        self._row_group = {name: LOOKS[look].equal or name for name, look in self._looks.items()}
        together = defaultdict[str, set[tuple[str, ...]]](set)
        widths: list[tuple[str, Size]] = []
        for name, state in product(self._looks, states):
            badges = self._badges(name, state)
            together[self._row_group[name]].add(tuple(sorted(badges)))
            size = LOOKS[self._looks[name]].badge
            widths += [(name, (_room(label, size) + 10, 0)) for label, _ in badges.values()]
        self._badge_width = _largest(widths)
        self._badge_rows = {
            group: _shared(keys, sorted({*chain(*keys)}), {}) for group, keys in together.items()
        }

    def _badges(self, name: str, state: State) -> dict[str, tuple[str, tuple[Ground, ...]]]:
        """Return text and facts of an object's badges, by the predicate or function."""
        found: dict[str, tuple[str, tuple[Ground, ...]]] = {}
        for fact in self._badged[name]:
            if fact in state.facts or fact in state.values:
                key = atom_text(fact) if name == _OTHER else fact[0]
                label = self._profile.badges.get(fact[0], "").format(*fact) or key
                if fact in state.values:
                    label += f" = {number_text(state.values[fact])}"
                # A goal that holds is marked where its fact is shown, and is not written twice.
                label = _REACHED * self._wanted.get(fact, False) + label
                labels, facts = found.get(key, ("", ()))
                found[key] = f"{labels}, {label}".removeprefix(", "), (*facts, fact)
        goals = sorted(
            (self._wanted[fact] == (fact in state.facts), label, fact)
            for label, fact in self._goals.get(name, ())
            if label
            and not any(self._wanted[fact] and fact in facts for _, facts in found.values())
        )
        if goals and self._looks[name] in _FRAMED:
            named = [_REACHED * is_reached + label for is_reached, label, _ in goals]
            more = len(goals) - _MOST_GOALS
            said = ", ".join(named[:_MOST_GOALS]) + f" and {more} more" * (more > 0)
            is_open = not goals[0][0]
            found[_GOAL] = "goal: " * is_open + said, tuple(fact for *_, fact in goals)
        return found

    def _arranged(self, places: _Places) -> _Arranged:
        inside, on = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
        for name in self._looks:
            parent, rule, _ = places.get(name, (_ALL, None, None))
            (on if rule is not None and rule.on else inside)[parent].append(name)
        facts = {name: (fact,) for name, (*_, fact) in places.items()}
        return _Arranged(dict(inside), dict(on), facts)

    def _lay_out(self) -> None:
        """Set the slots and the size of each thing."""
        together = defaultdict[str, set[tuple[str, ...]]](set)
        for parent, children in chain(*(each.inside.items() for each in self._all)):
            together[parent].add(tuple(children))
        rows = {name: LOOKS[look].row for name, look in self._looks.items()}
        self._slots = {
            parent: _shared(groups, self._looks, rows) for parent, groups in together.items()
        }
        self._sizes: dict[str, Size] = {}
        self._begun: set[str] = set()
        sizes = {name: self._size(name) for name in self._looks}
        # The sizes are computed twice: first each of its own, then with those of equal looks.
        equal = _largest((self._row_group[name], size) for name, size in sizes.items())
        self._sizes = {name: equal[self._row_group[name]] for name in self._looks}
        self._size(_ALL)

    def _size(self, name: str) -> Size:
        """Return the size of a thing; set the places of the slots in it, from the inside out."""
        if name not in self._sizes:
            # A thing is in another in one state, and the other way round in another state.
            if name in self._begun:
                raise NotDrawn("rules: found things in each other, expected no circle")
            self._begun.add(name)
            slots = _largest(
                (self._slots[name][child], self._tower(child, each))
                for each in self._all
                for child in each.inside.get(name, ())
            )
            self._sizes[name] = (self._box_size if name else self._whole_size)(name, slots)
        return self._sizes[name]

    def _tower(self, name: str, arranged: _Arranged) -> Size:
        """Return the size of a thing with everything on it."""
        width, height = self._size(name)
        above = [self._tower(each, arranged) for each in arranged.on.get(name, ())]
        high = max((each[1] for each in above), default=0)
        return max(width, sum(each[0] for each in above)), height + high

    def _box_size(self, name: str, slots: Mapping[Slot, Size]) -> Size:
        """Set the places of the slots in a thing; return its size."""
        spots, (width, height) = _flow(slots, _INNER_WIDTH)
        look = LOOKS[self._looks[name]]
        badge_rows = {*self._badge_rows[self._row_group[name]].values()}
        top = look.top + _ROW * look.badge * len(badge_rows)
        named = min(look.most, max(look.least, self._named[self._like[name]][0]))
        whole = max(width + 2 * look.side, named, self._badge_width.get(name, (0, 0))[0])
        # What is inside stands on the floor, not below the name.
        spare = max(0.0, look.room - height)
        self._spots[name] = _moved(spots, (whole - width) / 2, top + spare)
        return whole, top + max(height, look.room) + look.bottom

    def _whole_size(self, whole: str, slots: Mapping[Slot, Size]) -> Size:
        """Set the places of what is in nothing: the cells of a map, and everything else below."""
        cells = [name for name, look in self._looks.items() if LOOKS[look].equal == "cell"]
        found = cells_of(cells, self._on_map) if cells else {}
        if found is None:
            raise NotDrawn("grid: found neighbours that fit no map, expected cells in rows")
        wide, high = self._sizes[cells[0]] if cells else (0, 0)
        on_map = {
            self._slots[whole][name]: (x * wide, y * high, wide, high)
            for name, (x, y) in found.items()
        }
        width = max((x + wide for x, *_ in on_map.values()), default=0)
        height = max((y + high for _, y, *_ in on_map.values()), default=0)
        others = {slot: size for slot, size in slots.items() if slot not in on_map}
        spots, size = _flow(others, _WIDTH, from_top=True)
        below = height + _MARGIN if cells and others else height
        spots = _moved(spots, 0, below) | on_map
        self._map = rect(_MARGIN, _MARGIN, width, height, "wall") if cells else ""
        self._spots[whole] = _moved(spots, _MARGIN, _MARGIN)
        return max(width, size[0], 200) + 2 * _MARGIN, below + size[1] + 2 * _MARGIN

    def draw(self, state: State) -> Drawing:
        """Return the drawing of a state."""
        width, height = self._sizes[_ALL]
        arranged = self._arranged(_places_in(state, self._profile.rules))
        shapes = tuple(self._inside(_ALL, (0, 0), arranged, state))
        things: Mapping[str, Sequence[str]] = {
            each.predicate: [
                name
                for rule in self._profile.rules
                if rule.predicate == each.predicate
                for name in (rule.child, rule.parent)
            ]
            for each in self._profile.rules
        }
        return Drawing(width, height, self._ground, shapes, self._places, things)

    def _inside(
        self, parent: str, corner: Size, arranged: _Arranged, state: State
    ) -> Iterator[Shape]:
        for child in arranged.inside.get(parent, ()):
            x, y, width, height = self._spots[parent][self._slots[parent][child]]
            own_width, own_height = self._sizes[child]
            at = corner[0] + x + (width - own_width) / 2, corner[1] + y + height - own_height
            yield from self._thing(child, at, parent, arranged, state)

    def _thing(
        self, name: str, at: Size, parent: str, arranged: _Arranged, state: State
    ) -> Iterator[Shape]:
        """Yield a thing that is no part of the ground, its badges, and what is in and on it."""
        (x, y), (width, height) = at, self._sizes[name]
        if name not in self._places:
            facts = arranged.facts.get(name, ())
            yield Shape(name, x, y, width, height, self._body(name), (name,), parent, facts)
        rows, look = self._badge_rows[self._row_group[name]], LOOKS[self._looks[name]]
        high = _BADGE * look.badge
        for key, (label, facts) in self._badges(name, state).items():
            wide = _room(label, look.badge)
            style, on = (
                (self._styles.get(name, fill(0)), "on")
                if name in self._tints
                else ("paper edge", "")
            )
            body = rect(0, 0, wide, high, style, high / 2)
            if key == _GOAL or any(self._wanted.get(fact) for fact in facts):
                on = "goodtext"
                body += rect(0, 0, wide, high, "good", high / 2)
            body += text(wide / 2, 0.74 * high, label, size=look.badge, style=on)
            top = y + look.top + rows[key][1] * _ROW * look.badge
            yield Shape(
                f"badge {name} {key}", x + (width - wide) / 2, top, wide, high, body,
                within=name, facts=facts,
            )  # fmt: skip
        yield from self._inside(name, at, arranged, state)
        above = arranged.on.get(name, ())
        left = x + (width - sum(self._sizes[each][0] for each in above)) / 2
        for each in above:
            place = left, y - self._sizes[each][1]
            yield from self._thing(each, place, name, arranged, state)
            left += self._sizes[each][0]

    def _body(self, name: str) -> str:
        look, (width, height) = self._looks[name], self._sizes[name]
        # Only the numbers of a long name have room in a cell.
        is_long = LOOKS[look].most <= 60 and text_width(name, 9) > width - 12
        numbers = _NUMBERS.search(name) if is_long else None
        is_box = look in ("box", "holder")
        kind = " ".join(self._kinds[name][:1]) if is_box else self._tints.get(name, "")
        label = numbers[0] if numbers else name
        body = _drawn(look, label, kind, width, height, self._styles.get(name, fill(0)))
        is_goal = name in self._goals and LOOKS[look].is_place
        return body + rect(2, 2, width - 4, height - 4, "good", 4) if is_goal else body


@lru_cache(maxsize=10_000)
def _drawn(look: str, *attributes: object) -> str:
    return str(part("looks.svg.j2", look, *attributes)).strip()


def _room(label: str, size: float = 11) -> float:
    """Return the width of a box around a text."""
    return float(ceil(text_width(label, size) + 14))


def _largest(sizes: Iterable[tuple[Key, Size]]) -> dict[Key, Size]:
    """Return the largest width and the largest height of each key."""
    found: dict[Key, Size] = {}
    for key, (width, height) in sizes:
        wide, high = found.get(key, (0, 0))
        found[key] = max(width, wide), max(height, high)
    return found


def _shared(
    groups: Iterable[tuple[str, ...]], order: Iterable[str], rows: Mapping[str, int]
) -> dict[str, Slot]:
    """Return a slot for each name of these groups, which are those that are there together."""
    # Colours of a graph, greedily: things that are ever there together need different slots.
    found, slots = list(groups), dict[str, Slot]()
    if len(found) == 1:
        return {name: (rows.get(name, 0), number) for number, name in enumerate(found[0])}
    for name in order:
        near = {other for group in found if name in group for other in group}
        if near:
            taken = {slot for other, slot in slots.items() if other in near}
            free = ((rows.get(name, 0), number) for number in count())
            slots[name] = next(slot for slot in free if slot not in taken)
    return slots


def _flow(
    slots: Mapping[Slot, Size], width: float, *, from_top: bool = False
) -> tuple[dict[Slot, Spot], Size]:
    """Return the places of slots in lines of at most this width, and the size of them all."""
    lines: list[list[Slot]] = []
    x = y = reach = 0.0
    for slot in sorted(slots):
        # A new line for what does not fit, and for each row of looks.
        if not lines or x + slots[slot][0] > width or lines[-1][0][0] != slot[0]:
            lines.append([])
            x = 0.0
        lines[-1].append(slot)
        x += slots[slot][0] + _GAP
    found: dict[Slot, Spot] = {}
    for line in lines:
        x, low = 0.0, y + max(slots[slot][1] for slot in line)
        for slot in line:
            found[slot] = x, y if from_top else low - slots[slot][1], *slots[slot]
            x += slots[slot][0] + _GAP
        reach, y = max(reach, x - _GAP), low + _GAP
    return found, (reach, max(0.0, y - _GAP))


def _moved(spots: Mapping[Slot, Spot], right: float, down: float) -> dict[Slot, Spot]:
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
