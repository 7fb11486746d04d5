"""``pddl-pipeline reproduce``."""

from __future__ import annotations

import shlex
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import click

from pddl_pipeline.cli.console import QUIET, note, print_beside, run_progress, working
from pddl_pipeline.cli.options import (
    DURATION,
    FOLDER,
    LATEX,
    MARKDOWN,
    NUMBERS,
    SIZE,
    TableFiles,
    offering,
    warn_of_sharing,
    workers_option,
)
from pddl_pipeline.cli.status import DONE, UNEXPLAINED
from pddl_pipeline.io.files import check_outputs, make_folder
from pddl_pipeline.model.errors import EngineError, InputError
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.model.ranges import numbers_text
from pddl_pipeline.papers.command_output import print_list, print_section
from pddl_pipeline.papers.page import write_page
from pddl_pipeline.papers.protocol_options import CHECK, CONTINUE, check_datasets, check_protocol
from pddl_pipeline.papers.registry import ALL, studies, studies_named
from pddl_pipeline.papers.reproducing import reproduce
from pddl_pipeline.papers.section import study_tables, write_section
from pddl_pipeline.papers.study import PAPERS, Study
from pddl_pipeline.papers.workbench import Scale, Workbench


@click.command(
    "reproduce", epilog="Example: pddl-pipeline reproduce countdown-figure1 -o reproduction"
)
@click.argument(
    "names", nargs=-1, metavar="[NAME]...",
    shell_complete=offering(lambda: (ALL, *PAPERS, *studies())),
)  # fmt: skip
@click.option(
    "-o", "output", type=FOLDER, default=Path("reproduction"),
    show_default=True, metavar="DIR", help="Folder for tables, pictures, runs and the page.",
)  # fmt: skip
@click.option(
    "--scale", type=click.Choice(["quick", "paper"]), default="quick", show_default=True,
    help="quick takes minutes; paper uses the paper's settings and may take days.",
)  # fmt: skip
@click.option(
    "--data", type=FOLDER, envvar="PDDL_PIPELINE_DATA", metavar="DIR",
    help="Folder with the public datasets; see docs/reproduction.md. Defaults to the environment "
    "variable PDDL_PIPELINE_DATA. Without either, instances of the same kind are generated.",
)  # fmt: skip
@click.option(
    "--time-limit", type=DURATION,
    help="Wall-clock time limit for each attempt. Overrides the limit of --scale.",
)  # fmt: skip
@click.option(
    "--memory-limit", type=SIZE,
    help="Memory limit for each attempt. Defaults to 3.5G.",
)  # fmt: skip
@LATEX
@MARKDOWN
@CONTINUE
@CHECK
@click.option(
    "--count",
    type=click.IntRange(min=1),
    help="Number of instances (of each size). Overrides the number of --scale.",
)
@click.option(
    "--size",
    "sizes",
    type=NUMBERS,
    help="Sizes, such as 4-20 or 6,9,20-30. Overrides the sizes of --scale.",
)
@workers_option("planners")
@QUIET
def command(  # noqa: PLR0913, PLR0917 -- one parameter an option
    names: tuple[str, ...],
    output: Path,
    scale: Scale,
    data: Path | None,
    workers: int,
    sizes: tuple[int, ...] | None,
    count: int | None,
    time_limit: float | None,
    memory_limit: float | None,
    latex: Path | None,
    markdown: Path | None,
    continue_runs: bool,  # noqa: FBT001
    check: bool,  # noqa: FBT001
) -> int:
    """Reproduce figures and tables of the papers.

    The results are shown beside the papers' numbers. NAME is a study, a paper (all its studies),
    or `all`. Without a NAME, the command lists the studies. It writes the tables (CSV) and the
    picture of each study to a folder in DIR, and a page of all studies to DIR/reproduction.html.
    Repeat an interrupted command with the same options to resume it.

    Exit status: 0 done, 2 bad input, 3 done but a run is unexplained, a planner is missing or,
    with --check, a dataset differs, 130 interrupted.
    """
    if not names:
        print_list()
        return DONE
    chosen = studies_named(names)
    if data is not None and not data.is_dir():
        raise InputError("is not a folder", file=str(data))
    if check:
        return check_datasets(chosen)
    check_protocol(chosen, continue_runs=continue_runs)
    documents = TableFiles(latex, markdown)
    check_outputs(documents.files, ())
    make_folder(output)
    warn_of_sharing(workers)
    _report_missing()
    memory = None if memory_limit is None else int(memory_limit)
    bench = Workbench(
        output, scale, data, workers, time_limit, memory, count, sizes, run_progress,
        continue_runs,
    )  # fmt: skip
    unexplained = 0
    for number, study in enumerate(chosen, start=1):
        note(study.name)
        with working(f"study {number} of {len(chosen)}, {study.name}"):
            unexplained += _make(study, replace(bench, folder=output / study.name), output)
    documents.write(study_tables(output, [study.name for study in chosen]))
    print_beside(f"page: {write_page(output)}")
    return UNEXPLAINED if unexplained else DONE


def _report_missing() -> None:
    """Report the missing optional packages, and what studies lack without each."""
    for package, without in (("matplotlib", "no pictures"), ("numba", "countdown is slow")):
        if find_spec(package) is None:
            fix = install_command("reproduce")
            click.echo(f"{package} is missing: {without}; fix: {fix}", err=True)


def _make(study: Study, bench: Workbench, output: Path) -> int:
    """Run a study and print its results. Return the number of its unexplained runs."""
    try:
        section = reproduce(study, bench, _command(study.name))
    except EngineError as error:  # the other studies may not need the missing engine
        click.echo(f"{study.name} failed: {error}", err=True)
        return 1
    print_section(section, write_section(section, output))
    return section.findings.unexplained


def _command(study: str) -> str:
    """Return the command line that runs one study with the options of this call."""
    context = click.get_current_context()
    words: list[Any] = ["pddl-pipeline", "reproduce", study]
    for parameter in context.command.params:
        name = str(parameter.name)
        given = context.get_parameter_source(name)
        if (
            isinstance(parameter, click.Option)
            and not parameter.is_flag
            and name in context.params
            and given is not None
            and given.name == "COMMANDLINE"
        ):
            value = context.params[name]
            if isinstance(value, tuple):
                value = numbers_text(value)
            elif name == "time_limit":
                value = f"{value:g}s"
            words += [parameter.opts[0], value]
    if context.params["continue_runs"]:
        words.append("--continue")
    return shlex.join(map(str, words))


COMMANDS: Final = (command,)
