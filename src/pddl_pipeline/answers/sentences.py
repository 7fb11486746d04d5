"""The forms of sentences beside and behind a plan: which ones are harmless, and which amend it.

A sentence behind a valid plan must be harmless by its form. What amends a plan often names no
object (``Steps 2 and 3 trade places``), so that a list of forbidden words alone is not enough.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import dropwhile
from typing import Final

from pddl_pipeline.answers.carriers import REASONS, Remark
from pddl_pipeline.answers.clauses import PART, STATE, STEP, UNREAD, Clause
from pddl_pipeline.answers.english import BE, NEGATIVE, OPENING, STATING, listed
from pddl_pipeline.answers.frames import IT, UNSAID, Frames
from pddl_pipeline.answers.states import Fact
from pddl_pipeline.answers.terms import POINTING, PRONOUN, UNKNOWN, VERB
from pddl_pipeline.model.plan import Step
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

OFFER, QUESTION, RETELLING, CLAIM, REASON, REMARK = (
    "offer", "question", "retelling", "claim", "reason", "remark",
)  # fmt: skip
"""Harmless forms. A remark names no object and no step."""
AMENDMENT, LACKING, FALSE, UNCLEAR = (
    "amendment", "step that the plan lacks", "claim that does not hold", "not understood",
)  # fmt: skip
HARMLESS: Final = frozenset({OFFER, QUESTION, RETELLING, CLAIM, REASON, REMARK})
_MODAL: Final = listed("modal") - {"want", "wants"}
_PAST: Final = listed("past")
_PLAN: Final = listed("plan") | {"approach", "this"}
_OFFER: Final = re.compile(
    r"\b(?:let me know|feel free to (?:ask|reach|contact|share|request|tell|let|write)"
    r"|would you like"
    r"|do you (?:want|have)|don't hesitate|(?:shall|should) i\b|happy to|glad to|i (?:can"
    r"|could) (?:also |always )?(?:explain|walk"
    r"|show|provide|help|verify|describe|give|write|translate|draw|elaborate)|hope (?:this|that|it)"
    r"|thanks?\b|please (?:ask|reach|contact|tell)|(?:if|should|whenever) you(?: (?:have|need"
    r"|want|would|d|like|prefer)|'d)"
    r"|good luck|enjoy|any (?:further |other |more )?questions)",
    re.IGNORECASE,
)
_ABOUT: Final = re.compile(r"\b(?:explain|describe|clarify|elaborate|questions?)\b", re.IGNORECASE)
_REFERENCE: Final = re.compile(
    r"\b(?:steps?|actions?|moves?|items?|lines?|instructions?|points?|numbers?|no\.?|nr\.?"
    r"|commands?)\s{0,3}"
    r"(?:#?\d|one\b|two\b|three\b|four\b|five\b)"
    r"|\b(?:first|second|third|fourth|fifth|sixth|last|final|previous|preceding|penultimate|initial"
    r"|opening|closing|two|three|\d+(?:st|nd|rd|th))(?:\s\w+){0,2}\s(?:steps?|actions?|move"
    r"|items?|lines?|instructions?|commands?|operations?)\b|\b(?:first|second|third|last|final"
    r"|previous)\s(?:ones?|two|three)\b|#\d",
    re.IGNORECASE,
)
"""Words for steps by their place."""
_TIMED: Final = re.compile(
    r"\b(?:from|after|in|by|since|during|see) (?:the )?(?:(?:first|second|third|last|previous"
    r"|final) )?"
    r"(?:(?:steps?|actions?|moves?)(?: {1,9}\d+)?| {0,9}\d+)\b",
    re.IGNORECASE,
)
"""Words for the time of a claim."""
_ORDERED: Final = re.compile(
    r"\b(?:start|begin|continue|go|stop|resume|end|on(?:wards?)?|do|execute|perform|use)\b",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    r"(?<![\w.])\d{1,4}(?![\w.]*\w|\s(?:\w+\s)?(?:steps?|actions?|moves?|blocks?|trips?"
    r"|operations?|stacks?|towers?"
    r"|times?|minutes?|seconds?|units?|cars?|balls?|crates?)\b)"
)
"""A number that may be one of a step."""
_COUNT: Final = re.compile(r"\b(?:costs?|total|length|count|sum)\b", re.IGNORECASE)
_STRONG: Final = re.compile(
    r"\b(?:instead(?! (?:would|could))|skip\w*|swap\w*|exchang\w+|interchang\w+|switch\w*"
    r"|trade[ds]?|trading|repeat\w*"
    r"|redo|undo\w*|revert\w*|replac\w+|substitut\w+|omit\w*|leav(?:e|es|ing) out|left out"
    r"|cancel\w*|withdraw\w*"
    r"|retract\w*|disregard\w*|ignor\w+|scratch|scrap\w*|strike|struck|discard\w*|forg[eo]t\w*"
    r"|never ?mind"
    r"|hold on|oops|sorry|apolog\w+|unsolvable|start over|second thought|reconsider\w*|rethink"
    r"|amend\w*|revis\w+"
    r"|insert\w*|twice|thrice|once more|(?:one|an?)(?:other| more| extra| additional) (?:step"
    r"|action|move|time)s?"
    r"|vice versa|(?:opposite|any|another) order|other way|optional\w*|redundant|superfluous"
    r"|obsolete|exclud\w+"
    r"|overlook\w*|drop(?:ped|ping)? (?:step|this step|it from)|(?:remov|delet"
    r"|eliminat)\w+ (?:step|this step|the (?:\w+ )?(?:step|action|move))"
    r"|add \w+ing|add(?:ing)? (?:a |an |one |another )?(?:step|action|move)|reorder\w*"
    r"|rearrang\w+ (?:the )?(?:steps|actions|moves|order|plan)|undone|for show|invert\w*|flip\w*"
    r"|(?:don't|do not) forget|correction|i (?:mean|meant|wrote|said)"
    r"|(?:do|does|did|will|would|can) ?(?:not|n't) (?:\w+ ){0,2}(?:reach|achieve|satisfy|solve"
    r"|meet|lead|fulfil)\w*"
    r"|\A\W*(?:not(?: \w+)?|nope?)\W*\Z|(?:must|should|has to|have to|is to"
    r"|are to) be (?:executed|performed|read|run|done|carried)|(?:do|does|did|will|wo|would|is"
    r"|are|was|should|must) ?(?:not|n't) (?:be )?(?:\w+ )?(?:work\w*|valid|right|count\w*"
    r"|appl(?:y|ied)"
    r"|meant|execute[d]?|included?|performe?d?|followe?d?|used?|run|done)"
    r"|comes? (?:before|first|earlier|later)|goes? (?:before|first|earlier))(?![\w'])",
    re.IGNORECASE,
)
"""Words that change or withdraw steps."""
_ORDERS_PLAN: Final = re.compile(
    r"\A\W*(?:then |please |only |just |now |so )*(?:execute|perform|read|run"
    r"|do(?! you)(?! ?n[o']t hesitate)|start|begin|stop|use|take|leave|treat)\b",
    re.IGNORECASE,
)
"""Commands to treat the plan in another way."""
_WEAK: Final = re.compile(
    r"\b(?:bad|example of|differs?|bottom to top|last to first|revers\w+|backwards?|actually"
    r"|wait(?! for)|mistak\w+|errors?|wrong\w*|incorrect\w*|invalid\w*|fail\w*|impossible"
    r"|try again"
    r"|adjust\w*|modif\w+|alter(?:ed|s)?|(?<!empty )(?<!clear )(?<!free )(?<!true )again"
    r"|beforehand|prior to|likewise|similarly|same (?:for|with|again|way|thing)"
    r"|(?:different|other|new) (?:order|sequence|way)|and so (?:on|forth)|etc|unnecessary"
    r"|needn'?t|void|draft|tentative"
    r"|except\w*|apart from|missing|missed|lacks?|lacking|(?:remov|delet|eliminat|drop"
    r"|cut)\w* (?:it|this|that|them|those|out)\b"
    r"|add (?:the|a|an|one|this|it)|merge[ds]?|combin\w+|split|shift\w*|(?:not|n't"
    r"|no longer) (?:be )?(?:\w+ly )?"
    r"(?:need\w*|necessary|required|intended|happen\w*|correct)|only (?:do|use|execute|perform"
    r"|follow|the|steps?|until|up to)"
    r"|stop (?:after|before|at)|up to step|change[ds]?|changing|updat\w+|better|rather"
    r"|but (?:first|before)|continu\w+|proceed"
    r"|the rest|remaining (?:steps?|actions?|moves?)|(?:different|another) (?:plan|problem"
    r"|puzzle|task|robot)|hypothetical\w*"
    r"|pretend\w*|earlier|later|(?:last|first) (?:one|two|three)|take (?:\w+ )?back|no,"
    r"|not (?:the|this|that|so)\b|first,? (?:do|make)|test only"
    r"|move\w* up|in front|executed? (?:first|last|in)|double[ds]?(?!-)|halve\w*)(?![\w'])",
    re.IGNORECASE,
)
"""Words that may change a step if the sentence is not understood as a claim or a reason."""
_DENIED: Final = re.compile(
    r"\b(?:no|not|without|never|nothing|none|any|avoid\w*|neither|nor|free of"
    r"|\w+n't)\s(?:\w+\s){0,3}\Z",
    re.IGNORECASE,
)
_DESCRIBES: Final = re.compile(
    r"\W{0,3}(?:(?:this|the|these|my|our)\s(?:\w+\s){0,2}(?:plan|sequence|approach|solution"
    r"|steps|actions|strategy|key|idea|process)"
    r"|it\s(?:then|also|first|finally)?\s?\w+s\b|in (?:summary|short|sum)|overall|finally,? it"
    r"|then,? it"
    r"|by (?:\w+ly )?(?:orchestrating|following|performing|executing|doing|carrying)|this\s(?:is"
    r"|was|will|makes|leaves|frees|clears|allows|ensures|gives|means)"
    r"|this (?:action|step|move) (?:is (?!not|opt|un)|makes|leaves|frees|clears|allows|ensures))\b",
    re.IGNORECASE,
)
_CHANGING: Final = re.compile(
    r"\b(?:modif|chang|combin|shift|continu|split|merg|updat|adjust|alter)\w*\b", re.IGNORECASE
)
"""What a plan does to a state."""
_AT_FIRST: Final = re.compile(
    r"\b(?:initial(?:ly)?|originally|at first|at the (?:start|beginning)|starts? (?:out|off)"
    r"|to begin with)\b",
    re.IGNORECASE,
)
_TO_DO: Final = re.compile(
    r"\b(?:must|should|shall|(?:is|are|has|have|needs?|ought) to be|execute[ds]?|perform(?:ed"
    r"|s)?|followed|run|read|apply"
    r"|carried|please|have to|has to)\b",
    re.IGNORECASE,
)
_ADVERBS: Final = frozenset({
    "then", "and", "next", "first", "finally", "lastly", "also", "afterwards", "please", "just",
    "simply", "now", "but", "so",
})  # fmt: skip
_ORDERS: Final = frozenset(
    {"must", "should", "shall", "need", "needs", "then", "also", "additionally"}
)
_HAVE_TO: Final = re.compile(r"\b(?:have|has|needs?|ought) to\b", re.IGNORECASE)
_SPARE: Final = re.compile(
    r"\b(?:is|are|was)(?: not|n't| no longer) (?:\w+ly )?(?:needed|necessary|required)\b",
    re.IGNORECASE,
)
_NEEDLESS: Final = re.compile(r"\b(?:is|are) (?:unnecessary|needless|not needed)\b", re.IGNORECASE)
_COMMANDS: Final = re.compile(
    r"\b(?:do not|don't|never|(?:must|should|need) not)\b|\A(?:not|no)\b", re.IGNORECASE
)
_SIGNS: Final = re.compile(r"[\u2717\u2718\u274c\u2260]|~~")
NO_PLAN: Final = re.compile(
    r"\b(?:(?:there (?:is|exists)|has|found|find|have|exists?) no (?:\w+ )?(?:plan|solution|way"
    r"|sequence)"
    r"|no (?:\w+ )?(?:plan|solution|sequence) (?:exists?|is possible|can)|(?:is|be"
    r"|it's) (?:\w+ )?(?:unsolvable|impossible|not solvable|not possible)"
    r"|(?:cannot|can't|can not) (?:\w+ )?(?:be )?(?:solve[d]?|achieve[d]?|reach(?:ed)?|do this))\b",
    re.IGNORECASE,
)


class Context:
    """A plan and its states: what sentences are compared with."""

    def __init__(
        self, task: Task, steps: Sequence[Step], states: Sequence[State], frames: Frames
    ) -> None:
        self.steps = steps
        self._task, self._states, self._frames = task, states, frames
        self._place = len(steps)
        self._places: dict[tuple[object, ...], list[int]] = {}

    def form(self, remark: Remark, *, lowered: bool = False, anywhere: bool = False) -> str:
        """Return the form of a sentence.

        Args:
            remark: the sentence.
            lowered: whether it stands below the heading of an explanation.
            anywhere: whether it may speak of any state of the plan.
        """
        text, clauses = remark.text.replace("\u2019", "'").lstrip("(,;:- "), remark.clauses
        points = any(clause.points for clause in clauses)
        named = any(clause.objects for clause in clauses)
        timed = text if _ORDERED.search(text) else _TIMED.sub(" ", text)
        refers = _REFERENCE.search(timed) is not None or self._numbers(remark, timed)
        if _OFFER.search(text) and (not (named or refers) or _ABOUT.search(text)):
            return OFFER
        described = _DESCRIBES.match(text) is not None
        explains = remark.reason or lowered or (described and not _TO_DO.search(text))
        forms = [
            self._clause(clause, clauses[:at], remark, anywhere=anywhere or explains)
            for at, clause in enumerate(clauses)
        ]
        if explains and not (described and refers):
            forms = [REASON if form in (UNCLEAR, FALSE) else form for form in forms]
        faults = [form for form in forms if form not in HARMLESS]
        told = any(
            f == RETELLING and self.is_command(c) for f, c in zip(forms, clauses, strict=True)
        )
        understood = points and not (refers or told or faults)
        understood |= explains and not refers and (points or remark.reason or lowered)
        spare = not named and _SPARE.search(text) is not None
        spare |= (
            not explains
            and _ORDERS_PLAN.search(text) is not None
            and not (
                remark.comment
                and named
                and text.lower().startswith(("use", "perform", "take", "leave"))
            )
        )
        text = _CHANGING.sub(" ", text) if described and not _TO_DO.search(text) else text
        if self._is_repeated(remark):
            text = text.replace("again", " ")
        if (
            spare
            or (_NEEDLESS.search(text) and RETELLING in forms)
            or _SIGNS.search(text)
            or _changes(_STRONG, text)
            or (not understood and _changes(_WEAK, text))
        ):
            return AMENDMENT
        if text.endswith("?") and not named | refers:
            return QUESTION
        if faults:
            return faults[0]
        if refers and not self._tells(clauses, forms):
            return AMENDMENT
        return next((form for form in forms if form != REMARK), REMARK)

    def _is_repeated(self, remark: Remark) -> bool:
        """Return whether the plan has a step of a sentence, or the one beside it, twice."""
        steps = (
            [c.step for c in remark.clauses if c.step] or self._near(remark)
            if remark.comment
            else []
        )
        return any(len(self.places(step)) > 1 for step in steps)

    def places(self, step: Step) -> Sequence[int]:
        """Return the numbers of the steps of the plan that a step may mean."""
        key = step[:2]
        if key not in self._places:
            self._places[key] = [at for at, each in enumerate(self.steps, 1) if same(each, step)]
        return self._places[key]

    def is_command(self, clause: Clause) -> bool:
        """Return whether a clause tells the reader to do its step."""
        first = next((term for term in clause.terms if term.text not in _ADVERBS), None)
        return (
            first is None
            or (first.kind == VERB and self._frames.is_command(first.text))
            or not (clause.words.isdisjoint(_ORDERS) or clause.lead in REASONS)
            or _HAVE_TO.search(clause.text) is not None
        )

    def _numbers(self, remark: Remark, text: str) -> bool:
        """Return whether a sentence has a number that may be one of a step."""
        if _COUNT.search(text) or (remark.comment and text.strip("()[] .").isdigit()):
            return False
        return any(0 < int(match[0]) <= len(self.steps) for match in _NUMBER.finditer(text))

    def _tells(self, clauses: Sequence[Clause], forms: Sequence[str]) -> bool:
        """Return whether a sentence that refers to a step only describes it."""
        words = set().union(*(clause.words for clause in clauses))
        if not words.isdisjoint(_MODAL):
            return False
        return RETELLING in forms or CLAIM in forms or not words.isdisjoint(STATING)

    def _clause(  # noqa: C901 -- a case for each kind of clause
        self, clause: Clause, before: Sequence[Clause], remark: Remark, *, anywhere: bool
    ) -> str:
        """Return the form of a clause."""
        words = clause.words
        reason = clause.lead in REASONS - {"that", "to", "of", "after", "by", "before"}
        reason |= any(
            each.lead in ("because", "since", "if") for each in before[-1:]
        ) and clause.lead in ("and", ",", "or")
        if clause.kind == STEP:
            if clause.lead == "or" and remark.place not in self.places(clause.step or Step("")):
                return UNCLEAR
            if clause.lead in ("to", "of", "for") and any(each.words & NEGATIVE for each in before):
                return AMENDMENT if clause.step and self.places(clause.step) else REASON
            return self._step(clause, words, remark, reason=reason)
        placed = (
            clause.facts and clause.objects and all(0 not in fact.objects for fact in clause.facts)
        )
        placed = placed and not any(each.kind == STATE for each in before[-1:])
        if clause.kind == STATE and not (placed and remark.comment and words.isdisjoint(STATING)):
            if words & NEGATIVE and clause.terms:
                return self._denied(clause, remark)
            return self._claim(
                clause, words, remark, anywhere=anywhere or reason or clause.lead in REASONS
            )
        verb = any(term.kind == VERB for term in clause.terms)
        pronouns = all(term.kind == PRONOUN for term in clause.terms if term.kind in POINTING)
        if not clause.points or (pronouns and not verb and clause.kind in (UNREAD, PART)):
            return self._order(clause)
        if (reason and not words & _MODAL and not placed) or words & _PAST:
            return REASON
        if remark.comment or clause.kind == PART:
            near = self._near(remark, 0 if clause.kind == PART or placed else 2)
            known = {name for step in near for name in step.arguments}
            goes_on = (
                clause.lead in ("then", "and", ",", ";", "or") and not before
            )  # `…, then b hops to c`
            held = placed and clause.lead == "while"
            if held and self._hold(clause.facts, remark, anywhere=anywhere):
                return CLAIM
            if (
                remark.comment
                and not (goes_on or words & NEGATIVE)
                and known.issuperset(clause.objects)
                and not self.is_command(clause)
                and all(term.kind != UNKNOWN for term in clause.terms)
            ):
                return REMARK if clause.objects or clause.kind != PART else UNCLEAR
        if words & NEGATIVE:
            return self._denied(clause, remark)
        plan = not words.isdisjoint(_PLAN) and not words & _MODAL and clause.fault is None
        return REMARK if plan and clause.lead != "(" else UNCLEAR

    def _near(self, remark: Remark, more: int = 0) -> Sequence[Step]:
        """Return the step beside a sentence, and some more before and behind; else all steps."""
        place = remark.place
        return self.steps[max(0, place - 1 - more) : place + more] if remark.comment else self.steps

    def _step(self, clause: Clause, words: set[str], remark: Remark, *, reason: bool) -> str:
        """Return the form of a clause with a step."""
        step = self._resolved(clause.step or Step(""), remark)
        if (
            clause.facts
            and not words.isdisjoint({"is", "are", "be", "been"})
            and self._hold(clause.facts, remark, anywhere=True)
        ):
            return CLAIM
        open_ = not {UNSAID, IT}.isdisjoint(step.arguments)
        beside = remark.comment and open_
        places = [at for at in self.places(step) if not beside or at == remark.place]
        if places:
            later = bisect_left(places, self._place)
            self._place = places[later if later < len(places) else 0]
            return RETELLING
        if words & _PAST or (reason and not words & _MODAL) or words & {"would", "could"}:
            return REASON
        known = {name for each in self._near(remark, 1) for name in each.arguments}
        beside = (
            remark.comment
            and known.issuperset(clause.objects)
            and "then" not in words
            and clause.lead != "then"
        )
        return LACKING if self.is_command(clause) else REMARK if beside else UNCLEAR

    def _resolved(self, step: Step, remark: Remark) -> Step:
        """Return a step with the object that ``it`` means beside a step of the plan."""
        if IT not in step.arguments or not remark.comment:
            return step
        return self._frames.with_object(step, self._near(remark)) or step

    def _denied(self, clause: Clause, remark: Remark) -> str:
        """Return the form of a negated clause; it may deny a step of the plan."""
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
        steps = self._frames.steps(said) if said is not None else []
        steps = [self._resolved(step, remark) for step in steps]
        if clause.words & {"cannot", "can", "could", "was", "were", "did"}:
            return REASON
        open_ = not _COMMANDS.search(clause.text)
        denied = any(
            self.places(step) and not (open_ and {UNSAID, IT} & {*step.arguments}) for step in steps
        )
        return AMENDMENT if denied else REASON

    def _claim(self, clause: Clause, words: set[str], remark: Remark, *, anywhere: bool) -> str:
        facts = [fact for fact in clause.facts if fact.claimed]
        if (
            words & _PAST
            or "false" in words
            or clause.lead in ("if", "until", "instead", "rather", "without")
        ):
            return REASON
        if _AT_FIRST.search(remark.text):
            return REASON
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

    def _order(self, clause: Clause) -> str:
        """Return the form of a clause without objects; it may be a command."""
        terms = clause.terms
        first = next((term for term in terms if term.text not in OPENING), None)
        if first is None or first.kind != VERB or not self._frames.is_command(first.text):
            return REMARK
        if clause.words & NEGATIVE or first.text in STATING or clause.lead in REASONS:
            return REMARK
        said = self._frames.said(terms)
        return UNCLEAR if said is not None else REMARK


def _changes(words: re.Pattern[str], text: str) -> bool:
    """Return whether a text has one of some words, and does not deny it."""
    return any(
        not _DENIED.search(text[max(0, match.start() - 60) : match.start()])
        for match in words.finditer(text)
    )


def amends(text: str) -> bool:
    """Return whether a sentence without objects may change what stands before it."""
    return not _OFFER.search(text) and (_changes(_STRONG, text) or _changes(_WEAK, text))


def same(one: Step, other: Step) -> bool:
    """Return whether two steps differ at most in objects that one of them leaves open."""
    if one.action != other.action or len(one.arguments) != len(other.arguments):
        return False
    pairs = zip(one.arguments, other.arguments, strict=True)
    return all(x == y or not {UNSAID, IT}.isdisjoint((x, y)) for x, y in pairs)
