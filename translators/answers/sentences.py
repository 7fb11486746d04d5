"""Steps told in sentences: told by templates, and read with the words of the same templates."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.slug import Slug
from pddl_pipeline.translators.answers.names import ARTICLES, WORD, Mention, Names
from pddl_pipeline.validation.task import Task

_PART: Final = re.compile(r"\{(\d)\}|[\w-]+")
LINKS: Final = frozenset({
    "at", "by", "for", "from", "in", "into", "its", "of", "off", "on", "onto", "over",
    "position", "s", "to", "top", "upon", "using", "via", "with",
})  # fmt: skip
"""Words that say nothing between two names: the verb tells what they would say."""
_WAYS: Final = frozenset({"from", "to"})
# What may stand before a sentence: numbers, bullets, Markdown, words of order.
_BEFORE: Final = re.compile(
    r"""^(?:[\s>*_`#"'\[{|\u2022\u2013\u2014-]+|\(?\d{1,4}(?:[.):|]+|\s(?=[a-z|]))|"""
    r"(?:step|action)\s{0,2}\d{0,4}[\s*_]{0,6}[.):-]|move\s\d{1,4}[\s*_]{0,6}[.):-]|"
    r"(?:first|then|next|finally|lastly|now|and)\b[\s,:]*)+",
    re.IGNORECASE,
)
# What follows explains the step. What stands in parentheses right behind it belongs to it: where
# that names something else, which names are meant would be a guess.
_CLAUSE_END: Final = re.compile(r"[.:;]\**(?:\s(?!\s*\()|$)")
_PARTING: Final = re.compile(r"\s\d{1,3}[.)]\s+|[;,.](?:\s+|$)|\b(?:and )?then\b")


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

    slug: Slug
    message: str


class _Pattern(NamedTuple):
    """A sentence to be read: words that must be there, and slots for names."""

    action: str
    parts: tuple[str | int, ...]
    ways: Mapping[int, str]
    """By slot, ``from`` or ``to`` where the sentence has it before the name, and where it matters:
    a line must not have the other one there."""
    swaps: bool
    """Whether names stand in another order than in PDDL: then ``from`` and ``to`` must be there."""
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
        several = [self.step(part) for part in _several(sentence)]
        steps = [step for step in several if isinstance(step, Step)]
        if len(steps) == len(several) and len(set(steps)) > 1:
            return steps
        found = self.step(_CLAUSE_END.split(sentence, maxsplit=1)[0])
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
            if not _leads(pattern, part, words[start : mention.end]):
                return None
            found[part], at = mention.object, mention.end
        other = self.names.others(words, at, set(found.values()))
        if other is not None:
            takes = f"'{pattern.action}' takes {len(found)} names"
            return Mistake(Slug.WRONG_ARITY, f"{takes}, found '{other}' as well")
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
        unknown = self.names.unknown(words, at)
        if unknown is not None:
            return Mistake(Slug.UNKNOWN_OBJECT, f"unknown object '{unknown}'")
        if found == 0:
            return None
        takes = sum(isinstance(part, int) for part in pattern.parts)
        return Mistake(Slug.WRONG_ARITY, f"'{pattern.action}' takes {takes} names, found {found}")

    def names_an_object(self, line: str) -> bool:
        """Whether a line says something of an object, as ``lift the red block`` does."""
        words = WORD.findall(_BEFORE.sub("", line.lower(), count=1))
        fact = words[:1] != [] and words[0] in self._predicates
        return not fact and self.names.at(words, 0) is None and self.names.at(words, 1) is not None


def _pattern(action: str, sentence: str, *, bare: bool = False) -> _Pattern:
    parts: list[str | int] = []
    ways: dict[int, str] = {}
    before = ""
    for match in _PART.finditer(sentence.lower()):
        if match[1] is not None:
            parts.append(int(match[1]))
            if before in _WAYS:
                ways[int(match[1])] = before
        elif match[0] not in ARTICLES and (match[0] not in LINKS or not parts):
            parts.append(match[0])
        if match[0] not in ARTICLES:
            before = match[0]
    slots = [part for part in parts if isinstance(part, int)]
    swaps = slots != sorted(slots)
    # Mystery's `overcome a from b` is told with `to` as well: nothing can be mixed up there.
    matter = swaps or set(ways.values()) >= _WAYS
    return _Pattern(action, tuple(parts), ways if matter else {}, swaps, bare)


def _leads(pattern: _Pattern, slot: int, words: Sequence[str]) -> bool:
    """Whether the words before a name do not say the reverse of what the pattern says there."""
    way = pattern.ways.get(slot)
    said = _WAYS.intersection(words)
    return way is None or way in said or not (said or pattern.swaps)


def _several(sentence: str) -> list[str]:
    """Return the parts of a line that may be sentences of their own."""
    parts = _PARTING.split(sentence)
    return [stripped for part in parts if (stripped := _BEFORE.sub("", part, count=1).strip())]
