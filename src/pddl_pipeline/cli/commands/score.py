"""``pddl-pipeline score``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Final

import click

from pddl_pipeline.cli.exit_status import BAD_INPUT, DONE, NOT_VALID, UNEXPLAINED
from pddl_pipeline.cli.messages import warn
from pddl_pipeline.cli.options import DataOptions, cli_command, is_given
from pddl_pipeline.cli.parameters import DATASET, INPUT, OUTPUT, path_of
from pddl_pipeline.cli.progress import QUIET, progress
from pddl_pipeline.cli.score_input import (
    MANY,
    answer_files,
    check_applicable,
    check_groupings,
    read_data,
)
from pddl_pipeline.cli.score_output import Scored, ScoreOutput
from pddl_pipeline.io.files import check_outputs, writing
from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.plural import plural
from pddl_pipeline.scoring.answer_batches import AnswerSource
from pddl_pipeline.scoring.answer_files import answer_formats
from pddl_pipeline.scoring.batch_counting import BatchCounter
from pddl_pipeline.scoring.batch_judging import BatchJudge, ScoringWork
from pddl_pipeline.scoring.former_scores import FormerScores
from pddl_pipeline.scoring.judging import OWN, Score
from pddl_pipeline.scoring.published import published_doubt
from pddl_pipeline.scoring.score_cluster import ClusterScorePool
from pddl_pipeline.scoring.score_pools import JudgedBatch, ProcessPool, ScorePool, SerialPool
from pddl_pipeline.scoring.tally import Tally

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
        "--answers-format", metavar="F", type=click.Choice(list(answer_formats())),
        help=f"Format of the answers: {', '.join(answer_formats())}. Detected if omitted.",
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
    scheduler: Annotated[str | None, click.option(
        "--scheduler", metavar="ADDRESS",
        help="Judge on the Dask cluster of this scheduler, such as tcp://node1:8786, instead of on "
        "this machine.",
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
        if self.scheduler is not None and is_given("workers"):
            reason = "the cluster's workers determine where answers are judged"
            raise InputError(f"-j cannot be combined with --scheduler: {reason}")
        return data, answers

    @contextmanager
    def judged(self, judge: BatchJudge) -> Iterator[Iterator[JudgedBatch]]:
        """Return the judged batches in order, and end the processes that judge them at the end.

        Raises:
            InputError: there is no scheduler at the address.
            KeyboardInterrupt: the user interrupted the command; the message says what is written.
        """
        batches = judge.work.source.batches()
        # Processes are started for files of several batches only.
        first = list(islice(batches, 2)) if self.scheduler is None and self.workers > 1 else []
        pool: ScorePool = SerialPool(judge)
        if self.scheduler is not None:
            pool = ClusterScorePool(self.scheduler, judge.work)
        elif len(first) > 1:
            pool = ProcessPool(judge, self.workers, warn)
        try:
            yield pool.judged(chain(first, batches))
        except KeyboardInterrupt as error:
            raise KeyboardInterrupt("interrupted; no scores were written") from error
        finally:
            pool.close()


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
    tally = Tally(read_data(data, reading), by=shown.groupings, kept=shown.k)
    work = ScoringWork(
        [*tally.instances.values()], AnswerSource(files, raw=asked.text == "raw"), asked.reading,
        lenient_values=asked.lenient_values, fields=tally.answer_fields,
        with_lines=asked.output is not None,
    )  # fmt: skip
    judge = BatchJudge(work)
    check_applicable(judge.judge, asked.reading, shown.by, lenient_values=asked.lenient_values)
    check_groupings(tally, files)
    scored = Scored(tally, shown.examples(), judge, data, answers)
    with asked.judged(judge) as batches:
        _count(scored, batches, asked.output)
    doubt = published_doubt(tally)
    if doubt is not None:
        warn(f"{doubt}; is {', '.join(data)} another dataset with the same ids?")
    shown.write(scored)
    if tally.faults:
        return BAD_INPUT
    if tally.undecided:
        return UNEXPLAINED
    return DONE if tally.all_right else NOT_VALID


def _count(scored: Scored, batches: Iterable[JudgedBatch], output: Path | None) -> None:
    """Count the judged answers, and write a line for each to `output` unless that is None.

    Print the first rows that are not answers, and what replaces verdicts of older versions.
    """
    former, faults = FormerScores(output), 0

    def report_fault(score: Score) -> None:
        nonlocal faults
        faults += 1
        if faults <= _PRINTED_FAULTS:
            click.echo(str(InputError(score.fault or "", file=score.answer.place)), err=True)

    with nullcontext() if output is None else writing(output) as stream:
        counter = BatchCounter(
            scored.judge, scored.tally, former, stream, report_fault, examples=scored.examples
        )
        for each in progress(batches, "scoring", amount=lambda found: len(found.answers)):
            counter.add(*each)
    if faults > _PRINTED_FAULTS:
        click.echo(f"and {faults - _PRINTED_FAULTS} more rows that are not answers", err=True)
    for version, number in sorted(former.versions.items()):
        verdicts = f"{number} {plural(number, 'verdict')} of version {version}"
        click.echo(f"{output}: replaced {verdicts}", err=True)
    for change in former.changes:
        by = f" ({change.model})" if change.model else ""
        name = f"{change.id}, attempt {change.attempt}{by}"
        click.echo(f"  {name}: {change.old} -> {change.new}", err=True)
