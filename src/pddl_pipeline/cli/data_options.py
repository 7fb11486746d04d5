"""The options of commands that read datasets."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Final

import click

from pddl_pipeline.cli.completion import offering
from pddl_pipeline.cli.file_type import INPUT, DatasetType
from pddl_pipeline.cli.messages import report_skipped, warn
from pddl_pipeline.cli.options import LENIENT, Parsed, with_options
from pddl_pipeline.cli.progress import note
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.pddl_domains import domain_names
from pddl_pipeline.translators.domains.countdown_rules import parse_rules
from pddl_pipeline.translators.formats.format import Format, ReadOptions, raise_it
from pddl_pipeline.translators.formats.registry import OWN

DATA: Final = click.argument("data", type=DatasetType(), nargs=-1, required=True, metavar="DATA...")
LIMIT: Final = click.option(
    "--limit", type=click.IntRange(min=1), help="Stop after this many instances."
)


_SOURCE: Final = (
    LENIENT,
    click.option(
        "--skip-bad", is_flag=True,
        help="Report and skip invalid records instead of stopping.",
    ),
    click.option(
        "--folder", "folders", multiple=True, metavar="[NAME=]DIR",
        help="Folder of the problem files that a list names; may be repeated. NAME is the "
        "folder's name in the list.",
    ),
    click.option(
        "--domain", type=INPUT, metavar="FILE",
        help="Domain file for PDDL problems, if it is not in their folder.",
    ),
    click.option(
        "--rules", type=Parsed("rules", parse_rules), metavar="R",
        help="Rules by which countdown answers count: paper, the name of a format, or settings "
        "such as negatives=yes,tolerance=0.001. Defaults to the records' own rules, those of "
        "--format, or the paper's.",
    ),
    click.option(
        "--column", "columns", multiple=True, metavar="FIELD=COLUMN",
        help="The column that contains a field of the record, such as numbers=digits; may be "
        "repeated.",
    ),
    click.option(
        "--domain-name", metavar="NAME", shell_complete=offering(domain_names),
        help="Domain of records without a field domain, such as ferry. Defaults to countdown "
        "for tables with numbers and a target.",
    ),
    click.option(
        "--format", "form", metavar="F",
        help="Format of the data; see `pddl-pipeline domains`. Detected and printed if "
        "omitted.",
    ),
)  # fmt: skip


def source(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for reading datasets; the command gets a `ReadOptions` as ``how``."""

    @wraps(command)
    def with_source(  # noqa: PLR0913 -- one parameter an option
        *, form: str | None, domain: Path | None, folders: tuple[str, ...], skip_bad: bool,
        columns: tuple[str, ...], domain_name: str | None, rules: dict[str, Any] | None,
        lenient: bool, **others: Any,
    ) -> Any:  # fmt: skip
        how = ReadOptions(
            form, domain, dict(map(_folder, folders)),
            report_skipped if skip_bad else raise_it, _report_format, note,
            dict(map(_column, columns)), domain_name, rules, strict=True,
            on_ignored=warn if lenient else None,
        )  # fmt: skip
        return command(how=how, **others)

    return with_options(with_source, _SOURCE)


def _report_format(path: str, found: Format) -> None:
    if found.name != OWN:
        note(f"{path}: read as {found.name}")


def _column(text: str) -> tuple[str, str]:
    field, equals, column = text.partition("=")
    if not (field and equals and column):
        raise InputError(f"--column: found '{text}', expected FIELD=COLUMN, such as numbers=digits")
    return field, column


def _folder(text: str) -> tuple[str, Path]:
    name, equals, place = text.rpartition("=")
    folder = Path(place)
    if not folder.is_dir():
        raise InputError("is not a folder", file=place)
    return (name if equals else ""), folder
