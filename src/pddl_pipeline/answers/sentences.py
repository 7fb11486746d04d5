"""The forms of sentences beside and behind a plan: which ones are harmless, and which amend it.

A sentence behind a valid plan must be harmless by its form. What amends a plan often names no
object (``Steps 2 and 3 trade places``), so that a list of forbidden words alone is not enough.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import dropwhile, permutations
from typing import Final

from pddl_pipeline.answers.carriers import REASONS, Remark
from pddl_pipeline.answers.clauses import PART, STATE, STEP, UNREAD, Clause
from pddl_pipeline.answers.english import BE, LINKS, NEGATIVE, OPENING, STATING, listed
from pddl_pipeline.answers.frames import IT, UNSAID, Frames
from pddl_pipeline.answers.phrases import (
    ABOUT,
    ACTS,
    AFFIRMS,
    ANY_TIME,
    ARROW,
    AT_FIRST,
    BEGINNINGS,
    BESIDE,
    CHANGES,
    CHECKS,
    CLAUSES,
    COMMANDS,
    COMMENT,
    COUNT,
    DENIES,
    DESCRIBES,
    FOREIGN,
    IN_LISTS,
    MUST,
    NECESSARY,
    NEEDLESS,
    NEXT_STEP,
    NUMBER,
    OFFERS,
    ON_PLAN,
    ORDERED,
    ORDERS_PLAN,
    PARTS,
    PHASE,
    PLACED,
    REFERENCE,
    RELATIVE,
    SIGNS,
    STEPS_LABEL,
    STILL_MUST,
    TIMED,
    TO_DO,
    UNREAL,
    UPWARDS,
    changes,
    command,
    denies_elsewhere,
    revises,
)
from pddl_pipeline.answers.states import Fact
from pddl_pipeline.answers.terms import POINTING, PRONOUN, VERB, WORD, Term
from pddl_pipeline.model.plan import Step
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

OFFER, RETELLING, CLAIM, REASON, REMARK = (
    "offer", "retelling", "claim", "reason", "remark",
)  # fmt: skip
"""Harmless forms. A remark names no object and no step."""
AMENDMENT, LACKING, FALSE, UNCLEAR = (
    "amendment", "step that the plan lacks", "claim that does not hold", "not understood",
)  # fmt: skip
HARMLESS: Final = frozenset({OFFER, RETELLING, CLAIM, REASON, REMARK})
_MODAL: Final = listed("modal") - {"want", "wants"}
_ORDERING: Final = _MODAL - {"can", "could", "might", "would"}
_PAST: Final = listed("past")
_ORDERS: Final = frozenset({
    "use", "take", "keep", "put", "place", "make", "let", "leave", "move", "do", "perform",
    "execute", "read", "start", "begin", "go", "return", "restore", "set", "get", "bring",
    "hold", "choose", "pick", "stop", "treat", "consider", "insert", "add",
})  # fmt: skip
"""Verbs of commands in all domains."""
_ADVERB: Final = re.compile(r"[a-z]{3,}ly")
_NEAR: Final = 40
"""Number of clauses before one that decide its form; more would take time in long sentences."""
GOES_ON: Final = frozenset({"", ",", ";", ":", ".", "then", "and"})
"""Signs and words before a step that follows the one before it."""
_BEGINS: Final = GOES_ON | {"(", "so"}
_ADVERBS: Final = frozenset({
    "then", "and", "next", "first", "finally", "lastly", "also", "afterwards", "please", "just",
    "simply", "now", "but", "so", "however", "yet", "instead",
})  # fmt: skip


@lru_cache(64)
def _has(words: re.Pattern[str], text: str) -> bool:
    """Return whether a text has some words. Each clause of a sentence asks this of the sentence."""
    return words.search(text) is not None


Pairs = frozenset[tuple[str, str]]


def _pairs_in(facts: Iterable[tuple[str, ...]]) -> Pairs:
    """Return the pairs of objects that stand together in facts or steps."""
    return frozenset(pair for _, *names in facts for pair in permutations(names, 2))


class Context:
    """A plan and its states: what sentences are compared with."""

    def __init__(
        self, task: Task, steps: Sequence[Step], states: Sequence[State], frames: Frames
    ) -> None:
        self.steps = steps
        self._task, self._states, self._frames = task, states, frames
        self._place = len(steps)
        self._places: dict[tuple[object, ...], list[int]] = {}
        self._named = set[str]()  # the objects of the sentence

    def form(self, remark: Remark, *, lowered: bool = False, anywhere: bool = False) -> str:
        """Return the form of a sentence.

        Args:
            remark: the sentence.
            lowered: whether it stands below the heading of an explanation.
            anywhere: whether it may speak of any state of the plan.
        """
        text, clauses = remark.text.replace("\u2019", "'").lstrip("(,;:- "), remark.clauses
        if text.endswith("?") or (clauses and clauses[-1].end == "?"):
            return OFFER
        points = any(clause.points for clause in clauses)
        self._named = {name for clause in clauses for name in clause.objects}
        named = bool(self._named)
        timed = text if ORDERED.search(text) else TIMED.sub(" ", text)
        timed = STEPS_LABEL.sub(" ", timed) if points else timed
        refers = REFERENCE.search(timed) is not None or self._numbers(remark, timed)
        if CHECKS.match(text) and not refers:
            return REMARK
        if OFFERS.search(text) and (not (named or refers) or ABOUT.search(text)):
            return OFFER
        described = DESCRIBES.match(text) is not None
        label = COMMENT.match(remark.text) or PHASE.match(text)
        lowered = lowered or remark.reason or label is not None
        explains = lowered or (described and not TO_DO.search(text))
        unreal = UNREAL.search(text) is not None
        timeless = anywhere or explains or timed != text or ANY_TIME.search(text) is not None
        forms = [
            self._clause(clause, clauses[max(0, at - _NEAR) : at], remark, anywhere=timeless)
            for at, clause in enumerate(clauses)
        ]
        owed = not remark.comment and STILL_MUST.search(text) is not None
        if unreal or (explains and not (owed or (described and refers))):
            doubts = {UNCLEAR, FALSE, LACKING, AMENDMENT} if unreal else {UNCLEAR, FALSE}
            forms = [REASON if form in doubts else form for form in forms]
        moved = refers and not unreal and self._moves(clauses, REFERENCE.sub(" ", timed))
        if moved or self._is_amended(
            text, remark, forms, refers=refers, quiet=explains and (points or lowered)
        ):
            return AMENDMENT
        faults = [form for form in forms if form not in HARMLESS]
        if faults:
            return faults[0]
        found = next((form for form in forms if form != REMARK), REMARK)
        return self._remark(text, remark) if found == REMARK and not named else found

    def _is_amended(
        self,
        text: str,
        remark: Remark,
        forms: Sequence[str],
        *,
        refers: bool,
        quiet: bool,
    ) -> bool:
        """Return whether a sentence has words that change, correct or withdraw a step.

        Args:
            text: the sentence.
            remark: the sentence and its place.
            forms: the forms of its clauses.
            refers: whether it refers to a step by its number.
            quiet: whether it explains.
        """
        clauses = remark.clauses
        points = any(clause.points for clause in clauses)
        named = bool(self._named)
        harmless = HARMLESS.issuperset(forms)
        told = any(
            f == RETELLING and self.is_command(c) for f, c in zip(forms, clauses, strict=True)
        )
        again = "again" in text and RETELLING in forms
        understood = not refers and ((points and harmless and not (told or again)) or quiet)
        near = self._near(remark) if remark.comment else ()
        own = [clause.step for clause in clauses if clause.step] or near
        if remark.comment and (
            (RETELLING in forms and self._place == remark.place)
            or any(len(self.places(step)) > 1 for step in own)
        ):
            text = text.replace("again", " ")
        aside = quiet or (remark.comment and named) or RETELLING in forms
        first, *rest = CLAUSES.split(text)
        rest = [part for part in rest if not IN_LISTS.match(part)]
        orders = not aside and any(map(ORDERS_PLAN.match, (first, *rest)))
        verbs = [] if named else [verb for part in (first, *rest) if (verb := command(part))]
        acts = ACTS.match(text) is not None
        needless = NEEDLESS.search(text) is not None and not (acts or UNREAL.search(text))
        return (
            bool(
                orders
                or SIGNS.search(text)
                or (remark.comment and BESIDE.match(text.rpartition(": ")[2]))
            )
            or any(not any(verb in step.action for step in near) for verb in verbs)
            or revises(text)
            or (UPWARDS.search(text) is not None and not acts)
            or (needless and (refers or remark.comment or not named or RETELLING in forms))
            or (not understood and changes(RELATIVE, text))
            or (ARROW.search(text) is not None and REFERENCE.search(text) is not None)
            or ((named or refers) and denies_elsewhere(text))
        )

    @staticmethod
    def _remark(text: str, remark: Remark) -> str:
        """Return the form of a sentence that names no object and no step."""
        if remark.comment or text.endswith(":"):
            return REMARK
        must, affirmed = MUST.search(text) is not None, AFFIRMS.search(text) is not None
        if denies_elsewhere(text):
            return UNCLEAR
        unreal = UNREAL.search(text) or CHANGES.search(text)  # a change that is denied, or unreal
        denied = not (remark.reason or unreal) and any(
            ON_PLAN.search(part) and DENIES.search(part) for part in PARTS.split(text)
        )
        return UNCLEAR if denied or (must and not affirmed) else REMARK

    def places(self, step: Step) -> Sequence[int]:
        """Return the numbers of the steps of the plan that a step may mean."""
        key = step[:2]
        if key not in self._places:
            self._places[key] = [at for at, each in enumerate(self.steps, 1) if same(each, step)]
        return self._places[key]

    def is_command(self, clause: Clause) -> bool:
        """Return whether a clause tells the reader to do its step."""
        first = _opening(clause)
        return (
            first is None
            or first.text == "use"
            or clause.words >= {"i", "would"}
            or (first.kind == VERB and self._frames.is_command(first.text))
            or not (
                clause.words.isdisjoint(
                    ("must", "should", "shall", "need", "needs", "then", "also")
                )
                or clause.lead in REASONS
            )
        )

    def _numbers(self, remark: Remark, text: str) -> bool:
        """Return whether a sentence has a number that may be one of a step."""
        counts = COUNT.search(text) or (remark.comment and text.strip("()[] .").isdigit())
        numbers = (int(match[0]) for match in NUMBER.finditer(text))
        return not counts and any(0 < number <= len(self.steps) for number in numbers)

    @staticmethod
    def _moves(clauses: Sequence[Clause], text: str) -> bool:
        """Return whether a sentence that refers to a step may give it another place."""
        words = set().union(*(clause.words for clause in clauses))
        return not words.isdisjoint(_ORDERING) or PLACED.search(text) is not None

    def _clause(
        self, clause: Clause, before: Sequence[Clause], remark: Remark, *, anywhere: bool
    ) -> str:
        """Return the form of a clause."""
        words = clause.words
        if clause.lead == "or" and remark.comment and clause.objects:
            return UNCLEAR
        first, second = [*clause.terms[:2], None, None][:2]
        if first and first.text == "not" and second and second.kind in POINTING:
            return UNCLEAR  # `mug2, not mug1`
        reason = clause.lead in REASONS - {"that", "to", "of", "after", "by", "before"}
        reason |= any(each.lead in ("because", "since", "if") for each in before) and (
            clause.lead in ("and", ",", "or")
        )
        reason = reason and not self._is_order(clause)
        if clause.kind == STEP:
            if clause.lead in ("to", "of", "for") and any(each.words & NEGATIVE for each in before):
                return AMENDMENT if clause.step and self.places(clause.step) else REASON
            told = [each.step for each in before if each.step] or self._near(remark)
            return self._step(clause, told, remark, reason=reason)
        placed = (
            clause.facts
            and clause.objects
            and words.isdisjoint(BE)
            and all(0 not in fact.objects for fact in clause.facts)
            and not any(each.kind == STATE for each in before[-1:])
        )
        begins = _opening(clause) if clause.kind == STATE and not remark.comment else None
        if begins is not None and begins.text in _ORDERS:
            return UNCLEAR  # `keep hold of b`
        if clause.kind == STATE and not (placed and remark.comment and words.isdisjoint(STATING)):
            if words & NEGATIVE and clause.terms:
                return self._denied(clause, remark)
            return self._claim(
                clause, words, remark, anywhere=anywhere or reason or clause.lead in REASONS
            )
        verb = any(term.kind == VERB for term in clause.terms)
        pronouns = all(term.kind == PRONOUN for term in clause.terms if term.kind in POINTING)
        if not clause.points or (pronouns and not verb and clause.kind in (UNREAD, PART)):
            return self._order(clause, before, remark)
        if (reason and not words & _MODAL and not placed) or words & _PAST:
            return REASON
        return self._unread(clause, remark, alone=not before, placed=bool(placed))

    def _unread(self, clause: Clause, remark: Remark, *, alone: bool, placed: bool) -> str:
        """Return the form of a clause with objects that is neither a step nor a claim."""
        words = clause.words
        still = clause.kind == PART and words & {"stays", "remains"}
        if still and self._moved.isdisjoint(clause.objects):
            return REMARK
        form = self._beside(clause, remark, alone=alone, placed=placed) if remark.comment else ""
        if form:
            return form
        if words & NEGATIVE:
            return self._denied(clause, remark)
        aim = clause.lead == "to" and not _has(MUST, remark.text)  # `to bring c1 from l2 to l0`
        aim &= len(clause.objects) > 1 and self._are_related(clause.objects, clause.objects)
        if clause.fault is not None or (self._is_order(clause) and not aim):
            return UNCLEAR
        goes_on = clause.lead in ("then", "afterwards") or NEXT_STEP.match(remark.text) is not None
        if goes_on and clause.kind == UNREAD:
            return UNCLEAR  # `finally, l0 is scrubbed`
        if MUST.search(clause.text):  # `b has to go on c`, and b is on c in the end
            why = _has(NECESSARY, remark.text)
            reached = len(clause.objects) > 1 and self._are_related(
                clause.objects, clause.objects, finally_=not why
            )
            return CLAIM if reached or (why and self._comes_first(clause.objects)) else UNCLEAR
        names = clause.kind == PART and clause.words.isdisjoint(LINKS)
        moved = not self._moved.isdisjoint(self._named)
        if len(self._named) < 2 and moved and _has(FOREIGN, remark.text):
            return UNCLEAR  # `Et puis on repose c.`
        # `b belongs on d, so it should go there`: other objects of the sentence relate nothing.
        others = clause.objects if _has(MUST, remark.text) else self._named
        return REMARK if names or self._are_related(clause.objects, others) else UNCLEAR

    def _beside(self, clause: Clause, remark: Remark, *, alone: bool, placed: bool) -> str:
        """Return the form of a clause beside a step by the objects of the steps there, or ""."""
        words, part = clause.words, clause.kind == PART
        goes_on = clause.lead in ("then", "and", ",", ";") and alone  # `…, then b hops to c`
        if (
            not (goes_on or words & NEGATIVE)
            and self._around(remark, 0 if part or placed else 2).issuperset(clause.objects)
            and (not self.is_command(clause) or self._names_action(clause, remark))
        ):
            return REMARK if clause.objects or not part else UNCLEAR
        listed_ = remark.cell or "[" in remark.text
        if ":" in remark.text and len(self._named) > 1:  # `left: empty, right: ball2`
            listed_ |= self._are_related([*self._named], self._named)
        if part and not (words & BE or listed_):
            lone = len(clause.objects) < 2 and self._around(remark, 1).isdisjoint(clause.objects)
            placed = placed or lone or bool(words & LINKS)
        return UNCLEAR if placed and clause.objects else ""

    def _names_action(self, clause: Clause, remark: Remark) -> bool:
        """Return whether a clause has a verb of the step beside it: ``load p1`` of `load-truck`."""
        verbs = [term.text for term in clause.terms if term.kind == VERB]
        return any(verb in step.action for step in self._near(remark) for verb in verbs)

    def _is_order(self, clause: Clause) -> bool:
        """Return whether a clause begins as a command that is not understood: ``Wash ball2``."""
        terms = [*dropwhile(
            lambda term: term.text in _ADVERBS or _ADVERB.fullmatch(term.text), clause.terms
        )]  # fmt: skip
        first, second = [*terms[:2], None, None][:2]
        if first is not None and first.kind == VERB:
            return self._frames.is_command(first.text)
        if first is None or second is None or first.kind != WORD or FOREIGN.search(clause.text):
            return False
        other = not (
            first.text in BEGINNINGS or first.text in self._task.vocabulary.predicates
            or first.text.endswith(("ing", "ed", "s"))
        )  # fmt: skip
        begins = second.kind in POINTING or (second.text in LINKS and not clause.words & BE)
        return first.text in _ORDERS or (other and clause.lead in _BEGINS and begins)

    def _comes_first(self, names: Sequence[str]) -> bool:
        """Return whether the plan names an object before the others of the sentence.

        Its steps then do what ``c0 has to be delivered before c1 is picked up`` asks for.
        """
        order = [name for step in self.steps for name in step.arguments if name in self._named]
        return len(names) == 1 and order[:1] == list(names)

    @cached_property
    def _moved(self) -> frozenset[str]:
        """The objects that the steps name."""
        return frozenset(name for step in self.steps for name in step.arguments)

    @cached_property
    def _pairs(self) -> tuple[Pairs, Pairs]:
        """The pairs of objects that a step or a state relates, and those that the plan reaches."""
        told = {(step.action, *step.arguments) for step in self.steps}.union(
            *(state.facts for state in self._states)
        )
        reached = set(self._states[-1].facts).difference(self._states[0].facts)
        return _pairs_in(told), _pairs_in(reached)

    def _are_related(
        self, names: Sequence[str], others: Collection[str], *, finally_: bool = False
    ) -> bool:
        """Return whether a step or a state relates each object to another one.

        Args:
            names: the objects.
            others: the objects of the sentence.
            finally_: whether only what the plan has made true at its end counts.
        """
        related = self._pairs[finally_]
        return len(names) < 2 or all(
            any((one, other) in related for other in others) for one in names
        )

    def _near(self, remark: Remark, more: int = 0) -> Sequence[Step]:
        """Return the step beside a sentence, and some more before and behind; else all steps."""
        first = max(0, remark.place - 1 - more)
        return self.steps[first : remark.place + more] if remark.comment else self.steps

    def _around(self, remark: Remark, more: int) -> set[str]:
        """Return the objects of the step beside a sentence, and of some before and behind."""
        return {name for step in self._near(remark, more) for name in step.arguments}

    def _step(self, clause: Clause, told: Sequence[Step], remark: Remark, *, reason: bool) -> str:
        """Return the form of a clause with a step, given the steps that ``it`` refers to."""
        step, words = clause.step or Step(""), clause.words
        if told is not self.steps:
            known = self._frames.with_object(step, told)
            step = known if known and self.places(known) else step
        if (
            clause.facts
            and not (words.isdisjoint(BE) and (clause.lead == "after" or self.is_command(clause)))
            and self._hold(clause.facts, remark, anywhere=True)
        ):
            return CLAIM
        open_ = not {UNSAID, IT}.isdisjoint(step.arguments)
        own = remark.comment and open_ and self.is_command(clause)
        places = [at for at in self.places(step) if not own or at == remark.place]
        if places:
            later = bisect_left(places, self._place)
            self._place = places[later if later < len(places) else 0]
            return RETELLING
        if (
            words & _PAST
            or (reason and not words & _MODAL)
            or (words & {"would", "could"} and _has(UNREAL, remark.text))
        ):
            return REASON
        named = self._task.vocabulary.objects
        if step.arguments and named.keys().isdisjoint(step.arguments) and not open_:
            return REMARK  # `unstack(x, y) takes x off y`
        beside = (
            remark.comment
            and self._around(remark, 1).issuperset(clause.objects)
            and "then" not in words
            and clause.lead not in ("then", "after")
        )
        if self.is_command(clause) and not (beside and open_ and clause.objects):
            return LACKING
        return REMARK if beside else UNCLEAR

    def _denied(self, clause: Clause, remark: Remark) -> str:
        """Return the form of a negated clause; it may deny a step of the plan."""
        if clause.words & {"must", "should"}:
            return UNCLEAR
        if clause.words & {"cannot", "can", "could", "was", "were", "did"}:
            return REASON
        terms = [
            term
            for term in clause.terms
            if term.text not in NEGATIVE and term.text not in ("do", "not")
        ]
        terms = [*dropwhile(lambda term: term.text in (OPENING | BE) - {"use", "using"}, terms)]
        said = (
            self._frames.said(terms)
            if clause.lead not in ("without", "instead", "rather")
            else None
        )
        near = self._near(remark) if remark.comment else ()
        steps = [
            self._frames.with_object(step, near) or step
            for step in (self._frames.steps(said) if said is not None else ())
        ]
        open_ = not COMMANDS.search(clause.text)
        denied = any(
            self.places(step) and not (open_ and {UNSAID, IT} & {*step.arguments}) for step in steps
        )
        return AMENDMENT if denied else REASON

    def _claim(self, clause: Clause, words: set[str], remark: Remark, *, anywhere: bool) -> str:
        if (
            words & _PAST
            or words & {"false", "lost", "removed", "gone"}
            or clause.lead in ("if", "until", "instead", "rather", "without")
            or _has(AT_FIRST, remark.text)
        ):
            return REASON
        facts = [fact for fact in clause.facts if fact.claimed]
        return CLAIM if self._hold(facts, remark, anywhere=anywhere) else FALSE

    def _hold(self, facts: Sequence[Fact], remark: Remark, *, anywhere: bool) -> bool:
        """Return whether facts hold: at the end, beside their step, or beside one told again."""
        if anywhere:
            states = self._states
        elif remark.comment:
            states = self._states[max(0, remark.place - 1) : remark.place + 1]
        else:
            places = (self._place, remark.place)
            states = [
                self._states[-1],
                *(self._states[at] for at in places if at < len(self._states)),
            ]
        return all(any(self._holds(fact, state) for state in states) for fact in facts)

    def _holds(self, fact: Fact, state: State) -> bool:
        """Return whether a fact holds in a state; a fact that leaves out objects is not checked."""
        vocabulary, given = self._task.vocabulary, fact.objects.items()
        types = vocabulary.predicates.get(fact.predicate, ())
        arity = len(types)
        fits = all(
            slot < arity and name in vocabulary.candidates(types[slot]) for slot, name in given
        )
        if not given or not fits:
            return True
        held = any(
            each[0] == fact.predicate and all(each[1 + slot] == name for slot, name in given)
            for each in state.facts
        )
        return held != fact.denied or (held and len(given) < arity)

    def _order(self, clause: Clause, before: Sequence[Clause], remark: Remark) -> str:
        """Return the form of a clause without objects; it may be a command."""
        must = MUST.search(clause.text) and clause.lead not in REASONS and not remark.comment
        if must and not AFFIRMS.search(clause.text):
            return UNCLEAR
        first = next((term for term in clause.terms if term.text not in OPENING), None)
        told = first is None or first.kind != VERB or not self._frames.is_command(first.text)
        if told or clause.words & (NEGATIVE | STATING) or clause.lead in REASONS:
            return REMARK
        own = self._near(remark) if remark.comment else ()
        if clause.lead in ("and", ",") and before and not self.is_command(before[-1]):
            return REMARK
        if first and any(self._frames.action(first.text) == step.action for step in own):
            return REMARK
        return UNCLEAR if self._frames.said(clause.terms) is not None else REMARK


def _opening(clause: Clause) -> Term | None:
    """Return the first term of a clause that is more than an adverb; None without one."""
    return next((term for term in clause.terms if term.text not in _ADVERBS), None)


def same(one: Step, other: Step) -> bool:
    """Return whether two steps differ at most in what one of them leaves open.

    The action of ``unload p1`` is open if the task can unload trucks and airplanes.
    """
    pairs = zip((one.action, *one.arguments), (other.action, *other.arguments), strict=False)
    alike = len(one.arguments) == len(other.arguments)
    alike &= not {*one.action.split()}.isdisjoint(other.action.split())
    return alike and all(x == y or not {UNSAID, IT}.isdisjoint((x, y)) for x, y in pairs)
