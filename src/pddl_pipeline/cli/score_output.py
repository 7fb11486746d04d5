"""What ``pddl-pipeline score`` prints, draws and writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import click

from pddl_pipeline.cli.console import output_console
from pddl_pipeline.cli.options import FOLDER, OUTPUT, Json, TableFiles, is_given
from pddl_pipeline.io.files import write_bytes, write_file
from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.model.text import plural, shortened
from pddl_pipeline.pages.score_page import accuracy_picture, example_pages, score_html
from pddl_pipeline.pages.score_tables import (
    ScoreTables,
    all_rows_table,
    error_table,
    group_table,
    model_table,
    score_tables,
    stage_table,
    tables_json,
    too_few_attempts,
)
from pddl_pipeline.scoring.batches import BatchJudge
from pddl_pipeline.scoring.comparison import (
    PairComparison,
    comparison_json,
    comparison_tables,
    comparisons,
    not_compared,
)
from pddl_pipeline.scoring.grouping import GROUPING_NAMES
from pddl_pipeline.scoring.tally import ErrorExamples, Tally
from pddl_pipeline.tables.named_table import NamedTable
from pddl_pipeline.validation.version import VERDICT_VERSION

_BY_MODEL: Final = "model"
_EXAMPLES: Final = 2
"""Examples of each model and error on a page."""
_REASONS: Final = 3
"""Number of reasons why answers could not be read that are printed."""
_STAGES: Final = "Wrong answers by their first error (reading: no plan could be read)"


class Scored(NamedTuple):
    """What was scored."""

    tally: Tally
    examples: ErrorExamples
    judge: BatchJudge
    data: tuple[str, ...]
    answers: tuple[Path, ...]

    def facts(self) -> dict[str, str]:
        """Return what was scored and how, by name."""
        work, models = self.judge.work, self.tally.models.values()
        found = {
            "data": ", ".join(self.data),
            "answers": ", ".join(map(str, self.answers)),
            "instances": f"{len(self.tally.instances):,}",
            "models": f"{len(models):,}",
            "judged answers": f"{sum(each.answers for each in models):,}",
            "answers without a verdict": f"{self.tally.undecided:,}",
            "rows that are not answers": f"{self.tally.faults:,}",
            "reading": work.reading,
        }
        if work.lenient_values:
            found["stated values"] = "not judged (--lenient-values)"
        return found | {"version of verdicts": str(VERDICT_VERSION)}


@dataclass(frozen=True)
class ScoreOutput:
    """What to print, and the files to write beside the lines of scores."""

    k: Annotated[int, click.option(
        "--k", type=click.IntRange(min=1), default=5, show_default=True,
        help="Number of attempts for accuracy@k and pass@k, which are shown if an instance has as "
        "many.",
    )]  # fmt: skip
    by: Annotated[tuple[str, ...], click.option(
        "--by", multiple=True, default=["size"], show_default=True, metavar="NAME",
        help=f"Tables to print after the one by model: {', '.join(GROUPING_NAMES)}, or any field "
        "of the data or the answers; may be repeated.",
    )]  # fmt: skip
    compare: Annotated[bool, click.option(
        "--compare", is_flag=True,
        help="Compare each pair of models on the instances that both answered: paired difference, "
        "exact McNemar or sign-flip test, Holm's correction. Requires SciPy.",
    )]  # fmt: skip
    plot: Annotated[Path | None, click.option(
        "--plot", type=OUTPUT, help="Write a plot of accuracy by size: .png, .pdf or .svg."
    )]  # fmt: skip
    table: Annotated[Path | None, click.option(
        "--csv", type=OUTPUT, help="Write all rows by model and group as CSV."
    )]  # fmt: skip
    as_json: Json
    html: Annotated[Path | None, click.option(
        "--html", type=OUTPUT,
        help="Write a self-contained HTML page with the tables, plots, and examples of each error.",
    )]  # fmt: skip
    pages: Annotated[Path | None, click.option(
        "--pages", type=FOLDER, metavar="DIR",
        help="With --html: write a page with the plan, step by step, for each example of an error, "
        "and link it.",
    )]  # fmt: skip
    documents: TableFiles

    @property
    def groupings(self) -> tuple[str, ...]:
        """The tables to print after the one by model."""
        return tuple(name for name in self.by if name != _BY_MODEL)

    @property
    def files(self) -> tuple[Path | None, ...]:
        """The files to write."""
        return self.table, self.plot, self.html, *self.documents.files

    def check(self) -> None:
        """Check that what is asked for can be made, before answers are read.

        Raises:
            InputError: a library is missing, or a picture has an unknown suffix.
        """
        if self.html is None and self.pages is not None:
            raise click.UsageError("--pages applies only to --html")
        if self.plot is not None:
            plot_form(self.plot)
        if self.compare and not _has_scipy():
            raise InputError(f"--compare requires SciPy; fix: {install_command('statistics')}")

    def examples(self) -> ErrorExamples:
        """Return what stores examples of errors; it stores none without a page."""
        return ErrorExamples(0 if self.html is None else _EXAMPLES)

    def write(self, scored: Scored) -> None:
        """Write the files, and print the tables.

        Raises:
            InputError: a file cannot be written, or there are no two models to compare; the tables
                have been printed then.
        """
        tally = scored.tally
        tables = score_tables(tally, self.groupings, self.k)
        if self.table is not None:
            write_file(self.table, all_rows_table(tables).to_csv())
        if self.plot is not None:
            _draw(self.plot, tally)
        compared = comparisons(tally) if self.compare else []
        self.documents.write(_named(tables, compared))
        few = filter(None, [too_few_attempts(tables, is_asked=is_given("k"))])
        notes = list(few)
        if self.html is not None:
            self._write_page(self.html, scored, notes)
        _print(tables, compared, [*notes, *_unread(tally)], as_json=self.as_json)
        found = len(tally.models)
        if self.compare and found < 2:
            raise InputError(
                f"--compare: found answers of {found} {plural(found, 'model')}, expected "
                "two or more; the field 'model' or the name of the file is the model"
            )

    def _write_page(self, html: Path, scored: Scored, notes: Sequence[str]) -> None:
        """Write the page, with tables by size and domain, and the pages of its examples."""
        tally = scored.tally
        several = len({each.domain for each in tally.instances.values()}) > 1
        by = dict.fromkeys((*(("domain",) if several else ()), "size", *self.groupings))
        compared = comparisons(tally) if len(tally.models) > 1 and _has_scipy() else []
        notes = [*notes, *not_compared(compared)]
        if len(tally.models) > 1 and not _has_scipy():
            notes.append(f"A paired comparison requires SciPy: {install_command('statistics')}")
        links = {}
        if self.pages is not None:
            links = example_pages(scored.examples, scored.judge.judge, self.pages, html)
        page = score_html(
            tally, _named(score_tables(tally, tuple(by), self.k), compared), scored.examples,
            facts=scored.facts(), notes=notes, links=links,
        )  # fmt: skip
        write_file(html, page)


def _has_scipy() -> bool:
    return find_spec("scipy") is not None


def plot_form(plot: Path) -> str:
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


def _draw(plot: Path, tally: Tally) -> None:
    """Write the plot, or print why there is none."""
    drawn = accuracy_picture(tally, plot_form(plot))
    if drawn is None:
        click.echo(f"{plot}: not written, because no answer was judged", err=True)
    else:
        write_bytes(plot, drawn)


def _named(tables: ScoreTables, compared: list[PairComparison]) -> list[NamedTable]:
    """Return the tables to print, the one by model first; some may have no rows."""
    titled = {"By model": model_table(tables)}
    titled |= {f"By {by}": group_table(tables, by) for by in tables.groups}
    titled |= comparison_tables(compared)
    titled[_STAGES] = stage_table(tables)
    titled["What is wrong (an answer may have several errors)"] = error_table(tables)
    return [NamedTable(title, table) for title, table in titled.items()]


def _unread(tally: Tally) -> Iterator[str]:
    """Yield lines on the share of answers that could not be read, and the most frequent reasons."""
    count = sum(tally.unread.values())
    if not count:
        return
    answers = sum(model.answers for model in tally.models.values())
    yield f"{count} of {answers} answers ({100 * count / answers:.1f} %) could not be read:"
    for kind, number in tally.unread.most_common(_REASONS):
        name, reason = tally.unread_examples[kind]
        yield f"  {number}: {shortened(reason)} ({name})"


def _print(
    tables: ScoreTables, compared: list[PairComparison], notes: list[str], *, as_json: bool
) -> None:
    """Print JSON, or the number of faulty rows and the tables that have rows.

    `notes` are lines below the table by model.
    """
    if as_json:
        click.echo(tables_json(tables) + comparison_json(compared), nl=False)
        return
    console = output_console()
    if tables.faults:
        console.print(f"Rows that are not answers, excluded from the tables: {tables.faults}")
    first, *others = _named(tables, compared)
    if first.table.rows:
        console.print(first.table)
    for note in notes:
        console.print(note, markup=False)
    for named in others:
        if named.table.rows:
            console.print(f"\n{named.caption}")
            console.print(named.table)
    for line in not_compared(compared):
        console.print(line)
