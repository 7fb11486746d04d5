"""``pddl-pipeline score``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Final

import click

from pddl_pipeline.answers.readers import readers_of
from pddl_pipeline.cli.commands.questions import score_questions
from pddl_pipeline.cli.console import note, progress
from pddl_pipeline.cli.options import (
    DATASET,
    INPUT,
    OUTPUT,
    Command,
    DataOptions,
    Rules,
    allow_only,
    cli_command,
    pairs,
    path_of,
    reject,
)
from pddl_pipeline.cli.score_output import EXAMPLES, Scored, ScoreOutput, scores_in_view
from pddl_pipeline.cli.status import BAD_INPUT, DONE, NOT_VALID, UNEXPLAINED, warn
from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.pages.score_page import AnswerEntries, entry_line
from pddl_pipeline.prompts.statement import PDDL
from pddl_pipeline.scoring.answer import ANSWERS, OWN_FIELDS, NamedFields, first_fields
from pddl_pipeline.scoring.answer_files import ROWS, AnswerFile, AnswerSource, answer_file
from pddl_pipeline.scoring.answer_formats import FORMATS
from pddl_pipeline.scoring.answer_formats import OWN as FORMAT
from pddl_pipeline.scoring.answer_rows import answer_rows
from pddl_pipeline.scoring.batches import BatchCounter, BatchJudge, ScoringWork, judged_batches
from pddl_pipeline.scoring.grouping import GROUPING_NAMES, fields_of
from pddl_pipeline.scoring.judging import OWN, Score, score_line
from pddl_pipeline.scoring.pairing import Pairing
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.scoring.tally import ErrorExamples, Tally
from pddl_pipeline.translators.datasets import load_records
from pddl_pipeline.translators.formats.format import ReadOptions
from pddl_pipeline.translators.formats.registry import row_format

MANY: Final = "--answers"
_USAGE: Final = f"DATA ANSWERS, or DATA {MANY} ANSWERS..."
_QUESTIONS: Final = "questions"
_PLANBENCH: Final = "planbench"
_RAW: Final = "raw"
_PLAN: Final = "plan"


def read_data(data: tuple[str, ...], how: ReadOptions) -> list[Instance[Any]]:
    """Return the instances, while a bar or lines count them."""
    return list(progress(load_records(*data, source=how), "reading"))


AnswerColumns = Annotated[
    dict[str, str],
    click.option(
        "--column", multiple=True, metavar="FIELD=COLUMN", callback=pairs,
        help="The field or column of the answers with the id of the instance or the answer, such "
        "as id=task_id or answer=response; of a table with problems, also their columns, such as "
        "numbers=digits. May be repeated. Recognised and printed if omitted.",
    ), "Answers",
]  # fmt: skip


def answer_files(files: Sequence[Path], columns: dict[str, str]) -> list[AnswerFile]:
    """Return how each file is read, and print which fields are used if that is not obvious.

    Raises:
        InputError: a file cannot be read, or a field is neither ``id`` nor ``answer``.
    """
    if columns.keys() - {"id", "answer"}:
        raise InputError(f"--column: found '{', '.join(columns)}', expected id or answer")
    named = NamedFields(columns.get("id"), columns.get("answer"))
    found = [answer_file(path, named) for path in files]
    for each in found:
        others = " and ".join(f"'{name}'" for name in each.others)
        if each.fields != OWN_FIELDS or others:
            line = f"{each.path}: ids are in '{each.fields.id}', answers in '{each.fields.answer}'"
            note(f"{line}, not in {others}" if others else line)
    return found


def read_scored(
    data: tuple[str, ...], answers: tuple[Path, ...], columns: dict[str, str], how: ReadOptions
) -> tuple[list[Instance[Any]], list[AnswerFile]]:
    """Return the instances and how the answers are read; they may be rows of one file.

    Raises:
        InputError: a file cannot be read.
    """
    if tuple(map(path_of, data)) != answers:
        files, instances = answer_files(answers, columns), read_data(data, how)
        unused = [name for name in ANSWERS if instances and name in instances[0].extra]
        if unused:
            note(f"{data[0]}: field '{unused[0]}' is no answer; those of {answers[0]} count")
        return instances, files
    pairs = Pairing(NamedFields(answer=columns.get("answer")))
    others = {field: column for field, column in columns.items() if field != "answer"}
    instances = read_data(data, pairs.options(replace(how, columns=others)))
    try:
        fields = first_fields((row.value for row in pairs.rows), [], pairs.named)
    except InputError as error:
        raise InputError(f"{error.message}; or give a file of answers", file=data[0]) from None
    note(f"{data[0]}: each row has a problem and its answer, in '{fields.answer}'")
    return instances, [AnswerFile(answers[0], FORMATS[FORMAT], fields, given=pairs.rows)]


def _with_advice(error: RecordError) -> None:
    """Say in an error of a dataset that it is a file of answers, if it has no problems."""
    path = Path(error.file or "")
    with suppress(InputError):
        form, first = answer_file(path).form.name, next(answer_rows(path)).value
        if form != FORMAT or row_format(first) is None:
            error.message += f"; this is a file of answers, expected {_USAGE}"


def check_applicable(judge: Judge, files: Sequence[AnswerFile], asked: _AnswerOptions) -> None:
    """Check that the options apply to the data and the answers.

    Raises:
        InputError: ``--reading`` or ``--lenient-values`` has no effect.
    """
    first = {instance.domain: instance for instance in reversed(judge.instances.values())}
    readers = [readers_of(each, judge.task(each.id)) for each in first.values()]
    found, forms = ", ".join(sorted(first)), {file.form.name for file in files}
    if asked.reading == _PLANBENCH and not any(
        asked.reading in reader.others for reader in readers
    ):
        raise InputError(f"--reading planbench is for blocksworld and Mystery, found {found}")
    if asked.reading == _RAW and not any(_PLANBENCH in form for form in forms):
        form = ", ".join(sorted(forms))
        raise InputError(f"--reading raw is for results of PlanBench, found the format {form}")
    if asked.lenient_values and not any(reader.has_rules for reader in readers):
        raise InputError(f"--lenient-values is for countdown, found {found}")


def check_groupings(tally: Tally, files: Sequence[AnswerFile]) -> None:
    """Check that each field to group by occurs in the data or in a row of the answers.

    Raises:
        InputError: a field occurs in neither.
    """
    for name in tally.answer_fields:
        rows = chain.from_iterable(file.rows() for file in files)
        if not any(isinstance(row.value, dict) and name in row.value for row in rows):
            known = sorted({*GROUPING_NAMES}.union(*map(fields_of, tally.instances.values())))
            missing = f"--by: '{name}' is not one of the fields of the data or the answers"
            raise InputError(f"{missing}{hint(name, known)}")


_PRINTED_FAULTS: Final = 20


class _ScoreCommand(Command):
    """A command whose option ``--answers`` takes one or more files: ``--answers A B C``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; see `click.Command.parse_args`."""
        return super().parse_args(ctx, list(_repeated(args)))


def _repeated(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the arguments with the option before each of its files."""
    files = -1  # the number of files since the option; -1 after another option
    for argument in arguments:
        if argument.startswith("-") and argument != STANDARD:
            files = 0 if argument == MANY else -1
        elif files >= 0:
            files += 1
            if files > 1:
                yield MANY
        yield argument


@dataclass(frozen=True)
class _AnswerOptions:
    """Which answers are read, and how."""

    answers: Annotated[tuple[Path, ...], click.option(
        "--answers", type=INPUT, multiple=True, metavar="FILE...",
        help="Files of answers, instead of ANSWERS; - is standard input.",
    ), "Answers"]  # fmt: skip
    columns: AnswerColumns
    output: Annotated[Path | None, click.option(
        "-o", "output", type=OUTPUT, help="Write one line of JSON per answer, in order."
    ), "Output"]  # fmt: skip
    reading: Annotated[str, click.option(
        "--reading", type=click.Choice([OWN, _RAW, _PLANBENCH]), default=OWN, show_default=True,
        help="How answers are read: by this project's rules (own), of PlanBench's results the "
        "model's raw response instead of the extracted plan (raw), or by the rules of PlanBench's "
        "parser in blocksworld and Mystery (planbench).",
    ), "Answers"]  # fmt: skip
    task: Annotated[str, click.option(
        "--task", type=click.Choice([_PLAN, PDDL, _QUESTIONS]), default=_PLAN, show_default=True,
        help="What the model was asked for: a plan, the problem in PDDL, or the questions in DATA. "
        "A problem is right if it is the instance's task up to names and implied goal facts, and "
        "has a plan.",
    ), "Answers"]  # fmt: skip
    lenient_values: Annotated[bool, click.option(
        "--lenient-values", is_flag=True,
        help="Judge a countdown expression alone. Without it, an answer with a false value, such "
        "as (3+5-4)*6 = 25, is not valid.",
    ), "Answers"]  # fmt: skip
    rules: Rules
    mark: Annotated[str, click.option(
        "--mark", metavar="TEXT", default="",
        help="The text that you asked for before final answers. What stands behind it is read, as "
        "in <answer>.",
    ), "Answers"]  # fmt: skip
    workers: Annotated[int, click.option(
        "-j", "workers", type=click.IntRange(min=1), metavar="N", default=1, show_default=True,
        help="Number of processes that judge answers. The output is the same.",
    ), "Answers"]  # fmt: skip

    def paths(self, data: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[Path, ...]]:
        """Return data and answers; without ``--answers``, the last of the data is the answers.

        Raises:
            InputError: there are no data, or a file is given twice.
        """
        if not data:
            raise click.UsageError(f"Missing argument 'DATA'. All paths after {MANY} are answers")
        answers = self.answers or (path_of(data[-1]),)
        if not self.answers and len(data) > 1:
            data = data[:-1]
        for number, path in enumerate(answers):
            if path in answers[:number]:
                raise InputError("is given twice", file=str(path))
        return data, answers


@cli_command(
    "score", "score examples/blocksworld.jsonl answers.jsonl -o scored.jsonl",
    "score examples/blocksworld.jsonl answers.jsonl --html score.html", kind=_ScoreCommand,
    requires={"pages": "html"},
)  # fmt: skip
def command(
    data: Annotated[
        tuple[str, ...], click.argument("data", type=DATASET, nargs=-1, metavar="DATA... [ANSWERS]")
    ],
    asked: _AnswerOptions,
    shown: ScoreOutput,
    source: DataOptions,
) -> int:
    """Score the answers of language models.

    DATA are files in any format that `pddl-pipeline list formats` shows, or folders of PDDL. A
    table with a problem and an answer in each row is given alone: score TABLE. Otherwise, ANSWERS
    is a file of lines such as {"id": "bw-5-0", "answer": "..."}, a table (CSV, TSV,
    Parquet), a result file of PlanBench, a log of Tree of Thoughts or the output of a batch of
    OpenAI or Anthropic. Multiple answers to one instance count as attempts, and so do those of a
    list. Results are grouped by `model` if that field is present.

    Exit status: 0 all answers correct, 1 some answers wrong, 2 bad input (including a row that is
    not an answer), 3 some answers without a verdict.
    """
    reading = replace(source.reading(), rules=asked.rules)
    data, answers = asked.paths(data)
    shown.check()
    if asked.task == _QUESTIONS:
        return _score_questions((*data, *map(str, answers)), asked, shown)
    if asked.task == PDDL:
        reject(("reading", "lenient_values"), "does not apply to --task pddl")
    try:
        instances, files = read_scored(data, answers, asked.columns, reading)
    except RecordError as error:
        _with_advice(error)
        raise
    tally = Tally(instances, by=shown.groupings)
    is_raw = asked.reading == _RAW
    reading_of = {_PLAN: OWN if is_raw else asked.reading, PDDL: PDDL}
    lines = [*([score_line] if asked.output else []), *([entry_line] if shown.html else [])]
    # Rows are written as they come, and to compare two problems may take seconds.
    rows = 1 if asked.task == PDDL else ROWS
    work = ScoringWork(
        [*tally.instances.values()], AnswerSource(files, raw=is_raw, mark=asked.mark, rows=rows),
        reading_of[asked.task], lenient_values=asked.lenient_values,
        fields=tally.answer_fields, lines=lines,
    )  # fmt: skip
    judge = BatchJudge(work)
    check_applicable(judge.judge, files, asked)
    check_groupings(tally, files)
    scored = Scored(
        tally, ErrorExamples(EXAMPLES if shown.pages else 0), judge, data, answers,
        AnswerEntries() if shown.html else None,
    )  # fmt: skip
    _count(scored, asked.workers, asked.output)
    if tally.doubt is not None:
        warn(f"{tally.doubt}; is {', '.join(data)} another dataset with the same ids?")
    shown.write(scored)
    if tally.faults:
        return BAD_INPUT
    if tally.undecided:
        return UNEXPLAINED
    return DONE if tally.all_right else NOT_VALID


def _score_questions(files: tuple[str, ...], asked: _AnswerOptions, shown: ScoreOutput) -> int:
    allowed = {"task", "answers", "output", "html", "as_json"}
    allow_only(allowed, f"does not apply to --task {_QUESTIONS}")
    if len(files) > 2:
        raise InputError(f"--task {_QUESTIONS} accepts one file of questions and one of answers")
    questions, answers = map(Path, files)
    return score_questions(questions, answers, asked.output, shown.html, as_json=shown.as_json)


def _count(scored: Scored, workers: int, output: Path | None) -> None:
    """Judge and count the answers, and write a line for each to `output` unless that is None.

    Print the first rows that are not answers.

    Raises:
        KeyboardInterrupt: the user interrupted the command; the message says what is written.
    """
    faults = 0

    def report_fault(score: Score) -> None:
        nonlocal faults
        faults += 1
        if faults <= _PRINTED_FAULTS:
            click.echo(str(InputError(score.fault or "", file=score.answer.place)), err=True)

    with (
        scores_in_view(output) as stream,
        judged_batches(scored.judge, workers) as batches,
    ):
        writers = [each.write for each in (stream, scored.entries) if each is not None]
        counter = BatchCounter(scored.judge, scored.tally, writers, report_fault, scored.examples)
        for each in progress(batches, "scoring", amount=lambda found: len(found[1])):
            counter.add(*each)
    if faults > _PRINTED_FAULTS:
        click.echo(f"and {faults - _PRINTED_FAULTS} more rows that are not answers", err=True)
