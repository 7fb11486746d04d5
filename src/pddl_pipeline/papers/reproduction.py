"""``pddl-pipeline reproduce``."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Final

import click

from pddl_pipeline.cli.console import note, output_console, print_beside, run_progress
from pddl_pipeline.cli.options import (
    DURATION,
    FOLDER,
    NUMBERS,
    cli_command,
    is_given,
    offering,
    option_name,
    warn_of_sharing,
    workers_option,
)
from pddl_pipeline.cli.status import DONE, UNEXPLAINED
from pddl_pipeline.io.files import make_folder, write_file
from pddl_pipeline.model.errors import EngineError, InputError
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.model.limits import numbers_text
from pddl_pipeline.model.text import counted
from pddl_pipeline.pages.html_page import html_page, part
from pddl_pipeline.papers.comparison import Comparison, comparison_table, decision_text
from pddl_pipeline.papers.data import DatasetDiffers, check_dataset, stored_data
from pddl_pipeline.papers.section import (
    Section,
    read_sections,
    reproduce,
    stored_section,
    write_section,
)
from pddl_pipeline.papers.study import (
    ALL,
    PAPERS,
    MissingData,
    Scale,
    Study,
    Workbench,
    studies,
    studies_named,
)
from pddl_pipeline.tables.text_table import NO_NUMBER

PAGE: Final = "reproduction.html"


def write_page(folder: Path) -> Path:
    """Write the page with all studies of a folder, in the order of the papers.

    Raises:
        InputError: a study's file cannot be read, or the page cannot be written.
    """
    # A folder may have findings of a plug-in that is no longer installed.
    order = list(studies())
    found = [each for each in read_sections(folder) if each[0].study in order]
    found.sort(key=lambda each: order.index(each[0].study))
    parts = ["<h1>The papers' experiments</h1>"]
    paper = ""
    for section, picture in found:
        of_section = studies()[section.study].paper
        if of_section != paper:
            paper = of_section
            parts.append(f"<h2>{escape(PAPERS.get(paper, paper))}</h2>")
        parts.append(_section(section, picture))
    write_file(folder / PAGE, html_page("pddl-pipeline: the papers' experiments", parts))
    return folder / PAGE


def _section(section: Section, picture: bytes | None) -> str:
    findings = section.findings
    version = section.versions.get("pddl-pipeline", NO_NUMBER)
    made = f"{section.made[:10]}, version {version}, {section.machine}, {section.seconds:.0f} s"
    parts = [
        f"<h3 id='{escape(section.study)}'>{escape(section.study)}: {escape(section.title)}</h3>",
        f"<p class='note'>{escape(findings.conditions)}</p>",
        f"<p class='note'><code>{escape(section.command)}</code>, {escape(made)}</p>",
    ]
    if findings.comparisons:
        parts.append(comparison_table(findings.comparisons).to_html(form="long"))
    if picture is not None:
        parts.append(part("parts.html.j2", "figure", section.title, "image/png", picture))
    parts += [
        part("parts.html.j2", "folded", table.caption, table.table) for table in findings.tables
    ]
    parts += [f"<p class='note'>{escape(each)}</p>" for each in findings.notes]
    return "\n".join(parts)


def print_list() -> None:
    """Print the names and titles of the studies, by paper."""
    # The studies of a plug-in may belong to another paper.
    papers = dict.fromkeys([*PAPERS, *(study.paper for study in studies().values())])
    for paper in papers:
        click.echo(f"{paper}: {PAPERS.get(paper, 'from a plug-in')}")
        for study in studies().values():
            if study.paper == paper:
                click.echo(f"  {study.name:<24} {study.title}")


def _decided_by(comparison: Comparison) -> str:
    text = decision_text(comparison.decision)
    return "" if text == NO_NUMBER else text


def print_section(section: Section, files: Sequence[Path]) -> None:
    """Print a study: its conditions, its comparison with the paper and its tables."""
    console, findings = output_console(), section.findings
    console.print(f"{section.study}: {section.title}", soft_wrap=True)
    console.print(findings.conditions, soft_wrap=True)
    for comparison in findings.comparisons:
        sides = f"paper {comparison.paper_text}; ours {comparison.our_text}"
        line = f"{comparison.verdict}: {comparison.what}: {sides}"
        further = filter(None, (_decided_by(comparison), comparison.remarks))
        console.print(" | ".join((line, *further)), soft_wrap=True)
    for named in findings.tables:
        console.print(f"\n{named.caption}", soft_wrap=True)
        console.print(named.table)
    for remark in findings.notes:
        console.print(f"\n{remark}", soft_wrap=True)
    console.print(f"\n{section.seconds:.0f} s; {', '.join(map(str, files))}\n", soft_wrap=True)


_CONDITIONS: Final = ("scale", "count", "sizes", "time_limit", "data")
"""The parameters that a protocol fixes."""


def check_datasets(studies: Sequence[Study]) -> int:
    """Generate the datasets of studies again and compare them with the stored ones.

    Print a line for each dataset, and return the exit status.

    Raises:
        InputError: a dataset cannot be read, or no study has one.
        MissingData: a dataset does not exist.
    """
    # Several studies share a dataset, which is generated once.
    cards = dict.fromkeys((study.paper, card) for study in studies for card in study.cards)
    if not cards:
        raise InputError("--check has no effect: none of the studies has a stored dataset")
    differing = 0
    for paper, card in cards:
        try:
            number = check_dataset(stored_data(paper, card))
        except DatasetDiffers as error:
            differing += 1
            click.echo(f"{paper}/{card}: differs: {error}")
        else:
            click.echo(f"{paper}/{card}: {counted(number, 'instance')}, as stored")
    return UNEXPLAINED if differing else DONE


def check_protocol(studies: Sequence[Study], *, continue_runs: bool) -> None:
    """Raise an error if an option of the current command has no effect on the studies.

    Raises:
        InputError: there are no runs to continue, or the protocol fixes what an option sets.
    """
    if continue_runs and not any(study.is_stored for study in studies):
        raise InputError("--continue has no effect: none of the studies has stored runs")
    if not all(study.is_stored for study in studies):
        return
    for name in filter(is_given, _CONDITIONS):
        option = option_name(name)
        raise InputError(f"{option} has no effect: the study's protocol fixes its conditions")


@dataclass(frozen=True)
class _Conditions:
    """What the studies measure."""

    scale: Annotated[Scale, click.option(
        "--scale", type=click.Choice(["quick", "paper"]), default="quick", show_default=True,
        help="quick takes minutes; paper uses the paper's settings and may take days.",
    ), "Conditions"]  # fmt: skip
    count: Annotated[int | None, click.option(
        "--count", type=click.IntRange(min=1), metavar="N",
        help="Number of instances (of each size). Overrides the number of --scale.",
    ), "Conditions"]  # fmt: skip
    sizes: Annotated[tuple[int, ...] | None, click.option(
        "--size", "sizes", type=NUMBERS,
        help="Sizes, such as 4-20 or 6,9,20-30. Overrides the sizes of --scale.",
    ), "Conditions"]  # fmt: skip
    time_limit: Annotated[float | None, click.option(
        "--time-limit", type=DURATION,
        help="Wall-clock time limit for each attempt. Overrides the limit of --scale.",
    ), "Conditions"]  # fmt: skip
    workers: Annotated[int, workers_option("planners"), "Conditions"]
    continue_runs: Annotated[bool, click.option(
        "--continue", "continue_runs", is_flag=True,
        help="Make the runs that are missing in the stored runs of a study with a protocol, and "
        "store them in the repository. Without it, such a study reports from its stored runs.",
    ), "Stored runs and datasets"]  # fmt: skip
    check: Annotated[bool, click.option(
        "--check", is_flag=True,
        help="Only generate the stored datasets of the studies again and compare the bytes.",
    ), "Stored runs and datasets"]  # fmt: skip
    data: Annotated[Path | None, click.option(
        "--data", type=FOLDER, envvar="PDDL_PIPELINE_DATA", metavar="DIR",
        help="Folder with the public datasets; see docs/reproduction. Defaults to the environment "
        "variable PDDL_PIPELINE_DATA. Studies that need them are skipped without it.",
    ), "Data"]  # fmt: skip


@cli_command("reproduce", "reproduce countdown-figure1 --size 2-4 --count 2 -o reproduction")
def command(
    names: Annotated[tuple[str, ...], click.argument(
        "names", nargs=-1, metavar="[NAME]...",
        shell_complete=offering(lambda: (ALL, *PAPERS, *studies())),
    )],
    output: Annotated[Path, click.option(
        "-o", "output", type=FOLDER, default=Path("reproduction"), show_default=True,
        metavar="DIR", help="Folder for tables, pictures, runs and the page.",
    ), "Output"],
    asked: _Conditions,
) -> int:  # fmt: skip
    """Reproduce figures and tables of the papers.

    The results are shown beside the papers' numbers. NAME is a study, a paper (all its studies),
    or `all`. Without a NAME, the command lists the studies. Without an option that states a
    condition, such as --scale, it shows the stored result of a study, if there is one. It writes
    the tables (CSV) and the picture of each study to a folder in DIR, and a page of all studies to
    DIR/reproduction.html. Repeat an interrupted command with the same options to resume it.

    Exit status: 0 done, 2 bad input, 3 done but a planner crashed or is missing, a run was lost,
    a verdict is undecided or disputed, or, with --check, a dataset differs, 130 interrupted.
    """
    if not names:
        print_list()
        return DONE
    chosen = studies_named(names)
    if asked.data is not None and not asked.data.is_dir():
        raise InputError("is not a folder", file=str(asked.data))
    if asked.check:
        return check_datasets(chosen)
    check_protocol(chosen, continue_runs=asked.continue_runs)
    make_folder(output)
    warn_of_sharing(asked.workers)
    _report_missing()
    bench = Workbench(
        output, asked.scale, asked.data, asked.workers, asked.time_limit, asked.count,
        asked.sizes, run_progress, asked.continue_runs,
    )  # fmt: skip
    unexplained = 0
    for number, study in enumerate(chosen, start=1):
        note(f"study {number} of {len(chosen)}: {study.name}")
        unexplained += _make(study, replace(bench, folder=output / study.name, left_out=[]), output)
    print_beside(f"page: {write_page(output)}")
    return UNEXPLAINED if unexplained else DONE


def _report_missing() -> None:
    """Report the missing optional packages, and what studies lack without each."""
    for package, without in (("matplotlib", "no pictures"), ("numba", "countdown is slow")):
        if find_spec(package) is None:
            fix = install_command("reproduce")
            click.echo(f"{package} is missing: {without}; fix: {fix}", err=True)


def _make(study: Study, bench: Workbench, output: Path) -> int:
    """Run a study, and print its results. Return the number of its unexplained runs.

    Without conditions, a stored result is printed instead.
    """
    stored = stored_section(study)
    if stored is not None and any(map(is_given, _CONDITIONS)):
        note(f"stored result: pddl-pipeline reproduce {study.name}")
    elif stored is not None:
        stored = from_stored_runs(study, stored)
        print_section(stored, write_section(stored, output))
        click.echo(f"stored on {stored.made[:10]} by: {stored.command}")
        click.echo(f"run it anew: {_command(study.name)} --scale {bench.scale}\n")
        return 0
    try:
        section = reproduce(study, bench, _command(study.name))
    except MissingData as error:
        click.echo(f"{study.name} skipped: {error}", err=True)
        return 0
    except EngineError as error:  # the other studies may not need the missing engine
        click.echo(f"{study.name} failed: {error}", err=True)
        return 1
    print_section(section, write_section(section, output))
    if bench.left_out:
        names = ", ".join(bench.left_out)
        click.echo(f"{study.name}: without {names}, not in --data", err=True)
    return section.findings.unexplained + len(bench.left_out)


def from_stored_runs(study: Study, section: Section) -> Section:
    """Return a stored section; its findings are computed again if its runs are stored.

    Raises:
        MissingData: a run is not stored.
        StoreError: the stored runs cannot be read.
    """
    try:
        folder = stored_data(study.paper, "runs", study.name)
    except MissingData:
        return section
    bench = replace(workbench_of(section, folder), stored=folder)
    return replace(section, findings=study.run(bench))


def workbench_of(section: Section, folder: Path) -> Workbench:
    """Return the conditions under which a section was made, without the public data."""
    # Without `pddl-pipeline reproduce`: the command itself reads the rest, as if called again.
    _, _, *words = shlex.split(section.command)
    asked = command.make_context("reproduce", words).params
    return Workbench(
        folder, asked["scale"], time_s=asked["time_limit"], number=asked["count"],
        sizes_given=asked["sizes"],
    )  # fmt: skip


def _command(study: str) -> str:
    """Return the command line that runs one study with the options of this call."""
    context = click.get_current_context()
    # Only what the user gave: defaults may change from version to version.
    words: list[Any] = ["pddl-pipeline", "reproduce", study]
    for parameter in context.command.params:
        name = str(parameter.name)
        if isinstance(parameter, click.Option) and not parameter.is_flag and is_given(name):
            value = context.params[name]
            if isinstance(value, tuple):
                value = numbers_text(value)
            elif name == "time_limit":
                value = f"{value:g}s"
            words += [parameter.opts[0], value]
    if context.params["continue_runs"]:
        words.append("--continue")
    return shlex.join(map(str, words))
