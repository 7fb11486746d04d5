"""``pddl-pipeline new``."""

from __future__ import annotations

import re
import shutil
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Final

import click

from pddl_pipeline.cli.options import FOLDER, cli_command
from pddl_pipeline.io.files import make_folder, write_file
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.pddl_domains import domain_names
from pddl_pipeline.planners.command_planner import EXAMPLE

_TEMPLATE: Final = "lights"
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LEFT_OUT: Final = re.compile(r"__pycache__|\..*|build|.*\.egg-info")


@cli_command("domain", "new domain elevators")
def domain(
    name: Annotated[str, click.argument("name")],
    output: Annotated[Path | None, click.option(
        "-o", "output", type=FOLDER, metavar="DIR",
        help="Folder to create. Defaults to pddl-pipeline-NAME.",
    ), "Output"],
) -> None:  # fmt: skip
    """Write a template of a plug-in with a new domain.

    It also has a planner, a format, a generator and a picture. The template works without
    changes; its domain is about switching on lamps. Install it with pip, run its tests, then
    replace its parts.
    """
    if not _NAME.fullmatch(name):
        raise InputError(f"found the name '{name}', expected lower-case words joined by '-'")
    if name in domain_names():
        raise InputError(f"domain '{name}' already exists")
    folder = output or Path(f"pddl-pipeline-{name}")
    if folder.exists():
        raise InputError("already exists", file=str(folder))
    try:
        files = _write(resources.files("pddl_pipeline.cli") / "skeleton", folder, name)
    # Also after Ctrl-C: a part of the template would look like all of it.
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    click.echo(
        f"wrote {files} files to {folder}; next: pip install pytest -e {folder}; pytest {folder}"
    )


def _write(source: Traversable, target: Path, name: str) -> int:
    """Write the files of a folder of the template under the new name; return their number."""
    make_folder(target)
    number = 0
    for each in sorted(source.iterdir(), key=lambda each: each.name):
        if _LEFT_OUT.fullmatch(each.name):
            continue
        place = target / _renamed(each.name, name)
        if each.is_dir():
            number += _write(each, place, name)
        else:
            write_file(place, _renamed(each.read_text(encoding="utf-8"), name))
            number += 1
    return number


def _renamed(text: str, name: str) -> str:
    """Return a text of the template with the new name, as a module or class name if needed."""
    module, kind = name.replace("-", "_"), "".join(map(str.capitalize, name.split("-")))
    for prefix in ("pddl_pipeline_", "test_"):
        text = text.replace(f"{prefix}{_TEMPLATE}", f"{prefix}{module}")
    return text.replace(_TEMPLATE.capitalize(), kind).replace(_TEMPLATE, name)


@cli_command("planners", "new planners > planners.toml")
def planners() -> None:
    """Print an example of a file for --planners, with comments."""
    click.echo(EXAMPLE, nl=False)


command = click.Group(
    "new", commands=[domain, planners], help="Write a template of a plug-in, or a file of planners."
)
