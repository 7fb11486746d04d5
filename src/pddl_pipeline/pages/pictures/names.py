"""Recognises a domain in a task by its predicates, and draws its states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pddl_pipeline.pages.pictures.picture import Drawing, Scene, SceneMaker, Shape, Spot
from pddl_pipeline.pages.pictures.svg import text_width
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.vocabulary import changing_predicates

Names = Mapping[str, str]
"""By role, the name of the predicate."""


def predicate_names(task: Task, variants: Iterable[Mapping[str, tuple[str, int]]]) -> Names | None:
    """Return the names of a task's predicates by role, or None if it is not the domain.

    A task is of the domain if it has a variant's predicates and changes no others: a picture that
    leaves out a fact would be wrong.

    Args:
        task: the task.
        variants: for each variant, name and arity of the predicate by role.
    """
    predicates = task.vocabulary.predicates
    changing = changing_predicates(task.vocabulary)
    for variant in variants:
        names = {role: name for role, (name, _) in variant.items()}
        fits = all(len(predicates.get(name, "?" * 9)) == arity for name, arity in variant.values())
        if fits and changing <= set(names.values()):
            return names
    return None


def objects_of(task: Task, predicate: str, position: int, states: Sequence[State]) -> list[str]:
    """Return the objects at a place (from 1) of a predicate, by type or else by the facts.

    In untyped domains, a predicate of one object with the name of the type may say it: only objects
    that occur in a fact of some state are known then.
    """
    types = task.vocabulary.predicates[predicate][position - 1]
    if types != ("object",):
        return list(task.vocabulary.candidates(types))
    found = {fact[position] for state in states for fact in state.facts if fact[0] == predicate}
    return [name for name in task.vocabulary.objects if name in found]


def kind_of(task: Task, name: str) -> list[str]:
    """Return the objects of a type, or in untyped domains those with the unary fact of the name."""
    if name in task.vocabulary.types.parents:
        return list(task.vocabulary.candidates((name,)))
    facts = task.facts.facts
    return [each for each in task.vocabulary.objects if (name, each) in facts]


def slots(pairs: Iterable[tuple[str, str]], order: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return for each place the slot of every object that is there in some state.

    Args:
        pairs: an object and its place, for all states.
        order: all objects, in the order in which they get slots.
    """
    found: dict[str, set[str]] = {}
    for child, place in pairs:
        found.setdefault(place, set()).add(child)
    rank = {name: index for index, name in enumerate(order)}
    return {
        place: {name: slot for slot, name in enumerate(sorted(inside, key=lambda n: rank[n]))}
        for place, inside in found.items()
    }


class NotDrawn(Exception):
    """A task has the predicates of a domain, but its states cannot be laid out."""


class DomainScene:
    """Draws the states of a task; the picture of each domain is a subclass."""

    size: tuple[float, float]
    """Width and height of all drawings, set by `arrange`."""
    ground: str = ""
    """See `Drawing.ground`."""
    spots: Mapping[str, Spot] = {}
    """See `Drawing.spots`."""

    def __init__(self, task: Task, names: Names, states: Sequence[State]) -> None:
        """Lay out the states; see `predicate_names` for the names."""
        self.task, self.names, self.states = task, names, states
        self.colour = {name: index for index, name in enumerate(task.vocabulary.objects)}
        """The number of each object's fill, in the order of declaration."""
        self.arrange()

    def arrange(self) -> None:
        """Compute the layout, `size` and `ground`.

        Raises:
            NotDrawn: the states do not fit the picture.
        """
        raise NotImplementedError

    def shapes(self, state: State) -> Iterator[Shape]:
        """Yield the shapes of a state."""
        raise NotImplementedError

    def facts(self, role: str, state: State) -> list[Ground]:
        """Return the facts of a role's predicate in a fixed order."""
        return sorted(fact for fact in state.facts if fact[0] == self.names[role])

    def ever(self, role: str) -> set[Ground]:
        """Return the facts of a role's predicate in all states."""
        return {
            fact for state in self.states for fact in state.facts if fact[0] == self.names[role]
        }

    def draw(self, state: State) -> Drawing:
        """Return the drawing of a state."""
        return Drawing(*self.size, self.ground, tuple(self.shapes(state)), self.spots)

    @classmethod
    def of(cls, *variants: Mapping[str, tuple[str, int]]) -> SceneMaker:
        """Return the maker of scenes for tasks of these variants; see `predicate_names`."""

        def scene(task: Task, states: Sequence[State]) -> Scene | None:
            names = predicate_names(task, variants)
            try:
                return None if names is None else cls(task, names, states).draw
            except NotDrawn:
                return None

        return scene


def fitting(names: Iterable[str], least: float, most: float, margin: float, font: float) -> float:
    """Return the width, within bounds, in which the longest of these names has room."""
    longest = max((text_width(name, font) for name in names), default=0)
    return min(most, max(least, longest + margin))
