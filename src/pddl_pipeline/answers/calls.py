"""Reads steps as calls: ``(stack a b)``, ``stack(a, b)``, ``sail(from=l0, to=l1)``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pddl_pipeline.answers.frames import Frames, plain
from pddl_pipeline.answers.terms import OBJECT, Terms
from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.plan import Step
from pddl_pipeline.validation.vocabulary import Vocabulary

# The innermost parentheses, with the word right before them. Some write `(:action unstack b c)`.
_GROUP: Final = re.compile(
    r"((?:[A-Za-z_][\w-]*[. ])?[\w-]+)?\((?:\s*:action\s)?([^()\n]{0,300})\)"
)
_CUT: Final = re.compile(r"([\w-]+)?\((?:\s*:action\s)?\s*([\w-]*)[^()\n]*$")
_VALUE: Final = re.compile(r"\s*(?:([\w-]+)\s*[=:]\s*)?['\"]?([^'\"=,]+?)['\"]?\s*")
_NAME: Final = re.compile(r"\??[a-z0-9_][\w@!+*/.-]*", re.ASCII)


class Group(NamedTuple):
    """Parentheses in a line that are a step or a fact."""

    start: int
    end: int
    step: Step | None
    """None for a fact."""
    fault: tuple[ErrorKind, str] | None = None
    """Why the step is none of the task, or cannot be read."""


class Calls:
    """Reads the calls of tasks with the same vocabulary."""

    def __init__(self, terms: Terms, frames: Frames, vocabulary: Vocabulary) -> None:
        self._terms, self._frames, self._vocabulary = terms, frames, vocabulary
        self._predicates = {plain(name) for name in (*vocabulary.predicates, *vocabulary.functions)}

    def groups(self, line: str) -> Iterator[Group]:
        """Yield the steps and facts in parentheses; other parentheses are prose."""
        for match in _GROUP.finditer(line):
            name, inside = match[1], match[2]
            start = match.start()
            if name is None:
                words = inside.replace(",", " ").split()
                if not words or not all(_NAME.fullmatch(word.lower()) for word in words):
                    continue
                head, parts = words[0], words[1:]
            else:
                words = re.split(r"[. ]", name)
                if len(words) > 1 and self._frames.action("-".join(words)) is None:
                    actor = "." in name and self._are_objects(words[:1])
                    inside = f"{words[0]},{inside}" if actor else inside
                    start += 0 if actor else len(words[0]) + 1
                    words = words[1:]
                parts = [each for each in re.split(r",|->|\u2192", inside) if each.strip()]
                head = "-".join(words)
            action = self._frames.action(head)
            if action is not None:
                if name is None and any(
                    word.lower() in ("the", "from", "on", "onto", "to", "up", "at")
                    for word in parts
                ):
                    continue
                yield self._call(start, match.end(), action, parts)
            elif plain(head) in self._predicates:
                yield Group(start, match.end(), None)
            elif (
                match[0] == line.strip()
                and (parts or name is None)
                and self._are_objects(parts)
                and not self._are_objects([head])
            ):
                step = Step(head.lower(), tuple(part.lower() for part in parts))
                message = f"{step}: unknown action '{head.lower()}'"
                yield Group(start, match.end(), step, (ErrorKind.UNKNOWN_ACTION, message))
        cut = _CUT.search(line)
        action = self._frames.action(cut[1] or cut[2]) if cut else None
        if cut and action:
            fault = ErrorKind.UNREADABLE, f"the step is not complete: '{cut[0].strip()}'"
            yield Group(cut.start(), cut.end(), Step(action), fault)

    def _are_objects(self, words: Sequence[str]) -> bool:
        return all(word.lower() in self._vocabulary.objects for word in words)

    def _call(self, start: int, end: int, action: str, parts: Sequence[str]) -> Group:
        values = [match for part in parts if (match := _VALUE.fullmatch(part))]
        if len(values) < len(parts):
            message = f"not understood: '{', '.join(parts)}'"
            return Group(start, end, Step(action), (ErrorKind.UNREADABLE, message))
        names = [self._object(match[2]) for match in values]
        if values and all(match[1] for match in values):
            ordered = self._ordered(
                action, {match[1].lower(): name for match, name in zip(values, names, strict=True)}
            )
            if ordered is None:
                message = f"the names leave open which object is which: '{', '.join(parts)}'"
                return Group(start, end, Step(action), (ErrorKind.UNREADABLE, message))
            names = list(ordered)
        return Group(start, end, Step(action, tuple(names)))

    def _object(self, text: str) -> str:
        """Return the object that a text names, or the text itself."""
        own = text.strip().lower()
        terms = self._terms.of(own) if own not in self._vocabulary.objects else []
        return terms[0].text if len(terms) == 1 and terms[0].kind == OBJECT else own

    def _ordered(self, action: str, given: Mapping[str, str]) -> tuple[str, ...] | None:
        """Return the objects of named arguments in order; None if names are not clear."""
        parameters = self._vocabulary.actions[action].parameters
        if len(given) == len(parameters) == 1:
            return tuple(given.values())
        found: dict[int, str] = {}
        for name, value in given.items():
            named = ({each.name.lstrip("?"), *each.types} for each in parameters)
            slots = [slot for slot, names in enumerate(named) if name in names]
            found |= {slots[0]: value} if len(slots) == 1 else {}
        whole = len(found) == len(given) == len(parameters)
        return tuple(found[slot] for slot in sorted(found)) if whole else None
