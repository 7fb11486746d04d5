"""Steps told in sentences: told by templates, and read with the words of the same templates."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.translators.answers.names import ARTICLES, LINKS, WORD, Mention, Names
from pddl_pipeline.validation.task import Task

_PART: Final = re.compile(r"\{(\d)\}|[\w-]+")
# Prepositions that say the reverse of each other. The others say nothing of a direction.
_AWAY: Final = frozenset({"from", "off"})
_TOWARDS: Final = frozenset({"to", "into", "on", "onto", "upon"})
# What may stand before a sentence: numbers, bullets, Markdown, words of order.
_BEFORE: Final = re.compile(
    r"""^(?:[\s>*_`#"'\[{|\u2022\u2013\u2014-]+|\(?\d{1,4}(?:[.):|]+|\s(?=[a-z|]))|"""
    r"(?:step|action|phase)\s{0,2}(?:\d{0,4}|[a-z]{3,7})[\s*_]{0,6}[.):-]|"
    r"move\s\d{1,4}[\s*_]{0,6}[.):-]|\(?(?:[a-z]|[ivx]{1,5})[.)]\s|\d{1,4}\s[.):]|\\item\b|"
    r"(?:(?:here is|so|thus,?)\s)?(?:the|my|your)\s(?:final\s)?(?:plan|answer|solution)\sis\b"
    r"[^:]{0,20}:|"
    r"(?:first|second|third|then|next|after that|finally|lastly|now|and|perform|execute|"
    r"plan|actions|steps)\b[\s,:\"]*)+",
    re.IGNORECASE,
)
# What follows explains the step. What stands in parentheses right behind it belongs to it: where
# that names something else, which names are meant would be a guess.
_CLAUSE_END: Final = re.compile(r"[.:;]\**(?:\s(?!\s*\()|$)")
_PARTING: Final = re.compile(r"\s\d{1,3}[.)]\s+|[;,.](?:\s+|$)|\b(?:and )?then\b|\band\s+")
_PRONOUNS: Final = frozenset({"it", "them", "this", "that", "one", "another"})


@dataclass(frozen=True, slots=True)
class Words:
    """How a domain's steps are told."""

    sentences: Mapping[str, tuple[str, ...]]
    """By name of the action, sentences with ``{0}``, ``{1}``, … for its arguments. The first is
    the one that is told. Each begins with a verb that no other action has, or holds it."""
    names: Callable[[Task], Names]
    """What the objects of a task are called."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Names of actions in variants of the domain, and in whose sentences they are told."""
    idle: tuple[str, ...] = ()
    """What may be named and is no argument of a step, such as ``the ferry``."""


def own_names(*nouns: str) -> Callable[[Task], Names]:
    """Return the `Words.names` of a domain whose objects are called by their own names.

    Args:
        nouns: what may stand beside a name, see `Names`.
    """
    return lambda task: Names({name: name for name in task.vocabulary.objects}, nouns)


class Mistake(NamedTuple):
    """Why a line that is meant as a step is none."""

    slug: ErrorKind
    message: str


class _Pattern(NamedTuple):
    """A sentence to be read: words that must be there, and slots for names."""

    action: str
    parts: tuple[str | int, ...]
    links: Mapping[int, frozenset[str]]
    """By slot, the prepositions before the name. A line must not have the reverse there."""
    swaps: bool
    """Whether names stand in another order than in PDDL: then prepositions must be there."""
    bare: bool
    """Whether it is no sentence but a step of PDDL, so without prepositions."""


class Sentences:
    """Tells and reads the steps of one task."""

    def __init__(self, words: Words, task: Task) -> None:
        self.names = words.names(task)
        self._predicates = frozenset(task.vocabulary.predicates)
        self._idle = re.compile(rf"\b(?:{'|'.join(words.idle)})\b" if words.idle else r"(?!)")
        self._told: dict[str, str] = {}
        self._patterns: dict[str, list[_Pattern]] = {}
        for action, schema in task.vocabulary.actions.items():
            sentences = words.sentences.get(words.aliases.get(action, action), ())
            slots = " ".join(f"{{{index}}}" for index in range(len(schema.parameters)))
            self._told[action] = sentences[0] if sentences else f"({action} {slots})"
            spellings = {action, action.replace("-", ""), action.replace("-", "_")}
            patterns = [_pattern(action, sentence) for sentence in sentences]
            patterns += [_pattern(action, f"{name} {slots}", bare=True) for name in spellings]
            for pattern in patterns:
                self._patterns.setdefault(str(pattern.parts[0]), []).append(pattern)

    def tell(self, plan: Plan) -> list[str]:
        """Return the sentence of each step."""
        told = self.names.told
        return [self._told[s.action].format(*(told[a] for a in s.arguments)) for s in plan]

    def read(self, line: str) -> list[Step] | Mistake | None:
        """Return the steps that a line tells; None where it is not meant as one."""
        sentence = _BEFORE.sub("", line.lower(), count=1)
        if sentence.startswith("("):
            return None  # an aside
        several = [found for part in _several(sentence) if (found := self.step(part))]
        steps = [found for found in several if isinstance(found, Step)]
        if len(set(steps)) > 1 and len(steps) == len(several):
            return steps
        found = self.step(_CLAUSE_END.split(sentence, maxsplit=1)[0])
        if isinstance(found, Step) and len(several) > len(steps) > 0:
            # A step, and more that is meant as one: `unstack b2 from b5 and put it down`.
            return next(each for each in several if isinstance(each, Mistake))
        return [found] if isinstance(found, Step) else found

    def step(self, sentence: str) -> Step | Mistake | None:
        """Return the step that a sentence tells; None where it does not begin like one."""
        words = WORD.findall(self._idle.sub(" ", sentence.replace("**", " ").replace("`", " ")))
        if not words:
            return None
        mistake: Mistake | None = None
        for pattern in self._patterns.get(words[0], ()):
            found = self._match(pattern, words)
            if isinstance(found, Step):
                return found
            mistake = mistake or found
        return mistake

    def _match(self, pattern: _Pattern, words: Sequence[str]) -> Step | Mistake | None:
        at, found = 0, dict[int, str]()
        for part in pattern.parts:
            start = at
            while found and at < len(words) and self._says_nothing(words, at, pattern):
                at += 1
            if isinstance(part, str):
                if at == len(words) or words[at] != part:
                    return None
                at += 1
                continue
            mention = self._mention(words, at, bare=pattern.bare)
            if mention is None:
                return self._without_name(pattern, words, at, len(found))
            reverse = _reverse(pattern, part, words[start : mention.end], first=not found)
            if reverse is not None:
                return Mistake(
                    ErrorKind.UNREADABLE, f"'{pattern.action}' is not told with '{reverse}' there"
                )
            found[part], at = mention.object, mention.end
        other = self.names.others(words, at, set(found.values()))
        if other is not None:
            takes = f"'{pattern.action}' takes {len(found)} names"
            return Mistake(ErrorKind.WRONG_ARITY, f"{takes}, found '{other}' as well")
        return Step(pattern.action, tuple(found[slot] for slot in sorted(found)))

    def _says_nothing(self, words: Sequence[str], at: int, pattern: _Pattern) -> bool:
        """Whether a word between two names is a preposition, or the first letter of a name."""
        if words[at] in LINKS:
            return not pattern.bare
        return len(words[at]) == 1 and self.names.at(words, at) is None

    def _mention(self, words: Sequence[str], at: int, *, bare: bool) -> Mention | None:
        """Return the name at a word, or behind one preposition: ``sail from l0``."""
        mention = self.names.at(words, at)
        if mention is None and not bare and at < len(words) and words[at] in LINKS:
            return self.names.at(words, at + 1)
        return mention

    def _without_name(
        self, pattern: _Pattern, words: Sequence[str], at: int, found: int
    ) -> Mistake | None:
        """Return what is wrong where a name is missing; None where the words are prose."""
        unknown = self.names.unknown(words, at)
        if unknown is not None:
            return Mistake(ErrorKind.UNKNOWN_OBJECT, f"unknown object '{unknown}'")
        if found == 0 and not self._leaves_open(words, at):
            return None
        takes = sum(isinstance(part, int) for part in pattern.parts)
        return Mistake(
            ErrorKind.WRONG_ARITY, f"'{pattern.action}' takes {takes} names, found {found}"
        )

    def _leaves_open(self, words: Sequence[str], at: int) -> bool:
        """Whether a verb is there without its object: `put it down`, `put down the block`."""
        rest = [
            word for word in words[at:] if word not in ARTICLES and word not in self.names.nouns
        ]
        return not rest or rest[0] in _PRONOUNS

    def names_an_object(self, line: str) -> bool:
        """Whether a line says something of an object, as ``lift the red block`` does."""
        words = WORD.findall(_BEFORE.sub("", line.lower(), count=1))
        if not words or words[0] in self._predicates or self.names.at(words, 0) is not None:
            return False
        return self._mention(words, 1, bare=False) is not None


def _pattern(action: str, sentence: str, *, bare: bool = False) -> _Pattern:
    parts: list[str | int] = []
    links: dict[int, frozenset[str]] = {}
    before: list[str] = []
    for match in _PART.finditer(sentence.lower()):
        if match[1] is not None:
            parts.append(int(match[1]))
            links[int(match[1])] = frozenset(before)
            before = []
        elif match[0] in LINKS and parts:
            before.append(match[0])
        elif match[0] not in ARTICLES:
            parts.append(match[0])
            before = []
    slots = [part for part in parts if isinstance(part, int)]
    return _Pattern(action, tuple(parts), links, slots != sorted(slots), bare)


def _reverse(pattern: _Pattern, slot: int, words: Sequence[str], *, first: bool) -> str | None:
    """Return the preposition before a name that says the reverse of what the pattern says there.

    Before the first name none may stand that the pattern does not have, and where names change
    places the pattern's own must be there: `stack on b1 the block b2`.
    """
    told, said = pattern.links[slot], LINKS.intersection(words)
    if pattern.swaps and not first and told & (_AWAY | _TOWARDS) and not told & said:
        return "no preposition" if not said else min(said)
    if not said or pattern.bare:
        return None
    if first and not told:
        return min(said)
    away, towards = bool(told & _AWAY), bool(told & _TOWARDS) and not told & _AWAY
    if (away and said & _TOWARDS and not said & _AWAY) or (towards and said & _AWAY):
        return min(said & (_AWAY | _TOWARDS))
    return None


def _several(sentence: str) -> list[str]:
    """Return the parts of a line that may be sentences of their own."""
    parts = _PARTING.split(sentence)
    return [stripped for part in parts if (stripped := _BEFORE.sub("", part, count=1).strip())]
