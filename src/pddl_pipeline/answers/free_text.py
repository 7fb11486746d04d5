"""Reads the plan in free text: chooses its carrier, simulates it, and doubts what changes it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice, takewhile
from typing import Final

from pddl_pipeline.answers.blocks import (
    EXCLUDED,
    LOWERED,
    MARKED,
    NAMED,
    OPTION,
    PLAIN,
    RANKS,
    Block,
    blocks_of,
    lines_in,
)
from pddl_pipeline.answers.carriers import REASONS, Carrier, Remark, carrier_of, has_step
from pddl_pipeline.answers.clauses import PART, PROSE, STATE, STEP, UNREAD, Clause, Grammar
from pddl_pipeline.answers.english import listed, words_in
from pddl_pipeline.answers.frames import IT, UNSAID
from pddl_pipeline.answers.grammar import grammar_of
from pddl_pipeline.answers.lines import lines_of
from pddl_pipeline.answers.phrases import BEGINNINGS, DESCRIBES, NO_PLAN, REFERENCE, denies, revises
from pddl_pipeline.answers.sentences import (
    AMENDMENT,
    GOES_ON,
    HARMLESS,
    LACKING,
    UNCLEAR,
    Context,
    same,
)
from pddl_pipeline.answers.terms import VERB
from pddl_pipeline.model.answer import Fault, LazyTrace, ReadAnswer, TraceLine, Unread
from pddl_pipeline.model.errors import ErrorKind, NotJudged, PddlError, PlanSyntaxError, StepFails
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.text import shortened
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

_OTHER: Final = listed("other") | {"efficient", "shorter", "better", "could", "also", "or"}
_BACKWARDS: Final = re.compile(
    r"\b(?:backwards?|in reverse|reverse order|from the end|last to first"
    r"|(?:read|steps?|actions|plan|list)\b[^.]{0,60}bottom to top"
    r"|(?:no particular|any) order)\b",
    re.IGNORECASE,
)
_MOST_FAULTS: Final = 10
_CORRECTED: Final = re.compile(
    r"\b(?:wait|oops|correction|corrected|actually|mistake|wrong|incorrect|sorry|scratch that"
    r"|try again"
    r"|start over|does(?: not|n't) work|fails|invalid|reconsider|fix|let me re\w+|better|shorter"
    r"|more efficient|improved)\b",
    re.IGNORECASE,
)
"""Words between two plans that correct the first one."""
_SUMMARY: Final = re.compile(r"\b(?:summary|recap|overview)\b", re.IGNORECASE)
_CHOICE: Final = re.compile(
    r"\b(?:choose|chosen|pick|prefer|recommend\w*|select|settle on|opt for|go with|use|final|best"
    r"|better|correct|answer)\b"
    r"[^.!?\n]{0,60}?\b(?:(?:plan|option|approach|solution|version|attempt) (?:#?)(\w+))\b"
    r"|\b(?:plan|option|approach|solution|version|attempt) #?(\w+)\b[^.!?\n]{0,40}\b(?:is"
    r"|works)\b[^.!?\n]{0,40}"
    r"\b(?:best|better|correct|final|answer|recommended|preferred|chosen|optimal|right)\b",
    re.IGNORECASE,
)
_EMPTY: Final = re.compile(
    r"\b(?:no (?:\w+ )?(?:actions?|steps?|moves?|plan) (?:is|are|needs?|at all"
    r"|to be)?\s?(?:needed|required|necessary|taken)?"
    r"|nothing (?:needs|has|is left|more|to (?:do|be done))|already (?:satisfied|holds?|achieved"
    r"|reached|solved|met|true|fulfilled)"
    r"|empty plan|holds already)\b"
    r"|\b(?:plan|answer|solution)(?: is)?\W{0,9}(?:(?:empty|none)\b|\[\s{0,9}\])"
    r"|\A\s*(?:```\w*\s*```|\[\s*\])",
    re.IGNORECASE,
)


class _Unreadable(Exception):
    """The answer has no plan that can be judged; the text is the reason."""

    def __init__(self, reason: str, line: int | None = None, kind: Unread = Unread.UNKNOWN) -> None:
        super().__init__(reason)
        self.line, self.kind = line, kind


def read_plan(text: str, name: str, task: Task) -> ReadAnswer:
    """Return the plan in an answer, with the faults that make the answer unreadable or wrong.

    Args:
        text: the answer, without a model's thinking.
        name: the domain whose words the answer uses.
        task: the task.
    """
    return _Reader(grammar_of(name, task), task).read(text)


class _Reader:
    """Reads an answer to a task."""

    def __init__(self, grammar: Grammar, task: Task) -> None:
        self._grammar, self._task = grammar, task
        self._carriers: list[Carrier] = []
        self._chosen: Carrier | None = None
        self._parts: list[Carrier] = []
        self._faults: list[Fault] = []
        self._notes: list[tuple[int, str]] = []
        self._valid: dict[tuple[object, ...], bool] = {}

    def read(self, text: str) -> ReadAnswer:
        """Return the plan in an answer."""
        plan = None
        try:
            plan = self._plan(text)
        except _Unreadable as error:
            first = error.line or next((line.number for line in lines_of(text)), None)
            self._faults.append(Fault(ErrorKind.UNREADABLE, str(error), first, error.kind))
        faults = tuple(self._faults[:_MOST_FAULTS])
        return ReadAnswer(plan, LazyTrace(lambda: self._trace(text)), faults)

    def _plan(self, text: str) -> Plan | None:
        """Return the plan of the carrier that the answer chooses.

        Raises:
            _Unreadable: it chooses none, or a sentence may amend it.
        """
        text = self._grammar.in_full(text)
        blocks = blocks_of(lines_in(text), partial(has_step, grammar=self._grammar))
        every = self._carriers = [carrier_of(block, self._grammar) for block in blocks]
        found = [
            each for each in every if (each.steps or each.faults) and each.block.rank > EXCLUDED
        ]
        # `c is stacked on a` may describe the final state: such a list gives way to commands.
        if any(each.block.rank > LOWERED and not each.passive for each in found):
            found = [each for each in found if not each.passive or _is_other(each.block)]
        if not found and any(each.steps for each in every):
            raise _Unreadable("its label excludes the only plan", None, Unread.AMENDED)
        chosen = self._choice(found) if found else self._prose(text)
        plan, right = _calls(chosen.steps), self._is_valid(chosen.steps)
        again = [each for each in found if each.is_whole and _calls(each.steps) == plan]
        final = [
            each for each in found
            if _SUMMARY.search(each.block.title) and each.steps[0].line != each.last
            and self._is_valid(each.steps)
        ]  # fmt: skip
        # Of those that tell the plan, the last one counts; else the right list of a summary.
        chosen = self._chosen = [chosen, *(again if right else final or again)][-1]
        self._faults += chosen.faults
        if chosen.broken is not None and not chosen.faults:
            raise _Unreadable(chosen.broken.message, chosen.broken.line, Unread.NO_STEP)
        if _BACKWARDS.search(re.split(r"[.!?]\s", chosen.block.title)[-1]):
            raise _Unreadable(
                f"the steps may be in another order: '{chosen.block.title}'", chosen.last
            )
        steps = completed(chosen.steps, self._task)
        if isinstance(steps, str):
            raise _Unreadable(steps)
        for remark in self._denials(chosen):
            raise _Unreadable(
                f"the text in front of the plan denies it: '{shortened(remark.text)}'",
                remark.line,
                Unread.AMENDED,
            )
        if found and not chosen.faults:
            (self._check_valid if self._is_valid(steps) else self._check_invalid)(chosen, steps)
        return None if chosen.faults else Plan(steps)

    def _choice(self, found: Sequence[Carrier]) -> Carrier:
        """Return the carrier that the answer chooses.

        Raises:
            _Unreadable: it chooses none of several.
        """
        top = max(each.block.rank for each in found)
        options = [each for each in found if OPTION.search(each.block.title.lower())]
        kept = [each for each in found if each.block.rank == top]
        if len(options) > 1 and (top < NAMED or kept[-1] in options):
            kept, top = options, PLAIN
        elif top == MARKED and any(_is_other(each.block) for each in (*kept, found[-1])):
            kept = [each for each in found if each.block.rank >= PLAIN]
        kept = _unbroken(kept)
        if kept[-1].mark == "1":  # what was thought before a numbered list
            kept = [each for each in kept if not each.is_prose]
        region, last = kept[-1].block.region, kept[-1]
        # A later `<answer>` replaces an earlier one; the parts inside one belong together.
        if top == NAMED:
            kept = [each for each in kept if region and each.block.region == region] or [last]
        if len(kept) == 1:
            return last
        whole = _joined(kept)
        valid = [self._is_valid(each.steps) and each.is_whole for each in kept]
        longest = max(kept, key=lambda each: len(each.steps))
        retold = self._is_valid(longest.steps) and all(
            _is_part(each.steps, longest.steps) and not _is_other(each.block) for each in kept
        )
        label, corrected = self._label(), self._is_corrected(kept[-2], last)
        named = [each for each in kept if label in words_of(each.block.title)]
        short = [each for each in kept if each is not longest and len(each.steps) > 1]
        good = all(each.is_whole for each in kept)
        choices = (
            # `Phase 1:` and `Phase 2:`: neither part reaches the goal, both together do.
            (whole, not any(valid) and whole.is_whole and self._is_valid(whole.steps)),
            (last, good and all(_are_same(each.steps, last.steps) for each in kept)),
            (named[-1] if named else last, bool(named)),
            (last, corrected),
            (longest, good and retold),
            # All valid or all invalid: the choice does not change the verdict.
            (last, all(valid) or (good and not any(valid))),
            (
                longest,
                len(longest.steps) > 2 and not short and not any(_is_other(e.block) for e in kept),
            ),
        )
        chosen = next((each for each, holds in choices if holds), None)
        if chosen is None:
            raise _Unreadable(
                "two plans, and the text chooses none", last.last or None, Unread.TWO_PLANS
            )
        self._parts = kept if chosen is whole or named or (corrected and chosen is last) else []
        return chosen

    def _remarks(self) -> Iterator[Remark]:
        """Yield the sentences around all carriers."""
        return (remark for each in self._carriers for remark in (*each.front, *each.remarks))

    def _label(self) -> str:
        """Return the name of the plan that a sentence chooses: ``I choose plan B.``"""
        matches = [match for each in self._remarks() if (match := _CHOICE.search(each.text))]
        return (matches[-1][1] or matches[-1][2]).lower() if matches else "-"

    def _is_corrected(self, one: Carrier, other: Carrier) -> bool:
        """Return whether a word of correction stands between two carriers."""
        inside = range(one.last, (other.steps[0].line if other.steps else 0) or 0)
        texts = [each.text for each in self._remarks() if each.line in inside and not each.comment]
        return any(map(_CORRECTED.search, (*texts, other.block.title)))

    def _outside(self, chosen: Carrier) -> Iterator[tuple[Remark, Block, bool]]:
        """Yield the sentences that are no item of the chosen carrier, and which are behind."""
        behind = False
        is_one = any(each is chosen for each in self._carriers)
        joined = [] if is_one else self._parts
        # The parts of a joined plan count once: as the whole, at the place of the last part.
        told = {id(part): chosen if part is joined[-1] else None for part in joined}
        for each in filter(None, (told.get(id(part), part) for part in self._carriers)):
            own = each is chosen or each.block is chosen.block
            items = [] if own or each in self._parts or not behind else each.items
            for remark in (*each.front, *each.remarks, *items):
                placed = remark._replace(comment=False, place=len(chosen.steps))
                yield (
                    remark if own else placed,
                    each.block,
                    behind or (own and remark not in each.front),
                )
            behind |= own

    def _denials(self, chosen: Carrier) -> Iterator[Remark]:
        """Yield the sentences and titles right in front of a plan that deny it."""
        plan, near = _calls(chosen.steps), list[Remark]()
        for each in self._carriers:
            near += [
                remark for remark in (each.front if each.block.rank >= LOWERED else ())
                if each.block.rank >= PLAIN or REFERENCE.search(remark.text)
            ]  # fmt: skip
            if each.steps and (each in self._parts or _calls(each.steps) == plan):
                title = [
                    Remark(each.block.lines[0].number, sentence.text, sentence.clauses)
                    for sentence in self._grammar.line(each.block.title)[-1:]
                ]
                near = [e for e in near if not e.reason or REFERENCE.search(e.text)]
                placed = [(remark, True) for remark in title]
                placed += [(remark, remark is near[-1]) for remark in near]
                yield from (
                    remark for remark, above in placed
                    if denies(
                        remark.text, above=above,
                        named=any(clause.objects or not clause.terms for clause in remark.clauses),
                    )
                )  # fmt: skip
            near = [] if each.steps else near

    @staticmethod
    def _is_reordered(told: Sequence[Step], context: Context) -> bool:
        """Return whether steps are all in a plan, but in another order."""
        return all(map(context.places, told)) and not _is_part(told, context.steps)

    def _check_valid(self, chosen: Carrier, steps: Sequence[Step]) -> None:
        """Check that no sentence amends a valid plan.

        Raises:
            _Unreadable: one may.
        """
        open_ = frozenset(at for at, step in enumerate(chosen.steps, 1) if _is_open(step))
        context = Context(self._task, steps, self._states(steps), self._grammar.frames, open_)
        for each in self._carriers[self._carriers.index(chosen) + 1 :] if not self._parts else ():
            counts = each.block.rank >= PLAIN or (each.is_whole and each.mark == "1")
            if counts and len(each.steps) > 1 and self._is_reordered(each.steps, context):
                raise _Unreadable("the steps are told again in another order", each.last)
        for remark, block, behind in self._outside(chosen):
            text = shortened(remark.text)
            told = [
                clause.step for clause in remark.clauses
                if clause.step and clause.kind == STEP and clause.lead in GOES_ON
                and UNSAID not in clause.step.arguments
            ]  # fmt: skip
            if behind and not remark.comment and self._is_reordered(told, context):
                raise _Unreadable(
                    f"the steps are told again in another order: '{text}'",
                    remark.line,
                    Unread.AMENDED,
                )
            named = any(clause.objects for clause in remark.clauses)
            if NO_PLAN.search(remark.text) and not named and not re.search(r"\bif\b", remark.text):
                raise _Unreadable(
                    f"the answer says that there is no plan: '{text}'",
                    remark.line,
                    Unread.REFUSED,
                )
            form = context.form(remark, lowered=block.rank < PLAIN) if behind else ""
            self._notes.append((remark.line, f"{form or 'before the plan'}: '{text}'"))
            if behind and form not in HARMLESS:
                raise _Unreadable(
                    f"whether the plan is valid depends on the reading of '{text}' ({form})",
                    remark.line,
                    Unread.AMENDED if form in (AMENDMENT, LACKING) else Unread.UNKNOWN,
                )
            near = block.rank >= PLAIN > chosen.block.rank - 1 and block.title == chosen.block.title
            if near and not (behind or remark.reason) and any(
                clause.kind == STEP and context.is_command(clause)
                and clause.lead in GOES_ON
                and not (clause.step and context.places(clause.step))
                for clause in remark.clauses
            ):  # fmt: skip
                raise _Unreadable(
                    f"a step before the plan that the plan lacks: '{text}'", remark.line
                )

    def _check_invalid(self, chosen: Carrier, steps: Sequence[Step]) -> None:
        """Check that no sentence outside of an invalid plan may be a lost step of it.

        Raises:
            _Unreadable: one may.
        """
        context = Context(self._task, steps, self._states(steps), self._grammar.frames)
        others = [
            each for each in self._carriers
            if each is not chosen and each not in self._parts and each.block.rank >= LOWERED
        ]  # fmt: skip
        if any(each.steps and self._is_valid(each.steps) for each in others):
            raise _Unreadable(
                "two plans, and the text chooses the invalid one", chosen.last, Unread.TWO_PLANS
            )
        # `First unstack b from c.` above a list that begins with this step is not a separate step.
        preface = sum(step.line == steps[0].line for step in steps)
        if steps and _calls(steps[:preface]) == _calls(steps[preface : 2 * preface]):
            raise _Unreadable(f"a step is told twice: {steps[0]}", steps[0].line)
        for remark, block, behind in self._outside(chosen):
            own = block is chosen.block
            told = [clause.step for clause in remark.clauses if clause.kind == STEP and clause.step]
            if len(told) > 1 and self._is_valid(told):
                raise _Unreadable(
                    f"another plan is told: '{shortened(remark.text)}'",
                    remark.line,
                    Unread.TWO_PLANS,
                )
            if block.rank < PLAIN or (chosen.block.rank == NAMED and not own and not behind):
                continue
            form = context.form(remark, anywhere=True)
            quiet = remark.reason or DESCRIBES.match(remark.text) is not None
            inside = own and not (quiet or remark.comment) and remark.place < len(steps)
            if remark.place == 0:  # `Cruise over to l1` in front of the first step
                inside &= BEGINNINGS.isdisjoint(words_in(remark.text)[:1])
            lost = any(
                (clause.kind == STEP and not (clause.step and context.places(clause.step)
                    and not (inside and {UNSAID, IT} & {*clause.step.arguments})))
                or (clause.kind == PART and own and remark.comment and not remark.reason
                    and clause.lead in ("and", ",", "then"))
                or (clause.kind == PROSE and inside and context.is_order(clause))
                or (clause.kind == UNREAD
                    and (form not in HARMLESS or inside or (not quiet and clause.points
                        and clause.lead in GOES_ON and any(t.kind == VERB for t in clause.terms)))
                    and (own or clause.fault is not None or (not clause.words & {"not", "cannot"}
                        and any(term.kind == VERB for term in clause.terms))))
                for clause in remark.clauses
            )  # fmt: skip
            if (
                lost
                or (form in (UNCLEAR, LACKING) and own)
                or (form == AMENDMENT and (behind or remark.comment))
            ):
                raise _Unreadable(f"a step may be lost: '{shortened(remark.text)}'", remark.line)

    def _prose(self, text: str) -> Carrier:
        """Return the plan in prose, clause by clause.

        Raises:
            _Unreadable: a clause that names an object is no step and no claim.
        """
        every = [each for each in self._carriers if each.block.rank > LOWERED]
        remarks = [remark for each in every for remark in (*each.front, *each.remarks)]
        found, left = Carrier(Block([])), list[tuple[Remark, Clause, int]]()
        told = [remark for remark in remarks if any(clause.step for clause in remark.clauses)]
        for remark in remarks if told else ():
            if remark not in told and revises(remark.text):
                raise _Unreadable(
                    f"a sentence may change the plan: '{shortened(remark.text)}'",
                    remark.line,
                    Unread.AMENDED,
                )
        for remark, clause in ((each, clause) for each in remarks for clause in each.clauses):
            if clause.kind == STEP and clause.step is not None:
                if (
                    clause.lead in ("before", "after", "if", "or", "until", "unless")
                    or clause.words & {"either", "could", "might"}
                    or (clause.precedes and found.steps)
                    or clause.end == "?"
                ):
                    raise _Unreadable(
                        f"open when this happens: '{shortened(clause.text)}'", remark.line
                    )
                found.add(clause.step._replace(line=remark.line), self._grammar.frames)
            elif clause.kind not in (STATE, PROSE) and clause.points:
                left.append((remark, clause, len(found.steps)))
        for remark, clause in self._unread(left, found.steps):
            fault = clause.fault or (
                ErrorKind.UNREADABLE,
                f"not understood: '{shortened(clause.text)}'",
            )
            found.faults.append(Fault(*fault, remark.line))
        named = not remarks and any(each.block.region for each in self._carriers)
        # `<answer></answer>` is the empty plan; `already solved` is one only where that is true.
        empty = named or (text.strip() and not text.strip("`~ \n\t[]{}")) or _EMPTY.search(text)
        denied = any(NO_PLAN.search(remark.text) for remark in remarks)
        unknown = any(fault.slug is not ErrorKind.UNREADABLE for fault in found.faults)
        if not (self._grammar.worded or found.steps or empty or unknown) and remarks:
            raise _Unreadable(
                "found no step; without words.toml, a step has the name of its action",
                None,
                Unread.NO_WORDS,
            )
        if not (found.steps or found.faults) and (
            denied or not empty or not (named or self._is_valid([]))
        ):
            raise _Unreadable("found no step", None, Unread.REFUSED if denied else Unread.NO_ANSWER)
        return found

    def _unread(
        self, left: Sequence[tuple[Remark, Clause, int]], steps: Sequence[Step]
    ) -> Iterator[tuple[Remark, Clause]]:
        """Yield the clauses of prose that may be lost steps.

        Behind a valid plan, and where they give a reason, clauses may have any harmless form.

        Args:
            left: the clauses with objects that are no step and no claim, each with the number of
                steps before it.
            steps: the steps of the prose.
        """
        if not left or not self._is_valid(steps):
            yield from ((remark, clause) for remark, clause, _ in left)
            return
        context = Context(self._task, steps, self._states(steps), self._grammar.frames)
        for remark, clause, at in left:
            quiet = at == len(steps) or clause.lead in REASONS
            own = remark._replace(clauses=[clause])
            if not (quiet and context.form(own, anywhere=True) in HARMLESS):
                yield remark, clause

    def _states(self, steps: Sequence[Step]) -> list[State]:
        """Return the states before and after each step that can be executed."""
        found = [self._task.initial_state()]
        with suppress(PlanSyntaxError, NotJudged, PddlError, StepFails):
            found.extend(islice(self._task.trace(Plan(steps)), 1, None))
        return found

    def _is_valid(self, steps: Sequence[Step]) -> bool:
        """Return whether steps are a valid plan."""
        key = tuple(step[:2] for step in steps)
        if key not in self._valid:
            # False also if nothing can be judged: this chooses between plans, it is no verdict.
            filled, self._valid[key] = completed(steps, self._task), False
            with suppress(PlanSyntaxError, NotJudged, PddlError):
                if not isinstance(filled, str):
                    self._valid[key] = self._task.progress(Plan(filled), strict=True).reached
        return self._valid[key]

    def _trace(self, text: str) -> tuple[TraceLine, ...]:
        """Return the trace: the rank of each block, the step of each item, each sentence's form."""
        lines = {line.number: line for line in lines_of(text)}
        steps = self._chosen.steps if self._chosen else ()
        found = [lines[each.line or 0].read_as(each, at) for at, each in enumerate(steps, 1)]
        notes = [
            (fault.line or 0, f"not read: {fault.message}") for fault in self._faults
        ] + self._notes
        for block, chosen in ((each.block, each is self._chosen) for each in self._carriers):
            why = f"block ({RANKS[block.rank]}): {'chosen' if chosen else 'not chosen'}"
            notes += [(line.number, why) for line in block.lines]
        known = {entry.line for entry in found}
        for at, note in notes:
            if at in lines and (at not in known or not note.startswith("block")):
                found.append(lines[at].dropped(note))
                known.add(at)
        found += [
            line.dropped("no clause") for number, line in lines.items() if number not in known
        ]
        return tuple(sorted(dict.fromkeys(found), key=lambda entry: entry.line))


def words_of(title: str) -> set[str]:
    """Return the words and numbers of a title in lower case."""
    return set(re.findall(r"\w+", title.lower()))


def _is_other(block: Block) -> bool:
    """Return whether a title announces one of several plans: ``Plan B:``, ``A shorter plan:``."""
    return (
        not words_of(block.title).isdisjoint(_OTHER)
        or OPTION.search(block.title.lower()) is not None
    )


def _unbroken(kept: list[Carrier]) -> list[Carrier]:
    """Return carriers without those that only tell steps of another one, and are not all read."""
    longest = max(
        filter(lambda each: each.is_whole, kept), key=lambda each: len(each.steps), default=None
    )
    if any(_is_other(each.block) for each in kept):
        return kept
    return [
        each for each in kept
        if each.is_whole or longest is None
        or each.faults or not {*_calls(each.steps)} <= {*_calls(longest.steps)}
    ]  # fmt: skip


def _joined(parts: Sequence[Carrier]) -> Carrier:
    """Return the carrier of the parts of a plan together."""
    whole = Carrier(parts[-1].block, front=parts[0].front)
    for part in parts:
        told = part.remarks if part is parts[0] else [*part.front, *part.remarks]
        whole.remarks += [each._replace(place=each.place + len(whole.steps)) for each in told]
        whole.steps += part.steps
        whole.faults += part.faults
        whole.broken = whole.broken or part.broken
    return whole


def _calls(steps: Sequence[Step]) -> list[tuple[object, ...]]:
    """Return the actions and objects of steps, without their places in the text."""
    return [step[:2] for step in steps]


def _are_same(steps: Sequence[Step], plan: Sequence[Step]) -> bool:
    """Return whether two plans differ at most in objects that one of them leaves open."""
    return len(steps) == len(plan) and all(map(same, steps, plan))


def _is_part(steps: Sequence[Step], plan: Sequence[Step]) -> bool:
    """Return whether steps are steps of a plan, in order."""
    rest = iter(plan)
    return all(any(same(step, other) for other in rest) for step in steps)


def _is_open(step: Step) -> bool:
    """Return whether a step leaves out an object, or which of several actions it is."""
    return UNSAID in step.arguments or " " in step.action


def completed(steps: Sequence[Step], task: Task) -> list[Step] | str:
    """Return the steps with the objects that are left out, or why an object is open.

    An object is determined if exactly one applicable step fits the words of the answer. A plan
    that fails ends before the first step behind its failure whose objects are left out.
    """
    if not any(map(_is_open, steps)) or task.facts.unsupported:
        return list(steps)
    found, state = list[Step](), task.initial_state()
    for at, told in enumerate(steps):
        fitting = [told]
        if _is_open(told):
            fitting = [e.step for e in task.successors(state) if same(e.step, told)]
        if len(fitting) != 1:
            which = " or ".join(sorted(map(str, fitting)))
            why = f"it may be {which}" if which else "none is possible"
            return f"the step '{told.action}' leaves out an object: {why}"
        step = fitting[0]._replace(line=told.line, column=told.column)
        found.append(step)
        try:
            task.read_plan(Plan([step]))
            task.apply(step, state)
        except (PlanSyntaxError, StepFails, NotJudged):
            return [*found, *takewhile(lambda each: not _is_open(each), steps[at + 1 :])]
    return found
