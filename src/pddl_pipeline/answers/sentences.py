"""The forms of sentences beside and behind a plan: which ones are harmless, and which amend it.

A sentence behind a valid plan must be harmless by its form. What amends a plan often names no
object (``Steps 2 and 3 trade places``), so that a list of forbidden words alone is not enough.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import dropwhile, permutations
from typing import Final

from pddl_pipeline.answers.carriers import REASONS, Remark
from pddl_pipeline.answers.clauses import PART, STATE, STEP, UNREAD, Clause
from pddl_pipeline.answers.english import BE, LINKS, NEGATIVE, OPENING, STATING, listed
from pddl_pipeline.answers.frames import IT, UNSAID, Frames
from pddl_pipeline.answers.phrases import (
    ACTS,
    ADVISES,
    ANY_TIME,
    ARROW,
    AT_FIRST,
    BESIDE,
    CLAUSES,
    COMMENT,
    CONCEDES,
    DESCRIBES,
    DOUBLE,
    FOREIGN,
    IN_LISTS,
    NEEDLESS,
    NEXT_ELSEWHERE,
    NEXT_STEP,
    NUMBER,
    OFFERS,
    ORDERS_PLAN,
    OTHER_NUMBER,
    PHASE,
    PLACED,
    REFERENCE,
    RELATIVE,
    SIGNS,
    STEPS_LABEL,
    TIMED,
    TIMES,
    TO_DO,
    UNREAL,
    WAYS,
    changes,
    command,
    denies_elsewhere,
    revises,
)
from pddl_pipeline.answers.states import Fact
from pddl_pipeline.answers.terms import POINTING, PRONOUN, VERB, Term
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
GOES_ON: Final = frozenset({"", ",", ";", ":", ".", "then", "and"})
"""Signs and words before a step that follows the one before it."""
_ADVERBS: Final = frozenset({
    "then", "and", "next", "first", "finally", "lastly", "also", "afterwards", "please", "just",
    "simply", "now", "but", "so", "however", "yet", "instead",
})  # fmt: skip


@lru_cache(64)
def _has(words: re.Pattern[str], text: str) -> bool:
    """Return whether a text has some words. Each clause of a sentence asks this of the sentence."""
    return words.search(text) is not None


class Context:
    """A plan and its states: what sentences are compared with."""

    def __init__(
        self,
        task: Task,
        steps: Sequence[Step],
        states: Sequence[State],
        frames: Frames,
        open_: frozenset[int] = frozenset(),
    ) -> None:
        """Prepare a plan; `open_` are the numbers of the steps that leave out an object."""
        self.steps = steps
        self._task, self._states, self._frames = task, states, frames
        self._place, self._open = len(steps), open_
        self._places: dict[tuple[object, ...], list[int]] = {}
        self._named = set[str]()  # the objects of the sentence

    def form(self, remark: Remark, *, lowered: bool = False, anywhere: bool = False) -> str:
        """Return the form of a sentence.

        Args:
            remark: the sentence.
            lowered: whether it stands below the heading of an explanation.
            anywhere: whether it may speak of any state of the plan.
        """
        text, clauses = remark.text.replace("\u2019", "'").lstrip("(,;:-< "), remark.clauses
        if text.endswith("?") or (clauses and clauses[-1].end == "?"):
            return OFFER
        points = any(clause.points for clause in clauses)
        self._named = {name for clause in clauses for name in clause.objects}
        named = bool(self._named)
        # `After step 2, …` gives a time and `phase 2` is no step: only other numbers refer to one.
        timed = OTHER_NUMBER.sub(" ", TIMED.sub(" ", text))
        timed = STEPS_LABEL.sub(" ", timed) if points else timed
        refers = REFERENCE.search(timed) is not None or self._numbers(remark, timed)
        if OFFERS.search(text) and not (named or refers):
            return OFFER
        described = DESCRIBES.match(text) is not None
        label = COMMENT.match(remark.text) or PHASE.match(text)
        lowered = lowered or remark.reason or label is not None
        explains = lowered or (described and not TO_DO.search(text))
        unreal = any(words.search(text) is not None for words in (UNREAL, CONCEDES))
        timeless = anywhere or explains or timed != text or ANY_TIME.search(text) is not None
        forms = [self._clause(clause, remark, anywhere=timeless) for clause in clauses]
        doubts = {UNCLEAR, FALSE} if explains else set[str]()
        if unreal or NEEDLESS.search(text):  # `there is no need to unstack a`
            doubts = {UNCLEAR, FALSE, LACKING}
        forms = [REASON if form in doubts else form for form in forms]
        moved = refers and not unreal and self._moves(clauses, REFERENCE.sub(" ", timed))
        if remark.comment and not anywhere:
            text = text.replace("again", " ")
        if moved or self._is_amended(
            text, timed, remark, forms, refers=refers, quiet=explains and (points or lowered)
        ):
            return AMENDMENT
        if remark.comment and remark.place not in self._open and not anywhere:
            # It explains a complete step, or amends it.
            forms = [REMARK if form in (UNCLEAR, FALSE) else form for form in forms]
        elif not (named or text.endswith(":")) and (
            denies_elsewhere(text) or (ADVISES.search(text) and not unreal)
        ):
            return UNCLEAR
        faults = [form for form in forms if form not in HARMLESS]
        return (*faults, *(form for form in forms if form != REMARK), REMARK)[0]

    def _is_amended(  # noqa: PLR0913 -- what a sentence was found to be
        self,
        text: str,
        timed: str,
        remark: Remark,
        forms: Sequence[str],
        *,
        refers: bool,
        quiet: bool,
    ) -> bool:
        """Return whether a sentence has words that change, correct or withdraw a step.

        Args:
            text: the sentence.
            timed: the sentence without its times, such as ``In step 3``.
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
        # `Stack c on a again` repeats a step, and does not only mention it.
        again = "again" in text and RETELLING in forms
        understood = not refers and ((points and harmless and not (told or again)) or quiet)
        aside = quiet or (remark.comment and named) or RETELLING in forms
        first, *rest = CLAUSES.split(text)
        rest = [part for part in rest if not IN_LISTS.match(part)]
        aside |= remark.comment and WAYS.match(text) is not None
        orders = not aside and any(map(ORDERS_PLAN.match, (first, *rest)))
        orders |= bool(REFERENCE.search(text) and ORDERS_PLAN.match(timed))  # `In step 3 use b`
        goes_on = remark.comment and clauses and clauses[0].lead in ("then", "and", ",")
        verb = command(text) if goes_on and not named else ""  # `fill mug1, then empty it`
        other = text  # `crate1 can be dropped there` tells of a step
        if named and not refers:
            other = DOUBLE.sub(lambda verb: self._frames.without_verb(verb[0]), text)
        needless = NEEDLESS.search(text) and not any(
            words.search(text) for words in (UNREAL, CONCEDES, ACTS)
        )
        return (
            bool(
                orders
                or SIGNS.search(text)
                or (remark.comment and any(map(BESIDE.match, (text, text.rpartition(": ")[2]))))
            )
            or (verb != "" and not any(verb in step.action for step in self._near(remark)))
            or revises(other)
            or TIMES.fullmatch(text) is not None
            # `Stack c on a twice.`
            or (told and TIMES.search(text) is not None)
            or (needless and (remark.comment or refers or any(map(self._withdraws, clauses))))
            or (not understood and changes(RELATIVE, other))
            or (ARROW.search(text) is not None and REFERENCE.search(text) is not None)
            or ((named or refers) and denies_elsewhere(text))
        )

    def _withdraws(self, clause: Clause) -> bool:
        """Return whether a clause names a step of the plan: ``you do not have to pick up b``."""
        opening = (NEGATIVE | OPENING | BE) - {"use", "using"}
        terms = [*dropwhile(lambda term: term.text in opening, clause.terms)]
        said = self._frames.said([term for term in terms if term.text not in NEGATIVE])
        steps = self._frames.steps(said) if said and not clause.step else [clause.step]
        return any(
            step and self.places(step) and {UNSAID, IT}.isdisjoint(step.arguments) for step in steps
        )

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
            or self.is_order(clause)
            or not (
                clause.words.isdisjoint(
                    ("must", "should", "shall", "need", "needs", "then", "also")
                )
                or clause.lead in REASONS
            )
        )

    def is_order(self, clause: Clause) -> bool:
        """Return whether a clause begins as a command of the domain: ``Attack a from d``."""
        first = _opening(clause)
        return first is not None and first.kind == VERB and self._frames.is_command(first.text)

    def _numbers(self, remark: Remark, text: str) -> bool:
        """Return whether a sentence has a number that may be one of a step."""
        counts = remark.comment and text.strip("()[] .").isdigit()
        numbers = (int(match[0]) for match in NUMBER.finditer(text))
        return not counts and any(0 < number <= len(self.steps) for number in numbers)

    @staticmethod
    def _moves(clauses: Sequence[Clause], text: str) -> bool:
        """Return whether a sentence that refers to a step may give it another place."""
        words = set().union(*(clause.words for clause in clauses))
        return not words.isdisjoint(_ORDERING) or PLACED.search(text) is not None

    def _clause(self, clause: Clause, remark: Remark, *, anywhere: bool) -> str:
        """Return the form of a clause."""
        words = clause.words
        first, second = [*clause.terms[:2], None, None][:2]
        if first and first.text == "not" and second and second.kind in POINTING:
            return UNCLEAR  # `mug2, not mug1`
        reason = clause.lead in REASONS - {"that", "to", "of", "after", "by", "before"}
        if clause.kind == STEP:
            return self._step(clause, remark, reason=reason)
        place = remark.place in self._open and clause.objects and words.isdisjoint(BE | STATING)
        place = place and all(0 not in fact.objects for fact in clause.facts)  # `board c0 (at l0)`
        if clause.kind == STATE and not place:
            if words & NEGATIVE and clause.terms:
                return REASON
            return self._claim(
                clause, words, remark, anywhere=anywhere or reason or clause.lead in REASONS
            )
        verb = any(term.kind == VERB for term in clause.terms)
        pronouns = all(term.kind == PRONOUN for term in clause.terms if term.kind in POINTING)
        if not clause.points or (pronouns and not verb and clause.kind in (UNREAD, PART)):
            return REMARK
        if (reason and not (place or words & _MODAL)) or words & (_PAST | NEGATIVE):
            return REASON
        return self._unread(clause, remark)

    def _unread(self, clause: Clause, remark: Remark) -> str:
        """Return the form of a clause with objects that is neither a step nor a claim."""
        if clause.kind == UNREAD and (clause.lead == "then" or NEXT_STEP.match(remark.text)):
            return LACKING if remark.comment else UNCLEAR  # `finally, l0 is scrubbed`
        if clause.fault is not None or (clause.lead != "to" and self.is_order(clause)):
            return UNCLEAR
        names = clause.kind == PART and clause.words.isdisjoint(LINKS)
        if remark.place in self._open and clause.kind in (PART, STATE) and not names:
            return REMARK if self._around(remark, 0).issuperset(clause.objects) else UNCLEAR
        related = names or self._are_related(clause.objects)
        if _has(FOREIGN, remark.text):  # a sentence about what comes next may tell a step
            related &= len(self._named) > 1
            related |= not _has(NEXT_ELSEWHERE, remark.text)
        return UNCLEAR if ADVISES.search(clause.text) or not related else REMARK

    @cached_property
    def _pairs(self) -> frozenset[tuple[str, str]]:
        """The pairs of objects that a step or a state relates."""
        told = {(step.action, *step.arguments) for step in self.steps}
        facts = told.union(*(state.facts for state in self._states))
        return frozenset(pair for _, *names in facts for pair in permutations(names, 2))

    def _are_related(self, names: Sequence[str]) -> bool:
        """Return whether a step or a state relates each object to another one of the sentence."""
        return len(names) < 2 or all(
            any((one, other) in self._pairs for other in self._named) for one in names
        )

    def _near(self, remark: Remark, more: int = 0) -> Sequence[Step]:
        """Return the step beside a sentence, and some more before and behind; else all steps."""
        first = max(0, remark.place - 1 - more)
        return self.steps[first : remark.place + more] if remark.comment else self.steps

    def _around(self, remark: Remark, more: int) -> set[str]:
        """Return the objects of the step beside a sentence, and of some before and behind."""
        return {name for step in self._near(remark, more) for name in step.arguments}

    def _step(self, clause: Clause, remark: Remark, *, reason: bool) -> str:
        """Return the form of a clause with a step."""
        step, words = clause.step or Step(""), clause.words
        open_ = not {UNSAID, IT}.isdisjoint(step.arguments)
        own = remark.comment and open_ and self.is_command(clause)
        places = [at for at in self.places(step) if not own or at == remark.place]
        if places:
            # Sentences retell a plan in its order: of a step that occurs twice, the next one from
            # here is meant, and a claim behind it is checked in the state after that one.
            later = bisect_left(places, self._place)
            self._place = places[later if later < len(places) else 0]
            return RETELLING
        if words & _PAST or (reason and not words & _MODAL):
            return REASON
        named = self._task.vocabulary.objects
        if step.arguments and named.keys().isdisjoint(step.arguments) and not open_:
            return REMARK  # `unstack(x, y) takes x off y`
        other = "then" in words or clause.lead in ("then", "after")  # `after putting down b`
        beside = remark.comment and self._around(remark, 1).issuperset(clause.objects) and not other
        if (self.is_command(clause) and not (beside and open_ and clause.objects)) or (
            remark.comment and other
        ):
            return LACKING
        return UNCLEAR

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
        # `b is not on …` with the object left out may deny another fact than the one that holds.
        return held != fact.denied or (held and len(given) < arity)


def _opening(clause: Clause) -> Term | None:
    """Return the first term of a clause that is more than an adverb; None without one."""
    return next((term for term in clause.terms if term.text not in _ADVERBS), None)


def same(one: Step, other: Step) -> bool:
    """Return whether two steps differ at most in what one of them leaves open.

    The action of ``unload p1`` is open if the task can unload trucks and airplanes.
    """
    pairs = zip(one.arguments, other.arguments, strict=False)
    alike = len(one.arguments) == len(other.arguments)
    alike &= not {*one.action.split()}.isdisjoint(other.action.split())
    return alike and all(x == y or not {UNSAID, IT}.isdisjoint((x, y)) for x, y in pairs)
