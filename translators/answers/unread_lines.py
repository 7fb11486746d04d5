"""Tells lines that may be steps but were not understood from prose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.shortening import shortened
from pddl_pipeline.translators.answers.clauses import REMARKS, is_subordinate
from pddl_pipeline.translators.answers.contents import LineContent, adjoins, lists
from pddl_pipeline.translators.answers.lines import AnswerLine
from pddl_pipeline.translators.answers.names import LINKS, WORD
from pddl_pipeline.translators.answers.ornaments import is_heading, says_nothing
from pddl_pipeline.translators.answers.plain import BareSentences
from pddl_pipeline.translators.answers.remembered import remembered
from pddl_pipeline.translators.answers.step_reader import Mistake, StepReader

# The text after it explains the step. Parentheses right after a step belong to the step: if they
# name another object, the reader must not guess which name is meant.
CLAUSE_END: Final = re.compile(r"[.:;]\**(?:\s(?!\s*\()|$)")
"""The end of the clause that a line begins with."""
_ONLY_WORDS: Final = re.compile(r"[\w-]+(?: [\w-]+)+")


class UnreadLines:
    """Decides about lines of one task that are no steps."""

    def __init__(self, reader: StepReader, bare: BareSentences, predicates: frozenset[str]) -> None:
        self._reader, self._bare, self._predicates = reader, bare, predicates
        self._names, self._frames = reader.names, reader.frames

    def among_steps(self, contents: list[LineContent]) -> list[LineContent]:
        """Return the lines; those in the places of steps must be steps as well.

        These are the items of a list with steps, lines between two steps, and those beside one that
        have a verb of the domain or are a call.
        """
        found = list(contents)
        headings = any(each.steps and is_heading(each.line.text) for each in contents)
        for items in lists(contents):
            if any(contents[index].steps for index in items):
                for index in items:
                    found[index] = self._as_step(found[index], headings=headings)
        for index, each in enumerate(contents):
            before, after = contents[max(index - 1, 0) : index], contents[index + 1 : index + 2]
            if self._is_between(each, before, after) or (
                any(adjoins(each, other) for other in (*before, *after))
                and self._may_be_step(each.line.text)
            ):
                found[index] = self._as_step(found[index], headings=headings)
        return found

    @staticmethod
    def _is_between(
        content: LineContent, before: list[LineContent], after: list[LineContent]
    ) -> bool:
        """Return whether a line stands between two with steps, and not further right."""
        near = [*before, *after]
        stepping = bool(before) and bool(after) and all(each.steps for each in near)
        return stepping and content.line.indent <= max(each.line.indent for each in near)

    @remembered(16_384)
    def _may_be_step(self, line: str) -> bool:
        """Return whether a line, which is no heading, has a verb of the domain or is a call."""
        words = WORD.findall(self._bare.of(line))
        has_verb = not line.endswith(":") and words[:1] != ["to"] and self._frames.has_verb(words)
        return has_verb or self._is_call(line)

    def _as_step(self, content: LineContent, *, headings: bool) -> LineContent:
        if content.steps or content.mistake or content.note != "no step":
            return content
        if is_heading(content.line.text) and not headings:
            return content
        return content._replace(mistake=self.mistake(content.line))

    def mistake(self, line: AnswerLine) -> Mistake | None:
        """Return the mistake in a line in the place of a step that names an object, or None."""
        if not (self.seems_a_step(line.text) or self._is_call(line.text)):
            return None
        return Mistake(ErrorKind.UNREADABLE, f"not understood: '{shortened(line.shown)}'")

    def seems_a_step(self, line: str) -> bool:
        """Return whether a line in the place of a step names an object and is no remark."""
        sentence = self._bare.of(line)
        step = self._bare.labelled(sentence)
        if step:
            return self._names.others(WORD.findall(step), 0, ()) is not None
        if self._is_of_agent(sentence) or self._is_way(WORD.findall(sentence)):
            return True
        if sentence.startswith("(") or says_nothing(sentence):
            return False
        if self._reader.is_about_step(sentence) or is_subordinate(sentence):
            return False
        said = WORD.findall(CLAUSE_END.split(sentence, maxsplit=1)[0].partition("(")[0])
        if said[:1] == ["let"] and self._names.at(said, 1) is not None:
            return True
        words = self._frames.mood.bare(said)
        if self._frames.is_passive(words):
            return self._names.others(words, 0, ()) is not None
        if not words or words[0] in self._predicates or REMARKS.intersection(words):
            return False
        return self._acts(words)

    def _is_of_agent(self, sentence: str) -> bool:
        """Return whether two names stand behind who acts: ``Ferry: l0 -> l1``."""
        agent, colon, said = sentence.partition(":")
        if not colon or not self._frames.names_agent([agent.strip("*_ ")]):
            return False
        words = WORD.findall(said.partition("(")[0])
        first = self._names.others(words, 0, ())
        return first is not None and self._names.others(words, 0, {first}) is not None

    def _is_way(self, words: Sequence[str]) -> bool:
        """Return whether words are two names with ``to`` between them: ``p1 -> p5``."""
        first = self._names.at(words, 0)
        if first is None or words[first.end : first.end + 1] != ["to"]:
            return False
        second = self._names.at(words, first.end + 1)
        return second is not None and second.end == len(words)

    def _acts(self, words: Sequence[str]) -> bool:
        """Return whether words may be a verb and its object, or who acts and a verb."""
        first = self._names.at(words, 0)
        if words[0] in self._names.nouns and first is None:
            return False
        if first is None:
            return self._names.others(words, 1, ()) is not None
        # `robot1 grabs ball1`, but not `red on blue`
        verb = words[first.end] if first.end < len(words) else ""
        return verb.endswith("s") and verb not in LINKS | self._predicates and (
            self._names.others(words, first.end, ()) is not None or self._frames.names_agent(words)
        )  # fmt: skip

    def _is_call(self, line: str) -> bool:
        """Return whether a line is one unknown word and names behind it: ``teleport c0 l2``."""
        sentence = self._bare.of(line).rstrip(".;,")
        if _ONLY_WORDS.fullmatch(sentence) is None:
            return False
        first, *others = sentence.split(" ")
        known = first in LINKS or first in self._names.nouns or first in self._predicates
        if known or self._names.at([first], 0) is not None:
            return False
        return all(self._names.exact(each) for each in others)
