"""Reads steps as calls: ``(stack a b)``, ``stack(a, b)``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pddl_pipeline.answers.english import LINKS
from pddl_pipeline.answers.frames import Frames, plain
from pddl_pipeline.answers.terms import OBJECT, Terms
from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.plan import Step
from pddl_pipeline.validation.vocabulary import Vocabulary

# The innermost parentheses, with the word right before them. Some write `(:action unstack b c)`.
# A word is tried from its start only, or the time would be quadratic in its length.
_GROUP: Final = re.compile(
    r"((?<![\w-])(?:[A-Za-z]+ )?[\w-]+)?\((?:\s*:action\s)?([^()\n]{0,300})\)"
)
_CUT: Final = re.compile(r"((?<![\w-])[\w-]+)?\((?:\s*:action\s)?\s*+([\w-]*+)[^()\n]*+$")
_NAME: Final = re.compile(r"\??[a-z0-9_][\w@!+*/.-]*", re.ASCII | re.IGNORECASE)
_NO_OBJECTS: Final = frozenset({"the", "from", "on", "onto", "to", "up", "at"})


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
        self._terms, self._frames, self._objects = terms, frames, vocabulary.objects
        self._parameters = {name: each.parameters for name, each in vocabulary.actions.items()}
        self._predicates = {
            plain(name): len(types)
            for each in (vocabulary.functions, vocabulary.predicates)
            for name, types in each.items()
        }  # fmt: skip

    def groups(self, line: str) -> Iterator[Group]:
        """Yield the steps and facts in parentheses; other parentheses are prose."""
        for match in _GROUP.finditer(line):
            words = match[2].replace(",", " ").split()
            if match[1] is None and not (words and all(map(_NAME.fullmatch, words))):
                continue
            head, start = match[1] or words.pop(0), match.start()
            if " " in head and self._frames.action(head) is None:
                start += head.index(" ") + 1
                head = head.split()[1]
            given = words if match[1] is None else match[2].split(",")
            parts = [each for each in given if each.strip()]
            action = self._frames.action(head)
            if action is not None and parts and all("=" in each for each in parts):
                yield self._by_name(action, parts, match)
            elif action is not None and (match[1] or _NO_OBJECTS.isdisjoint(map(str.lower, words))):
                step = Step(action, tuple(map(self._object, parts)))
                yield Group(start, match.end(), step)
            elif len(parts) == self._predicates.get(plain(head)):
                yield Group(start, match.end(), None)
            elif match[0] == line.strip() and self._are_steps(head, parts):
                step = Step(head.lower(), tuple(map(self._object, parts)))
                yield Group(
                    start,
                    match.end(),
                    step,
                    (ErrorKind.UNKNOWN_ACTION, f"{step}: unknown action '{head.lower()}'"),
                )
        cut = _CUT.search(line)
        action = self._frames.action(cut[1] or cut[2]) if cut else None
        if cut and action:
            fault = ErrorKind.UNREADABLE, f"the step is not complete: '{cut[0].strip()}'"
            yield Group(*cut.span(), Step(action), fault)

    def _by_name(self, action: str, parts: Sequence[str], match: re.Match[str]) -> Group:
        """Return the step of ``sail(from=l0, to=l1)``, by parameters or as a sentence."""
        named = {
            name.strip(" _?"): value for name, _, value in (each.partition("=") for each in parts)
        }
        parameters = [each.name.lstrip("?") for each in self._parameters[action]]
        if named.keys() == set(parameters):
            step = Step(action, tuple(self._object(named[name]) for name in parameters))
            return Group(match.start(), match.end(), step)
        last = sorted(
            named.items(), key=lambda each: each[0] in LINKS
        )  # `a` at the end is no article
        sentence = " ".join((action, *(f"{name} {value.strip()}" for name, value in last)))
        said = self._frames.said(self._terms.of(sentence.replace('"', "").replace("'", "")))
        steps = self._frames.steps(said) if said else []
        fault = ErrorKind.UNREADABLE, f"the arguments are not understood: '{match[0]}'"
        if len(steps) == 1:
            return Group(match.start(), match.end(), steps[0])
        return Group(match.start(), match.end(), Step(action), fault)

    def _are_steps(self, head: str, parts: Sequence[str]) -> bool:
        """Return whether parentheses have the form of a step with objects of the task."""
        known = [each.strip().lower() in self._objects for each in (head, *parts)]
        return not known[0] and all(known[1:]) and head.lower() not in ("empty", "none")

    def _object(self, text: str) -> str:
        """Return the object that a text names, or the text itself."""
        own = text.strip(" '\"").lower()
        terms = self._terms.of(own) if own not in self._objects else []
        return terms[0].text if len(terms) == 1 and terms[0].kind == OBJECT else own
