"""Writes a step that is told as an action and named arguments as one line of PDDL or words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from operator import itemgetter
from typing import Final

from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.plan import Step
from pddl_pipeline.translators.answers.names import WORD
from pddl_pipeline.translators.answers.pddl_answer import spelled
from pddl_pipeline.translators.answers.sentences import Sentences
from pddl_pipeline.translators.answers.step_reader import Mistake
from pddl_pipeline.validation.language import Variable
from pddl_pipeline.validation.task import Task

Argument = tuple[str, str]
"""The name of an argument, empty if it has none, and its value."""

_LINKS: Final = {
    **{word: word for word in ("into", "in", "at", "with", "using", "by", "via", "onto", "on")},
    **dict.fromkeys(("from", "off", "source", "origin", "src"), "from"),
    **dict.fromkeys(("to", "destination", "dest"), "to"),
}
"""The prepositions that words in the name of an argument stand for."""
_MOST_ORDERS: Final = 10_000
"""At most so many orders are tried; an action of ten parameters with unknown names has millions."""


class NamedArguments:
    """Writes the steps of one task that are told with named arguments."""

    def __init__(self, sentences: Sentences, task: Task) -> None:
        self._sentences, self._task = sentences, task

    def is_action(self, text: str) -> bool:
        """Return whether a text is the name of an action or a verb for it, and nothing else."""
        return self._action(text) is not None or self._sentences.is_verb(text)

    def written(self, action: str, arguments: Sequence[Argument]) -> str | None:
        """Return the line of a step; None if the names leave open which argument is which.

        A step with an unknown object has a line, too: the reader of the line names the object.
        """
        for text in self._lines(action.lower(), arguments):
            found = self._sentences.read(text)
            if isinstance(found, Mistake) and found.slug is ErrorKind.UNKNOWN_OBJECT:
                return text
            if isinstance(found, list) and len(found) == 1 and self._has_all(found[0], arguments):
                return text
        return None

    def _has_all(self, step: Step, arguments: Sequence[Argument]) -> bool:
        """Return whether a step has all objects that are given, and as often."""
        given = [name for _, value in arguments if (name := self._object(value)) is not None]
        return all(given.count(name) <= step.arguments.count(name) for name in given)

    def _lines(self, action: str, arguments: Sequence[Argument]) -> Iterator[str]:
        values = [value for _, value in arguments]
        named = [name for name, _ in arguments if name]
        if not named:
            yield " ".join((action, *values))
        if len(named) < len(arguments):
            return
        known = self._action(action)
        parameters = self._task.vocabulary.actions[known].parameters if known else ()
        if known and len(parameters) == len(arguments):
            orders = self._orders(parameters, arguments)
            if len(orders) == 1:
                yield " ".join((known, *orders[0]))
                return
        yield from self._sentence(action, arguments, len(parameters))

    def _sentence(self, action: str, arguments: Sequence[Argument], most: int) -> Iterator[str]:
        """Yield the sentence of a step whose arguments have prepositions as names.

        Arguments with other names stand in parentheses if there are several, so that their types
        decide; with as many arguments as the action has, they could be read in their order.
        """
        links = [(_link(name), value) for name, value in arguments]
        objects = [value for link, value in links if link is None]
        if len(objects) > 1 and (not most or len(arguments) >= most):
            return
        first = objects if len(objects) < 2 else [f"({', '.join(objects)})"]
        yield " ".join((action, *first, *(f"{link} {value}" for link, value in links if link)))

    def _orders(
        self, parameters: Sequence[Variable], arguments: Sequence[Argument]
    ) -> list[tuple[str, ...]]:
        """Return the orders that arguments may have, by their names and by the objects' types."""
        names = [name.lower() for name, _ in arguments]
        objects = [self._object(value) for _, value in arguments]
        numbers = [_number(name) for name in names]
        alike = len({name.rstrip("0123456789") for name in names}) == 1
        if alike and len(names) > 1 and numbers == sorted(set(numbers)):
            found = tuple(name for name in objects if name is not None)
            return [found] if len(found) == len(parameters) else []
        fitting = [self._task.vocabulary.candidates(each.types) for each in parameters]
        slots = [
            [slot for slot in _slots(name, parameters, names) if each in fitting[slot]]
            for name, each in zip(names, objects, strict=True)
        ]
        if prod(map(len, slots)) > _MOST_ORDERS:
            return []
        orders = set[tuple[str, ...]]()
        for chosen in _distinct(slots):
            by_slot = sorted(zip(chosen, objects, strict=True), key=itemgetter(0))
            orders.add(tuple(name for _, name in by_slot if name is not None))
            if len(orders) > 1:
                break
        return sorted(orders)

    def _object(self, value: str) -> str | None:
        words = WORD.findall(value.lower())
        mention = self._sentences.names.at(words, 0)
        return None if mention is None or mention.end < len(words) else mention.object

    def _action(self, text: str) -> str | None:
        name = spelled(text.lower().replace(" ", "-"), self._task)
        return name if name in self._task.vocabulary.actions else None


def _number(name: str) -> int:
    digits = name[len(name.rstrip("0123456789")) :]
    return int(digits[:9]) if digits else 0


def _link(name: str) -> str | None:
    """Return the preposition for the name of an argument such as ``from`` or ``source_block``."""
    words = name.lower().replace("_", " ").replace("-", " ").split()
    found = [_LINKS[word] for word in words if word in _LINKS]
    return found[0] if found else None


def _slots(name: str, parameters: Sequence[Variable], names: Sequence[str]) -> list[int]:
    """Return the parameters that an argument may be, by its name.

    The name may be that of one parameter or of its type; then no other argument is this one.
    """
    labels = [{each.name.lstrip("?"), *each.types} - {"object"} for each in parameters]
    mine = [slot for slot, label in enumerate(labels) if name in label]
    if len(mine) == 1:
        return mine
    return [slot for slot, label in enumerate(labels) if label.isdisjoint(names)] or mine


def _distinct(slots: Sequence[Sequence[int]], *before: int) -> Iterator[tuple[int, ...]]:
    """Yield the choices of one slot for each argument that differ from each other."""
    if len(before) == len(slots):
        yield before
        return
    for slot in slots[len(before)]:
        if slot not in before:
            yield from _distinct(slots, *before, slot)
