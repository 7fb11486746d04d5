"""``pddl-pipeline show``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import click

from pddl_pipeline.cli.data_options import source
from pddl_pipeline.cli.exit_status import DONE
from pddl_pipeline.cli.file_type import OUTPUT, DatasetType, path_of, print_beside
from pddl_pipeline.cli.options import FOLDER, Parsed, allow_only, is_given
from pddl_pipeline.cli.progress import QUIET, note, progress
from pddl_pipeline.cli.shown_plans import (
    AnswerOptions,
    ShownPlan,
    has_torn_line,
    plan_of_files,
    plans_of_answers,
    plans_of_runs,
    verdict_sentence,
)
from pddl_pipeline.io.files import check_outputs, make_folder, write_file
from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.number import Number, parse_decimal
from pddl_pipeline.model.plural import plural
from pddl_pipeline.pages.index_page import PageLink, index_page
from pddl_pipeline.pages.page_data import PageData
from pddl_pipeline.pages.plan_page import plan_page
from pddl_pipeline.pages.plan_pictures import svg_files
from pddl_pipeline.runs.shards import store_folders
from pddl_pipeline.runs.store import RUNS
from pddl_pipeline.scoring.answer_files import answer_formats
from pddl_pipeline.translators.datasets import ReadOptions
from pddl_pipeline.translators.file_names import FileNames
from pddl_pipeline.validation.plan_formats import IPC, plan_formats

_INDEX: Final = "index.html"
_MOST_PAGES: Final = 100


def _budget(text: str) -> Number:
    try:
        return parse_decimal(text)
    except ValueError as error:
        raise InputError(str(error)) from None


@click.command(
    "show", epilog="Example: pddl-pipeline show domain.pddl p01.pddl p01.plan -o plan.html"
)
@click.argument("inputs", type=DatasetType(), nargs=-1, required=True,
    metavar="DOMAIN PROBLEM PLAN | [DATA...] ANSWERS|RUNS")  # fmt: skip
@click.option("-o", "output", type=OUTPUT,
    help="File of the page; for answers and runs, the folder of the pages. Defaults to plan.html "
    "or the folder plans.")  # fmt: skip
@click.option(
    "--svg", type=FOLDER, metavar="DIR", help="Also write the picture of each state, as SVG files."
)
@click.option("--id", "ids", multiple=True, metavar="ID",
    help="Show only answers or runs of this instance; may be repeated.")  # fmt: skip
@click.option("--limit", type=click.IntRange(min=1), default=_MOST_PAGES, show_default=True,
    help="Stop after this many pages of answers or runs.")  # fmt: skip
@click.option("--budget", type=Parsed("number", _budget), help="Maximum cost of the plan.")
@click.option("--plan-format", type=click.Choice(list(plan_formats())), default=IPC,
    show_default=True, help="Format of the plan, such as the output of a planner; auto detects it.",
)  # fmt: skip
@click.option("--answers-format", metavar="F", type=click.Choice(list(answer_formats())),
    help="Format of the answers. Detected if omitted.")  # fmt: skip
@click.option("--id-field", metavar="NAME", help="Field with the id, as for `score`.")
@click.option("--answer-field", metavar="NAME", help="Field with the answer, as for `score`.")
@source
@QUIET
def command(  # noqa: PLR0913 -- one parameter an option
    *,
    inputs: tuple[str, ...],
    output: Path | None,
    svg: Path | None,
    ids: tuple[str, ...],
    limit: int,
    budget: Number | None,
    plan_format: str,
    answers_format: str | None,
    id_field: str | None,
    answer_field: str | None,
    how: ReadOptions,
) -> int:
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
        lenient = how.on_ignored is not None
        _show_file(inputs, output, svg, lambda: plan_of_files(
            inputs, plan_format, budget, lenient=lenient))  # fmt: skip
        return DONE
    _reject(("budget", "plan_format"), "applies to a plan in a file")
    folder = Path("plans") if output is None else output
    if str(folder) == STANDARD:
        raise click.UsageError("-o: found '-', expected a folder for the pages of answers or runs")
    options = AnswerOptions(answers_format, id_field, answer_field)
    plans, notes = _many(inputs, how, options, frozenset(ids))
    _write_folder(plans, folder, svg, limit, notes, inputs[-1])
    return DONE


def _show_file(
    inputs: tuple[str, ...], output: Path | None, svg: Path | None, read: Callable[[], ShownPlan]
) -> None:
    place = output or Path("plan.html").absolute()
    check_outputs((place,), inputs)
    shown = read()
    _write_page(shown, place, svg)
    print_beside(f"{place.name if output is None else output}: {verdict_sentence(shown)}")


def _many(
    inputs: tuple[str, ...], how: ReadOptions, options: AnswerOptions, ids: frozenset[str]
) -> tuple[Iterator[ShownPlan], list[str]]:
    """Return the plans of answers or runs, and notes for the page that lists them."""
    *data, last = inputs
    stores = [place for place in store_folders(path_of(last)) if (place / RUNS).exists()]
    if stores:
        _reject(_FOR_ANSWERS, "applies to answers")
        notes = [f"The last line of {place / RUNS} is incomplete and left out."
                 for place in stores if has_torn_line(place)]  # fmt: skip
        return plans_of_runs(stores, data, how, ids), notes
    if not data:
        raise click.UsageError(_EXPECTED)
    return plans_of_answers(data, path_of(last), how, options, ids), []


_FOR_ANSWERS: Final = ("answers_format", "id_field", "answer_field")
_FOR_FILES: Final = ("inputs", "output", "svg", "budget", "plan_format", "lenient")
_EXPECTED: Final = "expected DOMAIN PROBLEM PLAN, or data and a file of answers, or a run store"


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


def _reject(names: Iterable[str], reason: str) -> None:
    for name in names:
        if is_given(name):
            option = next(p for p in click.get_current_context().command.params if p.name == name)
            raise click.UsageError(f"{option.opts[0]} {reason}")


def _write_page(shown: ShownPlan, place: Path, svg: Path | None) -> None:
    if shown.walk is None:
        return
    data = PageData(shown.walk)
    write_file(place, plan_page(data, shown.title, about=shown.about, answer=shown.answer))
    if svg is not None:
        make_folder(svg)
        for name, content in svg_files(data):
            write_file(svg / name, content)
        if data.no_picture:
            note(f"{svg}: no pictures. {data.no_picture}")


def _write_folder(  # noqa: PLR0913, PLR0917 -- what is written, and where
    plans: Iterator[ShownPlan],
    folder: Path,
    svg: Path | None,
    limit: int,
    notes: list[str],
    title: str,
) -> None:
    """Write a page for each plan, and the index.

    Raises:
        InputError: there are no plans, or a file cannot be written.
    """
    links: list[PageLink] = []
    names = FileNames()
    with names:
        for shown in progress(islice(plans, limit), "pages"):
            if not links:
                make_folder(folder)
            name = names.name_of(shown.file_name)
            file = "" if shown.walk is None else f"{name}.html"
            if file:
                _write_page(shown, folder / file, None if svg is None else svg / name)
            links.append(_link(shown, file))
    if not links:
        raise InputError("there is no answer or run to show", file=title)
    if next(plans, None) is not None:
        notes.append(f"Only the first {limit} are shown; see --limit and --id.")
        note(f"{title}: only the first {limit} are shown; see --limit and --id")
    write_file(folder / _INDEX, index_page(f"Plans of {title}", links, notes))
    count = sum(bool(link.file) for link in links)
    click.echo(f"{folder / _INDEX}: {count} {plural(count, 'page')}")


def _link(shown: ShownPlan, file: str) -> PageLink:
    verdict = shown.verdict
    status = shown.status or ("" if verdict is None else str(verdict.status))
    steps, cost = (None, None) if verdict is None else (verdict.steps, verdict.cost)
    return PageLink(shown.id, shown.by, status, steps, cost, shown.reason, file)
