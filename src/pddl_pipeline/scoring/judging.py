"""The verdict on one answer, and its line of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pddl_pipeline.answers.marks import after_thinking
from pddl_pipeline.answers.readers import LONGEST_PLAN, read_part, read_plan_file, readers_of
from pddl_pipeline.model.answer import ReadAnswer, Ruling, TraceLine, Unread
from pddl_pipeline.model.errors import ErrorKind, ErrorStage, PlanSyntaxError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.notebook import notebook_html
from pddl_pipeline.model.number import number_fields
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.model.text import shortened
from pddl_pipeline.model.verdict import Opinion, Status, Verdict, malformed
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.translators import has_referee
from pddl_pipeline.translators.formats.rows import plain
from pddl_pipeline.translators.judging import countdown_verdict, judge_plan
from pddl_pipeline.validation.opinions import with_opinions
from pddl_pipeline.validation.plan_reader import is_in_format, read_steps
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.version import VERDICT_VERSION

OWN: Final = "own"
"""Name of this project's tolerant reading."""
_CUT_OFF: Final = frozenset({"length", "max_tokens"})
"""Why a model's answer ended, in the words of its interface: it was longer than allowed."""


@dataclass(frozen=True, slots=True)
class Score:
    """The verdict on one answer, and its line of JSON.

    Its truth value is `correct`. It raises `TypeError` if the answer has no verdict.
    """

    id: str | None
    """Id of the instance; None if the answer has none."""
    attempt: int | None
    """1 for the first answer to an instance, 2 for the second, and so on."""
    verdict: Verdict
    """Verdict on the plan that the tolerant reading found in the answer."""
    _strict: Verdict | None
    """See `strict`; None for a text that is not in the format of plan files."""
    errors: tuple[ErrorKind, ...] = ()
    """The errors of the plan, without repetition."""
    plan: Plan | None = None
    """The plan that the tolerant reading found."""
    trace: Sequence[TraceLine] = ()
    """How each line of the answer was read."""
    rules: str | None = None
    """Countdown: the rules that the verdict is based on, ``paper`` or ``source``."""
    rulings: Mapping[str, Ruling] = field(default_factory=dict, hash=False)
    """Countdown: whether the answer is correct under each of the rules."""
    answer: Answer = field(default_factory=Answer)
    """The answer that was judged."""
    fault: str | None = None
    """Why it is not an answer to an instance of the dataset; then it has no verdict."""
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """The instance's own fields of its dataset; see `Instance.extra`."""
    unread: Unread | None = None
    """Why no plan was read; None if one was."""

    def __repr__(self) -> str:
        reason = self.fault or self.verdict.reason
        because = f": {shortened(reason)}" if reason else ""
        return f"<Score {self.id}, attempt {self.attempt}: {self.verdict.status}{because}>"

    def __bool__(self) -> bool:
        return bool(self.verdict)

    def _repr_html_(self) -> str:
        return notebook_html(self)

    def to_json(self) -> dict[str, Any]:
        """Return the object of its line; fractions are strings such as ``7/3``.

        Scripts depend on its fields: do not change them.
        """
        verdict, own = self.verdict, self.answer.extra
        rulings = {
            name: None if each.right else each.reason or "not right"
            for name, each in self.rulings.items()
        }
        further = {
            "unsatisfied": list(verdict.unsatisfied) or None,
            "unread": self.unread,
            "within_budget": verdict.within_budget,
            "rules": self.rules,
            "by_rules": rulings or None,
            "model": self.answer.model,
            "published": self.answer.published,
            # The data's fields stand first and count, as in the tables.
            "extra": {**self.extra, **own, **self.extra} or None,
        }
        return {
            "id": self.id,
            "attempt": self.attempt,
            "status": verdict.status,
            "strict_status": self.strict_status,
            "steps": verdict.steps,
            **number_fields("cost", verdict.cost),
            "failed_step": verdict.failed_step,
            "errors": list(self.errors),
            "reason": verdict.reason,
            "plan": None if self.plan is None else [str(step) for step in self.plan],
            "trace": [
                {name: getattr(line, name) for name in ("line", "text", "action", "step", "note")}
                for line in self.trace
            ],
            "verdict_version": VERDICT_VERSION,
            **{name: value for name, value in further.items() if value is not None},
        }

    @property
    def strict(self) -> Verdict:
        """Verdict on the answer's text as a plan file."""
        if self._strict is not None:
            return self._strict
        try:
            read_steps(self.answer.text)
        except PlanSyntaxError as error:
            return malformed(error)
        raise AssertionError("a text in the format of plan files has a verdict")

    @property
    def strict_status(self) -> Status:
        """The status of `strict`, without the reason."""
        return Status.MALFORMED if self._strict is None else self._strict.status

    @property
    def judged(self) -> bool:
        """Whether the answer has a verdict: it is known to be correct or wrong."""
        return self.verdict.status.is_valid is not None

    @property
    def correct(self) -> bool | None:
        """Whether the plan is valid, and within the budget if there is one; None if undecided."""
        return _is_right(self.verdict) if self.judged else None

    @property
    def strictly_correct(self) -> bool:
        """Whether the unchanged text is a valid plan, and within the budget if there is one."""
        return self._strict is not None and _is_right(self._strict)


def score_one(  # noqa: PLR0913 -- one parameter an option
    answer: Answer,
    attempt: int,
    instance: Instance[Any],
    task: Task,
    reading: str = OWN,
    *,
    lenient_values: bool = False,
) -> Score:
    """Judge one answer to an instance, strictly and tolerantly.

    Args:
        answer: the answer to judge.
        attempt: the number of the attempt.
        instance: the instance that the model was asked to solve.
        task: the instance's task.
        reading: name of the tolerant reading for the verdict; `OWN` is used if that reading does
            not support the domain. The results of the other readings are in `Score.rulings`.
        lenient_values: whether to judge a countdown expression alone, and not the value that the
            answer states for it.
    """
    known = readers_of(instance, task)
    # A plan file has one reading, so that the strict and the tolerant verdict are the same.
    read = None if known.has_rules else read_plan_file(answer.text, task)
    rulings: dict[str, Ruling] = {}
    strict: Verdict | None
    if read is not None:
        verdict = strict = judge_plan(read.plan or Plan(), task, instance)
        verdict = _with_budget(verdict, instance)
    else:
        strict = _strict(answer.text, instance, task)
        part = after_thinking(answer.text)
        readers = {OWN: known.parse_answer, **known.others}
        # The readings that are left are shown beside the verdict.
        reader = readers.pop(reading if reading in readers else OWN)
        read = read_part(part, reader, known, instance, task)
        if lenient_values:
            # `(3+5-4)*6 = 25` is then judged as `(3+5-4)*6`.
            stated = (fault for fault in read.faults if fault.slug != ErrorKind.FALSE_VALUE)
            read = read._replace(faults=tuple(stated))
        verdict = _tolerant(read, instance, task)
        rulings |= read.rulings
        for name, other in readers.items():
            again = read_part(part, other, known, instance, task)
            found = _tolerant(again, instance, task)
            rulings[name] = Ruling(_is_right(found), found.reason)
    return Score(
        instance.id, attempt, verdict, strict, _errors(read, verdict),
        read.plan, read.trace, read.rules, rulings, answer, extra=instance.extra,
        unread=_unread(read, verdict, answer),
    )  # fmt: skip


def _strict(text: str, instance: Instance[Any], task: Task) -> Verdict | None:
    """Return the verdict on an answer as a plan file; an empty answer is not a plan file.

    Return None if only its reason is not known yet: most answers are not in the format.
    """
    if len(text) > LONGEST_PLAN:
        reason = f"the answer has {len(text):,} characters, expected at most {LONGEST_PLAN:,}"
        return Verdict(Status.MALFORMED, reason=reason)
    if not text.strip():
        return Verdict(Status.MALFORMED, reason="the answer is empty")
    if is_in_format(text) or _unsupported(instance, task):
        return judge_plan(text, task, instance)
    return None


def _tolerant(read: ReadAnswer, instance: Instance[Any], task: Task) -> Verdict:
    """Return the verdict on the plan that was read from an answer."""
    if unsupported := _unsupported(instance, task):
        # The answer is not wrong. Its reader would not find time stamps and durations.
        return Verdict(Status.UNDECIDED, reason=f"only plan files: {unsupported[0]}")
    if read.plan is None:
        first = read.faults[0]
        return Verdict(Status.MALFORMED, reason=first.message, line=first.line)
    by_record = countdown_verdict(read.plan, instance)
    verdict = judge_plan(read.plan, task, instance) if by_record is None else by_record
    verdict = by_the_rules(verdict, read)
    # A right plan with a false statement beside it is a wrong answer.
    if verdict.status is Status.VALID and read.faults:
        return verdict.replace(status=Status.INVALID, reason=read.faults[0].message)
    return _with_budget(verdict, instance)


def _unsupported(instance: Instance[Any], task: Task) -> Sequence[object]:
    """Return `task.facts.unsupported`. A record has none, and its task stays unread."""
    return () if has_referee(instance) else task.facts.unsupported


def by_the_rules(verdict: Verdict, read: ReadAnswer) -> Verdict:
    """Return the verdict by the rules of the answer (`ReadAnswer.rules`), from that on the plan.

    The PDDL encodes the paper's rules. If the reader's ruling by these rules differs, the verdict
    is ``disputed``; a fault in the answer's text alone is not a contradiction.
    """
    if read.rules is None or verdict.status not in (Status.VALID, Status.INVALID):
        return verdict
    paper, counts = read.rulings["paper"], read.rulings[read.rules]
    valid = verdict.status is Status.VALID
    if paper.right != valid and not (valid and read.faults):
        status = Status.VALID if paper.right else Status.INVALID
        return with_opinions(verdict, {"reader": Opinion(status, paper.reason)})
    if counts.right:
        # The answer's rules allow more than the PDDL: the step at which the validator stopped is
        # right.
        right = verdict.replace(
            status=Status.VALID,
            cost=verdict.steps,
            failed_step=None,
            unsatisfied=(),
            reason=paper.reason,
        )
        return verdict if valid else right
    return verdict.replace(
        status=Status.INVALID,
        cost=None,
        reason=counts.reason,
        failed_step=verdict.failed_step or counts.step,
    )


def _is_right(verdict: Verdict) -> bool:
    return verdict.status is Status.VALID and verdict.within_budget is not False


def _with_budget(verdict: Verdict, instance: Instance[Any]) -> Verdict:
    """Return the verdict; add the reason if a valid plan exceeds the budget."""
    if verdict.within_budget is False:
        return verdict.replace(reason=f"costs {verdict.cost}, the budget is {instance.budget}")
    return verdict


def _errors(read: ReadAnswer, verdict: Verdict) -> tuple[ErrorKind, ...]:
    if verdict.status is Status.UNDECIDED:
        return ()
    found = [fault.slug for fault in read.faults]
    if verdict.status is Status.MALFORMED and verdict.code and read.plan is not None:
        found.append(verdict.code)
    elif verdict.status is Status.INVALID:
        # The first wrong operation of a countdown answer corresponds to a failed precondition.
        ruling = None if read.rules is None else read.rulings[read.rules]
        if ruling is not None and ruling.step is not None:
            found.append(ErrorKind.PRECONDITION)
        # A fault in the text already explains why the plan fails.
        elif not found and verdict.code:
            found.append(verdict.code)
    if verdict.within_budget is False:
        found.append(ErrorKind.OVER_BUDGET)
    return tuple(dict.fromkeys(found))


def _unread(read: ReadAnswer, verdict: Verdict, answer: Answer) -> Unread | None:
    """Return the class of an answer from which no plan was read, or None."""
    faults = [fault for fault in read.faults if fault.slug.stage is ErrorStage.READING]
    if verdict.status is Status.UNDECIDED or not faults:
        return None
    # OpenAI's field, and Anthropic's.
    ended = answer.row.get("finish_reason") or answer.row.get("stop_reason")
    cut_off = not answer.text.strip() or ended in _CUT_OFF
    return Unread.NO_ANSWER if cut_off else faults[0].unread


def score_line(score: Score) -> str:
    """Return a score as one line of JSON with its newline."""
    return f"{json.dumps(score.to_json(), default=plain)}\n"
