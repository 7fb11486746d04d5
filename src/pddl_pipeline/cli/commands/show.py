"""``pddl-pipeline show``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Final

import click

from pddl_pipeline.cli.commands.score import AnswerColumns, read_scored
from pddl_pipeline.cli.console import note, print_beside, progress
from pddl_pipeline.cli.judging import with_advice
from pddl_pipeline.cli.options import (
    DATASET,
    FOLDER,
    INPUT,
    OUTPUT,
    DataOptions,
    PathType,
    allow_only,
    cli_command,
    path_of,
    reject,
)
from pddl_pipeline.cli.status import DONE
from pddl_pipeline.io.files import check_outputs, write_file
from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.text import counted
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pages.page_data import PageData
from pddl_pipeline.pages.pictures.picture_file import read_picture
from pddl_pipeline.pages.plan_difference import difference_page
from pddl_pipeline.pages.plan_page import verdict_and_why
from pddl_pipeline.pages.shown_plan import (
    ShownPlan,
    index_page,
    plan_of_run,
    plan_of_score,
    write_pages,
)
from pddl_pipeline.pages.walk import walk_of
from pddl_pipeline.runs.rejudging import problem_of
from pddl_pipeline.runs.store import RUNS, iterate_store, store_folders
from pddl_pipeline.scoring.answer_files import AnswerSource
from pddl_pipeline.scoring.answer_formats import InstanceNumbers
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.translators.formats.format import ReadOptions
from pddl_pipeline.validation.plan_formats import IPC, judge_output, plan_formats
from pddl_pipeline.validation.task import task_from_texts


def plan_of_files(paths: Sequence[str], plan_format: str) -> ShownPlan:
    """Return the plan of three files: domain, problem and plan.

    Raises:
        InputError: a file cannot be read, the PDDL is invalid, or the text is not a plan.
    """
    domain, problem, plan = paths
    domain_pddl, problem_pddl = (read_file(domain), domain), (read_file(problem), problem)
    task = task_from_texts(domain_pddl, problem_pddl)
    text = read_file(plan)
    converted, verdict = judge_output(text, plan_format, task, task.judge)
    if plan_format == IPC:
        verdict = with_advice(verdict, text, task)
    if verdict.status is Status.MALFORMED:
        reason = verdict.reason or "found no plan"
        raise InputError(reason, file=plan, line=verdict.line, column=verdict.column)
    walk = walk_of(task, converted, verdict)
    about = f"{problem}, {plan}"
    return ShownPlan(task.facts.name, "", walk, task.vocabulary.name, about=(about,))


def plans_of_answers(
    data: Sequence[str],
    answers: Path,
    how: ReadOptions,
    columns: dict[str, str],
    ids: frozenset[str],
) -> Iterator[ShownPlan]:
    """Yield the plans of a file of answers; with ids, only those of these instances.

    Args:
        data: the datasets.
        answers: the file.
        how: how to read the datasets.
        columns: the fields of ids and answers; empty to detect them.
        ids: the ids; empty for all.

    Raises:
        InputError: a file cannot be read.
    """
    instances, files = read_scored(tuple(data), (answers,), columns, how)
    judge, source = Judge(instances), AnswerSource(files, raw=True)
    numbers = InstanceNumbers(judge.instances)
    for batch in source.batches():
        for answer in source.answers(batch, numbers):
            if not ids or answer.id in ids:
                yield plan_of_score(judge.score(answer), judge)


def plans_of_runs(folders: Sequence[Path], ids: frozenset[str]) -> Iterator[ShownPlan]:
    """Yield the plans of run stores; with ids, only those of these instances.

    Raises:
        InputError: a folder is not a run store.
        StoreError: a line of a store is damaged.
    """
    for folder in folders:
        for result in iterate_store(folder):
            if not ids or result.id in ids:
                yield plan_of_run(result, problem_of(result, folder))


_INDEX: Final = "index.html"
_MOST_PAGES: Final = 100
_EXPECTED: Final = (
    "expected DOMAIN PROBLEM PLAN [PLAN], or DATA and a file of ANSWERS, or a run store"
)


@dataclass(frozen=True)
class _ShowOptions:
    """What is shown, and where the pages are written."""

    output: Annotated[Path | None, click.option(
        "-o", "output", type=PathType("file", OUTPUT.stream),
        help="File of the page; for answers and runs, the folder of the pages. Defaults to "
        "plan.html or the folder plans.",
    ), "Output"]  # fmt: skip
    svg: Annotated[Path | None, click.option(
        "--svg", type=FOLDER, metavar="DIR",
        help="Also write the picture of each state, as SVG files.",
    ), "Output"]  # fmt: skip
    picture: Annotated[Path | None, click.option(
        "--picture", type=INPUT, metavar="FILE",
        help="Draw the states by this TOML file: which fact places what in what, and how each type "
        "looks.",
    ), "Output"]  # fmt: skip
    ids: Annotated[tuple[str, ...], click.option(
        "--id", multiple=True, metavar="ID",
        help="Show only answers or runs of this instance; may be repeated.",
    ), "Answers"]  # fmt: skip
    limit: Annotated[int, click.option(
        "--limit", type=click.IntRange(min=1), metavar="N", default=_MOST_PAGES, show_default=True,
        help="Stop after this many pages of answers or runs.",
    ), "Answers"]  # fmt: skip
    plan_format: Annotated[str, click.option(
        "--plan-format", type=click.Choice(list(plan_formats())), default=IPC, show_default=True,
        help="Format of the plan, such as the output of a planner; auto detects it.",
    ), "Data"]  # fmt: skip
    columns: AnswerColumns


@cli_command(
    "show",
    "show pddl_domains/ferry/domain.pddl pddl_domains/ferry/p01.pddl "
    "pddl_domains/ferry/p01.plan -o plan.html",
    "show examples/blocksworld.jsonl answers.jsonl -o answer-pages",
    "show runs -o run-pages",
)
def command(
    inputs: Annotated[tuple[str, ...], click.argument(
        "inputs", type=DATASET, nargs=-1, required=True,
        metavar="DOMAIN PROBLEM PLAN [PLAN] | DATA... ANSWERS | RUNS",
    )],
    how: _ShowOptions,
    source: DataOptions,
) -> int:  # fmt: skip
    """Write pages that show plans step by step, with pictures.

    With three files, domain, problem and plan, one page is written; with two plans, a page with
    their steps beside each other. With answers, as for `score`, or a run store, a folder gets a
    page for each answer or run with a plan, and an index.

    The page of a plan that fails opens at the failing step.

    Exit status: 0 the pages are written, whatever the verdicts; 2 bad input, including a file whose
    text is not a plan.
    """
    picture = read_picture(how.picture, is_given=True) if how.picture is not None else None
    if len(inputs) == 4 and _is_plan_of_files(inputs[:3]):
        allow_only(("output", "plan_format"), "applies to one plan, or to answers and runs")
        return _write_difference(inputs, how)
    if _is_plan_of_files(inputs):
        only = ("output", "svg", "picture", "plan_format")
        allow_only(only, "applies to answers and runs")
        place = how.output or Path("plan.html").absolute()
        check_outputs((place,), inputs)
        shown = plan_of_files(inputs, how.plan_format)._replace(picture=picture)
        data = shown.write(place, how.svg, report=note)
        print_beside(f"{how.output or place.name}: {verdict_and_why(data)[1]}")
        return DONE
    reject(["plan_format"], "applies to a plan in a file")
    folder = how.output or Path("plans")
    if str(folder) == STANDARD:
        raise click.UsageError("-o: found '-', expected a folder for the pages of answers or runs")
    _write_folder(
        (plan._replace(picture=picture) for plan in _plans(inputs, source, how)),
        folder,
        how,
        inputs[-1],
    )
    return DONE


def _write_difference(inputs: Sequence[str], how: _ShowOptions) -> int:
    """Write the page of two plans of one problem."""
    place, names = how.output or Path("plans.html").absolute(), inputs[2:]
    check_outputs((place,), inputs)
    shown = [plan_of_files((*inputs[:2], name), how.plan_format) for name in names]
    plans = [PageData(plan.walk) for plan in shown if plan.walk is not None]
    write_file(place, difference_page(f"Two plans for {shown[0].id}", names, plans))
    for name, plan in zip(names, plans, strict=True):
        print_beside(f"{name}: {verdict_and_why(plan)[1]}")
    print_beside(f"page: {how.output or place.name}")
    return DONE


def _plans(inputs: tuple[str, ...], source: DataOptions, how: _ShowOptions) -> Iterator[ShownPlan]:
    """Return the plans of answers or runs."""
    *data, last = inputs
    ids = frozenset(how.ids)
    stores = [place for place in store_folders(path_of(last)) if (place / RUNS).exists()]
    if stores:
        reject(["columns"], "applies to answers")
        if data:
            raise click.UsageError(f"expected no data: {last} has the problems of its runs")
        return plans_of_runs(stores, ids)
    if not data and not (Path(last).is_file() and _is_data(last)):
        raise click.UsageError(f"found only {last}, {_EXPECTED}")
    return plans_of_answers(data or [last], path_of(last), source.reading(), how.columns, ids)


def _is_plan_of_files(inputs: tuple[str, ...]) -> bool:
    """Return whether the arguments are domain, problem and plan, and not two datasets and answers.

    Raises:
        click.UsageError: two files of PDDL come without a plan.
    """
    are_pddl = all(name.endswith((".pddl", ".PDDL")) or name == STANDARD for name in inputs[:2])
    if len(inputs) == 2 and are_pddl and STANDARD not in inputs:
        raise click.UsageError("Missing argument 'PLAN', the file of a plan")
    return len(inputs) == 3 and (are_pddl or not _is_data(inputs[0]))


def _is_data(name: str) -> bool:
    """Return whether a file is a dataset and not the file of a PDDL domain."""
    if name == STANDARD or not Path(name).is_file():
        return Path(name).is_dir()
    with Path(name).open("rb") as stream:
        # A licence may stand before `(define (domain`.
        start = stream.read(10_000)
    return b"(domain" not in start.lower().replace(b" ", b"")


def _write_folder(plans: Iterator[ShownPlan], folder: Path, how: _ShowOptions, title: str) -> None:
    """Write a page for each plan, and the index.

    Raises:
        InputError: there are no plans, or a file cannot be written.
    """
    found = [*progress(islice(plans, how.limit), "pages")]
    if not found:
        ids = " or ".join(map(repr, how.ids))
        raise InputError(f"found no answer or run{ids and ' of '}{ids}", file=title)
    files = write_pages(found, folder, folder / _INDEX, how.svg, note)
    notes = []
    if next(plans, None) is not None:
        notes = [f"Only the first {how.limit} are shown; see --limit and --id."]
        note(f"{title}: {notes[0]}")
    count = counted(sum(shown.walk is not None for shown in found), "page")
    write_file(folder / _INDEX, index_page(f"Plans of {title}", found, files, count, notes))
    click.echo(f"{folder / _INDEX}: {count}")
