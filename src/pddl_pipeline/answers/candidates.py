"""Finds the candidate answers of a text, and marks what the text chooses or withdraws."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pddl_pipeline.answers.blocks import Line
from pddl_pipeline.answers.clauses import STEP, Clause
from pddl_pipeline.answers.english import listed, words_in
from pddl_pipeline.model.plan import Step

_MARKS: Final = re.compile(
    r"(?P<open>\[(?:pddl )?plan\])|(?P<close>\[(?:pddl )?plan end\])|(?P<stop>\[statement\])",
    re.IGNORECASE,
)
_TAGS: Final = re.compile(
    r"(?P<open><(?:answer|plan)>)|(?P<close></(?:answer|plan)>)", re.IGNORECASE
)
_EXPLAINING: Final = listed("explaining")
_OUTSIDE: Final = _EXPLAINING | listed("outside")
_PLAN: Final = listed("plan")
_CHOOSING: Final = listed("choosing")
_OF_PLAN: Final = _PLAN | _CHOOSING | listed("of_plan")
_OTHER: Final = listed("other")
_PART: Final = listed("part")
_LONGEST_TITLE: Final = 4
_LONGEST_LABEL: Final = 60
_NAMED: Final = re.compile(
    r"\b(?:plan|option|approach|attempt|version|answer|solution|idea)\s+#?"
    r"(?:[a-h]|\d|one|two|three)\b(?! on)"
)
_WITHDRAWN: Final = re.compile(
    r"\b(?:(?:is|was|be|were|'s|s) (?:\w+ ){0,2}(?:wrong|incorrect|invalid)|mistakes?|error|oops"
    r"|hold on|fails?|scratch that|impossible|unsolvable|give up|disregard|ignore|start over"
    r"|reconsider|try again|redo|withdraw|let me (?:fix|correct|revise))\b"
)
_DENIED: Final = re.compile(
    r"(?:not|cannot|n't|fails? to)\s(?:\w+\s){0,2}"
    r"(?:work|valid|correct|right|solve|find|do this|do:)"
)
_UNDENIED: Final = re.compile(r"\b(?:no|not|without|any|avoid|never|if|otherwise)\s(?:\w+\s){0,2}$")


class Region(NamedTuple):
    """The part of a text that marks choose as the answer."""

    start: int
    end: int
    marked: bool


def region_of(text: str) -> Region:
    """Return the last part between PlanBench's marks or answer tags; the whole text without any.

    A prompt may have ended with the opening mark of PlanBench; then only the end is marked.
    """
    for pattern, prompted in ((_MARKS, True), (_TAGS, False)):
        parts = _marked(text, pattern, prompted=prompted)
        if parts:
            filled = [part for part in parts if text[part[0] : part[1]].strip()]
            return Region(*(filled or parts)[-1], marked=True)
    return Region(0, len(text), marked=False)


def _marked(text: str, pattern: re.Pattern[str], *, prompted: bool) -> list[tuple[int, int]]:
    """Return where each part between marks begins and ends; the last one may be open."""
    parts: list[tuple[int, int]] = []
    start: int | None = 0 if prompted else None
    opened = False
    for match in pattern.finditer(text):
        if match.lastgroup == "open":
            start, opened = match.end(), True
            continue
        if start is not None and (match.lastgroup == "close" or opened or parts):
            parts.append((start, match.start()))
        if match.lastgroup == "stop" and parts:
            return parts
        start, opened = None, False
    return [*parts, (start, len(text))] if opened and start is not None else parts


@dataclass(slots=True)
class Entry:
    """A line of the answer with its clauses."""

    line: Line
    clauses: tuple[Clause, ...]
    outside: str = ""
    """Why the line is outside of the plan; empty if it is not."""
    has_step: bool = field(init=False)
    """Whether a clause is a step."""

    def __post_init__(self) -> None:
        self.has_step = any(clause.kind == STEP for clause in self.clauses)

    @property
    def titled(self) -> bool:
        """Whether the line is a heading: marked so, or it has no step and ends with a colon."""
        return not self.has_step and (self.line.heading or self.line.text.rstrip().endswith(":"))

    @property
    def steps(self) -> list[Step]:
        """The steps of its clauses."""
        return [clause.steps[0] for clause in self.clauses if clause.kind == STEP]

    @property
    def asks(self) -> bool:
        """Whether a clause that is not read begins it, with a verb of the domain."""
        return bool(self.clauses) and self.clauses[0].command and not self.titled

    @property
    def withdraws(self) -> str:
        """The words by which the line takes back what stands before it; else nothing."""
        plain = (clause.text for clause in self.clauses if clause.kind != STEP)
        text = (", ".join(plain) + ":").lower().replace("\u2019", "'")
        match = _WITHDRAWN.search(text)
        if match is None or _UNDENIED.search(text[: match.start()]):
            match = _DENIED.search(text)
        return match[0] if match else ""


@dataclass(slots=True)
class Candidate:
    """A part of an answer that may be the plan."""

    entries: list[Entry] = field(default_factory=list)
    marked: bool = False
    """Whether marks or fences choose all its lines."""
    chosen: bool = False
    withdrawn: str = ""
    """The text by which the answer takes it back."""
    compared: bool = False
    """Whether a sentence in it speaks of a candidate by name: ``I choose plan B.``"""
    refused: str = ""
    """The heading that calls it wrong: ``Do not do this:``."""
    other: bool = False
    """Whether a heading announces it as another plan."""

    @property
    def has_steps(self) -> bool:
        """Whether a line that is not outside has a step."""
        return any(entry.has_step and not entry.outside for entry in self.entries)


def candidates_in(entries: Sequence[Entry], *, marked: bool) -> list[Candidate]:
    """Return the candidates of an answer, in order; mark the lines that are outside of a plan.

    Args:
        entries: the lines.
        marked: whether marks choose all of them, so that none is a preface.
    """
    splitter = _Splitter(marked=marked)
    for entry in entries:
        splitter.add(entry)
    return splitter.found


class _Splitter:
    """Takes the lines of an answer one after another."""

    def __init__(self, *, marked: bool) -> None:
        self.found = [Candidate(marked=marked)]
        self._marked = marked
        self._last = 0  # the number of the last item
        self._section = -1  # the depth of the heading whose lines are outside; -1 if they are not
        self._sticky = False  # whether only a heading of a plan ends the section
        self._heading = ""
        self._steps = False  # whether the last candidate has steps

    def add(self, entry: Entry) -> None:
        """Add a line to the last candidate, or to a new one that it begins."""
        line, words = entry.line, frozenset(words_in(entry.line.text))
        current = self.found[-1]
        plan = entry.titled and bool(words & _PLAN) and not words & _EXPLAINING
        label = _label_words(entry)
        self._place(entry, words, label, plan=plan)
        named = _NAMED.search(line.text.lower())
        if not entry.has_step and entry.withdraws:
            if self._steps:
                current.withdrawn = line.text
            elif entry.titled:
                current.refused = line.text
        elif named and not (entry.titled or entry.has_step):
            current.compared = True
        self._begin(entry, words, label, named=bool(named), plan=plan)
        if line.order is not None and not entry.outside and line.item:
            self._last = line.order
        if words & _PART:
            self._last = 0
        self.found[-1].entries.append(entry)
        self._steps |= entry.has_step and not entry.outside

    def _place(
        self, entry: Entry, words: frozenset[str], label: frozenset[str], *, plan: bool
    ) -> None:
        """Mark a line below a heading, or behind a label, that says that it is outside."""
        line = entry.line
        above = self._section < 0 or line.depth <= self._section or line.heading
        if entry.titled and above and (plan or not self._sticky):
            self._section = line.depth if _is_outside(words) and _is_title(line.text) else -1
            self._sticky = self._section == 0 and bool(words & _EXPLAINING)
            self._heading = line.text
        elif not self._sticky and self._section >= 0 and self._ends_section(line):
            self._section = -1
        if self._section >= 0:
            entry.outside = self._heading
        elif _is_outside(label):
            entry.outside = "label"

    def _ends_section(self, line: Line) -> bool:
        """Return whether a line ends a section: the next item of the plan, or one further left."""
        if line.item and line.order is not None and line.order == self._last + 1 > 1:
            return True
        return self._section >= 1 and line.depth <= self._section - (not line.item)

    def _begin(
        self, entry: Entry, words: frozenset[str], label: frozenset[str], *, named: bool, plan: bool
    ) -> None:
        """Begin a new candidate if a line says so."""
        line, current, titled = entry.line, self.found[-1], entry.titled
        inside = not line.depth and not entry.outside
        opening = words if titled else frozenset(words_in(line.text[:40])[:3])
        named = named and (titled or bool(_NAMED.match(line.text.lower())))
        other = named or (inside and bool(opening & _OTHER))
        final = inside and entry.has_step and _is_final(label)
        chooses = (bool(words & _CHOOSING) and not entry.has_step) or (plan and words <= _OF_PLAN)
        restart = line.order == 1 and self._last >= 1 and not entry.outside
        split = titled and not line.item and inside
        if (restart or plan or split or other or final) and not words & _PART:
            if self._steps:
                self._append(chosen=bool(current.withdrawn), other=other)
            self.found[-1].chosen |= chooses or final
        elif current.withdrawn and entry.has_step and line.order in (None, 1):
            self._append(chosen=True, other=False)

    def _append(self, *, chosen: bool, other: bool) -> None:
        self.found.append(Candidate(marked=self._marked, chosen=chosen, other=other))
        self._last, self._steps = 0, False


def _is_outside(words: frozenset[str]) -> bool:
    return bool(words & _OUTSIDE) and (not words & _PLAN or bool(words & _EXPLAINING))


def _is_final(words: frozenset[str]) -> bool:
    """Return whether the words of a label choose what follows it: ``Answer:``, ``Final plan:``."""
    return bool(words & (_CHOOSING | {"answer"})) and words <= _OF_PLAN


def _is_title(text: str) -> bool:
    """Return whether a heading is a title, and not a sentence: ``Key observations:``."""
    words = words_in(text)
    short = len(words) <= _LONGEST_TITLE and words[:1] != ["to"]
    return short or not _EXPLAINING.isdisjoint(words)


def _label_words(entry: Entry) -> frozenset[str]:
    """Return the words before the colon of a line, unless they are a step."""
    label, colon, _ = entry.line.text.partition(":")
    opening = entry.clauses[0] if entry.clauses else None
    if not colon or len(label) > _LONGEST_LABEL or opening is None:
        return frozenset()
    words = words_in(label)
    told = not opening.label or opening.kind == STEP or len(words) > _LONGEST_TITLE
    return frozenset() if told else frozenset(words)
