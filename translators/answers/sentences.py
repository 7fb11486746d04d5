"""Writes steps as sentences from templates, and reads sentences with the same templates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.shortening import shortened
from pddl_pipeline.translators.answers.clauses import (
    alternatives_in,
    bold_label,
    calls,
    corrected,
    is_subordinate,
    parts_of,
    places_told,
    without_asides,
)
from pddl_pipeline.translators.answers.names import WORD
from pddl_pipeline.translators.answers.ornaments import says_nothing
from pddl_pipeline.translators.answers.plain import BareSentences
from pddl_pipeline.translators.answers.remembered import remembered
from pddl_pipeline.translators.answers.step_reader import Mistake, StepReader, Words
from pddl_pipeline.translators.answers.unread_lines import CLAUSE_END, UnreadLines
from pddl_pipeline.validation.task import Task

_SO: Final = re.compile(r"\b(?:so|therefore|thus|hence)\b(?! that\b)")
_IT: Final = re.compile(
    r"\b((?!have\b|let\b|make\b)[a-z-]{2,}(?:\s(?:up|down|off))?)\s(?:it|them)\b"
    r"(?!\s(?:is|are|has|was|can|will)\b)"
)
_LEADS: Final = frozenset({"at", "in", "from", "with", "using"})
_MOST_OBJECTS: Final = 3
_MORE: Final = frozenset(",:;")
"""Signs between the parts of a sentence; without any, a line of one part is read once."""
# A form in -ing or of the past, or a subject; most lines have none.
_NO_COMMAND: Final = re.compile(
    r"ing\b|\b(?:i|we|you|it|he|she|they|will|shall|should|must|needs?|has|have|wants?)\b|ed\b",
    re.IGNORECASE,
)


class Sentences:
    """Writes and reads the steps of one task as sentences."""

    def __init__(self, words: Words, task: Task) -> None:
        self._reader = StepReader(words, task)
        self.names = self._reader.names
        self.implied = self._reader.implied
        """By action of the task, the facts that determine objects which a sentence leaves out."""
        self.templates = self._reader.templates
        """By action, its sentence; its call in PDDL if the domain has no words for it."""
        self._frames = self._reader.frames
        self._bare = BareSentences(self._reader)
        self.unread = UnreadLines(self._reader, self._bare, frozenset(task.vocabulary.predicates))

    def write(self, plan: Plan) -> list[str]:
        """Return the sentence of each step."""
        phrases = self.names.object_phrases
        return [self.templates[s.action].format(*(phrases[a] for a in s.arguments)) for s in plan]

    def step(self, sentence: str) -> Step | Mistake | None:
        """Return the step in a sentence; None if it does not start like a step."""
        return self._reader.step(sentence)

    def objects_of(self, steps: Sequence[Step], before: Sequence[str]) -> list[str]:
        """Return the objects that ``it`` may mean behind steps, the likeliest first.

        Args:
            steps: the steps.
            before: the objects that it may mean before them.
        """
        found = list(before)
        for step in steps:
            name = self._frames.direct_object(step)
            if name is not None:
                found = [name, *(each for each in found if each != name)]
        return found[:_MOST_OBJECTS]

    @remembered(16_384)
    def read(self, line: str, before: tuple[str, ...] = ()) -> list[Step] | Mistake | None:
        """Return the steps in a line; None if the line does not seem to be a step.

        Args:
            line: the line.
            before: the objects that ``it`` may be, the likeliest first.
        """
        label = bold_label(line)
        if label is not None and isinstance(bold := self.step(self._bare.of(label)), Step):
            return self._explained(bold, line, before)
        sentence = without_asides(self._bare.of(line), self._names_any, self._again)
        if sentence.startswith("("):
            # Only an announcement or an aside
            return None
        said = self._instead(sentence, before) or (
            self._in_cell(sentence) if "|" in sentence else None
        )
        if said is not None:
            return said
        parts = calls(sentence) or parts_of(sentence)
        several = self._each(parts, before)
        if len(parts) == len(several) == 1 and _MORE.isdisjoint(sentence):
            return [several[0]] if isinstance(several[0], Step) else several[0]
        steps = [found for found in several if isinstance(found, Step)]
        missed = self._missed(parts) if steps else None
        if len(set(steps)) > 1 and len(steps) == len(several):
            return missed or steps
        clause = CLAUSE_END.split(sentence, maxsplit=1)[0]
        if self._reader.is_about_step(clause):
            # `stack a on b is not correct, so put down a`
            rest = _SO.split(sentence)[1:]
            return self.read(rest[-1]) if rest else None
        step = self._either(clause) or self._with_object(clause, before)
        if isinstance(step, Step) and len(several) > len(steps) > 0:
            # A step, and a part that seems to be one: `unstack b2 from b5 and drop the rest`.
            return next(each for each in several if isinstance(each, Mistake))
        if isinstance(step, Step):
            return [step]
        if missed is None and len(steps) == len(several) == 1 and self._only(steps[0], parts):
            return steps
        return missed or step

    def told_aside(self, line: str) -> list[Step]:
        """Return the steps that a line tells in a clause such as ``where it picks up c0``.

        `UNSAID` stands for objects that it leaves out. What will, may or must be done is none.
        """
        found: list[Step] = []
        if "where" not in line.lower():  # as in most lines
            return found
        for clause in places_told(self._bare.of(line)):
            words = WORD.findall(clause)
            command = self._frames.mood.command(words)
            active = not command.report and command.words != words
            step = self._reader.step(clause) if active else None
            found += [step] if isinstance(step, Step) else []
        return found

    def is_verb(self, text: str) -> bool:
        """Return whether a text is a verb, such as ``pick up``, and names nothing."""
        return self._bare.is_verb(text.lower())

    def names_nothing(self, line: str) -> bool:
        """Return whether a line names no object."""
        return self.names.others(WORD.findall(self._bare.of(line)), 0, ()) is None

    def _instead(self, sentence: str, before: tuple[str, ...]) -> list[Step] | Mistake | None:
        """Return the steps that a sentence says instead of one: ``…, no wait, stack a on b``."""
        wrong, instead = corrected(sentence)
        if not instead:
            return None
        first = self.read(wrong, before)
        named = tuple(self.objects_of(first, before)) if isinstance(first, list) else before
        found = self.read(instead, named)
        if isinstance(found, list) and isinstance(first, list) and len(first) > 1:
            return Mistake(ErrorKind.UNREADABLE, "it is open which steps are taken back")
        return found if isinstance(found, list) else None

    def _explained(self, step: Step, line: str, before: Sequence[str]) -> list[Step]:
        """Return the steps of a line whose bold label is a step, and what follows explains it."""
        sentence = self._bare.of(line.replace("*", ""))
        parts = parts_of(without_asides(sentence, self._names_any, self._again))
        told = [found for found in self._each(parts, before) if isinstance(found, Step)]
        return list(dict.fromkeys([step, *told]))

    def _names_any(self, text: str) -> bool:
        return self.names.others(WORD.findall(text), 0, ()) is not None

    def _again(self, before: str, text: str) -> bool:
        """Return whether a text names the object before it once more: ``the blue block (b)``."""
        words, name = WORD.findall(before), WORD.findall(text)
        mention = self.names.at(name, 0)
        if mention is None or mention.end < len(name):
            return False
        return self.names.ends_with(words, mention.object)

    def _only(self, step: Step, parts: Sequence[str]) -> bool:
        """Return whether the other parts of a sentence with one step are no prose about others."""
        for part in parts:
            if is_subordinate(part) or self._leads(part) or self._is_step(part):
                continue
            words = WORD.findall(part)
            other = self.names.others(words, 0, set(step.arguments))
            if other is not None or not says_nothing(part):
                return False
        return True

    def _missed(self, parts: Sequence[str]) -> Mistake | None:
        """Return the mistake in a part beside a step that names an object and is no step."""
        named = [part for part in parts if not self._leads(part)]
        if not (self._is_step(named[0]) or self.unread.seems_a_step(named[0])):
            return None  # prose
        for part in named:
            if self._reader.only_names(part) or (
                not self._is_step(part) and self.unread.seems_a_step(part)
            ):
                return Mistake(ErrorKind.UNREADABLE, f"not understood: '{shortened(part)}'")
        return None

    def _is_step(self, part: str) -> bool:
        return self._reader.step(part, continues=True, past=True) is not None

    def _in_cell(self, row: str) -> list[Step] | Mistake | None:
        """Return the steps in a cell of a table; None if no cell alone has a step."""
        cells = [cell.strip() for cell in row.split("|")]
        found = {tuple(steps) for cell in cells if isinstance(steps := self.read(cell), list)}
        if not found or any(self._reader.only_names(cell) for cell in cells):
            return None
        if len(found) > 1:
            return Mistake(ErrorKind.UNREADABLE, "the cells of the row have different steps")
        return list(found.pop())

    def _each(self, parts: Sequence[str], before: Sequence[str]) -> list[Step | Mistake]:
        """Return the steps and mistakes of the parts of a sentence.

        Other forms than commands continue only a step: `this plan clears a, then stacks b on c` is
        prose.
        """
        found: list[Step | Mistake] = []
        follows, past, lead = True, False, ""
        for index, part in enumerate(parts):
            if self._leads(part):
                lead = f"{lead}{part} "
                continue
            if is_subordinate(part) or self._reader.is_about_step(part):
                follows, lead = False, ""
                continue
            mood = self._frames.mood.command(WORD.findall(part), past=past)
            said: Step | Mistake | None = None
            if not (mood.whole and index and not (found and follows)):
                text = f"{lead}{part}"
                said = self._either(text)
                if said is None and (follows or not self._frames.tells(WORD.findall(part))):
                    said = self._with_object(text, before, continues=bool(found), past=past)
            follows, lead = isinstance(said, Step), ""
            past = mood.past or (past and follows)
            if isinstance(said, Step):
                before = self.objects_of([said], before)
            if said is not None:
                found.append(said)
        return found

    def _leads(self, part: str) -> bool:
        """Return whether a part is a place such as ``at depot0``, before the step there."""
        words = self._frames.mood.bare(WORD.findall(part))
        return (
            len(words) > 1 and words[0] in _LEADS and self._reader.only_names(" ".join(words[1:]))
        )

    def _either(self, part: str) -> Mistake | None:
        """Return the mistake in two steps with ``or`` between them."""
        first, *others = alternatives_in(part) or [part]
        for other in others:
            chosen = not first or isinstance(self._reader.step(first), Step)
            if chosen and self._reader.step(other) is not None:
                return Mistake(ErrorKind.UNREADABLE, f"two readings are possible: '{part}'")
        return None

    def _with_object(
        self, part: str, before: Sequence[str], *, continues: bool = False, past: bool = False
    ) -> Step | Mistake | None:
        """Return the step in a part, where ``it`` is the last object with which it is a step."""
        it = _IT.search(part) if before else None
        if it is not None and self._frames.mood.is_verb(it[1].split()[0]):
            for name in before:
                phrase = self.names.object_phrases[name].lower()
                said = f"{part[: it.start()]}{it[1]} {phrase}{part[it.end() :]}"
                step = self._reader.step(said, continues=continues, past=past)
                if isinstance(step, Step):
                    return step
        return self._reader.step(part, continues=continues, past=past)

    @remembered(16_384)
    def mood(self, line: str) -> str:
        """Return ``ing`` for a line that begins so, ``report`` for another that is no command."""
        if not _NO_COMMAND.search(line):
            return ""
        told = [self._frames.mood.command(WORD.findall(p)) for p in parts_of(self._bare.of(line))]
        if told and told[0].whole:
            return "ing"
        return "report" if any(each.report for each in told) else ""
