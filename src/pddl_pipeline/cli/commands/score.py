"""``pddl-pipeline score``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Final

import click

from pddl_pipeline.answers.readers import readers_of
from pddl_pipeline.cli.console import QUIET, note, progress
from pddl_pipeline.cli.options import (
    DATASET,
    INPUT,
    OUTPUT,
    DataOptions,
    cli_command,
    is_given,
    path_of,
)
from pddl_pipeline.cli.score_output import Scored, ScoreOutput
from pddl_pipeline.cli.status import BAD_INPUT, DONE, NOT_VALID, UNEXPLAINED, warn
from pddl_pipeline.io.files import check_outputs, writing
from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.scoring.answer import OWN_FIELDS
from pddl_pipeline.scoring.answer_files import AnswerFile, AnswerSource, answer_file
from pddl_pipeline.scoring.answer_formats import FORMATS
from pddl_pipeline.scoring.answer_rows import decoded
from pddl_pipeline.scoring.batches import BatchCounter, BatchJudge, ScoringWork, judged_batches
from pddl_pipeline.scoring.grouping import (
    GROUPING_NAMES,
    GROUPINGS,
    NO_BUDGET,
    fields_of,
    plan_length,
)
from pddl_pipeline.scoring.judging import OWN, Score
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.scoring.tally import Tally
from pddl_pipeline.translators.datasets import load_records
from pddl_pipeline.translators.formats.format import ReadOptions

MANY: Final = "--answers"
_PLANBENCH: Final = "planbench"


def read_data(data: tuple[str, ...], how: ReadOptions) -> list[Instance[Any]]:
    """Return the instances. If a file of answers was given as data, the error says so."""
    try:
        return list(progress(load_records(*data, source=how), "reading"))
    except InputError as error:
        if error.file in data and _has_answers(Path(error.file)):
            advice = f"; if this is a file of answers, name it after {MANY}"
            error.message += advice
        raise


def _has_answers(path: Path) -> bool:
    try:
        answer_file(path)
    except InputError:
        return False
    return True


def answer_files(
    files: Sequence[Path], form: str | None, id_field: str | None, answer_field: str | None
) -> list[AnswerFile]:
    """Return how each file is read, and print which fields are used if that is not obvious.

    Raises:
        InputError: a file cannot be read, or ``--text`` is given and no file is PlanBench's.
    """
    found = [answer_file(path, form=form, id_field=id_field, answer_field=answer_field)
             for path in files]  # fmt: skip
    for each in found:
        others = " and ".join(f"'{name}'" for name in each.others)
        if each.fields != OWN_FIELDS or others:
            line = f"{each.path}: ids are in '{each.fields.id}', answers in '{each.fields.answer}'"
            note(f"{line}, not in {others}" if others else line)
    if is_given("text") and not any(_PLANBENCH in each.form.name for each in found):
        names = ", ".join(sorted({each.form.name for each in found}))
        raise InputError(f"--text is for results of PlanBench, found answers in format {names}")
    return found


def check_applicable(
    judge: Judge, reading: str, by: Sequence[str], *, lenient_values: bool
) -> None:
    """Check that the options apply to the data.

    Raises:
        InputError: no instance has the reading, or the property to group by.
    """
    first = {instance.domain: instance for instance in reversed(judge.instances.values())}
    if reading != OWN and not any(
        reading in readers_of(each, judge.task(each.id)).others for each in first.values()
    ):
        domains = ", ".join(sorted(first))
        raise InputError(f"--reading {reading} is for blocksworld and Mystery, found {domains}")
    if lenient_values and not any(
        readers_of(each, judge.task(each.id)).has_rules for each in first.values()
    ):
        raise InputError(f"--lenient-values is for countdown, found {', '.join(sorted(first))}")
    instances = judge.instances.values()
    if "horizon" in by and all(plan_length(each) is None for each in instances):
        fields = "field 'optimal_cost' or 'witness'"
        raise InputError(f"--by horizon: no instance has a known plan length ({fields})")
    if "budget" in by and all(GROUPINGS["budget"](each) == NO_BUDGET for each in instances):
        raise InputError("--by budget: no instance has a budget")


def check_groupings(tally: Tally, files: Sequence[AnswerFile]) -> None:
    """Check that each field to group by occurs in the data or in a row of the answers.

    Raises:
        InputError: a field occurs in neither.
    """
    for name in tally.answer_fields:
        rows = chain.from_iterable(decoded(each.form.rows(each.path)) for each in files)
        if not any(isinstance(row.value, dict) and name in row.value for row in rows):
            known = sorted({*GROUPING_NAMES}.union(*map(fields_of, tally.instances.values())))
            missing = f"--by: '{name}' is not one of the fields of the data or the answers"
            other = hint(name, known)
            raise InputError(f"{missing}{other}")


_PRINTED_FAULTS: Final = 20


class _ScoreCommand(click.Command):
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
    )]  # fmt: skip
    answer_field: Annotated[str | None, click.option(
        "--answer-field", metavar="NAME",
        help="Field or column with the answer. Recognised and printed if omitted.",
    )]  # fmt: skip
    id_field: Annotated[str | None, click.option(
        "--id-field", metavar="NAME",
        help="Field or column with the id of the instance. Recognised and printed if omitted.",
    )]  # fmt: skip
    output: Annotated[Path | None, click.option(
        "-o", "output", type=OUTPUT, help="Write one line of JSON per answer, in order."
    )]  # fmt: skip
    text: Annotated[str, click.option(
        "--text", type=click.Choice(["extracted", "raw"]), default="extracted", show_default=True,
        help="Text of PlanBench's results to judge: the plan that PlanBench extracted and "
        "validated, or the model's raw response.",
    )]  # fmt: skip
    answers_format: Annotated[str | None, click.option(
        "--answers-format", metavar="F", type=click.Choice(list(FORMATS)),
        help=f"Format of the answers: {', '.join(FORMATS)}. Detected if omitted.",
    )]  # fmt: skip
    reading: Annotated[str, click.option(
        "--reading", type=click.Choice([OWN, "planbench"]), default=OWN, show_default=True,
        help="Rules for the tolerant reading of answers: this project's (own), or those of "
        "PlanBench's parser in blocksworld and Mystery.",
    )]  # fmt: skip
    lenient_values: Annotated[bool, click.option(
        "--lenient-values", is_flag=True,
        help="Judge a countdown expression alone. Without it, an answer with a false value, such "
        "as (3+5-4)*6 = 25, is not valid.",
    )]  # fmt: skip
    workers: Annotated[int, click.option(
        "-j", "workers", type=click.IntRange(min=1), default=1, show_default=True,
        help="Number of processes that judge answers. The output is the same.",
    )]  # fmt: skip

    def paths(self, data: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[Path, ...]]:
        """Return data and answers; without ``--answers``, the last of the data is the answers.

        Raises:
            InputError: there are no data or no answers, or a file is given twice.
        """
        answers = self.answers
        if not answers and len(data) > 1:
            data, answers = data[:-1], (path_of(data[-1]),)
        if not answers:
            raise click.UsageError(f"Missing argument 'ANSWERS', a file of answers, or {MANY} FILE")
        if not data:
            raise click.UsageError(f"Missing argument 'DATA'. All paths after {MANY} are answers")
        for number, path in enumerate(answers):
            if path in answers[:number]:
                raise InputError("is given twice", file=str(path))
        return data, answers


@QUIET
@cli_command(
    "score", "score examples/blocksworld.jsonl answers.jsonl -o scored.jsonl", _ScoreCommand
)
def command(
    data: Annotated[tuple[str, ...], click.argument(
        "data", type=DATASET, nargs=-1, metavar="DATA... [ANSWERS]"
    )],
    asked: _AnswerOptions,
    shown: ScoreOutput,
    source: DataOptions,
) -> int:  # fmt: skip
    """Score the answers of language models.

    DATA are files in any format that `pddl-pipeline domains` lists, or folders of PDDL. ANSWERS
    is a file of lines such as {"id": "bw-5-0", "answer": "..."}, a table (CSV, TSV, Parquet), a
    result file of PlanBench, a log of Tree of Thoughts or the output of a batch of OpenAI or
    Anthropic. Multiple answers to one instance count as attempts, and so do those of a list.
    Results are grouped by `model` if that field is present.

    Exit status: 0 all answers correct, 1 some answers wrong, 2 bad input (including a row that is
    not an answer), 3 some answers without a verdict.
    """
    reading = source.reading()
    data, answers = asked.paths(data)
    check_outputs((asked.output, *shown.files), (*data, *answers, source.domain))
    shown.check()
    files = answer_files(answers, asked.answers_format, asked.id_field, asked.answer_field)
    tally = Tally(read_data(data, reading), by=shown.groupings)
    work = ScoringWork(
        [*tally.instances.values()], AnswerSource(files, raw=asked.text == "raw"), asked.reading,
        lenient_values=asked.lenient_values, fields=tally.answer_fields,
        with_lines=asked.output is not None,
    )  # fmt: skip
    judge = BatchJudge(work)
    check_applicable(judge.judge, asked.reading, shown.by, lenient_values=asked.lenient_values)
    check_groupings(tally, files)
    scored = Scored(tally, shown.examples(), judge, data, answers)
    _count(scored, asked.workers, asked.output)
    if tally.doubt is not None:
        warn(f"{tally.doubt}; is {', '.join(data)} another dataset with the same ids?")
    shown.write(scored)
    if tally.faults:
        return BAD_INPUT
    if tally.undecided:
        return UNEXPLAINED
    return DONE if tally.all_right else NOT_VALID


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

    try:
        with (
            nullcontext() if output is None else writing(output) as stream,
            judged_batches(scored.judge, workers) as batches,
        ):
            counter = BatchCounter(
                scored.judge, scored.tally, stream, report_fault, scored.examples
            )
            for each in progress(batches, "scoring", amount=lambda found: len(found[1])):
                counter.add(*each)
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt("interrupted; no scores were written") from error
    if faults > _PRINTED_FAULTS:
        click.echo(f"and {faults - _PRINTED_FAULTS} more rows that are not answers", err=True)
