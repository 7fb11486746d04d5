"""Writes steps as sentences from templates, and reads sentences with the same templates."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.shortening import shortened
from pddl_pipeline.translators.answers.frames import Frame, Frames
from pddl_pipeline.translators.answers.names import ARTICLES, LINKS, WORD, Mention, Names
from pddl_pipeline.translators.answers.ornaments import bare_sentence, says_nothing, without_latex
from pddl_pipeline.translators.answers.patterns import Pattern, calls, parts_of, pattern_of, reverse
from pddl_pipeline.translators.answers.remembered import remembered
from pddl_pipeline.validation.task import Task

# The text after it explains the step. Parentheses right after a step belong to the step: if they
# name another object, the reader must not guess which name is meant.
_CLAUSE_END: Final = re.compile(r"[.:;]\**(?:\s(?!\s*\()|$)")
# Words of statements and explanations, which commands do not have.
_REMARKS: Final = frozenset({
    "is", "are", "was", "were", "be", "been", "has", "have", "had", "isn", "aren", "can", "cannot",
    "should", "would", "will", "must", "need", "needs", "needed", "since", "because", "this",
    "these", "there", "we", "i", "our", "my", "you", "your", "not", "no", "don", "if", "when",
    "while", "before", "after", "until", "goal", "goals", "state", "initial", "final", "now",
    "holding", "holds", "clear", "remains", "stays", "rests", "sits", "becomes", "on-table",
    "result", "become", "true", "false", "which", "already", "does", "do", "it", "they", "avoid",
    "instead", "without", "still",
})  # fmt: skip
# An announcement of the plan on the line of its first step.
_HEADING: Final = re.compile(
    r"(?:[a-z]+\s){0,6}(?:plan|sequence|actions|steps|answer|solution)(?:\s[a-z]+){0,3}:[\s*]*(?=\S)"
)
_LABEL: Final = re.compile(r"([a-z][\w-]{0,30}):\s+")
_ARROW: Final = re.compile(r"\s?(?:[-=]>|[\u2192\u21d2])\s?")
_NEAR: Final = 60
_SO: Final = re.compile(r"\b(?:so|therefore|thus|hence)\b(?! that\b)")
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


class Sentences:
    """Writes and reads the steps of one task as sentences."""

    def __init__(self, words: Words, task: Task) -> None:
        self.names = words.names(task)
        self._predicates = frozenset(task.vocabulary.predicates)
        self._idle = re.compile(rf"\b(?:{'|'.join(words.idle)})\b" if words.idle else r"(?!)")
        self.implied: dict[str, tuple[str, ...]] = {}
        """By action of the task, the facts that determine objects which a sentence leaves out."""
        frames: list[Frame] = []
        self._templates: dict[str, str] = {}
        self._patterns: dict[str, list[Pattern]] = {}
        for action, schema in task.vocabulary.actions.items():
            own = words.aliases.get(action, action)
            sentences = words.sentences.get(own, ())
            frames += [replace(each, action=action) for each in words.frames if each.action == own]
            self.implied[action] = words.implied.get(own, ())
            slots = " ".join(f"{{{index}}}" for index in range(len(schema.parameters)))
            self._templates[action] = sentences[0] if sentences else f"({action} {slots})"
            spellings = {action, action.replace("-", ""), action.replace("-", "_")}
            patterns = [pattern_of(action, sentence) for sentence in sentences]
            patterns += [pattern_of(action, f"{name} {slots}", bare=True) for name in spellings]
            for pattern in patterns:
                # An action called `a` or `the` has no first word in a sentence.
                if pattern.parts and isinstance(first := pattern.parts[0], str):
                    self._patterns.setdefault(first, []).append(pattern)

        self._frames = Frames(frames, self.implied, words.agents, self.names, task)

    def write(self, plan: Plan) -> list[str]:
        """Return the sentence of each step."""
        phrases = self.names.object_phrases
        return [self._templates[s.action].format(*(phrases[a] for a in s.arguments)) for s in plan]

    @remembered(16_384)
    def read(self, line: str) -> list[Step] | Mistake | None:
        """Return the steps in a line; None if the line does not seem to be a step."""
        sentence = self._plain(line)
        if sentence.startswith("("):
            return None  # an aside
        parts = calls(sentence) or parts_of(sentence)
        several = self._each(parts)
        steps = [found for found in several if isinstance(found, Step)]
        if len(set(steps)) > 1 and len(steps) == len(several):
            return steps
        clause = _CLAUSE_END.split(sentence, maxsplit=1)[0]
        if self.is_about_step(clause):
            # `stack a on b is not correct, so put down a`
            rest = _SO.split(sentence)[1:]
            return self.read(rest[-1]) if rest else None
        found = self.step(clause)
        if isinstance(found, Step) and len(several) > len(steps) > 0:
            # A step, and a part that seems to be one: `unstack b2 from b5 and put it down`.
            return next(each for each in several if isinstance(each, Mistake))
        return [found] if isinstance(found, Step) else found

    def _each(self, parts: Sequence[str]) -> list[Step | Mistake]:
        """Return the steps and mistakes of the parts of a sentence.

        The third person continues only a step: `this plan clears a, then stacks b on c` is prose.
        """
        found: list[Step | Mistake] = []
        follows = True
        for part in parts:
            said = self.step(part) if follows or not self._tells(part) else None
            follows = isinstance(said, Step)
            if said is not None:
                found.append(said)
        return found

    def _tells(self, part: str) -> bool:
        return self._frames.tells(WORD.findall(part))

    def _plain(self, line: str) -> str:
        """Return the sentence of a line; ``robot1: move`` and ``from l0 -> l1`` as in words."""
        sentence = bare_sentence(without_latex(line.lower()))
        heading = _HEADING.match(sentence)
        if heading:
            sentence = bare_sentence(sentence[heading.end() :])
        label = _LABEL.match(sentence)
        if label and self.names.at([label[1]], 0):
            sentence = f"{label[1]} {sentence[label.end() :]}"
        return _ARROW.sub(self._arrow, sentence)

    def _arrow(self, arrow: re.Match[str]) -> str:
        """Return ``to`` for an arrow between names; an arrow between steps stays the same."""
        after = arrow.string[arrow.end() : arrow.end() + _NEAR]
        return arrow[0] if self._starts(WORD.findall(after)) else " to "

    def _starts(self, words: Sequence[str]) -> bool:
        """Return whether words start like a step, with a verb or with who acts."""
        return self._frames.has_verb(words[:3]) or bool(words and words[0] in self._patterns)

    def is_about_step(self, clause: str) -> bool:
        """Return whether a clause is about a step: ``pick up a is not needed``."""
        return self._frames.about(WORD.findall(clause.partition("(")[0]))

    def step(self, sentence: str) -> Step | Mistake | None:
        """Return the step in a sentence; None if it does not start like a step."""
        plain = sentence.replace("**", " ").replace("`", " ")
        words = WORD.findall(self._idle.sub(" ", plain))
        mistake: Mistake | None = None
        for pattern in self._patterns.get(words[0], ()) if words else ():
            found = self._match(pattern, words)
            if isinstance(found, Step):
                return found
            mistake = mistake or found
        readings = self._frames.read(WORD.findall(plain))
        if len(readings) > 1:
            which = " or ".join(map(str, readings[:2]))
            return Mistake(ErrorKind.UNREADABLE, f"two readings are possible: {which}")
        if readings:
            return readings[0]
        unknown = None if mistake else self._frames.unknown(WORD.findall(plain))
        if unknown is not None:
            return Mistake(ErrorKind.UNKNOWN_OBJECT, f"unknown object '{unknown}'")
        aside = ")" in sentence and "(" not in sentence
        if mistake is None and not aside and self._frames.seems(WORD.findall(plain), _PRONOUNS):
            return Mistake(ErrorKind.UNREADABLE, f"not understood: '{shortened(sentence)}'")
        return mistake

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
        if other is not None:
            takes = f"'{pattern.action}' takes {len(found)} names"
            return Mistake(ErrorKind.WRONG_ARITY, f"{takes}, found '{other}' as well")
        return Step(pattern.action, tuple(found[slot] for slot in sorted(found)))

    def _says_nothing(self, words: Sequence[str], at: int, pattern: Pattern) -> bool:
        """Return whether a word between two names is a preposition or a single unknown letter."""
        if words[at] in LINKS:
            return not pattern.bare
        return len(words[at]) == 1 and self.names.at(words, at) is None

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
        if unknown is not None:
            return Mistake(ErrorKind.UNKNOWN_OBJECT, f"unknown object '{unknown}'")
        if found == 0 and not self._leaves_open(words, at):
            return None
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

    def has_verb(self, line: str) -> bool:
        """Return whether a line, which is no heading, has a verb of the domain."""
        words = WORD.findall(self._plain(line))
        return not line.endswith(":") and words[:1] != ["to"] and self._frames.has_verb(words)

    def seems_a_step(self, line: str) -> bool:
        """Return whether a line in the place of a step names an object and is no remark."""
        sentence = self._plain(line)
        if sentence.startswith("(") or says_nothing(sentence) or self.is_about_step(sentence):
            return False
        words = WORD.findall(_CLAUSE_END.split(sentence, maxsplit=1)[0].partition("(")[0])
        if self._frames.is_passive(words):
            return self.names.others(words, 0, ()) is not None
        if not words or words[0] in self._predicates or _REMARKS.intersection(words):
            return False
        first = self.names.at(words, 0)
        if words[0] in self.names.nouns and first is None:
            return False
        if first is None:
            return self.names.others(words, 1, ()) is not None
        # `robot1 grabs ball1`, but not `red on blue`
        verb = words[first.end] if first.end < len(words) else ""
        return verb.endswith("s") and verb not in LINKS | self._predicates and (
            self.names.others(words, first.end, ()) is not None
        )  # fmt: skip
