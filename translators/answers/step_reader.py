"""Reads one step in a clause, by the patterns and frames of a domain's words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.plan import Step
from pddl_pipeline.model.shortening import shortened
from pddl_pipeline.translators.answers.clauses import denies, without_remark
from pddl_pipeline.translators.answers.frames import ASIDE, Frames
from pddl_pipeline.translators.answers.names import ARTICLES, LINKS, WORD, Mention, Names
from pddl_pipeline.translators.answers.patterns import Pattern, pattern_of, reverse
from pddl_pipeline.translators.answers.roles import Frame
from pddl_pipeline.validation.task import Task

_PARENTHESES: Final = re.compile(r"\s\(([^()]{1,300})\)")
_PRONOUNS: Final = frozenset({"it", "them", "this", "that", "one", "another"})


@dataclass(frozen=True, slots=True)
class Words:
    """The words for a domain's steps."""

    sentences: Mapping[str, tuple[str, ...]]
    """By name of the action, sentences with ``{0}``, ``{1}``, … for its arguments. The first one is
    used for writing. Each starts with or contains a verb that no other action has."""
    names: Callable[[Task], Names]
    """Returns the names of a task's objects."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Names of actions in variants of the domain, with the action whose sentences they use."""
    idle: tuple[str, ...] = ()
    """Phrases that may occur but are not arguments of a step, such as ``the ferry``."""
    frames: tuple[Frame, ...] = ()
    """Further ways to say a step."""
    implied: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By action, the facts that determine objects which a sentence leaves out."""
    agents: tuple[str, ...] = ()
    """Words for who acts, such as ``ferry``."""

    def with_own_names(self) -> Words:
        """Return words that use the objects' own names, without articles, as SimPlan does."""
        sentences = {
            name: tuple(sentence.replace("the {", "{") for sentence in every)
            for name, every in self.sentences.items()
        }
        return replace(self, sentences=sentences, names=own_names())


def own_names(*nouns: str) -> Callable[[Task], Names]:
    """Return the `Words.names` of a domain whose sentences use the objects' own names.

    Args:
        nouns: words that may stand beside a name, see `Names`.
    """
    return lambda task: Names(own_phrases(task), nouns)


def own_phrases(task: Task) -> dict[str, str]:
    """Return the own name of each object as its phrase."""
    return {name: name for name in task.vocabulary.objects}


class Mistake(NamedTuple):
    """The reason why a line that seems to be a step is not one."""

    slug: ErrorKind
    message: str


class StepReader:
    """Reads the steps of one task, each in a clause."""

    def __init__(self, words: Words, task: Task) -> None:
        self.names = words.names(task)
        self._predicates = frozenset(task.vocabulary.predicates)
        self._idle = re.compile(rf"\b(?:{'|'.join(words.idle)})\b" if words.idle else r"(?!)")
        self.implied: dict[str, tuple[str, ...]] = {}
        """By action of the task, the facts that determine objects which a sentence leaves out."""
        frames: list[Frame] = []
        self.templates: dict[str, str] = {}
        self.patterns: dict[str, list[Pattern]] = {}
        for action, schema in task.vocabulary.actions.items():
            own = words.aliases.get(action, action)
            sentences = words.sentences.get(own, ())
            frames += [replace(each, action=action) for each in words.frames if each.action == own]
            self.implied[action] = words.implied.get(own, ())
            slots = " ".join(f"{{{index}}}" for index in range(len(schema.parameters)))
            self.templates[action] = sentences[0] if sentences else f"({action} {slots})"
            spellings = {action, action.replace("-", ""), action.replace("-", "_")}
            patterns = [pattern_of(action, sentence) for sentence in sentences]
            patterns += [pattern_of(action, f"{name} {slots}", bare=True) for name in spellings]
            for pattern in patterns:
                # An action called `a` or `the` has no first word in a sentence.
                if pattern.parts and isinstance(first := pattern.parts[0], str):
                    self.patterns.setdefault(first, []).append(pattern)

        self.frames = Frames(frames, self.implied, words.agents, self.names, task)

    def only_names(self, text: str) -> bool:
        """Return whether a text has a name of an object, and nothing else."""
        words = WORD.findall(text)
        mention = self.names.at(words, 0)
        return mention is not None and mention.end == len(words)

    def is_about_step(self, clause: str) -> bool:
        """Return whether a clause is about a step: ``pick up a is not needed``."""
        return self.frames.about(WORD.findall(without_remark(clause)[0].partition("(")[0]))

    def step(
        self, sentence: str, *, continues: bool = False, past: bool = False
    ) -> Step | Mistake | None:
        """Return the step in a sentence; None if it does not start like a step.

        Args:
            sentence: the sentence.
            continues: whether a step stands before it in the line.
            past: whether what stands before it tells the past.
        """
        clause, remark = without_remark(sentence)
        if clause != sentence and not self.only_names(remark):
            found = self._step(clause, continues=continues, past=past)
            if isinstance(found, Step):
                return None if denies(remark) else found
        return self._step(sentence, continues=continues, past=past)

    def _step(self, sentence: str, *, continues: bool, past: bool) -> Step | Mistake | None:
        plain = sentence.replace("**", " ").replace("`", " ")
        told = self.frames.mood.command(WORD.findall(plain), continues=continues, past=past)
        if told.whole:
            whole = self.frames.read(told.words, whole=True)
            return whole[0] if len(whole) == 1 else None
        words = WORD.findall(self._idle.sub(" ", " ".join(told.words)))
        mistake: Mistake | None = None
        for pattern in self.patterns.get(words[0], ()) if words else ():
            found = self._match(pattern, words)
            if isinstance(found, Step):
                return found
            mistake = mistake or found
        if "(" in plain and (marked := self._with_asides(plain)) != plain:
            told = self.frames.mood.command(WORD.findall(marked), continues=continues, past=past)
        readings = self.frames.read(told.words)
        if len(readings) > 1:
            which = " or ".join(map(str, readings[:2]))
            return Mistake(ErrorKind.UNREADABLE, f"two readings are possible: {which}")
        if readings:
            return readings[0]
        unknown = None if mistake else self.frames.unknown(told.words)
        if unknown is not None:
            return Mistake(ErrorKind.UNKNOWN_OBJECT, f"unknown object '{unknown}'")
        aside = ")" in sentence and "(" not in sentence
        if mistake is None and not aside and self.frames.seems(told.words, _PRONOUNS):
            return Mistake(ErrorKind.UNREADABLE, f"not understood: '{shortened(sentence)}'")
        return mistake

    def _with_asides(self, sentence: str) -> str:
        """Return a sentence with a word before each name in parentheses that have only names."""

        def marked(match: re.Match[str]) -> str:
            names = match[1].split(",")
            if not all(map(self.only_names, names)):
                return match[0]
            return "".join(f" {ASIDE} {name}" for name in names)

        return _PARENTHESES.sub(marked, sentence)

    def _match(self, pattern: Pattern, words: Sequence[str]) -> Step | Mistake | None:
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
            against = reverse(pattern, part, words[start : mention.end], first=not found)
            if against is not None:
                return Mistake(
                    ErrorKind.UNREADABLE, f"'{pattern.action}' does not take '{against}' there"
                )
            found[part], at = mention.object, mention.end
        other = self.names.others(words, at, set(found.values()))
        if other is not None and self._has_verb(words[at:]):
            shown = shortened(" ".join(words))
            return Mistake(ErrorKind.UNREADABLE, f"not understood as one step: '{shown}'")
        if other is not None:
            takes = f"'{pattern.action}' takes {len(found)} names"
            return Mistake(ErrorKind.WRONG_ARITY, f"{takes}, found '{other}' as well")
        return Step(pattern.action, tuple(found[slot] for slot in sorted(found)))

    def _has_verb(self, words: Sequence[str]) -> bool:
        """Return whether one of the words is a verb of the domain or the name of an action."""
        return self.frames.has_verb(words) or not self.patterns.keys().isdisjoint(words)

    def _says_nothing(self, words: Sequence[str], at: int, pattern: Pattern) -> bool:
        """Return whether a word between two names is a preposition or an unknown letter."""
        if words[at] in LINKS:
            return not pattern.bare
        between = len(words[at]) == 1 and words[at].isascii() and at + 1 < len(words)
        return between and self.names.at(words, at) is None

    def _mention(self, words: Sequence[str], at: int, *, bare: bool) -> Mention | None:
        """Return the name at a word, or after one preposition, as in ``sail from l0``, or None."""
        mention = self.names.at(words, at)
        if mention is None and not bare and at < len(words) and words[at] in LINKS:
            return self.names.at(words, at + 1)
        return mention

    def _without_name(
        self, pattern: Pattern, words: Sequence[str], at: int, found: int
    ) -> Mistake | None:
        """Return the mistake at a missing name; None if the words are prose."""
        unknown = self.names.unknown(words, at)
        linked = found > 0 and at < len(words) and words[at] in LINKS
        if unknown is None and linked and self.names.at(words, at + 1) is None:
            unknown = self.names.unknown(words, at + 1)
        if unknown is not None:
            return Mistake(ErrorKind.UNKNOWN_OBJECT, f"unknown object '{unknown}'")
        if found == 0 and not self._leaves_open(words, at):
            return None
        if at < len(words) and self.templates[pattern.action].startswith("("):
            # The domain has no words: what follows may well be the other objects.
            shown = shortened(" ".join(words))
            return Mistake(ErrorKind.UNREADABLE, f"not understood as a step: '{shown}'")
        takes = sum(isinstance(part, int) for part in pattern.parts)
        return Mistake(
            ErrorKind.WRONG_ARITY, f"'{pattern.action}' takes {takes} names, found {found}"
        )

    def _leaves_open(self, words: Sequence[str], at: int) -> bool:
        """Return whether a verb lacks its object, as in `put it down` or `put down the block`."""
        rest = [
            word for word in words[at:] if word not in ARTICLES and word not in self.names.nouns
        ]
        return not rest or rest[0] in _PRONOUNS
