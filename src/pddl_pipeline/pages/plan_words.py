"""Facts, conditions and steps of a task in words: those of its domain, or from its PDDL names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from pddl_pipeline.model.plan import Step
from pddl_pipeline.pddl_domains import files_named
from pddl_pipeline.pddl_domains.words import DomainWords, domain_words
from pddl_pipeline.validation.explanation import Unsatisfied, condition_text
from pddl_pipeline.validation.language import DURATION, Ground, conjuncts
from pddl_pipeline.validation.sexpr import SExpr, Source
from pddl_pipeline.validation.task import Task

_COMPARED: Final = {
    ">=": "must be at least",
    "<=": "must be at most",
    ">": "must be more than",
    "<": "must be less than",
    "=": "must be equal to",
}
_NOT: Final = ((" must be ", " must not be "), (" is ", " is not "))
_MUST: Final = (
    (" must ", " must "),
    (" is not ", " must not be "),
    (" does not hold", " must not hold"),
    (" is ", " must be "),
)
_SLOT: Final = re.compile(r"\{(\d)\}")
_VALUES: Final = re.compile(
    r": (\S+) \S+ (\S+) is false$|the duration (\S+) is not \S+ (?:.* )?(\S+)$"
)
_PLACES: Final = ("at", "behind", "in", "inside", "near", "on", "under", "with")
_RELATION: Final = re.compile(rf"(?:\w+ )*?((?:{'|'.join(_PLACES)}|\w+ing|\w+[^e]ed)(?: .*)?)")
"""Names of relations that can stand behind "is", such as ``robot at`` and ``holding``."""
_LONGEST_LIST: Final = 6


class TaskWords:
    """The words for one task."""

    def __init__(self, task: Task, facts: Mapping[str, str] = MappingProxyType({})) -> None:
        """Choose the words of a task.

        Args:
            task: the task.
            facts: the phrases for facts of a picture, where the domain has no words.
        """
        words = _words_of(task)
        self._actions = task.vocabulary.actions
        others = words.states.other_names if words.states else {}
        self._facts: Mapping[str, str] = {
            **facts,
            **words.facts,
            **{name: words.facts[own] for name, own in others.items()},
        }
        self._sentences = {
            action: sentences[0]
            for action in self._actions
            if (sentences := words.sentences.get(words.aliases.get(action, action)))
        }
        self._phrase = words.objects.phrase
        # A name such as dir-left says by its end what the name of its kind would say.
        self._prefixes = re.compile(f" by (?:{'|'.join(words.objects.prefixes) or '(?!)'})")
        parts = [condition_text(part, {}) for part in conjuncts(task.facts.goal)]
        self.goals = [(text, self.condition(text)) for text in parts]
        """The parts of the goal, as PDDL and in words."""

    def step(self, step: Step) -> str:
        """Return a step as a sentence without a full stop, such as ``stack block a on block b``."""
        template = self._sentences.get(step.action)
        if template is not None and _fits(template, step.arguments):
            said = template.format(*map(self._phrase.format, step.arguments))
            return self._prefixes.sub(", ", said.replace("the block block", "the block"))
        names = " ".join(re.split("[-_]+", step.action)).strip() or step.action
        return f"{names}: {', '.join(self._named(step))}" if step.arguments else names

    def _named(self, step: Step) -> list[str]:
        """Return the arguments, each with the name of its parameter if that says something."""
        action = self._actions.get(step.action)
        if action is None or len(action.parameters) != len(step.arguments):
            return list(step.arguments)
        names = [variable.name.removeprefix("?") for variable in action.parameters]
        return [
            argument if len(name) < 3 or argument.startswith(name) else f"{name} {argument}"
            for name, argument in zip(names, step.arguments, strict=True)
        ]

    def fact(self, fact: Sequence[str]) -> str:
        """Return a fact in words, such as ``b1 is on b2``."""
        predicate, *objects = fact
        template = self._facts.get(predicate)
        if template is not None and _fits(template, objects):
            return template.format(*objects)
        name = " ".join(re.split("[-_]+", predicate)).strip() or predicate
        if not objects or (not objects[1:] and (" " in name or name in _PLACES)):
            return " ".join((name, *objects))
        relation = _RELATION.fullmatch(name)
        if relation or not objects[1:]:
            name = f"is {relation[1] if relation else name}"
        return " ".join((objects[0], name, *objects[1:]))

    def holds(self, fact: Sequence[str]) -> str:
        """Return a fact in words as a sentence without a full stop."""
        return _changed(self.fact(fact), ((" is ", " is "),), "holds")

    def must(self, found: Unsatisfied) -> str:
        """Return what must hold, such as ``b1 must be on b2``, and for numbers what they are."""
        said = _changed(self.condition(found.condition), _MUST, "must hold")
        # The numbers of a comparison are known only to the validator's reason.
        values = _VALUES.search(found.why)
        if values:
            left, right = filter(None, values.groups())
            said += f"{'' if said.endswith(f' {right}') else f' ({right})'}, but is {left}"
        error = found.why.partition(" cannot be evaluated: ")[2]
        return f"{said}, but {error}" if error else said

    def condition(self, text: str) -> str:
        """Return a ground condition of PDDL in words."""
        return self._condition(Source(f"(define {text})", "").read()[1])

    def _condition(self, part: SExpr) -> str:
        if isinstance(part, str) or not part:
            return str(part)
        head, rest = part[0], part[1:]
        if head == "not":
            return _changed(self._condition(rest[0]), _NOT, "does not hold")
        if head in ("and", "or") and rest:
            return f" {head} ".join(self._bracketed(each) for each in rest[:_LONGEST_LIST])
        if head in ("imply", "forall", "exists"):
            return _pddl(part)
        if head in _COMPARED and len(rest) == 2:
            return f"{self._number(rest[0])} {_COMPARED[str(head)]} {self._number(rest[1])}"
        return self.fact([str(each) for each in part])

    def _bracketed(self, part: SExpr) -> str:
        inner = self._condition(part)
        is_nested = not isinstance(part, str) and part[:1] in (["and"], ["or"], ["imply"])
        return f"({inner})" if is_nested else inner

    def _number(self, part: SExpr) -> str:
        if isinstance(part, str):
            return part.replace(DURATION, "the duration")
        head, rest = str(part[0]), part[1:]
        if head in ("+", "-", "*", "/") and rest:
            sign = {"*": "×", "/": "÷"}.get(head, head)  # noqa: RUF001 -- the sign of products
            inner = [
                f"({self._number(each)})"
                if not isinstance(each, str) and each[0] in [*"+-*/"]
                else self._number(each)
                for each in rest
            ]
            return f" {sign} ".join(inner) if len(inner) > 1 else f"{sign}{inner[0]}"
        return self.number((head, *map(str, rest)))

    def number(self, fluent: Ground) -> str:
        """Return the name of a numeric fluent in words."""
        name = " ".join(re.split("[-_]+", fluent[0]))
        return f"{name} of {' and '.join(fluent[1:])}" if fluent[1:] else name


def _words_of(task: Task) -> DomainWords:
    """Return the words of the domain with all actions of a task, or none."""
    actions = task.vocabulary.actions
    for name in files_named("words.toml"):
        found = domain_words(name)
        found = domain_words(found.words_of) if found.words_of else found
        known = {*found.sentences, *found.aliases}
        # Several domains have a move; the words are of the one that has all actions.
        if actions and set(actions) <= known and len(actions) >= len(found.sentences):
            return found
    return DomainWords()


def _changed(said: str, verbs: Sequence[tuple[str, str]], other: str) -> str:
    """Return a condition in words with another verb; with more or other verbs, quote it."""
    changed = (said.replace(old, new) for old, new in verbs if said.count(old) == 1)
    return next(changed, f"“{said}” {other}")


def _pddl(part: SExpr) -> str:
    return part if isinstance(part, str) else f"({' '.join(map(_pddl, part))})"


def _fits(template: str, objects: Sequence[str]) -> bool:
    """Return whether the slots of a template are for this many objects."""
    return max(map(int, _SLOT.findall(template)), default=-1) + 1 == len(objects)
