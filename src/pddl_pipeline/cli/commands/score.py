"""``pddl-pipeline score``."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Final

import click

from pddl_pipeline.cli.data_options import source
from pddl_pipeline.cli.exit_status import BAD_INPUT, DONE, NOT_VALID, UNEXPLAINED
from pddl_pipeline.cli.file_type import INPUT, OUTPUT, DatasetType
from pddl_pipeline.cli.messages import warn
from pddl_pipeline.cli.progress import QUIET, progress
from pddl_pipeline.cli.score_input import (
    ScoreCommand,
    answer_files,
    check_applicable,
    check_groupings,
    paths,
    read_data,
)
from pddl_pipeline.cli.score_output import ScoreOutput, score_output
from pddl_pipeline.cli.score_page import Scored
from pddl_pipeline.cli.score_places import Places, judged_batches, places
from pddl_pipeline.io.files import check_outputs, writing
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.plural import plural
from pddl_pipeline.scoring.answer_batches import AnswerSource
from pddl_pipeline.scoring.answer_files import answer_formats
from pddl_pipeline.scoring.batch_counting import BatchCounter
from pddl_pipeline.scoring.batch_judging import BatchJudge, ScoringWork
from pddl_pipeline.scoring.former_scores import FormerScores
from pddl_pipeline.scoring.judging import OWN, Score
from pddl_pipeline.scoring.published import published_doubt
from pddl_pipeline.scoring.score_pools import JudgedBatch
from pddl_pipeline.scoring.tally import Tally
from pddl_pipeline.translators.datasets import ReadOptions

_PRINTED_FAULTS: Final = 20


@click.command(
    "score",
    cls=ScoreCommand,
    epilog="Example: pddl-pipeline score examples/blocksworld.jsonl answers.jsonl -o scored.jsonl",
)
@click.argument("data", type=DatasetType(), nargs=-1, metavar="DATA... [ANSWERS]")
@click.option("--answers", type=INPUT, multiple=True, metavar="FILE...",
    help="Files of answers, instead of ANSWERS; - is standard input.")  # fmt: skip
@click.option("--answer-field", metavar="NAME",
    help="Field or column with the answer. Recognised and printed if omitted.")  # fmt: skip
@click.option("--id-field", metavar="NAME",
    help="Field or column with the id of the instance. Recognised and printed if omitted.",
)  # fmt: skip
@click.option("-o", "output", type=OUTPUT, help="Write one line of JSON per answer, in order.")
@click.option("--text", type=click.Choice(["extracted", "raw"]), default="extracted",
    show_default=True, help="Text of PlanBench's results to judge: the plan that PlanBench "
    "extracted and validated, or the model's raw response.")  # fmt: skip
@click.option("--answers-format", metavar="F", type=click.Choice(list(answer_formats())),
    help=f"Format of the answers: {', '.join(answer_formats())}. Detected if omitted.",
)  # fmt: skip
@click.option("--reading", type=click.Choice([OWN, "planbench"]), default=OWN,
    show_default=True, help="Rules for the tolerant reading of answers: this project's (own), or "
    "those of PlanBench's parser in blocksworld and Mystery.")  # fmt: skip
@click.option("--lenient-values", is_flag=True, help="Judge a countdown expression alone. Without "
    "it, an answer with a false value, such as (3+5-4)*6 = 25, is not valid.")  # fmt: skip
@places
@score_output
@source
@QUIET
def command(  # noqa: PLR0913 -- one parameter an option
    *,
    data: tuple[str, ...],
    answers: tuple[Path, ...],
    id_field: str | None,
    answer_field: str | None,
    output: Path | None,
    text: str,
    answers_format: str | None,
    reading: str,
    lenient_values: bool,
    where: Places,
    how: ReadOptions,
    shown: ScoreOutput,
) -> int:
    """Score the answers of language models.

    DATA are files in any format that `pddl-pipeline domains` lists, or folders of PDDL. ANSWERS
    is a file of lines such as {"id": "bw-5-0", "answer": "..."}, a table (CSV, TSV, Parquet), a
    result file of PlanBench, a log of Tree of Thoughts or the output of a batch of OpenAI or
    Anthropic. Multiple answers to one instance count as attempts, and so do those of a list.
    Results are grouped by `model` if that field is present.

    Exit status: 0 all answers correct, 1 some answers wrong, 2 bad input (including a row that is
    not an answer), 3 some answers without a verdict.
    """
    data, answers = given = paths(data, answers)
    check_outputs((output, *shown.files), (*data, *answers, how.domain))
    shown.check()
    files = answer_files(answers, answers_format, id_field, answer_field)
    tally = Tally(read_data(data, how), by=shown.by, kept=shown.k)
    work = ScoringWork(
        [*tally.instances.values()], AnswerSource(files, raw=text == "raw"), reading,
        lenient_values=lenient_values, fields=tally.answer_fields, with_lines=output is not None,
    )  # fmt: skip
    judge = BatchJudge(work)
    check_applicable(judge.judge, reading, shown.by, lenient_values=lenient_values)
    check_groupings(tally, files)
    scored = Scored(tally, shown.page.examples(), judge, given)
    with judged_batches(judge, where) as batches:
        _count(scored, batches, output)
    _warn_of_doubt(tally, data)
    shown.write(scored)
    return _exit_status(tally)


def _count(scored: Scored, batches: Iterable[JudgedBatch], output: Path | None) -> None:
    """Count the judged answers, and write a line for each to `output` unless that is None."""
    former, faults = FormerScores(output), _FaultReport()
    with nullcontext() if output is None else writing(output) as stream:
        counter = BatchCounter(
            scored.judge, scored.tally, former, stream, faults.add, examples=scored.examples
        )
        for each in progress(batches, "scoring", amount=lambda found: len(found.answers)):
            counter.add(*each)
    faults.end()
    _report_former(former, output)


class _FaultReport:
    """Prints the first rows that are not answers, then the number of others."""

    def __init__(self) -> None:
        self._faults = 0

    def add(self, score: Score) -> None:
        """Print the fault of a score, or only count it."""
        self._faults += 1
        if self._faults <= _PRINTED_FAULTS:
            click.echo(str(InputError(score.fault or "", file=score.answer.place)), err=True)

    def end(self) -> None:
        """Print the number of faults that were not printed."""
        if self._faults > _PRINTED_FAULTS:
            more = self._faults - _PRINTED_FAULTS
            click.echo(f"and {more} more rows that are not answers", err=True)


def _report_former(former: FormerScores, output: Path | None) -> None:
    """Print which verdicts of older versions the new ones replace, and each that changed."""
    for version, number in sorted(former.versions.items()):
        verdicts = f"{number} {plural(number, 'verdict')} of version {version}"
        click.echo(f"{output}: replaced {verdicts}", err=True)
    for each in former.changes:
        by = f" ({each.model})" if each.model else ""
        click.echo(f"  {each.id}, attempt {each.attempt}{by}: {each.old} -> {each.new}", err=True)


def _warn_of_doubt(tally: Tally, data: tuple[str, ...]) -> None:
    doubt = published_doubt(tally)
    if doubt is not None:
        question = f"is {', '.join(data)} another dataset with the same ids?"
        warn(f"{doubt}; {question}")


def _exit_status(tally: Tally) -> int:
    if tally.faults:
        return BAD_INPUT
    if tally.undecided:
        return UNEXPLAINED
    return DONE if tally.all_right else NOT_VALID
