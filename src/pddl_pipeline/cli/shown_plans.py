"""The plans that ``pddl-pipeline show`` shows: one of files, answers, or runs of a store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pddl_pipeline.cli.judging import reported_problem, with_advice
from pddl_pipeline.cli.score_input import answer_files, read_data
from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pages.shown_plan import ShownPlan, plan_of_run, plan_of_score
from pddl_pipeline.pages.walk import walk_of
from pddl_pipeline.runs.dataset_problems import DatasetProblems
from pddl_pipeline.runs.store import RUNS, check_store, iterate_store
from pddl_pipeline.scoring.answer_batches import AnswerSource
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.translators.datasets import load_records
from pddl_pipeline.translators.formats.format import ReadOptions
from pddl_pipeline.validation.plan_formats import IPC, plan_or_verdict
from pddl_pipeline.validation.task import task_from_texts


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
        if plan_format == IPC:
            verdict = with_advice(verdict, text)
        reason = verdict.reason or "found no plan"
        raise InputError(reason, file=plan, line=verdict.line, column=verdict.column)
    walk = walk_of(task, converted, verdict, budget)
    about = f"{problem}, {plan}"
    return ShownPlan(task.facts.name, "", walk, task.vocabulary.name, about=(about,))


def plans_of_answers(
    data: Sequence[str],
    answers: Path,
    how: ReadOptions,
    fields: tuple[str | None, str | None, str | None],
    ids: frozenset[str],
) -> Iterator[ShownPlan]:
    """Yield the plans of a file of answers; with ids, only those of these instances.

    Args:
        data: the datasets.
        answers: the file.
        how: how to read the datasets.
        fields: the format of the answers, and the fields of ids and answers; None to detect them.
        ids: the ids; empty for all.

    Raises:
        InputError: a file cannot be read.
    """
    judge = Judge(read_data(tuple(data), how))
    source = AnswerSource(answer_files((answers,), *fields), raw=True)
    reader = source.reader(judge.instances)
    for batch in source.batches():
        for answer in reader.answers(batch):
            if not ids or answer.id in ids:
                yield plan_of_score(judge.score(answer), judge)


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
                    yield plan_of_run(result, folder, problems)


def has_torn_line(folder: Path) -> bool:
    """Return whether the last line of a run store is incomplete; it is then left out."""
    content = (folder / RUNS).read_bytes()[-1:]
    return content not in (b"", b"\n")
