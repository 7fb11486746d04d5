"""What ``pddl-pipeline score`` prints and draws."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final

import click

from pddl_pipeline.cli.console import output_console
from pddl_pipeline.io.files import write_bytes
from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.scoring.comparison import PairComparison
from pddl_pipeline.scoring.comparison_tables import comparison_json, comparison_tables, not_compared
from pddl_pipeline.scoring.score_rows import group_rows
from pddl_pipeline.scoring.score_tables import (
    ScoreTables,
    error_table,
    group_table,
    model_table,
    stage_table,
    tables_json,
)
from pddl_pipeline.scoring.tally import Tally
from pddl_pipeline.tables.named_table import NamedTable
from pddl_pipeline.translators import size_unit

_STAGES: Final = (
    "Wrong answers by their first error (reading: no plan was read, by fault of the reader or the "
    "writer; step: a step that the task does not have)"
)


def check_comparison() -> None:
    """Check that models can be compared.

    Raises:
        InputError: SciPy is missing.
    """
    if find_spec("scipy") is None:
        raise InputError(f"--compare requires SciPy; fix: {install_command('statistics')}")


def check_models(tally: Tally) -> None:
    """Check that there are models to compare.

    Raises:
        InputError: the answers are of fewer than two models.
    """
    found = len(tally.models)
    if found < 2:
        raise InputError(
            f"--compare: found answers of {found} model{'' if found == 1 else 's'}, expected two "
            "or more; the field 'model' or the name of the file is the model"
        )


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


def write_accuracy_plot(plot: Path, tally: Tally, k: int) -> None:
    """Write the plot of accuracy by size, or print why there is none."""
    from pddl_pipeline.scoring.accuracy_plot import accuracy_plot  # noqa: PLC0415 -- an extra

    rows = group_rows(tally, "size", k)
    if not rows:
        click.echo(f"{plot}: not written, because no answer was judged", err=True)
        return
    units: dict[str | None, str] = {i.domain: size_unit(i) for i in tally.instances.values()}
    if len(units) == 1:
        units[None] = next(iter(units.values()))
    write_bytes(plot, accuracy_plot(rows, units, plot_form(plot)))


def write_error_plot(plot: Path, tally: Tally) -> None:
    """Write the plot of errors by model and domain, or print why there is none."""
    from pddl_pipeline.scoring.error_plot import error_plot  # noqa: PLC0415 -- an extra

    if not any(model.errors for model in tally.models.values()):
        click.echo(f"{plot}: not written, because no answer has an error", err=True)
        return
    write_bytes(plot, error_plot(tally, plot_form(plot)))


def named_tables(tables: ScoreTables, compared: list[PairComparison]) -> list[NamedTable]:
    """Return the printed tables, the one by model first; some may have no rows."""
    titled = {"By model": model_table(tables)}
    titled |= {f"By {by}": group_table(tables, by) for by in tables.groups}
    titled |= comparison_tables(compared)
    titled[_STAGES] = stage_table(tables)
    titled["What is wrong (an answer may have several errors)"] = error_table(tables)
    return [NamedTable(title, table) for title, table in titled.items()]


def print_scores(tables: ScoreTables, compared: list[PairComparison], *, as_json: bool) -> None:
    """Print JSON, or the number of faulty rows and the tables that have rows."""
    if as_json:
        click.echo(tables_json(tables) + comparison_json(compared), nl=False)
        return
    console = output_console()
    if tables.faults:
        console.print(f"Rows that are not answers, excluded from the tables: {tables.faults}")
    first, *others = named_tables(tables, compared)
    if first.table.rows:
        console.print(first.table)
    for named in others:
        if named.table.rows:
            console.print(f"\n{named.caption}")
            console.print(named.table)
    for line in not_compared(compared):
        console.print(line)
