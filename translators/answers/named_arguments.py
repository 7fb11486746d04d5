"""Writes a step that is told as an action and named arguments as one line of PDDL or words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from operator import itemgetter
from typing import Final

from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.plan import Step
from pddl_pipeline.model.shortening import shortened
from pddl_pipeline.translators.answers.lines import AnswerLine
from pddl_pipeline.translators.answers.names import WORD
from pddl_pipeline.translators.answers.pddl_answer import spelled
from pddl_pipeline.translators.answers.sentences import Sentences
from pddl_pipeline.translators.answers.step_reader import Mistake
from pddl_pipeline.validation.language import Variable
from pddl_pipeline.validation.task import Task

Argument = tuple[str, str]
"""The name of an argument, empty if it has none, and its value."""

_LINKS: Final = {
    **{word: (word,) for word in ("into", "in", "at", "with", "using", "by", "via", "onto", "on")},
    **dict.fromkeys(("from", "off", "source", "origin", "src"), ("from",)),
    **dict.fromkeys(("to", "destination", "dest"), ("to", "onto", "on", "in", "at")),
    **dict.fromkeys(
        ("below", "beneath", "under", "underneath", "bottom", "lower", "base", "support"),
        ("onto", "on", "from"),
    ),
}
"""The prepositions that words in the name of an argument stand for; the first that fits is used."""
_TARGET: Final = ("to", "onto", "on", "in", "at", "from")
"""The prepositions of an argument ``target``, if it is the last one."""
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth")
_NUMBERED: Final = re.compile(r"(?P<noun>.*?)(?P<count>\d{1,4})")
_LETTERED: Final = re.compile(r"(?P<noun>|.*[ _-])(?P<count>[a-z])")
_ORDINAL: Final = re.compile(rf"(?P<count>{'|'.join(_ORDINALS)})(?P<noun>.*)")
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
            if orders and self._sentences.templates[known].startswith("(") and _is_usual(named):
                # Without words for the action, nothing says what the names mean.
                yield " ".join((known, *values))
                return
        yield from self._sentence(action, arguments, len(parameters))

    def _sentence(self, action: str, arguments: Sequence[Argument], most: int) -> Iterator[str]:
        """Yield the sentence of a step whose arguments have prepositions as names.

        Arguments with other names stand in parentheses if there are several, so that their types
        decide; with as many arguments as the action has, they could be read in their order.
        """
        links = [
            (_links(name, is_last=at == len(arguments)), value)
            for at, (name, value) in enumerate(arguments, 1)
        ]
        objects = [value for link, value in links if not link]
        if len(objects) > 1 and (not most or len(arguments) >= most):
            return
        first = objects if len(objects) < 2 else [f"({', '.join(objects)})"]
        linked = [[f"{link} {value}" for link in found] for found, value in links if found]
        for chosen in product(*linked) if prod(map(len, linked)) <= _MOST_ORDERS else ():
            yield " ".join((action, *first, *chosen))

    def _orders(
        self, parameters: Sequence[Variable], arguments: Sequence[Argument]
    ) -> list[tuple[str, ...]]:
        """Return the orders that arguments may have, by their names and by the objects' types."""
        names = [name.lower() for name, _ in arguments]
        objects = [self._object(value) for _, value in arguments]
        ranks = _ranks([each.name.lstrip("?") for each in parameters], names)
        if ranks:
            ranked = sorted(zip(ranks, objects, strict=True), key=itemgetter(0))
            found = tuple(name for _, name in ranked if name is not None)
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


def open_names(line: AnswerLine) -> Mistake:
    """Return the mistake of a step whose names leave open which object is which."""
    message = f"the names leave open which object is which: '{shortened(line.shown)}'"
    return Mistake(ErrorKind.UNREADABLE, message)


def _ranks(parameters: Sequence[str], names: Sequence[str]) -> list[int]:
    """Return the places of arguments whose names count, or are those of the parameters.

    The names count if they end in different numbers or letters, as in ``block1`` and ``block2`` or
    ``x`` and ``y``, or are words such as ``first``. The list is empty if they do not.
    """
    if sorted(names) == sorted(parameters):
        return [parameters.index(name) for name in names]
    if len(names) < 2:
        return []
    numbered = _counted([_NUMBERED.fullmatch(name) for name in names])
    if numbered:
        return [int(number) for number in numbered]
    lettered = [ord(letter) for letter in _counted([_LETTERED.fullmatch(name) for name in names])]
    if lettered and max(lettered) - min(lettered) < len(lettered):
        return lettered
    return [_ORDINALS.index(word) for word in _counted([_ORDINAL.fullmatch(n) for n in names])]


def _is_usual(names: Sequence[str]) -> bool:
    """Return whether an argument ``to`` does not stand before one ``from``."""
    links = [_links(name, is_last=False)[:1] for name in names]
    return ("from",) not in links or ("to",) not in links[: links.index(("from",))]


def _counted(matches: Sequence[re.Match[str] | None]) -> list[str]:
    """Return what tells names apart; none if they differ in more, or two are the same."""
    found = [match for match in matches if match is not None]
    parts = [match["count"] for match in found]
    is_count = len(found) == len(matches) and len({match["noun"] for match in found}) == 1
    return parts if is_count and len(set(parts)) == len(parts) else []


def _links(name: str, *, is_last: bool) -> tuple[str, ...]:
    """Return the prepositions for the name of an argument such as ``from`` or ``source_block``."""
    words = name.lower().replace("_", " ").replace("-", " ").split()
    if is_last and "target" in words:
        return _TARGET
    return next((_LINKS[word] for word in words if word in _LINKS), ())


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
