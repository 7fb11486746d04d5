"""Finds the candidate answers of a text, and the one that the text chooses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pddl_pipeline.answers.blocks import Line
from pddl_pipeline.answers.clauses import STEP, Clause

PLAN_START: Final = "[PLAN]"
PLAN_END: Final = "[PLAN END]"
_MARKS: Final = re.compile(
    r"(?P<open>\[(?:pddl )?plan\])|(?P<close>\[(?:pddl )?plan end\])|(?P<stop>\[statement\])",
    re.IGNORECASE,
)
_TAGS: Final = re.compile(r"(?P<open><(?:answer|plan)>)|(?P<close></(?:answer|plan)>)", re.IGNORECASE)
_BOX: Final = re.compile(r"\\boxed\s{0,3}\{")
_WORD: Final = re.compile(r"[a-z]+")
_EXPLAINING: Final = frozenset(
    "explanation explanations reasoning rationale verification verify justification breakdown check why notes note".split()
)
_OUTSIDE: Final = _EXPLAINING | frozenset(
    "analysis arrangement condition conditions configuration constraints prerequisites effect effects goal goals initial observation observations optional precondition"
    " preconditions problem purpose reason result state states thought thoughts".split()
)
"""Words of headings and labels of text that is outside of the plan."""
_PLAN: Final = frozenset("plan actions steps solution answer sequence".split())
_CHOOSING: Final = frozenset(
    "best better chosen choose complete correct corrected correction efficient final fixed improved optimal prefer"
    " recommend recommended revised select shorter updated".split()
)
"""Words by which a text chooses a candidate."""
_ABOUT: Final = frozenset("action full here in is list my of order s summary the".split())
"""Words of a heading that announces the plan itself, such as ``The plan in full``."""
_OTHER: Final = frozenset("alternative alternatively another approach attempt different idea option version".split())
_CONTINUING: Final = frozenset("part phase round stage step trip section".split())
_NAMED: Final = re.compile(
    r"\b(?:plan|option|approach|attempt|version|answer|solution|idea)\s+#?([a-h]|\d|one|two|three)\b(?! on)"
)
_PART: Final = re.compile(r"[.;,:!?]|\bbut\b|\bso\b")
_PICKING: Final = re.compile(
    r"\b(?:choose|chosen|go(?:ing)? (?:with|for)|answer|final|recommend(?:ed)?|pick|select|prefer|best|use|correct)\b"
)
_LONGEST_TITLE: Final = 4
WITHDRAWN: Final = re.compile(
    r"\b(?:(?:is|was|be|were|'s|s) (?:\w+ ){0,2}(?:wrong|incorrect|invalid)|mistakes?|error|oops|hold on|fails?|scratch that|impossible|unsolvable|give up"
    r"|disregard|ignore|start over|reconsider|try again|redo|withdraw|take (?:it|that|this) back|let me (?:fix|correct|revise))\b"
    r"|(?:not|cannot|n't|fails? to)\s(?:\w+\s){0,2}(?:work|valid|correct|right|solve|find|do this|do:)"
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
                break
            start, opened = None, False
        else:
            if opened and start is not None:
                parts.append((start, len(text)))
        filled = [part for part in parts if text[part[0] : part[1]].strip()]
        if parts:
            return Region(*(filled or parts)[-1], marked=True)
    return Region(0, len(text), marked=False)


def boxes(text: str) -> Iterator[tuple[int, int]]:
    r"""Yield where the content of each ``\boxed{…}`` begins and ends."""
    for match in _BOX.finditer(text):
        depth = 1
        for at in range(match.end(), len(text)):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            if not depth:
                yield match.end(), at
                break


@dataclass(slots=True)
class Entry:
    """A line of the answer with its clauses."""

    line: Line
    clauses: tuple[Clause, ...]
    outside: str = ""
    """Why the line is outside of the plan; empty if it is not."""

    @property
    def has_step(self) -> bool:
        """Whether a clause is a step."""
        return any(clause.kind == STEP for clause in self.clauses)


@dataclass(slots=True)
class Candidate:
    """A part of an answer that may be the plan."""

    entries: list[Entry] = field(default_factory=list)
    doomed: str = ""
    """The heading that announces it as wrong."""
    marked: bool = False
    """Whether marks or fences choose all its lines."""
    chosen: bool = False
    withdrawn: str = ""
    """The text by which the answer takes it back."""
    other: bool = False
    """Whether a heading announces it as another plan."""
    titled: bool = False
    """Whether a heading begins it that says nothing of plans."""
    name: str = ""
    """Its letter or number: ``b`` for ``Option B``."""

    @property
    def has_steps(self) -> bool:
        """Whether a line that is not outside has a step."""
        return any(entry.has_step and not entry.outside for entry in self.entries)


def withdrawal(entry: Entry) -> str:
    """Return the words by which a line takes back what stands before it; else nothing."""
    plain = (clause.text for clause in entry.clauses if clause.kind != STEP)
    text = (", ".join(plain) + ":").lower().replace("\u2019", "'")
    match = WITHDRAWN.search(text)
    if match is None or (not match[0].startswith(("not", "cannot", "n't")) and _UNDENIED.search(text[: match.start()])):
        return ""
    return match[0]


def candidates_in(entries: Sequence[Entry], *, marked: bool) -> list[Candidate]:
    """Return the candidates of an answer, in order; mark the lines that are outside of a plan.

    Args:
        entries: the lines.
        marked: whether marks or fences choose all of them, so that none is a preface.
    """
    found = [Candidate(marked=marked)]
    sticky = False  # whether only a heading of a plan ends the lines that are outside
    section = -1  # depth of the heading whose lines are outside; -1 if they are not
    heading = ""
    last = 0
    for entry in entries:
        line, words = entry.line, frozenset(_WORD.findall(entry.line.text.lower()))
        current = found[-1]
        titled = not entry.has_step and (line.heading or line.text.rstrip().endswith(":"))
        plan = titled and bool(words & _PLAN) and not words & _EXPLAINING
        if titled and (plan or not sticky) and (section < 0 or line.depth <= section or line.heading):
            section = line.depth if _is_outside(words) and _is_title(line.text) else -1
            sticky = bool(section == 0 and words & _EXPLAINING)
            heading = line.text
        elif sticky:
            pass
        elif section >= 0 and line.item and line.order is not None and line.order == last + 1 > 1:
            section = -1
        elif section >= 1 and line.depth <= section - (not line.item):
            section = -1
        if section >= 0 or _is_outside(_label_words(entry)):
            entry.outside = heading if section >= 0 else "label"
        taken_back = "" if _NAMED.search(line.text.lower()) else withdrawal(entry)
        if taken_back and not entry.has_step and current.has_steps:
            current.withdrawn = line.text
        elif taken_back and titled:
            current.doomed = line.text
        named = _NAMED.search(line.text.lower())
        opening = frozenset(_WORD.findall(line.text.lower()[:40])[:3])
        other = bool((words if titled else opening) & _OTHER) and not line.depth and not entry.outside
        chooses = bool(words & _CHOOSING) and not entry.has_step
        restart = line.order == 1 and last >= 1 and not entry.outside
        chooses = chooses or bool(plan and not words - _PLAN - _CHOOSING - _ABOUT)
        new = titled or other or (named and line.text.lower().startswith(named[0]))
        split = titled and not line.depth and not line.item and not entry.outside
        if (restart or plan or split or (new and (chooses or other or named))) and not words & _CONTINUING:
            if current.has_steps:
                found.append(Candidate(marked=marked, chosen=bool(current.withdrawn), other=other or bool(named), titled=titled and not (plan or restart)))
                last = 0
            if named:
                found[-1].name = named[1]
            found[-1].chosen |= chooses
        elif current.withdrawn and entry.has_step and line.order in (None, 1):
            found.append(Candidate(marked=marked, chosen=True))
            last = 0
        if line.order is not None and not entry.outside and line.item:
            last = line.order
        if words & _CONTINUING:
            last = 0
        found[-1].entries.append(entry)
        if not titled and not entry.has_step:
            _choose(line.text.lower(), found)
    return found


def _choose(text: str, found: Sequence[Candidate]) -> None:
    """Mark the candidates that a sentence chooses, as ``I go with Plan A``, or rejects."""
    for part in _PART.split(text):
        named = _NAMED.search(part)
        mine = [each for each in found if named is not None and each.name == named[1]]
        if mine and (WITHDRAWN.search(part) or re.search(r"\b(?:not|isn|doesn|discard|reject)\b", part)):
            mine[-1].withdrawn = part
            mine[-1].chosen = False
        elif mine and _PICKING.search(part):
            for each in found:
                each.chosen = each is mine[-1]


def _is_outside(words: frozenset[str]) -> bool:
    return bool(words & _OUTSIDE) and (not words & _PLAN or bool(words & _EXPLAINING))


def _is_title(text: str) -> bool:
    """Return whether a heading is a title, and not a sentence: ``Key observations:``."""
    return len(_WORD.findall(text.lower())) <= _LONGEST_TITLE or bool(
        _EXPLAINING.intersection(_WORD.findall(text.lower()))
    )


def _label_words(entry: Entry) -> frozenset[str]:
    """Return the words before the colon of a line, unless they are a step."""
    label, colon, _ = entry.line.text.partition(":")
    opening = entry.clauses[0] if entry.clauses else None
    if not colon or len(label) > 60 or opening is None or not opening.label or opening.kind == STEP:
        return frozenset()
    words = _WORD.findall(label.lower())
    return frozenset(words) if len(words) <= 4 else frozenset()
