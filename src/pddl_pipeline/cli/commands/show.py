"""``pddl-pipeline show``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Final

import click

from pddl_pipeline.cli.console import print_beside
from pddl_pipeline.cli.exit_status import DONE
from pddl_pipeline.cli.options import DataOptions, allow_only, cli_command, reject
from pddl_pipeline.cli.parameters import DATASET, FOLDER, OUTPUT, Parsed, path_of
from pddl_pipeline.cli.progress import QUIET, note, progress
from pddl_pipeline.cli.shown_plans import (
    has_torn_line,
    plan_of_files,
    plans_of_answers,
    plans_of_runs,
)
from pddl_pipeline.io.files import check_outputs, make_folder, write_file
from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.number import Number, parse_decimal
from pddl_pipeline.model.plural import plural
from pddl_pipeline.pages.shown_plan import ShownPlan, index_page
from pddl_pipeline.runs.shards import store_folders
from pddl_pipeline.runs.store import RUNS
from pddl_pipeline.scoring.answer_files import answer_formats
from pddl_pipeline.translators.ids import FileNames
from pddl_pipeline.validation.plan_formats import IPC, plan_formats

_INDEX: Final = "index.html"
_MOST_PAGES: Final = 100
_FOR_ANSWERS: Final = ("answers_format", "id_field", "answer_field")
_FOR_FILES: Final = ("inputs", "output", "svg", "budget", "plan_format", "lenient")
_EXPECTED: Final = "expected DOMAIN PROBLEM PLAN, or data and a file of answers, or a run store"


def _budget(text: str) -> Number:
    try:
        return parse_decimal(text)
    except ValueError as error:
        raise InputError(str(error)) from None


@dataclass(frozen=True)
class _ShowOptions:
    """What is shown, and where the pages are written."""

    output: Annotated[Path | None, click.option(
        "-o", "output", type=OUTPUT,
        help="File of the page; for answers and runs, the folder of the pages. Defaults to "
        "plan.html or the folder plans.",
    )]  # fmt: skip
    svg: Annotated[Path | None, click.option(
        "--svg", type=FOLDER, metavar="DIR",
        help="Also write the picture of each state, as SVG files.",
    )]  # fmt: skip
    ids: Annotated[tuple[str, ...], click.option(
        "--id", multiple=True, metavar="ID",
        help="Show only answers or runs of this instance; may be repeated.",
    )]  # fmt: skip
    limit: Annotated[int, click.option(
        "--limit", type=click.IntRange(min=1), default=_MOST_PAGES, show_default=True,
        help="Stop after this many pages of answers or runs.",
    )]  # fmt: skip
    budget: Annotated[Number | None, click.option(
        "--budget", type=Parsed("number", _budget), help="Maximum cost of the plan."
    )]  # fmt: skip
    plan_format: Annotated[str, click.option(
        "--plan-format", type=click.Choice(list(plan_formats())), default=IPC, show_default=True,
        help="Format of the plan, such as the output of a planner; auto detects it.",
    )]  # fmt: skip
    answers_format: Annotated[str | None, click.option(
        "--answers-format", metavar="F", type=click.Choice(list(answer_formats())),
        help="Format of the answers. Detected if omitted.",
    )]  # fmt: skip
    id_field: Annotated[str | None, click.option(
        "--id-field", metavar="NAME", help="Field with the id, as for `score`."
    )]  # fmt: skip
    answer_field: Annotated[str | None, click.option(
        "--answer-field", metavar="NAME", help="Field with the answer, as for `score`."
    )]  # fmt: skip


@QUIET
@cli_command("show", "show domain.pddl p01.pddl p01.plan -o plan.html")
def command(
    inputs: Annotated[tuple[str, ...], click.argument(
        "inputs", type=DATASET, nargs=-1, required=True,
        metavar="DOMAIN PROBLEM PLAN | [DATA...] ANSWERS|RUNS",
    )],
    how: _ShowOptions,
    source: DataOptions,
) -> int:  # fmt: skip
    """Write pages that show plans step by step, with pictures.

    With three files, domain, problem and plan, one page is written. With answers, as for `score`,
    or a run store, a folder gets a page for each answer or run with a plan, and an index. Stores
    contain their problems; older ones need DATA.

    The page of a plan that fails opens at the failing step.

    Exit status: 0 the pages are written, whatever the verdicts; 2 bad input, including a file whose
    text is not a plan.
    """
    if _is_plan_of_files(inputs):
        allow_only(_FOR_FILES, "applies to answers and runs")
        place = how.output or Path("plan.html").absolute()
        check_outputs((place,), inputs)
        shown = plan_of_files(inputs, how.plan_format, how.budget, lenient=source.lenient)
        _write_page(shown, place, how.svg)
        print_beside(f"{how.output or place.name}: {shown.sentence}")
        return DONE
    reject(("budget", "plan_format"), "applies to a plan in a file")
    folder = how.output or Path("plans")
    if str(folder) == STANDARD:
        raise click.UsageError("-o: found '-', expected a folder for the pages of answers or runs")
    notes: list[str] = []
    _write_folder(_plans(inputs, source, how, notes), folder, how, notes, inputs[-1])
    return DONE


def _plans(
    inputs: tuple[str, ...], source: DataOptions, how: _ShowOptions, notes: list[str]
) -> Iterator[ShownPlan]:
    """Return the plans of answers or runs; add what the page that lists them says of them."""
    *data, last = inputs
    ids = frozenset(how.ids)
    stores = [place for place in store_folders(path_of(last)) if (place / RUNS).exists()]
    if stores:
        reject(_FOR_ANSWERS, "applies to answers")
        notes += [
            f"The last line of {place / RUNS} is incomplete and left out."
            for place in stores
            if has_torn_line(place)
        ]
        return plans_of_runs(stores, data, source.reading(), ids)
    if not data:
        raise click.UsageError(_EXPECTED)
    fields = how.answers_format, how.id_field, how.answer_field
    return plans_of_answers(data, path_of(last), source.reading(), fields, ids)


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
        start = stream.read(10_000)
    return b"(domain" not in start.lower().replace(b" ", b"")


def _write_page(shown: ShownPlan, place: Path, svg: Path | None) -> None:
    no_picture = shown.write(place, svg)
    if no_picture:
        note(f"{svg}: no pictures. {no_picture}")


def _write_folder(
    plans: Iterator[ShownPlan], folder: Path, how: _ShowOptions, notes: list[str], title: str
) -> None:
    """Write a page for each plan, and the index.

    Raises:
        InputError: there are no plans, or a file cannot be written.
    """
    links: list[tuple[ShownPlan, str]] = []
    with FileNames() as names:
        for shown in progress(islice(plans, how.limit), "pages"):
            if not links:
                make_folder(folder)
            name = names.name_of(shown.file_name)
            _write_page(shown, folder / f"{name}.html", how.svg and how.svg / name)
            links.append((shown, f"{name}.html"))
    if not links:
        raise InputError("there is no answer or run to show", file=title)
    if next(plans, None) is not None:
        notes.append(f"Only the first {how.limit} are shown; see --limit and --id.")
        note(f"{title}: only the first {how.limit} are shown; see --limit and --id")
    write_file(folder / _INDEX, index_page(f"Plans of {title}", links, notes))
    count = sum(shown.walk is not None for shown, _ in links)
    click.echo(f"{folder / _INDEX}: {count} {plural(count, 'page')}")
