"""Cuts a line into sentences and clauses, and reads each clause: a step, a state, or neither."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from pddl_pipeline.answers.calls import Calls, Group
from pddl_pipeline.answers.english import BE, LINKS, NEGATIVE, OPENING, listed
from pddl_pipeline.answers.frames import IT, UNSAID, Frames
from pddl_pipeline.answers.states import Fact, States
from pddl_pipeline.answers.terms import (
    NOUN,
    OBJECT,
    POINTING,
    PRONOUN,
    SIGN,
    UNKNOWN,
    VERB,
    Term,
    Terms,
)
from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.plan import Step

STEP, STATE, PROSE, UNREAD, PART = "step", "claim", "prose", "not understood", "objects"
"""Kinds of clauses. `PROSE` names no object, a `PART` only objects and prepositions."""
ARROWS: Final = frozenset({"->", "=>", "-->", "\u2192", "\u21d2", "\u27a1", "\u27f6"})
_ENDS: Final = ARROWS.union(",;:.!?()[]|&+/#\u2013\u2014-\uff08\uff09\u3002\uff0c\uff1b\uff1a")
_ENDS_SENTENCE: Final = frozenset(".!?;")
_OPENS: Final = frozenset("([-\u2013\u2014#|\uff08")
_JOINING: Final = listed("joining")
_HOLDING: Final = frozenset({"carrying", "holding", "keeping"})
_DENYING: Final = frozenset({"without", "instead", "rather"})
_DENYING_PAIRS: Final = {"instead": "of", "rather": "than"}
_USING: Final = frozenset({"use", "have", "need", "going", "want", "has", "needs", "let"})
"""Words behind which ``to`` and a verb go on with the clause."""
_LONGEST_LINE: Final = 50_000
"""Maximum number of characters of a line that is read."""
# Without this bound, a line of n signs would take time in proportion to the square of n.
_NEAR: Final = 60
"""Number of terms beside a sign that decide whether it ends a clause."""
_SPOKEN: Final = re.compile(
    r"\b([\w-]+)\s?\(([^()]{0,200}\s(?:from|onto?|to|at|in|with)\s[^()]{0,200})\)", re.IGNORECASE
)
_HALF_CALL: Final = re.compile(
    r"\b([\w-]+)\(([^(),]{1,60})\)(?=\s(?:from|onto?|to|at|in|with)\s)", re.IGNORECASE
)
_ABBREVIATION: Final = re.compile(r"\b(?:e\.g|i\.e|vs|approx|resp)\.", re.IGNORECASE)
_IDLE: Final = re.compile(
    r"\b(?:(?:right|straight) away|at once|at last|for now|in turn|(?:last|first) of all)\b"
    r"|(?:\A|(?<=[,;.] )|(?<=and ))to (?:begin|conclude|end|finish|start)(?: off| up| with)?\b,?",
    re.IGNORECASE,
)
_AFTER_THAT: Final = re.compile(r"\b(?:after|once|upon) (?:that|which)\b", re.IGNORECASE)
_NAMED_STEP: Final = re.compile(
    r"\b(?:the )?(?:(?:first|second|third|next|last|final) )?(?:step|action"
    r"|move)(?: \d{1,4})? is (?=\w+ing\b)",
    re.IGNORECASE,
)
"""Words before a step: ``The last step is stacking b on a.``"""
_INLINE: Final = re.compile(r"(?:(?<=[^\s;:])\s|(?<=:)\s(?=\())\(?\d{1,2}[.)]\s+(?=[a-zA-Z(])")
"""A number of a step within a line."""


class Clause(NamedTuple):
    """A clause of a line, and what it is."""

    kind: str
    text: str
    lead: str = ""
    """The word or sign before it: ``,``, ``and``; ``(`` in parentheses or behind a dash."""
    end: str = ""
    """The sign behind it."""
    terms: Sequence[Term] = ()
    """Its terms; none for a step in parentheses."""
    step: Step | None = None
    facts: Sequence[Fact] = ()
    fault: tuple[ErrorKind, str] | None = None
    """The mistake in a clause that is read but for one name."""

    @property
    def words(self) -> set[str]:
        """Its words."""
        return {term.text for term in self.terms}

    @property
    def objects(self) -> list[str]:
        """The objects that it names."""
        if self.step is not None:
            return [name for name in self.step.arguments if name != UNSAID]
        return [term.text for term in self.terms if term.kind == OBJECT]

    @property
    def precedes(self) -> bool:
        """Whether its step comes before those told so far: ``you have to load it first``."""
        last = self.terms[-1].text if self.terms else ""
        owed = not self.words.isdisjoint(("have", "has", "must", "need", "needs"))
        return "first" in self.words and (self.lead == "but" or (owed and last == "first"))

    @property
    def points(self) -> bool:
        """Whether it points to an object, by name or pronoun."""
        return self.step is not None or any(term.kind in POINTING for term in self.terms)


class Sentence(NamedTuple):
    """A sentence of a line with its clauses."""

    text: str
    clauses: Sequence[Clause]


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
        self.in_full = terms.in_full
        self.worded = frames.worded
        """Whether the domain has words for steps."""
        self.line = lru_cache(16_384)(self._line)

    def _line(self, text: str) -> tuple[Sentence, ...]:
        """Return the sentences of a line."""
        if len(text) > _LONGEST_LINE:
            return (Sentence(text, [Clause(UNREAD, text)]),)
        text = self._plain(text)
        found, clauses, begin = list[Sentence](), list[Clause](), 0
        for clause, end in self._pieces(text):
            clauses.append(clause)
            if clause.end in _ENDS_SENTENCE:
                found.append(
                    Sentence(text[begin : end + 1].strip(), _attached(clauses, self.frames))
                )
                clauses, begin = [], end + 1
        if clauses or text[begin:].strip(" .;"):
            found.append(Sentence(text[begin:].strip(), _attached(clauses, self.frames)))
        return tuple(found)

    def _plain(self, text: str) -> str:
        """Return a line without idle phrases, and with calls in words as sentences."""
        if self._idle is not None:
            text = self._idle.sub(lambda match: " " * len(match[0]), text)
        if "(" in text:
            text = _HALF_CALL.sub(self._spoken, _SPOKEN.sub(self._spoken, text))
        text = _NAMED_STEP.sub(" ", text) if "ing" in text else text
        text = _ABBREVIATION.sub(lambda match: match[0].replace(".", ""), text)
        return _INLINE.sub("; ", _IDLE.sub(" ", _AFTER_THAT.sub("afterwards", text)))

    def _spoken(self, match: re.Match[str]) -> str:
        """Return ``feast (a from b)`` or ``feast(a) from b`` without its parentheses."""
        return f"{match[1]} {match[2]} " if self.frames.action(match[1]) else match[0]

    def _pieces(self, text: str) -> Iterator[tuple[Clause, int]]:
        """Yield the clauses, each with the place of its end, and the steps in parentheses."""
        at, last = 0, Clause(PROSE, "")
        for group in self.calls.groups(text) if "(" in text else ():
            for clause, end in self._clauses(text, at, group.start):
                last = clause
                yield clause, end
            # `Unstack b from c: (unstack b c)` is one step, told twice.
            spoken = last.terms and last.kind == STEP and last.end in ("", ":", *_OPENS)
            denied = last.words & NEGATIVE and not last.end
            lead = "not" if denied else "(" if spoken else last.lead if last.kind == PART else ""
            last = _grouped(group, text, lead)
            yield last, group.end
            at = group.end
        yield from self._clauses(text, at, len(text))

    def _clauses(self, text: str, begin: int, end: int) -> Iterator[tuple[Clause, int]]:
        """Yield the clauses of a part of a text between signs and joining words."""
        terms = _unrepeated(self._terms.of(text[begin:end], begin))
        lead, start, aside = "", 0, False
        for at, term in enumerate(terms):
            if not self._divides(terms, start, at):
                continue
            sign = term.text if term.kind == SIGN else ""
            if at > start:
                yield from self._parts(
                    terms[start:at], text, "(" if aside else lead, sign, term.start
                )
                lead = ""
            elif sign in _ENDS_SENTENCE and lead.isalpha():  # `Scrap that.`
                yield Clause(PROSE, "", lead, sign), term.start
            aside = (aside or (sign != "" and sign in _OPENS)) and sign not in (
                ")",
                "]",
                *_ENDS_SENTENCE,
            )
            lead = term.text if not lead or not (sign or lead in _DENYING) else lead
            start = at + 1
        if start < len(terms):
            yield from self._parts(terms[start:], text, "(" if aside else lead, "", end)

    def _parts(
        self, terms: Sequence[Term], text: str, lead: str, sign: str, end: int
    ) -> Iterator[tuple[Clause, int]]:
        """Yield the clause of some terms; words behind a step are another one."""
        clause, rest = self._clause(terms, text, lead, sign)
        if rest:
            yield clause._replace(end=""), terms[rest].start
            clause, _ = self._clause(terms[rest:], text, "(", sign)
        yield clause, end

    def _divides(self, terms: Sequence[Term], start: int, at: int) -> bool:
        """Return whether a clause that begins at one term ends at another one."""
        term, before = terms[at], terms[max(start, at - _NEAR) : at]
        following = terms[at + 1] if at + 1 < len(terms) else None
        if term.kind == SIGN:
            return term.text in _ENDS and not self._goes_on(terms, start, at)
        if term.text in _JOINING:
            if term.text in _DENYING_PAIRS:
                return following is not None and following.text == _DENYING_PAIRS[term.text]
            # `It then unstacks b` is one clause; `unstack b then stack it on a` has two.
            adverb = term.text == "then" and all(each.kind != VERB for each in before)
            return not (adverb and before and following and following.kind == VERB)
        if following is None:
            return False
        verb = following.kind == VERB
        if term.text == "to":
            # `Use hoist0 to lift crate1` is one clause; `pick up c to stack it on a` has two.
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
            placed = bool(place) and place[0].text in LINKS and _lone(place, frozenset())
            end = next((i for i, term in enumerate(rest) if term.kind == SIGN), len(rest))
            return opens and placed and any(term.kind == VERB for term in rest[:end])
        if text in ARROWS:
            alone = len(rest) == 1 or (rest[1].kind == SIGN and rest[1].text != "\u2190")
            return before[-1].kind == rest[0].kind == OBJECT and alone
        return False

    def _clause(self, terms: Sequence[Term], line: str, lead: str, end: str) -> tuple[Clause, int]:
        """Return the clause of some terms, and how many of them its step has if not all."""
        made = Clause(PROSE, line[terms[0].start : terms[-1].end], lead, end, terms)
        if not made.points:
            # `noop`: an action without parameters is a step without objects.
            alone = self.frames.alone(terms[0].text) if len(terms) == 1 else None
            return (made._replace(kind=STEP, step=alone), 0) if alone else (made, 0)
        words = {term.text for term in terms}
        if lead in _DENYING or words & NEGATIVE:
            return made._replace(kind=STATE if lead in _DENYING or _denies(terms) else UNREAD), 0
        said = self.frames.said(terms)
        steps = self.frames.steps(said) if said is not None else []
        first = next((term for term in terms if term.text not in OPENING | BE), terms[0])
        facts = None if first.kind == VERB and not steps else self._states.facts(terms)
        rest = said.end if said else 0
        strange = rest and any(term.kind == UNKNOWN for term in terms[rest:])
        open_ = len(steps) == 1 and set(steps[0].arguments) == {UNSAID}
        told = len(steps) == 1 and (not open_ or terms[-1].kind == PRONOUN)  # `drop it`
        if told and not strange and "either" not in words:
            text = line[terms[0].start : terms[rest - 1].end] if rest else made.text
            made = made._replace(kind=STEP, text=text, step=steps[0], facts=facts or ())
            return made._replace(terms=terms[: rest or None]), rest
        if facts is not None and not steps:
            return made._replace(kind=STATE, facts=facts), 0
        if _lone(terms, BE):
            return made._replace(kind=PART), 0
        if first.text in _HOLDING and not any(term.kind == VERB for term in terms):
            return made._replace(kind=STATE), 0  # `Carrying b1, it moves to r2`
        unknown = [term.text for term in terms if term.kind == UNKNOWN]
        fault = None
        if len(unknown) == 1 and any(term.kind == VERB for term in terms):
            fault = ErrorKind.UNKNOWN_OBJECT, f"unknown object '{unknown[0]}'"
        return made._replace(kind=UNREAD, fault=fault), 0


def _unrepeated(terms: list[Term]) -> list[Term]:
    """Return terms with one for ``the ball (ball1)`` and ``Blue (b)``, if Blue is b."""
    found = list[Term]()
    for term in terms:
        found.append(term)
        before, opens, name = found[-4:-1] if len(found) > 3 else (term, term, term)
        again = before.kind == NOUN or before.text == name.text
        if (opens.text, term.text) == ("(", ")") and name.kind == OBJECT and again:
            found[-4:] = [name._replace(start=before.start, end=term.end)]
    return found


def _grouped(group: Group, line: str, lead: str) -> Clause:
    """Return the clause of a step or fact in parentheses."""
    text, step = line[group.start : group.end], group.step
    if step is None or lead == "not":
        return Clause(STATE, text, lead)
    return Clause(
        STEP if group.fault is None else UNREAD, text, lead, "", (), step, (), group.fault
    )


def _denies(terms: Sequence[Term]) -> bool:
    """Return whether a clause is denied as a whole, and not only what stands behind its verb."""
    first = (term for term in terms if term.text in NEGATIVE or term.kind == VERB)
    return next((term.text in NEGATIVE for term in first), False)


def _lone(terms: Sequence[Term], others: frozenset[str]) -> bool:
    """Return whether terms are objects, and only prepositions, openings or some other words."""
    silent = LINKS | others | {"s", "'"} | (OPENING if others else frozenset())
    named = any(term.kind in POINTING for term in terms)
    return named and all(term.kind in POINTING or term.text in silent for term in terms)


def _with_verb(clause: Clause, verb: Term, frames: Frames) -> Clause:
    """Return objects as a step if the verb of a step before them makes them one.

    ``Pick up ball1 with the left gripper and ball2 with the right one`` has two steps.
    """
    said = frames.said([verb, *clause.terms])
    steps = frames.steps(said) if said else []
    whole = len(steps) == 1 and len(clause.objects) > 1
    return clause._replace(kind=STEP, step=steps[0]) if whole else clause


def _attached(clauses: list[Clause], frames: Frames) -> tuple[Clause, ...]:
    """Return clauses with what the clauses beside them say of them.

    Lone objects beside a state belong to it: ``a, b and c are clear``.
    """
    verb: Term | None = None
    for at, clause in enumerate(clauses[1:], start=1):
        before = clauses[at - 1]
        verb = next((term for term in before.terms if term.kind == VERB), verb)
        if clause.kind == PART and clause.lead in ("and", ",", "then") and before.step and verb:
            clauses[at] = _with_verb(clause, verb, frames)
        elif clause.kind == PART and clause.lead == "(":
            # `Pick up b1 in r1 (left)`, `Pick up b1 with its left hand (left)`
            host = at - 1 - (before.kind == PROSE and before.lead == "(" and at > 1)
            step = clauses[host].step
            own = step and frames.filled(step, {*clause.objects})
            clauses[host] = clauses[host]._replace(step=own)
        elif clause.step and before.kind == PART and len(before.objects) == 1:
            # `Now b: stack it on c`
            own = frames.with_object(clause.step, [Step("", tuple(before.objects))])
            clauses[at] = clause._replace(step=own or clause.step)
        elif clause.step and before.kind == STATE and before.objects:
            # `With c clear, pick it up`: what is `it`?
            names = [UNSAID if name == IT else name for name in clause.step.arguments]
            clauses[at] = clause._replace(step=clause.step._replace(arguments=tuple(names)))
    return tuple(
        clause._replace(kind=STATE)
        if clause.kind == PART
        and any(
            each.kind == STATE
            for each in (*clauses[max(at - 1, 0) : at], *clauses[at + 1 : at + 2])
        )
        else clause
        for at, clause in enumerate(clauses)
    )
