"""Cuts a line into clauses, and reads each: as a step, as talk about a state, or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from pddl_pipeline.answers.calls import Calls, Group
from pddl_pipeline.answers.english import BE, LINKS, NEGATIVE, OPENING, listed
from pddl_pipeline.answers.frames import UNSAID, Frames
from pddl_pipeline.answers.states import Fact, States
from pddl_pipeline.answers.terms import OBJECT, POINTING, SIGN, UNKNOWN, VERB, Term, Terms
from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.plan import Step

STEP, STATE, PROSE, UNREAD, PART = "step", "state", "prose", "not read", "part"
"""Kinds of clauses. A `PART` has only objects and prepositions."""
MENTIONING: Final = listed("mentioning")
"""Words that lead clauses which may tell a step of another clause again."""
_ARROWS: Final = frozenset({"->", "=>", "-->", "\u2192", "\u21d2", "\u27a1", "\u27f6"})
_ENDS: Final = _ARROWS.union(",;:.!?()[]|&+/#\u2013\u2014-\uff08\uff09\u3002\uff0c\uff1b\uff1a")
_ENDS_SENTENCE: Final = frozenset(".!?;")
_OPENS: Final = frozenset("(-\u2013\u2014#")
_JOINING: Final = listed("joining")
_DENYING: Final = frozenset({"without", "instead", "rather"})
_DENYING_PAIRS: Final = {"instead": "of", "rather": "than"}
_WISHING: Final = listed("wishing")
_PAST: Final = listed("past")
_PLAN: Final = listed("plan")
_BESIDE_PLAN: Final = listed("beside_plan")
_USING: Final = frozenset({"use", "have", "need", "going", "want", "has", "needs", "let"})
"""Words behind which ``to`` and a verb go on with the clause."""
_LONGEST_LINE: Final = 50_000
"""Maximum number of characters of a line that is read."""
_NEAR: Final = 60
"""Number of terms beside a sign that decide whether it ends a clause."""
_ORDERS: Final = frozenset({
    "undo", "repeat", "continue", "reverse", "revert", "redo", "do", "keep",
})  # fmt: skip
"""Verbs of orders that name no step."""
_SPOKEN: Final = re.compile(
    r"\b([\w-]+)\s?\(([^()]{0,200}\s(?:from|onto?|to|at|in|with)\s[^()]{0,200})\)", re.IGNORECASE
)
_HALF_CALL: Final = re.compile(
    r"\b([\w-]+)\(([^(),]{1,60})\)(?=\s(?:from|onto?|to|at|in|with)\s)", re.IGNORECASE
)
_AFTER_THAT: Final = re.compile(r"\b(?:after|once) that\b", re.IGNORECASE)
_INLINE: Final = re.compile(r"(?<=[^\s,;:])\s+\d{1,2}[.)]\s+(?=[a-zA-Z(])")
"""A number of a step within a line."""


class Clause(NamedTuple):
    """A clause of a line, and what it is."""

    kind: str
    text: str
    steps: tuple[Step, ...] = ()
    facts: tuple[Fact, ...] = ()
    """Facts that it states of the present."""
    lead: str = ""
    """The word or sign before it: ``,``, ``and``, ``after``."""
    weak: bool = False
    """Whether it may only mention a step that is told elsewhere."""
    label: bool = False
    """Whether a colon follows it."""
    sentence: int = 0
    """Number of the sentence in the line, from 0 on."""
    fault: tuple[ErrorKind, str] | None = None
    """The mistake in a clause that is read but for one name."""
    command: bool = False
    """Whether a clause that is not read begins with a verb of the domain."""
    aside: bool = False
    """Whether it stands in parentheses or behind a dash."""
    lone: bool = False
    """Whether it has only objects and prepositions."""
    between: tuple[str, ...] = ()
    """Objects that talk between the last step and this clause names: ``it`` may mean them."""
    beside: tuple[str, ...] = ()
    """Objects that talk of a state beside this step names: ``so at l0, board c0``."""
    call: bool = False
    """Whether it is a step in parentheses."""


class _Segment(NamedTuple):
    """The terms of a clause."""

    lead: str
    terms: list[Term]
    end: str
    """The sign behind it, if any."""
    sentence: int
    aside: bool = False
    group: Group | None = None
    """The step or fact in parentheses, if it is one; then there are no terms."""


class Grammar:
    """Reads the lines of answers to tasks with the same vocabulary."""

    def __init__(
        self, terms: Terms, frames: Frames, states: States, calls: Calls, idle: Sequence[str] = ()
    ) -> None:
        """Create the grammar; `idle` are phrases without meaning, such as ``the ferry``."""
        idle_words = "|".join(map(re.escape, idle))
        self._idle = re.compile(rf"\b(?:{idle_words})\b", re.IGNORECASE) if idle else None
        self.frames = frames
        self.calls = calls
        self._terms, self._states = terms, states
        self.line = lru_cache(16_384)(self._line)

    def _line(self, text: str) -> tuple[Clause, ...]:
        """Return the clauses of a line."""
        if len(text) > _LONGEST_LINE:
            return (Clause(UNREAD, text),)
        text = self._plain(text)
        segments = list(self._pieces(text))
        opening = {term.text for term in segments[0].terms[:4]} if segments else set()
        found: list[Clause] = []
        between: list[str] = []
        beside: list[str] = []
        last = -1  # index of the last step
        for segment in segments:
            before = found[-1] if found and found[-1].sentence == segment.sentence else None
            clause = self._clause(segment, text, before)
            if clause.kind == STEP:
                clause = clause._replace(between=tuple(between), beside=tuple(beside))
                between, beside, last = [], [], len(found)
            else:
                terms = self._terms.of(clause.text, 0) if segment.group else segment.terms
                objects = [term.text for term in terms if term.kind == OBJECT]
                between += objects
                if clause.kind in (STATE, PART):
                    beside += objects
                    if last >= 0:
                        found[last] = found[last]._replace(beside=(*found[last].beside, *objects))
            if (
                clause.kind in (UNREAD, PART)
                and opening & _PLAN
                and self._is_of_plan(segment.terms)
            ):
                clause = clause._replace(kind=PROSE)
            found.append(clause)
        return tuple(_attached(found))

    def _plain(self, text: str) -> str:
        """Return a line without idle phrases, and with calls in words as sentences."""
        if self._idle is not None:
            text = self._idle.sub(lambda match: " " * len(match[0]), text)
        if "(" in text:
            text = _HALF_CALL.sub(self._spoken, _SPOKEN.sub(self._spoken, text))
        return _INLINE.sub("; ", _AFTER_THAT.sub("afterwards", text))

    def _spoken(self, match: re.Match[str]) -> str:
        """Return ``feast (a from b)`` or ``feast(a) from b`` without its parentheses."""
        return f"{match[1]} {match[2]} " if self.frames.action(match[1]) else match[0]

    def _is_of_plan(self, terms: Sequence[Term]) -> bool:
        """Return whether a clause of a sentence about the plan tells no step of it.

        ``This plan rearranges them in the order of a on b, from bottom to top: b, a``
        """
        pointing = [term.text for term in terms if term.kind in POINTING]
        if not pointing or set(pointing) == {"them"}:
            return bool(pointing)
        if self._states.facts([term for term in terms if term.text != "them"]) or _lone(terms, BE):
            return True
        words = {term.text for term in terms}
        return not words & _BESIDE_PLAN and all(term.kind != VERB for term in terms)

    def _pieces(self, text: str) -> Iterator[_Segment]:
        """Yield the segments of a line, and the steps and facts in parentheses between them."""
        at, sentence, denied = 0, 0, False
        for group in self.calls.groups(text) if "(" in text else ():
            for segment in self._segments(text[at : group.start], at, sentence):
                sentence = segment.sentence
                denied = any(term.text in NEGATIVE for term in segment.terms)
                yield segment
            yield _Segment("not" if denied else "(", [], ")", sentence, group=group)
            at, denied = group.end, False
        yield from self._segments(text[at:], at, sentence)

    def _segments(self, text: str, offset: int, sentence: int) -> Iterator[_Segment]:
        """Yield the parts of a text between signs and joining words."""
        terms = self._terms.of(text, offset)
        lead, start, aside = "", 0, False
        for at, term in enumerate(terms):
            if not self._divides(terms, start, at):
                continue
            sign = term.text if term.kind == SIGN else ""
            if at > start:
                yield _Segment(lead, terms[start:at], sign, sentence, aside)
                lead = ""
            aside = (aside or sign in _OPENS) and sign != ")"
            sentence += sign in _ENDS_SENTENCE
            lead = term.text if not lead or not sign else lead
            start = at + 1
        if start < len(terms):
            yield _Segment(lead, terms[start:], "", sentence, aside)

    def _divides(self, terms: Sequence[Term], start: int, at: int) -> bool:
        """Return whether a clause that begins at one term ends at another one."""
        term, before = terms[at], terms[max(start, at - _NEAR) : at]
        following = terms[at + 1] if at + 1 < len(terms) else None
        if term.kind == SIGN:
            return term.text in _ENDS and not self._goes_on(terms, start, at)
        if term.text in _JOINING:
            if term.text in _DENYING_PAIRS:
                return following is not None and following.text == _DENYING_PAIRS[term.text]
            adverb = term.text == "then" and all(each.kind != VERB for each in before)
            return not (adverb and before and following and following.kind == VERB)
        if following is None:
            return False
        verb = following.kind == VERB
        if term.text == "to":
            using = any(each.text in _USING for each in before)
            return following.text in self._states.openings or (verb and not using)
        return term.text in ("by", "for", "of") and verb and following.text.endswith("ing")

    def _goes_on(self, terms: Sequence[Term], start: int, at: int) -> bool:
        """Return whether a clause goes on behind a sign: ``Unstack: b``, ``l0 → l1``, ``a-b``."""
        before, rest = terms[max(start, at - _NEAR) : at], terms[at + 1 : at + _NEAR]
        if not before or not rest:
            return False
        text = terms[at].text
        if text == ":":
            ends = (i for i, term in enumerate(rest) if term.kind == SIGN and term.text in ".;(")
            kinds = {term.kind for term in before}
            alone = VERB in kinds and kinds.isdisjoint(POINTING)
            verbs = any(term.kind == VERB for term in rest[: next(ends, len(rest))])
            return alone and not verbs
        if text == ",":  # `now at l1, board c0`
            place = [term for term in before if term.text not in OPENING - LINKS]
            above = terms[start - 1] if start else None
            opens = above is None or above.kind == SIGN or above.text == "then"
            return opens and bool(place) and place[0].text in LINKS and _lone(place, frozenset())
        if text in _ARROWS:
            alone = len(rest) == 1 or rest[1].kind == SIGN
            return before[-1].kind == rest[0].kind == OBJECT and alone
        return False

    def _clause(self, segment: _Segment, line: str, before: Clause | None) -> Clause:
        """Return the clause of a segment, given the clause before it in its sentence."""
        lead, terms, end, sentence, aside, group = segment
        if group is not None:
            return _grouped(group, line, lead, sentence)
        text = line[terms[0].start : terms[-1].end]
        made = Clause(PROSE, text, lead=lead, label=end == ":", sentence=sentence, aside=aside)
        words = {term.text for term in terms}
        first = next((term for term in terms if term.text not in OPENING | BE), terms[0])
        if not any(term.kind in POINTING for term in terms):
            behind = before is not None and before.kind == STEP
            unread = self._is_order(terms, words, first, behind=behind) and not made.label
            return made._replace(kind=UNREAD if unread else PROSE)
        if lead in _DENYING or words & NEGATIVE:
            return made._replace(kind=STATE if lead in _DENYING or _denies(terms) else UNREAD)
        said = self.frames.said(terms)
        steps = self.frames.steps(said) if said is not None else []
        if len(steps) > 1 or end == "?" or "either" in words:
            return made._replace(kind=UNREAD, command="either" in words)
        if not steps or set(steps[0].arguments) == {UNSAID}:
            return self._no_step(made, terms, words, first)
        weak = lead in MENTIONING or bool(words & _WISHING) or bool(self._states.facts(terms))
        return made._replace(
            kind=UNREAD if lead in ("or", "if") else STEP, steps=(*steps,), weak=weak
        )

    def _no_step(self, made: Clause, terms: Sequence[Term], words: set[str], first: Term) -> Clause:
        """Return the clause of terms that name an object and are no step."""
        facts = None if first.kind == VERB else self._states.facts(terms)
        if facts is not None:
            past = made.lead in MENTIONING or not words.isdisjoint(_PAST)
            return made._replace(kind=STATE, facts=() if past else tuple(facts))
        if _lone(terms, BE):
            return made._replace(kind=PART)
        unknown = [term.text for term in terms if term.kind == UNKNOWN]
        fault = None
        if len(unknown) == 1 and any(term.kind == VERB for term in terms):
            fault = ErrorKind.UNKNOWN_OBJECT, f"unknown object '{unknown[0]}'"
        command = any(term.kind == VERB and self.frames.is_command(term.text) for term in terms)
        return made._replace(kind=UNREAD, fault=fault, command=command)

    def _is_order(
        self, terms: Sequence[Term], words: set[str], first: Term, *, behind: bool
    ) -> bool:
        """Return whether a clause without objects may be a step: ``undo``, ``…, then lowered``."""
        if words & NEGATIVE:
            return False
        told = next((term.text for term in terms if term.text not in OPENING - {"do"}), "")
        if told in _ORDERS:
            return True
        if first.kind != VERB or words & {"can", "could", "be"}:
            return False
        command = self.frames.is_command(first.text) or behind
        return command and self.frames.said(terms) is not None


def _grouped(group: Group, line: str, lead: str, sentence: int) -> Clause:
    """Return the clause of a step or fact in parentheses."""
    text, step = line[group.start : group.end], group.step
    if step is None or lead == "not":
        return Clause(STATE, text, lead=lead, sentence=sentence)
    kind = STEP if group.fault is None else UNREAD
    return Clause(kind, text, (step,), lead=lead, sentence=sentence, fault=group.fault, call=True)


def _denies(terms: Sequence[Term]) -> bool:
    """Return whether a clause is denied as a whole, and not only what stands behind its verb."""
    for term in terms:
        if term.text in NEGATIVE:
            return True
        if term.kind == VERB:
            return False
    return False


def _lone(terms: Sequence[Term], others: frozenset[str]) -> bool:
    """Return whether terms are objects, and only prepositions, openings or some other words."""
    silent = LINKS | others | {"s", "'"} | (OPENING if others else frozenset())
    named = any(term.kind in POINTING for term in terms)
    return named and all(term.kind in POINTING or term.text in silent for term in terms)


def _attached(clauses: Sequence[Clause]) -> Iterator[Clause]:
    """Yield clauses; lone objects beside talk of a state belong to it: ``a, b and c are clear``."""
    for at, clause in enumerate(clauses):
        if clause.kind == PART:
            near = (*clauses[max(at - 1, 0) : at], *clauses[at + 1 : at + 2])
            told = any(each.sentence == clause.sentence and each.kind == STATE for each in near)
            yield clause._replace(kind=STATE if told else UNREAD, lone=True)
        else:
            yield clause
