"""``pddl-pipeline score``."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Final

import click

from pddl_pipeline.cli.console import output_console
from pddl_pipeline.cli.data_options import source
from pddl_pipeline.cli.exit_status import BAD_INPUT, DONE, NOT_VALID, UNEXPLAINED
from pddl_pipeline.cli.file_type import INPUT, OUTPUT, DatasetType
from pddl_pipeline.cli.messages import warn
from pddl_pipeline.cli.options import JSON
from pddl_pipeline.cli.progress import QUIET, progress
from pddl_pipeline.cli.score_input import (
    ScoreCommand,
    answer_files,
    check_applicable,
    check_groupings,
    paths,
    read_data,
)
from pddl_pipeline.cli.score_places import Places, judged_batches, places
from pddl_pipeline.io.files import check_outputs, write_bytes, write_file, writing
from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.scoring.answer_batches import AnswerSource
from pddl_pipeline.scoring.answer_files import answer_formats
from pddl_pipeline.scoring.batch_counting import BatchCounter
from pddl_pipeline.scoring.batch_judging import BatchJudge, ScoringWork
from pddl_pipeline.scoring.former_scores import FormerScores
from pddl_pipeline.scoring.grouping import GROUPINGS
from pddl_pipeline.scoring.judging import OWN, Score
from pddl_pipeline.scoring.published import published_doubt
from pddl_pipeline.scoring.score_pools import JudgedBatch
from pddl_pipeline.scoring.score_rows import group_rows
from pddl_pipeline.scoring.score_tables import (
    ScoreTables,
    all_rows_table,
    error_table,
    group_table,
    model_table,
    score_tables,
    tables_json,
)
from pddl_pipeline.scoring.tally import Tally
from pddl_pipeline.translators import size_unit
from pddl_pipeline.translators.datasets import ReadOptions

_PRINTED_FAULTS: Final = 20
_BY_MODEL: Final = "model"


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
@click.option("--k", type=click.IntRange(min=1), default=5, show_default=True,
    help="Number of attempts for accuracy@k and pass@k.")  # fmt: skip
@click.option("--by", multiple=True, default=["size"], show_default=True, metavar="NAME",
    help=f"Tables to print after the one by model: {', '.join(GROUPINGS)}, or any field of the "
    "data or the answers; may be repeated.")  # fmt: skip
@click.option("--plot", type=OUTPUT,
    help="Write a plot of accuracy by size: .png, .pdf or .svg.")  # fmt: skip
@click.option("--csv", "table", type=OUTPUT, help="Write all rows by model and group as CSV.")
@click.option("--text", type=click.Choice(["extracted", "raw"]), default="extracted",
    show_default=True, help="Text of PlanBench's results to judge: the plan that PlanBench "
    "extracted and validated, or the model's raw response.")  # fmt: skip
@click.option("--answers-format", metavar="F", type=click.Choice(list(answer_formats())),
    help=f"Format of the answers: {', '.join(answer_formats())}. Detected if omitted.",
)  # fmt: skip
@click.option("--reading", type=click.Choice([OWN, "planbench"]), default=OWN,
    show_default=True, help="Rules for the tolerant reading of answers: this project's (own), or "
    "those of PlanBench's parser in blocksworld and Mystery.")  # fmt: skip
@click.option("--lenient-values", is_flag=True, help="Judge a countdown expression alone. Else an "
    "answer that states a false value for it, such as (3+5-4)*6 = 25, is not valid.")  # fmt: skip
@places
@JSON
@source
@QUIET
def command(  # noqa: PLR0913 -- one parameter an option
    *,
    data: tuple[str, ...],
    answers: tuple[Path, ...],
    id_field: str | None,
    answer_field: str | None,
    output: Path | None,
    k: int,
    by: tuple[str, ...],
    plot: Path | None,
    table: Path | None,
    text: str,
    answers_format: str | None,
    reading: str,
    lenient_values: bool,
    where: Places,
    how: ReadOptions,
    as_json: bool,
) -> int:
    """Score the answers of language models.

    DATA are files in any format that `pddl-pipeline domains` lists, or folders of PDDL. ANSWERS
    is a file of lines such as {"id": "bw-5-0", "answer": "..."}, a table (CSV, TSV, Parquet), a
    result file of PlanBench, a log of Tree of Thoughts or the output of an OpenAI batch. Multiple
    answers to one instance count as attempts. Results are grouped by `model` if that field is
    present.

    Exit status: 0 all answers correct, 1 some answers wrong, 2 bad input (including a row that is
    not an answer), 3 some answers without a verdict.
    """
    data, answers = paths(data, answers)
    check_outputs((output, table, plot), (*data, *answers, how.domain))
    _check_plot(plot)
    files = answer_files(answers, answers_format, id_field, answer_field)
    by = tuple(name for name in by if name != _BY_MODEL)
    tally = Tally(read_data(data, how), by=by, kept=k)
    work = ScoringWork(
        [*tally.instances.values()], AnswerSource(files, raw=text == "raw"), reading,
        lenient_values=lenient_values, fields=tally.answer_fields, with_lines=output is not None,
    )  # fmt: skip
    judge = BatchJudge(work)
    check_applicable(judge.judge, reading, by, lenient_values=lenient_values)
    check_groupings(tally, files)
    with judged_batches(judge, where) as batches:
        _count(tally, judge, batches, output)
    tables = score_tables(tally, by, k)
    _write(tally, tables, table, plot)
    _print(tables, as_json=as_json)
    _warn_of_doubt(tally, data)
    return _exit_status(tally)


def _count(
    tally: Tally, judge: BatchJudge, batches: Iterable[JudgedBatch], output: Path | None
) -> None:
    """Count the judged answers, and write a line for each to `output` unless that is None."""
    former, faults = FormerScores(output), _FaultReport()
    with nullcontext() if output is None else writing(output) as stream:
        counter = BatchCounter(judge, tally, former, stream, faults.add)
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
        verdicts = f"{number} verdict{'' if number == 1 else 's'} of version {version}"
        click.echo(f"{output}: replaced {verdicts}", err=True)
    for each in former.changes:
        by = f" ({each.model})" if each.model else ""
        click.echo(f"  {each.id}, attempt {each.attempt}{by}: {each.old} -> {each.new}", err=True)


def _check_plot(plot: Path | None) -> None:
    if plot is not None:
        _plot_form(plot)


def _plot_form(plot: Path) -> str:
    """Return the file format of a plot.

    Raises:
        InputError: matplotlib is missing, or the name ends in an unknown suffix.
    """
    try:
        from pddl_pipeline.tables.plot_style import PLOT_FORMS  # noqa: PLC0415
    except ImportError as error:
        fix = install_command("report")
        raise InputError(f"plots require matplotlib; fix: {fix}", file=str(plot)) from error
    if str(plot) == STANDARD:
        return "png"
    form = plot.suffix.lower().removeprefix(".")
    if form not in PLOT_FORMS:
        raise InputError("expected a name that ends in .png, .pdf or .svg", file=str(plot))
    return form


def _write(tally: Tally, tables: ScoreTables, table: Path | None, plot: Path | None) -> None:
    """Write the files that were asked for."""
    if table is not None:
        write_file(table, all_rows_table(tables).to_csv())
    if plot is not None:
        _write_plot(plot, tally, tables.k)


def _write_plot(plot: Path, tally: Tally, k: int) -> None:
    from pddl_pipeline.scoring.accuracy_plot import accuracy_plot  # noqa: PLC0415 -- an extra

    rows = group_rows(tally, "size", k)
    if not rows:
        click.echo(f"{plot}: not written, because no answer was judged", err=True)
        return
    units: dict[str | None, str] = {i.domain: size_unit(i) for i in tally.instances.values()}
    if len(units) == 1:
        units[None] = next(iter(units.values()))
    write_bytes(plot, accuracy_plot(rows, units, _plot_form(plot)))


def _print(tables: ScoreTables, *, as_json: bool) -> None:
    """Print JSON, or the number of faulty rows and the tables that have rows."""
    if as_json:
        click.echo(tables_json(tables), nl=False)
        return
    console = output_console()
    if tables.faults:
        console.print(f"Rows that are not answers, excluded from the tables: {tables.faults}")
    if tables.models:
        console.print(model_table(tables))
    titled = {f"By {by}": group_table(tables, by) for by in tables.groups}
    titled["What is wrong (an answer may have several errors)"] = error_table(tables)
    for title, table in titled.items():
        if table.rows:
            console.print(f"\n{title}")
            console.print(table)


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
