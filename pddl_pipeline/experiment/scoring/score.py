"""Judges outside answers: plans that somebody else's planner or language model gave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from pddl_pipeline.experiment.scoring.answer import Answer, answer_from
from pddl_pipeline.experiment.scoring.rules import by_the_rules
from pddl_pipeline.experiment.solving import judge_plan
from pddl_pipeline.model.answer import ReadAnswer, Ruling, TraceLine
from pddl_pipeline.model.errors import PlanSyntaxError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.model.slug import Slug
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.translators import translate
from pddl_pipeline.translators.answers.texts import text_of
from pddl_pipeline.validation.task import Task, read_task

_MAX_TASKS: Final = 1_000
_MAX_SUGGESTIONS: Final = 20
_LONGEST_ID: Final = 80


@dataclass(frozen=True, slots=True)
class Score:
    """The verdict on one answer."""

    id: str | None
    """Of the instance; None where the answer does not tell it."""
    attempt: int | None
    """1 for the first answer to an instance, 2 for the second, and so on."""
    verdict: Verdict
    """On what the answer means: the plan that the tolerant reading found."""
    strict: Verdict
    """On the answer's text as a plan file."""
    errors: tuple[Slug, ...] = ()
    """What is wrong with the plan, without repetition."""
    plan: Plan | None = None
    """What the tolerant reading found."""
    trace: tuple[TraceLine, ...] = ()
    """What became of each line of the answer."""
    rules: str | None = None
    """Countdown: by whose rules it was judged, ``paper`` or ``source``."""
    rulings: Mapping[str, Ruling] = field(default_factory=dict)
    """Countdown: whether it is right under each of the rules."""
    answer: Answer = field(default_factory=Answer)
    """What was judged."""
    fault: str | None = None
    """Why it is no answer to an instance of the dataset, so that there is no verdict."""

    @property
    def judged(self) -> bool:
        """Whether it is known if the answer is right."""
        return not self.verdict.status.unsettled

    @property
    def correct(self) -> bool:
        """Whether the plan is valid, and within the budget where there is one."""
        return self.verdict.status is Status.VALID and self.verdict.within_budget is not False


def score(
    instances: Iterable[Instance[Any]], answers: Iterable[Mapping[str, Any] | Answer]
) -> Iterator[Score]:
    """Yield a score for each answer, in their order.

    An answer to no instance, or one that is no object with ``id`` and ``answer``, is
    ``undecided``: nobody's mistake but that of the file. It stops nothing.

    Args:
        instances: the dataset, as `load_records` gives it.
        answers: objects with ``id`` and ``answer``, a text that tells a plan; several with one
            id are attempts at the same instance. ``model`` tells attempts of several models apart.
    """
    judge = Judge(instances)
    for given in answers:
        yield judge.score(given if isinstance(given, Answer) else answer_from(given))


class Judge:
    """Scores answers to the instances of a dataset; a task is not read for each of its answers."""

    def __init__(self, instances: Iterable[Instance[Any]]) -> None:
        self.instances = {instance.id: instance for instance in instances}
        self._suggestions = _MAX_SUGGESTIONS
        self._task = lru_cache(_MAX_TASKS)(self._read)
        self._attempts: Counter[tuple[str, str | None]] = Counter()

    def score(self, answer: Answer) -> Score:
        """Score one answer; see `score`."""
        fault, instance = answer.fault, self.instances.get(answer.id or "")
        if fault is None and instance is None:
            fault = f"unknown id '{(answer.id or '')[:_LONGEST_ID]}'{self._suggestion(answer.id)}"
        if fault is not None or instance is None:
            nothing = Verdict(Status.UNDECIDED, reason=fault)
            return Score(answer.id, answer.attempt, nothing, nothing, answer=answer, fault=fault)
        self._attempts[instance.id, answer.model] += 1
        attempt = answer.attempt or self._attempts[instance.id, answer.model]
        return score_one(answer, attempt, instance, self._task(instance.id))

    def _suggestion(self, name: str | None) -> str:
        """Return which id may be meant, for the first that are unknown: it takes a while."""
        self._suggestions -= 1
        return did_you_mean(name or "", self.instances) if self._suggestions >= 0 else ""

    def _read(self, name: str) -> Task:
        problem = translate(self.instances[name])
        return read_task(problem.domain, problem.problem)


def score_one(answer: Answer, attempt: int, instance: Instance[Any], task: Task) -> Score:
    """Judge one answer to an instance whose task was read, in both readings."""
    read = text_of(instance, task).parse_answer(answer.text, instance, task)
    verdict = _tolerant(read, instance, task)
    return Score(
        instance.id, attempt, verdict, judge_plan(answer.text, task, instance),
        _errors(read, verdict, task), read.plan, read.trace, read.rules, read.rulings, answer,
    )  # fmt: skip


def _tolerant(read: ReadAnswer, instance: Instance[Any], task: Task) -> Verdict:
    """Return the verdict on what was read from an answer."""
    if task.facts.unsupported:
        return task.judge("")  # nobody is blamed for what is not judged
    if read.plan is None:
        first = read.faults[0]
        return Verdict(Status.MALFORMED, reason=first.message, line=first.line)
    verdict = by_the_rules(judge_plan(read.plan, task, instance), read)
    if verdict.status is Status.VALID and read.faults:
        return verdict._replace(status=Status.INVALID, reason=read.faults[0].message)
    if verdict.within_budget is False:
        return verdict._replace(reason=f"costs {verdict.cost}, the budget is {instance.budget}")
    return verdict


def _errors(read: ReadAnswer, verdict: Verdict, task: Task) -> tuple[Slug, ...]:
    if verdict.status is Status.UNDECIDED:
        return ()
    found = [fault.slug for fault in read.faults]
    if verdict.status is Status.MALFORMED and read.plan is not None:
        found.append(_malformed(read.plan, task))
    elif _breaks_rules(read, verdict):
        found.append(Slug.PRECONDITION)
    elif verdict.status is Status.INVALID and not found:
        found.append(Slug.GOAL if verdict.failed_step is None else Slug.PRECONDITION)
    if verdict.within_budget is False:
        found.append(Slug.OVER_BUDGET)
    return tuple(dict.fromkeys(found))


def _breaks_rules(read: ReadAnswer, verdict: Verdict) -> bool:
    """Whether a step is not allowed by the rules that count."""
    ruling = None if read.rules is None else read.rulings[read.rules]
    return verdict.status is Status.INVALID and ruling is not None and ruling.step is not None


def _malformed(plan: Plan, task: Task) -> Slug:
    try:
        task.read_plan(plan)
    except PlanSyntaxError as error:
        return error.slug
    return Slug.UNREADABLE
