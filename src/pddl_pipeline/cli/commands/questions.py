"""``pddl-pipeline questions``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated, Final

import click

from pddl_pipeline.cli.console import output_console, print_beside, progress
from pddl_pipeline.cli.options import (
    INPUT,
    OUTPUT,
    RANGE,
    Data,
    DataOptions,
    Json,
    allow_only,
    cli_command,
)
from pddl_pipeline.cli.score_output import scores_in_view
from pddl_pipeline.cli.status import BAD_INPUT, DONE, NOT_VALID, UNEXPLAINED, report_skipped
from pddl_pipeline.io.files import write_file, writing
from pddl_pipeline.io.text_lines import check_readable
from pddl_pipeline.model.errors import InputError, NotJudged
from pddl_pipeline.model.text import counted
from pddl_pipeline.pages.question_page import question_html
from pddl_pipeline.questions.kind import kinds, made_kinds
from pddl_pipeline.questions.making import MOST_STATES, QuestionSpec, make_questions
from pddl_pipeline.questions.marking import by_id, mark_answers
from pddl_pipeline.questions.question import NoQuestion
from pddl_pipeline.questions.question_files import exact, read_questions
from pddl_pipeline.questions.summary import accuracy_table, mistake_table, summarise, task_table
from pddl_pipeline.scoring.answer_rows import answer_rows
from pddl_pipeline.translators.datasets import load_records
from pddl_pipeline.translators.formats.format import ReadOptions

_ANSWERING: Final = {"answer", "output"}
_MARKING: Final = {"answers", "output", "as_json"}
"""The options that apply to ``--answer`` and to ``--score``."""
_PUBLISHED: Final = {"published", "output"}


@dataclass(frozen=True)
class _QuestionOptions:
    """Which questions to write, or what to do with those of a file."""

    chosen: Annotated[tuple[str, ...], click.option(
        "--kind", type=click.Choice(made_kinds()), multiple=True,
        help="Kind of questions to write; may be repeated. Defaults to all kinds.",
    ), "Questions"]  # fmt: skip
    count: Annotated[int, click.option(
        "--count", type=click.IntRange(min=1), metavar="N", default=1, show_default=True,
        help="Number of questions of each kind about each instance.",
    ), "Questions"]  # fmt: skip
    seed: Annotated[int, click.option(
        "--seed", type=click.IntRange(min=0), metavar="N", default=0, show_default=True,
        help="Random seed. The same seed and options generate the same questions.",
    ), "Questions"]  # fmt: skip
    steps: Annotated[range, click.option(
        "--steps", type=RANGE, default="1-7", show_default=True,
        help="Length of the random walks, in actions.",
    ), "Questions"]  # fmt: skip
    max_states: Annotated[int, click.option(
        "--max-states", type=click.IntRange(min=1), metavar="N", default=MOST_STATES,
        show_default=True, help="Maximum number of states of an instance to explore. Questions "
        "about goals that require more are skipped.",
    ), "Questions"]  # fmt: skip
    published: Annotated[bool, click.option(
        "--published", is_flag=True,
        help="Write the items of ACPBench in DATA as questions, instead of making new ones.",
    ), "Questions"]  # fmt: skip
    answers: Annotated[Path | None, click.option(
        "--score", type=INPUT, metavar="ANSWERS",
        help="Mark the answers in this file to the questions in DATA. A line has 'id' and "
        "'answer'.",
    ), "Answers"]  # fmt: skip
    answer: Annotated[bool, click.option(
        "--answer", is_flag=True,
        help="Write the exact answers to the questions in DATA, as lines that --score reads.",
    ), "Answers"]  # fmt: skip
    output: Annotated[
        Path | None,
        click.option("-o", "output", type=OUTPUT, metavar="FILE", help="JSON Lines file to write."),
        "Output",
    ]
    as_json: Json

    def check(self) -> None:
        """Check that the options apply to the work that is asked for.

        Raises:
            click.UsageError: an option would have no effect.
        """
        if self.answers is not None and self.answer:
            raise click.UsageError("--score and --answer cannot be combined")
        if self.answers is not None:
            allow_only(_MARKING, "does not apply to --score, which only marks answers")
        elif self.answer:
            allow_only(_ANSWERING, "does not apply to --answer, which only writes answers")
        elif self.published:
            allow_only(_PUBLISHED, "does not apply to --published, which only writes items")


@cli_command(
    "questions",
    "questions examples/ferry.jsonl --kind state -o questions.jsonl",
    "questions questions.jsonl --answer -o exact-answers.jsonl",
    "questions questions.jsonl --score exact-answers.jsonl -o marked.jsonl",
    requires={"as_json": "answers"},
)
def command(data: Data, how: _QuestionOptions, source: DataOptions) -> int:
    """Write questions about planning tasks, or mark answers.

    The questions ask what a model knows about states and actions; their answers are exact. DATA
    are datasets in any supported format, and the questions are written to FILE. With --score or
    --answer, DATA is one file of questions that this command wrote, or a file of ACPBench.

    Exit status: 0 done, 2 bad input (including a row that does not answer a question), 3 some
    questions have no exact answer, or some answers no mark.
    """
    how.check()
    if (how.answers or how.answer) and len(data) > 1:
        raise InputError("--score and --answer accept only one file of questions")
    if how.answers is not None:
        status = score_questions(Path(data[0]), how.answers, how.output, as_json=how.as_json)
        return DONE if status == NOT_VALID else status
    if how.output is None:
        raise click.UsageError("-o FILE is required without --score")
    if how.answer:
        return _answer(Path(data[0]), how.output)
    if how.published:
        _write_items(data, how.output)
    else:
        _make(data, source.reading(), how.output, how)
    return DONE


def _make(data: tuple[str, ...], source: ReadOptions, output: Path, how: _QuestionOptions) -> None:
    spec = QuestionSpec(how.chosen, how.count, how.seed, how.steps, most_states=how.max_states)
    skipped: dict[tuple[str, str], list[str]] = {}
    count = 0

    def skip(instance: str, kind: str, reason: str) -> None:
        skipped.setdefault((kind, reason), []).append(instance)

    instances = progress(load_records(*data, source=source), "asking")
    with writing(output) as stream:
        for question in make_questions(instances, spec, skip):
            stream.write(json.dumps(question.to_json()) + "\n")
            count += 1
    for (kind, reason), names in skipped.items():
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        click.echo(f"no question: {kind}: {names[0]}{more}: {reason}", err=True)
    print_beside(f"{counted(count, 'question')} in {output}")


def _write_items(data: tuple[str, ...], output: Path) -> None:
    questions = by_id(chain.from_iterable(map(read_questions, map(Path, data))))
    with writing(output) as stream:
        stream.writelines(f"{json.dumps(question.to_json())}\n" for question in questions.values())
    print_beside(f"{counted(len(questions), 'question')} in {output}")


def _answer(path: Path, output: Path) -> int:
    """Write the exact answers, and return the exit status."""
    count, status = 0, DONE
    with writing(output) as stream:
        for question in progress(read_questions(path), "answering"):
            try:
                text = kinds()[question.kind].answer_text(exact(question))
            except (NoQuestion, NotJudged) as error:
                report_skipped(f"{question.id}: {error}")
                status = UNEXPLAINED
                continue
            stream.write(json.dumps({"id": question.id, "answer": text}) + "\n")
            count += 1
    print_beside(f"{counted(count, 'answer')} in {output}")
    return status


def score_questions(
    path: Path, answers: Path, output: Path | None, html: Path | None = None, *, as_json: bool
) -> int:
    """Mark answers, print the tables of accuracy and of mistakes, and return the status of `score`.

    Args:
        path: the questions.
        answers: the answers.
        output: the file of marks to write.
        html: the page to write.
        as_json: whether to print JSON instead of tables.

    Raises:
        InputError: a file cannot be read or written.
    """
    questions = by_id(read_questions(path))
    check_readable(answers)
    marked = []
    with scores_in_view(output) as stream:
        for answer in mark_answers(questions, progress(answer_rows(answers), "marking")):
            marked.append(answer)
            if stream is not None:
                stream.write(json.dumps(answer.to_json()) + "\n")
    if html is not None:
        facts = {"questions": str(path), "answers": str(answers)}
        write_file(html, question_html(questions, marked, facts))
    summaries = summarise(marked, questions.values())
    for each in marked:
        if each.kind is None:
            report_skipped(f"{each.id or 'no id'}: {each.mark.reason}")
    if as_json:
        for summary in summaries:
            click.echo(json.dumps(summary))
    else:
        console = output_console()
        console.print(accuracy_table(summaries))
        tasks = task_table(questions, marked)
        if len(tasks.rows) > 1:
            console.print(tasks)
        mistakes = mistake_table(summaries)
        if mistakes.rows:
            console.print(mistakes)
    marks = {each.mark.correct if each.kind else BAD_INPUT for each in marked}
    statuses = {BAD_INPUT: BAD_INPUT, None: UNEXPLAINED, False: NOT_VALID}
    return next((status for mark, status in statuses.items() if mark in marks), DONE)
