"""Writes a line of an answer as a bare sentence, without labels and ornaments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pddl_pipeline.translators.answers.names import ARTICLES, LINKS, WORD
from pddl_pipeline.translators.answers.ornaments import (
    ARROW,
    bare_sentence,
    list_mark,
    without_latex,
    without_tags,
)
from pddl_pipeline.translators.answers.step_reader import StepReader

# An announcement of the plan on the line of its first step.
_HEADING: Final = re.compile(
    r"(?:(?:[a-z]+\s){0,6}(?:plan|sequence|actions|steps|answer|solution)(?:\s[a-z]+){0,3}[\s*]*:"
    r"[\s*]*){1,2}(?=\S)"
)
_LABEL: Final = re.compile(r"((?:at|in|from)\s)?([a-z][\w-]{0,30}):[*_]{0,3}\s+")
_TITLE: Final = re.compile(r"([a-z][a-z0-9' -]{0,40}):[*_]{0,3}\s+(?=[a-z])")
_NO_TITLES: Final = frozenset({
    "goal", "goals", "objective", "aim", "target", "state", "states", "result", "results", "effect",
    "effects", "precondition", "preconditions", "requirement", "note", "notes", "check",
    "explanation", "reason", "reasoning", "why", "because", "wrong", "invalid", "incorrect",
    "mistake", "error", "avoid", "not", "never", "no", "instead", "alternative", "alternatively",
    "problem", "example", "observation", "thought", "thinking", "idea", "available", "possible",
    "allowed", "legal", "applicable", "options", "option", "rule", "rules", "remember", "current",
    "if", "unless", "when", "otherwise", "optional", "before", "after", "later", "purpose",
    "rationale", "justification", "outcome", "consequence", "enables", "allows",
})  # fmt: skip
"""Words of labels before text that is no step of the plan."""
_ARROW: Final = re.compile(rf"\s?{ARROW}\s?")
_NEAR: Final = 60
# Full-width signs, as between Chinese words
_WIDE: Final = str.maketrans({
    "\uff08": " (", "\uff09": ") ", "\uff0c": ", ", "\uff1a": ": ", "\uff1b": "; ", "\u3002": ". ",
})  # fmt: skip
# A call of a method, as in ``robot1.move(room1, room2)``
_METHOD: Final = re.compile(r"\b([a-z][\w-]{0,99})\.([a-z][\w-]{0,99})\((?=[^()]{1,300}\))")
# A noun and a name behind it, as in ``the ball, ball1, in room2`` and ``the ball (ball1)``
_APPOSED: Final = re.compile(
    r"\b([a-z]{2,20})(?:,\s([\w-]{1,60})(?:,(?=\s)|(?=\s(?:[a-z]{2,5})\s)|$)|\s\(([\w-]{1,60})\))"
)
_BARE_VERB: Final = re.compile(r"((?:[a-z-]{1,20}\s){0,2}[a-z-]{1,20}):\s+(?=\S)")


class BareSentences:
    """Writes lines as bare sentences, by the words of one task."""

    def __init__(self, reader: StepReader) -> None:
        self._names, self._frames, self._patterns = reader.names, reader.frames, reader.patterns

    def of(self, line: str) -> str:
        """Return the sentence of a line; ``robot1: move`` and ``from l0 -> l1`` as in words."""
        sentence = bare_sentence(without_latex(without_tags(line.lower().translate(_WIDE))))
        heading = _HEADING.match(sentence)
        if heading:
            sentence = bare_sentence(sentence[heading.end() :])
        if list_mark(line):
            sentence = self.labelled(sentence) or sentence
        label = _LABEL.match(sentence)
        if label and (self._names.at([label[2]], 0) or self.is_verb(label[2])):
            sentence = f"{label[1] or ''}{label[2]} {sentence[label.end() :]}"
        elif (label := _BARE_VERB.match(sentence)) and self._begins(label[1]):
            sentence = f"{label[1]} {sentence[label.end() :]}"
        sentence = _APPOSED.sub(self._apposed, sentence)
        return _ARROW.sub(self._arrow, _METHOD.sub(self._method, sentence))

    def labelled(self, sentence: str) -> str:
        """Return the step behind a label, as in ``clear c: unstack b from c``.

        It is empty for other sentences. Labels such as ``Goal:`` do not stand before steps.
        """
        match = _TITLE.match(sentence)
        words = [] if match is None else WORD.findall(match[1])
        if match is None or self._frames.is_verb(words[0]) or not _NO_TITLES.isdisjoint(words):
            return ""
        step = sentence[match.end() :]
        return step if self._starts(WORD.findall(step)[:1]) else ""

    def _apposed(self, said: re.Match[str]) -> str:
        """Return a noun and the name behind it without a comma or parentheses."""
        name = said[2] or said[3]
        before = WORD.findall(said.string[max(0, said.start() - _NEAR) : said.end(1)])
        mention = self._names.at([name], 0)
        if said[1] not in self._names.nouns or mention is None:
            return said[0]
        if self._names.ends_with(before, mention.object):
            return said[1]
        return said[0] if self._names.ends_with_any(before) else f"{said[1]} {name}"

    def _method(self, call: re.Match[str]) -> str:
        """Return a call of a method as a call; the object before the point is its first argument.

        Anything else before the point, such as ``robot`` or ``env``, is left out.
        """
        owner, name = call.groups()
        return f"{name}({owner}, " if self._names.at([owner], 0) else f"{name}("

    def is_verb(self, label: str) -> bool:
        """Return whether a label such as ``Pick up:`` is a verb, and names nothing."""
        words = WORD.findall(label)
        return (
            bool(words)
            and self._frames.is_verb(words[0])
            and LINKS.union({"up", "down"}).issuperset(words[1:])
        )

    def _begins(self, label: str) -> bool:
        """Return whether a label is a verb with words that name nothing: ``Move the ferry:``"""
        verb, *others = WORD.findall(label)
        silent = LINKS | ARTICLES | self._names.nouns | {"up", "down"}
        return (
            self._frames.is_verb(verb)
            and all(word in silent or self._frames.names_agent([word]) for word in others)
            and self._names.others(others, 0, ()) is None
        )

    def _arrow(self, arrow: re.Match[str]) -> str:
        """Return ``to`` for an arrow between names; an arrow between steps stays the same."""
        start, end = arrow.span()
        before = arrow.string[max(0, start - _NEAR) : start]
        after = arrow.string[end : end + _NEAR]
        names = WORD.findall(before)[-1:], WORD.findall(after)[:1]
        both = all(words and self._names.at(words, 0) for words in names)
        return " to " if both and not self._starts(WORD.findall(after)) else arrow[0]

    def _starts(self, words: Sequence[str]) -> bool:
        """Return whether words start like a step, with a verb or with who acts."""
        return self._frames.has_verb(words[:3]) or bool(words and words[0] in self._patterns)
