"""``pddl-pipeline reproduce``."""

from __future__ import annotations

import os
import shlex
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from pddl_pipeline.cli.exit_status import DONE, UNEXPLAINED
from pddl_pipeline.cli.options import RANGE, Parsed
from pddl_pipeline.cli.progress import run_progress
from pddl_pipeline.cli.reproduction_output import print_list, print_section
from pddl_pipeline.io.files import make_folder
from pddl_pipeline.model.errors import EngineError, InputError
from pddl_pipeline.model.limits import parse_duration, parse_size
from pddl_pipeline.studies.page import write_page
from pddl_pipeline.studies.registry import studies_named
from pddl_pipeline.studies.reproducing import reproduce
from pddl_pipeline.studies.section import write_section
from pddl_pipeline.studies.study import Study
from pddl_pipeline.studies.workbench import Scale, Workbench


@click.command(
    "reproduce", epilog="Example: pddl-pipeline reproduce countdown-figure1 -o reproduction"
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "-o", "output", type=click.Path(path_type=Path), default=Path("reproduction"),
    show_default=True, metavar="DIR", help="Folder for tables, pictures, runs and the page.",
)  # fmt: skip
@click.option(
    "--scale", type=click.Choice(["quick", "paper"]), default="quick", show_default=True,
    help="Minutes, or what the paper asks for, which may take days.",
)  # fmt: skip
@click.option(
    "--data", type=click.Path(path_type=Path), envvar="PDDL_PIPELINE_DATA", metavar="DIR",
    help="Folder with the public datasets, see docs/reproduction.md; also by the variable "
    "PDDL_PIPELINE_DATA. Without it, instances of the same kind are generated.",
)  # fmt: skip
@click.option(
    "--time-limit", type=Parsed("duration", parse_duration),
    help="Wall-clock time of one attempt, instead of the scale's.",
)  # fmt: skip
@click.option(
    "--memory-limit", type=Parsed("size", parse_size),
    help="Memory of one attempt, instead of 3.5G.",
)  # fmt: skip
@click.option(
    "--count", type=click.IntRange(min=1), help="Instances (of a size), instead of the scale's."
)
@click.option("--size", "sizes", type=RANGE, help="Sizes such as 4-20, instead of the scale's.")
@click.option(
    "-j", "workers", type=click.IntRange(min=1), default=len(os.sched_getaffinity(0)),
    show_default="cores", help="How many planners to run at a time.",
)  # fmt: skip
def command(  # noqa: PLR0913, PLR0917 -- one parameter an option
    names: tuple[str, ...],
    output: Path,
    scale: Scale,
    data: Path | None,
    workers: int,
    sizes: range | None,
    count: int | None,
    time_limit: float | None,
    memory_limit: float | None,
) -> int:
    """Make figures and tables of the papers again, beside the papers' own numbers.

    NAME is a study, a paper for all of its studies, or all; without a name they are listed. Each
    gets a folder in DIR with tables as CSV and a picture; DIR/reproduction.html has all of them.
    Called again with the same options, it goes on where it was stopped.

    Exit status: 0 done, 2 bad input, 3 done but a run is unexplained or a planner is missing, 130
    interrupted.
    """
    if not names:
        print_list()
        return DONE
    chosen = studies_named(names)
    if data is not None and not data.is_dir():
        raise InputError("is no folder", file=str(data))
    make_folder(output)
    _tell_missing()
    memory = None if memory_limit is None else int(memory_limit)
    bench = Workbench(output, scale, data, workers, time_limit, memory, count, sizes, run_progress)
    unexplained = sum(
        _make(study, replace(bench, folder=output / study.name), output) for study in chosen
    )
    click.echo(f"page: {write_page(output)}")
    return UNEXPLAINED if unexplained else DONE


def _tell_missing() -> None:
    """Say what is not installed that makes studies whole, or bearable."""
    for package, without in (("matplotlib", "no pictures"), ("numba", "countdown is slow")):
        if find_spec(package) is None:
            mend = 'pip install "pddl-pipeline[reproduce]"'
            click.echo(f"{package} is missing: {without}; {mend}", err=True)


def _make(study: Study, bench: Workbench, output: Path) -> int:
    """Make a study and print it; return how many of its runs are unexplained."""
    click.echo(study.name, err=True)
    try:
        section = reproduce(study, bench, _command(study.name))
    except EngineError as error:  # what the other studies need may be there
        click.echo(f"{study.name} was not made: {error}", err=True)
        return 1
    print_section(section, write_section(section, output))
    return section.findings.unexplained


def _command(study: str) -> str:
    """Return the command line of one study under the options that were given."""
    context = click.get_current_context()
    words: list[Any] = ["pddl-pipeline", "reproduce", study]
    for parameter in context.command.params:
        name = str(parameter.name)
        given = context.get_parameter_source(name)
        if (
            isinstance(parameter, click.Option)
            and given is not None
            and given.name == "COMMANDLINE"
        ):
            value = context.params[name]
            text = f"{value[0]}-{value[-1]}" if isinstance(value, range) else value
            words += [parameter.opts[0], text]
    return shlex.join(map(str, words))
