"""What ``pddl-pipeline score`` prints and draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from pddl_pipeline.cli.console import output_console
from pddl_pipeline.cli.file_type import OUTPUT
from pddl_pipeline.cli.options import JSON, is_given, with_options
from pddl_pipeline.cli.score_page import Scored, ScorePage, score_page
from pddl_pipeline.cli.table_files import TableFiles, table_files
from pddl_pipeline.io.files import write_bytes, write_file
from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.model.plural import plural
from pddl_pipeline.model.shortening import shortened
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
from pddl_pipeline.scoring.comparison import PairComparison, comparisons
from pddl_pipeline.scoring.comparison_tables import comparison_json, comparison_tables, not_compared
from pddl_pipeline.scoring.grouping import GROUPING_NAMES
from pddl_pipeline.scoring.score_rows import group_rows
from pddl_pipeline.scoring.tally import Tally
from pddl_pipeline.tables.named_table import NamedTable

_BY_MODEL: Final = "model"
_REASONS: Final = 3
"""Number of reasons why answers could not be read that are printed."""
_STAGES: Final = "Wrong answers by their first error (reading: no plan could be read)"


class ScoreOutput(NamedTuple):
    """What to print, and the files to write beside the lines of scores."""

    k: int
    by: tuple[str, ...]
    compare: bool
    plot: Path | None
    errors: Path | None
    table: Path | None
    documents: TableFiles
    page: ScorePage
    as_json: bool

    @property
    def files(self) -> tuple[Path | None, ...]:
        """The files to write."""
        return self.table, self.plot, self.errors, self.page.html, *self.documents

    def check(self) -> None:
        """Check that what is asked for can be made, before answers are read.

        Raises:
            InputError: a library is missing, or a picture has an unknown suffix.
        """
        for picture in (self.plot, self.errors):
            if picture is not None:
                plot_form(picture)
        if self.compare and find_spec("scipy") is None:
            raise InputError(f"--compare requires SciPy; fix: {install_command('statistics')}")

    def write(self, scored: Scored) -> None:
        """Write the files, and print the tables.

        Raises:
            InputError: a file cannot be written, or there are no two models to compare; the tables
                have been printed then.
        """
        tally = scored.tally
        everything = score_tables(tally, self.page.groupings(tally, self.by), self.k)
        groups = {name: everything.groups[name] for name in self.by}
        tables = replace(everything, groups=groups)
        if self.table is not None:
            write_file(self.table, all_rows_table(tables).to_csv())
        if self.plot is not None:
            _write_accuracy_plot(self.plot, tally, self.k)
        if self.errors is not None:
            _write_error_plot(self.errors, tally)
        on_page = self.page.compared(tally)
        compared = (on_page or comparisons(tally)) if self.compare else []
        self.documents.write(_named(tables, compared))
        few = too_few_attempts(tables, is_asked=is_given("k"))
        notes = [*([few] if few else []), *not_compared(on_page)]
        self.page.write(scored, _named(everything, on_page), notes, self.k)
        _print(tables, compared, [*([few] if few else []), *_unread(tally)], as_json=self.as_json)
        found = len(tally.models)
        if self.compare and found < 2:
            raise InputError(
                f"--compare: found answers of {found} {plural(found, 'model')}, expected "
                "two or more; the field 'model' or the name of the file is the model"
            )


_OPTIONS: Final = (
    JSON,
    click.option("--csv", "table", type=OUTPUT,
        help="Write all rows by model and group as CSV."),
    click.option("--plot-errors", "errors", type=OUTPUT,
        help="Write a plot of errors by model and domain: .png, .pdf or .svg."),
    click.option("--plot", type=OUTPUT,
        help="Write a plot of accuracy by size: .png, .pdf or .svg."),
    click.option("--compare", is_flag=True,
        help="Compare each pair of models on the instances that both answered: paired "
        "difference, exact McNemar or sign-flip test, Holm's correction. Requires SciPy."),
    click.option("--by", multiple=True, default=["size"], show_default=True, metavar="NAME",
        help=f"Tables to print after the one by model: {', '.join(GROUPING_NAMES)}, or any field "
        "of the data or the answers; may be repeated."),
    click.option("--k", type=click.IntRange(min=1), default=5, show_default=True,
        help="Number of attempts for accuracy@k and pass@k, which are shown if an instance has as "
        "many."),
)  # fmt: skip


def score_output(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for tables and plots; the command gets a `ScoreOutput` as ``shown``."""

    @wraps(command)
    def with_output(*, by: tuple[str, ...], **others: Any) -> Any:
        given = {name: others.pop(name) for name in ScoreOutput._fields if name != "by"}
        by = tuple(name for name in by if name != _BY_MODEL)
        return command(shown=ScoreOutput(by=by, **given), **others)

    return with_options(score_page(table_files(with_output)), _OPTIONS)


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


def _write_accuracy_plot(plot: Path, tally: Tally, k: int) -> None:
    """Write the plot of accuracy by size, or print why there is none."""
    from pddl_pipeline.scoring.accuracy_plot import accuracy_plot, size_units  # noqa: PLC0415 -- an extra

    rows = group_rows(tally, "size", k)
    if not rows:
        click.echo(f"{plot}: not written, because no answer was judged", err=True)
        return
    write_bytes(plot, accuracy_plot(rows, size_units(tally), plot_form(plot)))


def _write_error_plot(plot: Path, tally: Tally) -> None:
    """Write the plot of errors by model and domain, or print why there is none."""
    from pddl_pipeline.scoring.error_plot import error_plot  # noqa: PLC0415 -- an extra

    if not any(model.errors for model in tally.models.values()):
        click.echo(f"{plot}: not written, because no answer has an error", err=True)
        return
    write_bytes(plot, error_plot(tally, plot_form(plot)))


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
    answers = sum(model.answers - model.undecided for model in tally.models.values())
    yield f"{count} of {answers} answers ({100 * count / answers:.1f} %) could not be read:"
    for kind, number in tally.unread.most_common(_REASONS):
        name, reason = tally.unread_examples.get(kind, ("", ""))
        yield f"  {number}: {shortened(reason)} ({name})" if name else f"  {number}: {kind}"


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
