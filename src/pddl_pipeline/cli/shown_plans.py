"""The plans that ``pddl-pipeline show`` shows: one of files, answers, or runs of a store."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from pddl_pipeline.cli.judging import reported_problem, with_advice
from pddl_pipeline.cli.score_input import answer_files, read_data
from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.pages.answer_view import AnswerText
from pddl_pipeline.pages.plan_page import page_title
from pddl_pipeline.pages.run_walk import walk_of_run
from pddl_pipeline.pages.walk import Walk, walk_of
from pddl_pipeline.runs.dataset_problems import DatasetProblems
from pddl_pipeline.runs.store import RUNS, check_store, iterate_store
from pddl_pipeline.scoring.answer_batches import AnswerSource
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.translators.datasets import ReadOptions, load_records
from pddl_pipeline.validation.plan_formats import IPC, plan_or_verdict
from pddl_pipeline.validation.task import task_from_texts

_UNUSUAL: Final = re.compile(r"[^A-Za-z0-9._]+")


class ShownPlan(NamedTuple):
    """A plan to show, or why there is none."""

    id: str
    by: str
    """The model or planner, and the attempt; empty for a plan of a file."""
    verdict: Verdict | None
    """None without a plan."""
    reason: str
    walk: Walk | None
    """None if there is nothing to show."""
    title: str
    about: tuple[str, ...] = ()
    answer: AnswerText | None = None
    status: str = ""
    """The status in the list of plans, if it is not the verdict's."""

    @property
    def file_name(self) -> str:
        """A name for its page, without a suffix; those of two plans may be the same."""
        return _UNUSUAL.sub("-", f"{self.id} {self.by}").strip("-")


def plan_of_files(
    paths: Sequence[str], plan_format: str, budget: Number | None, *, lenient: bool
) -> ShownPlan:
    """Return the plan of three files: domain, problem and plan.

    Raises:
        InputError: a file cannot be read, the PDDL is invalid, or the text is not a plan.
    """
    domain, problem, plan = paths
    domain_pddl, problem_pddl = (read_file(domain), domain), (read_file(problem), problem)
    if lenient:
        problem_pddl = reported_problem(domain_pddl, problem_pddl)
    task = task_from_texts(domain_pddl, problem_pddl)
    text = read_file(plan)
    converted, fault = plan_or_verdict(text, plan_format)
    verdict = fault or task.judge(converted, budget)
    if verdict.status is Status.MALFORMED:
        raise _unreadable(plan, with_advice(verdict, text) if plan_format == IPC else verdict)
    walk = walk_of(task, converted, verdict, budget)
    return _shown(task.facts.name, "", walk, about=(f"{problem}, {plan}",))


def _unreadable(plan: str, verdict: Verdict) -> InputError:
    reason = verdict.reason or "found no plan"
    return InputError(reason, file=plan, line=verdict.line, column=verdict.column)


def verdict_sentence(shown: ShownPlan) -> str:
    """Return the verdict on a plan in words, with the failing step, its action and the reason."""
    verdict = shown.verdict
    if verdict is None:
        return f"there is no plan: {shown.reason}"
    if verdict.status is not Status.VALID:
        return f"the plan is {verdict.status}: {verdict.reason}"
    over = " (over the budget)" if verdict.within_budget is False else ""
    return f"the plan is valid: {verdict.steps_and_cost}{over}"


class AnswerOptions(NamedTuple):
    """How files of answers are read; what is None is detected."""

    form: str | None
    id_field: str | None
    answer_field: str | None


def plans_of_answers(
    data: Sequence[str],
    answers: Path,
    how: ReadOptions,
    options: AnswerOptions,
    ids: frozenset[str],
) -> Iterator[ShownPlan]:
    """Yield the plans of a file of answers; with ids, only those of these instances.

    Raises:
        InputError: a file cannot be read.
    """
    judge = Judge(read_data(tuple(data), how))
    source = AnswerSource(answer_files((answers,), *options), raw=True)
    reader = source.reader(judge.instances)
    for batch in source.batches():
        for answer in reader.answers(batch):
            if not ids or answer.id in ids:
                yield plan_of_score(judge.score(answer), judge)


def plan_of_score(score: Score, judge: Judge) -> ShownPlan:
    """Return the plan of a scored answer to an instance of the judge's dataset."""
    attempt = f"attempt {score.attempt}" if score.attempt is not None else ""
    by = ", ".join(filter(None, (score.answer.model, attempt)))
    if score.fault is not None or score.id is None:
        return ShownPlan(score.id or "?", by, None, score.fault or "", None, "", status="no answer")
    task, instance = judge.task(score.id), judge.instances[score.id]
    given = Plan() if score.plan is None else score.plan
    walk = walk_of(task, given, score.verdict, instance.budget)
    if score.plan is None:
        walk = walk._replace(plan=None)
    answer = AnswerText(score.answer.text, score.trace)
    return _shown(score.id, by, walk, answer=answer, domain=instance.domain)


def plans_of_runs(
    folders: Sequence[Path], data: Sequence[str], how: ReadOptions, ids: frozenset[str]
) -> Iterator[ShownPlan]:
    """Yield the plans of run stores; with ids, only those of these instances.

    Raises:
        InputError: a folder is not a run store, or the data cannot be read.
        StoreError: a line of a store is damaged.
    """
    for folder in folders:
        check_store(folder)
    with DatasetProblems() as problems:
        for instance in load_records(*data, source=how) if data else ():
            problems.add(instance)
        for folder in folders:
            for result in iterate_store(folder):
                if not ids or result.id in ids:
                    yield _of_run(result, folder, problems)


def _of_run(result: RunResult, folder: Path, problems: DatasetProblems) -> ShownPlan:
    walk = walk_of_run(result, folder, problems)
    if isinstance(walk, str):
        status = str(result.outcome)
        return ShownPlan(result.id, result.planner, None, walk, None, "", status=status)
    ran = f"{result.wall_s:.2f} s, {result.memory_mb:.0f} MiB, {result.started}"
    about = (f"{result.planner} {result.planner_version}: {result.outcome}, {ran}",)
    return _shown(result.id, result.planner, walk, domain=result.domain, about=about)


def has_torn_line(folder: Path) -> bool:
    """Return whether the last line of a run store is incomplete; it is then left out."""
    content = (folder / RUNS).read_bytes()[-1:]
    return content not in (b"", b"\n")


def _shown(  # noqa: PLR0913 -- what a page needs
    name: str,
    by: str,
    walk: Walk,
    *,
    domain: str = "",
    answer: AnswerText | None = None,
    about: Sequence[str] = (),
) -> ShownPlan:
    title = page_title(name, domain or walk.task.vocabulary.name)
    lines = (f"By {by}",) if by and not about else ()
    verdict = walk.verdict
    return ShownPlan(
        name, by, verdict, verdict.reason or "", walk, title, (*lines, *about), answer,
        "over budget" if verdict.status is Status.VALID and verdict.within_budget is False else "",
    )  # fmt: skip
