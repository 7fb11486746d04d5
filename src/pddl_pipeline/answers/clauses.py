"""Cuts a line into clauses, and reads each: as a step, as talk about a state, or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from pddl_pipeline.answers.calls import Calls, Group
from pddl_pipeline.answers.english import BE, LINKS, NEGATIVE, OPENING, STATING
from pddl_pipeline.answers.frames import IT, UNSAID, Frames
from pddl_pipeline.answers.states import Fact, States
from pddl_pipeline.answers.terms import (
    NOUN, OBJECT, POINTING, PRONOUN, SIGN, UNKNOWN, VERB, WORD, Term, Terms,
)  # fmt: skip
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.plan import Step

STEP, STATE, PROSE, UNREAD, PART = "step", "state", "prose", "not read", "part"
"""Kinds of clauses. A `PART` has only objects and prepositions."""
_ARROWS: Final = frozenset({"->", "=>", "-->", "\u2192", "\u21d2", "\u27a1", "\u27f6"})
_ENDS: Final = frozenset(",;:.!?()[]|&+/#\u2013\u2014-\uff08\uff09\u3002\uff0c\uff1b\uff1a") | _ARROWS
_PAIRS: Final = frozenset({("so", "on"), ("so", "forth"), ("as", "before"), ("as", "above"),
    ("after", "that"), ("before", "that"), ("once", "that")})
_OPENS: Final = frozenset({"(", "-", "\u2013", "\u2014", "#"})
_JOINING: Final = frozenset(
    "and then but so because since while where which who that when after once before until if as or"
    " thus hence therefore without instead rather unless though although".split()
)
_TIMES: Final = frozenset(
    "after as because before by if of once since that to until when where which while".split()
)
"""Leads of clauses that may tell a step of another clause again."""
_WISHES: Final = frozenset("can could would goal had has have just may might must need needs should want wants was were".split())
_PLANS: Final = frozenset("actions plan sequence solution steps".split())
"""Subjects of sentences about the plan."""
_SPOKEN: Final = re.compile(
    r"\b([\w-]+)\s?\(([^()]{0,200}\s(?:from|onto?|to|at|in|with)\s[^()]{0,200})\)", re.IGNORECASE
)
_HALF_CALL: Final = re.compile(r"\b([\w-]+)\(([^(),]{1,60})\)(?=\s(?:from|onto?|to|at|in|with)\s)")
_INLINE: Final = re.compile(r"(?<=[^\s,;:])\s+\d{1,2}[.)]\s+(?=[a-zA-Z(])")
"""A number of a step within a line."""
_BESIDES: Final = frozenset("additionally afterwards again also back extra".split())
"""Words of a sentence about the plan that may tell a step beside it."""
_REASONS: Final = frozenset(
    "after as because before by if once since to until when while".split()
)
_PAST: Final = frozenset("initially originally was were".split())
"""Words of talk about another state than the last."""
_EARLIER: Final = frozenset("first beforehand earlier previously".split())
_ORDERS: Final = re.compile(r"(?:undo|repeat|continue|reverse|revert|redo|do|keep)\b")
_MORE: Final = re.compile(
    r"\b(?:so on|so forth|vice versa|same (?:for|with|way|thing)|this manner|etc|likewise|similarly"
    r"|analogous\w*|same pattern|the rest|(?:remaining|other) (?:steps|actions|moves)"
    r"|as (?:above|before))\b"
)
"""Orders that name no step, at the start of a clause and anywhere."""
_AGAIN: Final = frozenset("again then next finally lastly afterwards after".split())


_NAMED: Final = re.compile(
    r"\b(?:plan|option|approach|attempt|version|answer|solution|idea|step|phase|stage) [a-z\d]\b(?! on)",
    re.IGNORECASE,
)
"""The name of a candidate or of a part of a plan; its letter is no object."""


class Clause(NamedTuple):
    """A clause of a line, and what it is."""

    kind: str
    text: str
    steps: tuple[Step, ...] = ()
    facts: tuple[Fact, ...] = ()
    lead: str = ""
    """The word or sign before it: ``,``, ``and``, ``after``."""
    weak: bool = False
    """Whether it may only mention a step that is told elsewhere."""
    label: bool = False
    """Whether a colon follows it in the line."""
    ordered: bool = False
    """Whether a word such as ``then`` or ``again`` adds the step to those before."""
    late: bool = False
    """Whether it tells a step that comes before the one in front of it: ``…, but first lift a``."""
    sentence: int = 0
    """Number of the sentence in the line, from 0 on."""
    fault: tuple[ErrorKind, str] | None = None
    """The mistake in a clause that is read but for one name."""
    command: bool = False
    """Whether a clause that is not read begins with a verb of the domain."""
    aside: bool = False
    """Whether it stands in parentheses or behind a dash."""
    partial: bool = False
    """Whether the step lacks objects that no state determines: it can only repeat a step."""
    objects: tuple[str, ...] = ()
    """The objects of a `PART`."""
    lone: bool = False
    """Whether a clause that is not read has only objects."""
    between: tuple[str, ...] = ()
    """Objects that talk between the last step and this clause names: ``it`` may mean them."""
    call: bool = False
    """Whether it is a step in parentheses."""


class _Segment(NamedTuple):
    lead: str
    terms: list[Term]
    end: str
    """The sign behind it, if any."""
    sentence: int
    aside: bool = False
    """Whether it stands in parentheses or behind a dash."""
    group: Group | None = None
    """The step or fact in parentheses, if it is one; then there are no terms."""


class Grammar:
    """Reads the lines of answers to tasks with the same vocabulary."""

    def __init__(
        self, terms: Terms, frames: Frames, states: States, calls: Calls, idle: Sequence[str] = ()
    ) -> None:
        """Create the grammar; `idle` are phrases without meaning, such as ``the ferry``."""
        self.idle = re.compile(rf"\b(?:{'|'.join(map(re.escape, idle))})\b", re.I) if idle else None
        self.terms, self.frames, self.states, self.calls = terms, frames, states, calls
        self.line = lru_cache(16_384)(self._line)

    def _line(self, text: str) -> tuple[Clause, ...]:
        """Return the clauses of a line."""
        if self.idle is not None:
            text = self.idle.sub(lambda match: " " * len(match[0]), text)
        if "(" in text:
            text = _HALF_CALL.sub(self._spoken, _SPOKEN.sub(self._spoken, text))
        text = _INLINE.sub("; ", text)
        text = _NAMED.sub(lambda match: match[0].replace(" ", "-"), text)
        found: list[Clause] = []
        segments = self._merged(list(self._pieces(text)))
        between: list[str] = []
        opening = {term.text for term in segments[0].terms[:4]} if segments else set()
        for segment in segments:
            behind = bool(found) and found[-1].kind == STEP and found[-1].sentence == segment.sentence
            clause = self._clause(segment, text, behind=behind)
            if behind and found[-1].weak and found[-1].lead not in _TIMES and segment.lead in ("and", ",", "then"):
                clause = clause._replace(weak=clause.kind == STEP)  # `we need to lift a and stack it on b`
            if clause.kind == STEP:
                clause, between = clause._replace(between=tuple(between)), []
            else:
                between += [term.text for term in segment.terms if term.kind == OBJECT]
            if clause.kind in (UNREAD, PART) and opening & _PLANS and self._is_of_plan(segment.terms):
                clause = clause._replace(kind=PROSE)
            found.append(clause)
        return tuple(_attached(found))

    def _is_of_plan(self, terms: Sequence[Term]) -> bool:
        """Return whether a clause of a sentence about the plan tells no step of it.

        ``This plan rearranges them in the order of a on b, from bottom to top: b, a``
        """
        pointing = [term for term in terms if term.kind in POINTING]
        named = [term for term in terms if term.text != "them"]
        if not pointing or all(term.text == "them" for term in pointing):
            return bool(pointing)
        if bool(self.states.facts(named)) or _only(terms, (*LINKS, *OPENING, *BE)):
            return True
        words = {term.text for term in terms}
        return not (words & _BESIDES) and all(term.kind != VERB for term in terms)

    def _spoken(self, match: re.Match[str]) -> str:
        """Return ``feast (a from b)`` or ``feast(a) from b`` without its parentheses."""
        return f"{match[1]} {match[2]} " if self.calls.action(match[1]) else match[0]

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
        terms = self.terms.of(text, offset)
        lead, start, aside = "", 0, False
        for at in range(len(terms) + 1):
            term = terms[at] if at < len(terms) else None
            if term is not None and not self._divides(terms, start, at):
                continue
            sign = term.text if term is not None and term.kind == SIGN else ""
            if at > start:
                yield _Segment(lead, terms[start:at], sign, sentence, aside)
                lead = ""
            if term is None:
                return
            aside = (aside or sign in _OPENS) and sign != ")"
            sentence += sign in {".", "!", "?", ";"}
            lead = term.text if not lead or not sign else lead
            start = at + 1

    def _divides(self, terms: Sequence[Term], start: int, at: int) -> bool:
        """Return whether a clause ends at a term."""
        kind, text, begin, end = terms[at]
        following = terms[at + 1] if at + 1 < len(terms) else None
        if kind == SIGN:
            if text not in _ENDS:
                return False
            if text == ":" and at > start and self._continues(terms, start, at):
                return False
            if text in _ARROWS and following is not None:
                alone = at + 2 == len(terms) or terms[at + 2].kind == SIGN
                return not (at > start and terms[at - 1].kind == following.kind == OBJECT and alone)
            return not (text == "-" and following is not None and following.start == end and at > start and terms[at - 1].end == begin)
        if text in _JOINING and kind == WORD:
            pair = (text, following.text if following is not None else "")
            if text in ("then", "now") and at > start and not any(t.kind == VERB for t in terms[start:at]):
                return following is None or following.kind != VERB  # `it is then lifted`
            if pair in _PAIRS or (at > start and (terms[at - 1].text, text) in _PAIRS):
                return False
            return (text != "that" or at == start or terms[at - 1].text != "is")
        if text == "to" and following is not None and following.text in self.states.openings:
            return True
        if text == "to" and following is not None and following.kind == VERB:
            return not any(t.text in ("use", "have", "need", "going", "want", "has", "needs", "let") for t in terms[start:at])
        if text == "of" and following is not None and following.kind == VERB and at > start:
            return terms[at - 1].text == "goal"
        if text == "by" and following is not None:
            return following.kind == VERB and following.text.endswith("ing")
        return False

    def _continues(self, terms: Sequence[Term], start: int, at: int) -> bool:
        """Return whether a clause goes on behind a colon: ``Unstack: b from c``, ``holding: b``."""
        rest = terms[at + 1 :]
        end = next((i for i, term in enumerate(rest) if term.kind == SIGN and term.text in ".;("), len(rest))
        verbs = any(term.kind == VERB for term in rest[:end])
        return (_only_verb(terms[start:at]) and not verbs) or terms[at - 1].text in self.states.openings

    def _merged(self, segments: list[_Segment]) -> list[_Segment]:
        """Join places with the clause that they belong to: ``At l1, board c0``; ``stack: a, b``."""
        found: list[_Segment] = []
        for segment in segments:
            before = found[-1] if found else None
            usable = before is not None and before.terms and segment.terms
            actor = usable and before.end == ":" and [term.kind for term in before.terms] == [OBJECT]
            if actor and any(term.kind == VERB for term in segment.terms):  # `robot1: move …`
                found[-1] = segment._replace(terms=[*before.terms, *segment.terms], lead=before.lead)
                continue
            if usable and before.sentence == segment.sentence and before.end in (",", ""):
                lone = _only(before.terms, (*LINKS, "s", "'")) and before.terms[0].text in LINKS
                verbs = any(term.kind == VERB for term in segment.terms)
                if lone and verbs and segment.lead == ",":
                    found[-1] = segment._replace(terms=[*before.terms, *segment.terms], lead=before.lead)
                    continue
                names = all(term.kind == OBJECT for term in segment.terms)
                if names and segment.lead == "," and self._completes(before.terms, segment.terms):
                    found[-1] = before._replace(terms=[*before.terms, *segment.terms], end=segment.end)
                    continue
            found.append(segment)
        return found

    def _completes(self, before: list[Term], names: list[Term]) -> bool:
        """Return whether objects are the further arguments of a call: ``unstack b, c``."""
        said = self.frames.said([*before, *names])
        if said is None or not said.bare or said.words:
            return False
        action = self.frames.action(said.verb)
        return action is not None and len(said.names) <= self.frames.arity(action)

    def _clause(self, segment: _Segment, line: str, *, behind: bool) -> Clause:
        """Return the clause of a segment; `behind` says whether a step stands before it."""
        lead, terms, end, sentence, aside, group = segment
        if group is not None:
            return self._grouped(group, line, lead, sentence)
        text = line[terms[0].start : terms[-1].end]
        made = Clause(PROSE, text, lead=lead, label=end == ":", sentence=sentence, aside=aside)
        words = {term.text for term in terms}
        points = any(term.kind in POINTING for term in terms)
        if end == ":" and not points:
            return made  # a label
        if points and self._is_about_all(terms):
            return made
        first = next((term for term in terms if term.text not in OPENING | BE), terms[0])
        elided = behind and first.kind == VERB and self.frames.is_past(first.text)
        if not points and not elided:
            return made._replace(kind=self._without_objects(terms, words, text.lower()))
        if lead in ("without", "instead", "rather"):
            return made._replace(kind=STATE)
        if words & NEGATIVE:
            verb = next((at for at, term in enumerate(terms) if term.kind == VERB), len(terms))
            denied = next(at for at, term in enumerate(terms) if term.text in NEGATIVE) < verb
            return made._replace(kind=STATE if denied or verb == len(terms) else UNREAD)
        weak = lead in _TIMES or lead == "ing" or bool(words & _WISHES)
        ordered = lead in _AGAIN or bool(words & _AGAIN)
        late = behind and (lead in ("after", "once") or bool(words & _EARLIER))
        said = self.frames.said(terms)
        steps = self.frames.steps(said) if said is not None else []
        if elided and said is not None and not steps:  # `b is lifted and placed on a`
            names = [*said.names, (IT, frozenset({"object"}))]
            steps = self.frames.steps(said._replace(names=names))
        if end == "?" or "either" in words:
            return made._replace(kind=UNREAD)
        if len(steps) == 1 and lead not in ("or", "if"):
            facts = self.states.facts(terms) or ()
            return made._replace(
                kind=STEP, steps=tuple(steps), weak=weak or bool(facts), ordered=ordered, late=late
            )
        if said is not None and not steps:
            partial = self.frames.steps(said, partial=True)
            if len(partial) == 1 and set(partial[0].arguments) != {UNSAID}:
                return made._replace(kind=STEP, steps=tuple(partial), weak=True, ordered=ordered, partial=True)
        if len(steps) > 1 or (steps and lead in ("or", "if")):
            return made._replace(kind=UNREAD, steps=tuple(steps))
        facts = None if first.kind == VERB else self.states.facts(terms)
        if facts is not None:
            past = lead in _REASONS or not words.isdisjoint(_PAST)
            return made._replace(kind=STATE, facts=() if past else tuple(facts))
        if _only(terms, (*LINKS, *OPENING, *BE, "s", "'")):
            names = tuple(term.text for term in terms if term.kind in POINTING)
            return made._replace(kind=PART, objects=names)
        return made._replace(kind=UNREAD, fault=self._fault(terms), command=first.kind == VERB)

    def _is_about_all(self, terms: Sequence[Term]) -> bool:
        """Return whether ``it`` is said to be or to reach something: ``it is short``."""
        rest = [term for term in terms if term.kind in POINTING or term.text not in OPENING]
        if [term.text for term in terms if term.kind in POINTING] != ["it"] or len(rest) < 2:
            return False
        done = any(term.text.endswith(("ed", "en")) or term.kind == VERB for term in rest)
        return rest[0].text == "it" and (rest[1].text in BE | STATING) and not done

    def _grouped(self, group: Group, line: str, lead: str, sentence: int) -> Clause:
        """Return the clause of a step or fact in parentheses."""
        text, step = line[group.start : group.end], group.step
        if step is None or lead == "not":
            return Clause(STATE, text, lead=lead, sentence=sentence)
        kind = STEP if group.fault is None else UNREAD
        return Clause(kind, text, (step,), lead=lead, sentence=sentence, fault=group.fault, call=True)

    def _without_objects(self, terms: Sequence[Term], words: set[str], text: str) -> str:
        """Return the kind of a clause that names no object."""
        opening = next((term.start for term in terms if term.text not in OPENING - {"do"}), terms[0].start)
        ordered = _ORDERS.match(text[opening - terms[0].start :]) or _MORE.search(text)
        if ordered and not words & NEGATIVE:
            return UNREAD
        first = next((term for term in terms if term.text not in OPENING), None)
        if first is not None and first.kind == VERB and not words & (NEGATIVE | {"can", "could", "be"}):
            said = self.frames.said(terms)
            if said is not None and self.frames.is_command(first.text):
                return UNREAD
        return PROSE

    def _fault(self, terms: Sequence[Term]) -> tuple[ErrorKind, str] | None:
        """Return the mistake of a clause that is a step but for one unknown name."""
        unknown = [term.text for term in terms if term.kind == UNKNOWN]
        if len(unknown) != 1 or not any(term.kind == VERB for term in terms):
            return None
        return ErrorKind.UNKNOWN_OBJECT, f"unknown object '{unknown[0]}'"


def _only_verb(terms: Sequence[Term]) -> bool:
    """Return whether terms are a verb and no object, as in ``Unstack: b from c``."""
    kinds = {term.kind for term in terms}
    return VERB in kinds and kinds.isdisjoint(POINTING)


def _only(terms: Sequence[Term], words: Sequence[str]) -> bool:
    """Return whether terms are objects and only some other words."""
    named = any(term.kind in POINTING for term in terms)
    return named and all(term.kind in POINTING or term.text in words for term in terms)


def _attached(clauses: list[Clause]) -> Iterator[Clause]:
    """Yield clauses; lone objects beside talk about a state belong to it: ``a, b and c are clear``."""
    for at, clause in enumerate(clauses):
        if clause.kind != PART:
            yield clause
            continue
        behind = clauses[at + 1] if at + 1 < len(clauses) else None
        before = clauses[at - 1] if at else None
        near = [each for each in (before, behind) if each and each.sentence == clause.sentence]
        while_states = [each for each in near if each.kind == STATE]
        steps = before.steps if before is not None and clause.aside else ()
        again = bool(steps) and set(clause.objects) <= set(steps[0].arguments)
        yield clause._replace(kind=STATE if again or while_states else UNREAD, lone=True)
