"""The files of a completed study: tables as CSV, a picture in three formats, and the findings."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from pddl_pipeline.io.files import make_folder, write_bytes, write_file
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.comparison import comparison_table
from pddl_pipeline.papers.data import stored_data
from pddl_pipeline.papers.study import MissingData, Study, StudyResult, Workbench
from pddl_pipeline.runs.stored_commands import installed_versions, machine
from pddl_pipeline.tables.text_table import TextTable

_FINDINGS: Final = "findings.json"
_PICTURES: Final = ("png", "svg", "pdf")


@dataclass(frozen=True, slots=True)
class Section:
    """A completed study."""

    study: str
    title: str
    made: str
    """UTC time, ISO 8601."""
    machine: str
    command: str
    """The command line that repeats the study."""
    seconds: float
    findings: StudyResult
    versions: dict[str, str] = field(default_factory=dict)
    """The version of each installed distribution that computes or searches, by its name."""


def write_section(section: Section, folder: Path) -> list[Path]:
    """Write a study's files into a folder with its name; return the tables and pictures.

    Without matplotlib, no picture is written.

    Raises:
        InputError: a file cannot be written.
    """
    place = folder / section.study
    make_folder(place)
    files = []
    for name, table in _tables(section.findings):
        files.append(place / f"{name}.csv")
        write_file(files[-1], table.to_csv())
    for form, drawn in _drawn(section.findings):
        files.append(place / f"{section.study}.{form}")
        write_bytes(files[-1], drawn)
    for form in _PICTURES:  # an old picture does not stay
        if (picture := place / f"{section.study}.{form}") not in files:
            picture.unlink(missing_ok=True)
    # Written last, so that the findings exist only if the other files do.
    text = msgspec.json.format(msgspec.json.encode(section), indent=1)
    write_file(place / _FINDINGS, text.decode() + "\n")
    return files


def _tables(findings: StudyResult) -> Iterator[tuple[str, TextTable]]:
    yield "comparison", comparison_table(findings.comparisons)
    for number, named in enumerate(findings.tables, start=1):
        yield f"table{number}", named.table


def _drawn(findings: StudyResult) -> Iterator[tuple[str, bytes]]:
    """Yield the picture in each format; nothing without charts or matplotlib."""
    if not findings.charts:
        return
    try:
        from pddl_pipeline.papers.chart_plot import draw  # extra
    except ImportError:
        return
    for form in _PICTURES:
        yield form, draw(findings.charts, form)


def read_sections(folder: Path) -> Iterator[tuple[Section, bytes | None]]:
    """Yield the studies in a folder, each with its picture or None.

    Raises:
        InputError: a file of findings cannot be read.
    """
    for file in sorted(folder.glob(f"*/{_FINDINGS}")):
        section = _read(file)
        picture = file.parent / f"{section.study}.{_PICTURES[0]}"
        yield section, picture.read_bytes() if picture.exists() else None


def _read(file: Path) -> Section:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Section)
    except (msgspec.MsgspecError, OSError) as error:
        reason = f"cannot be read: {error}; repeat the command that made it, or remove it"
        raise InputError(reason, file=str(file)) from error


def stored_section(study: Study) -> Section | None:
    """Return the stored result of a study; None if there is none, or its runs are stored.

    Raises:
        InputError: the result cannot be read.
    """
    if study.is_stored:
        return None
    try:
        return _read(stored_data(study.paper, "results", study.name, _FINDINGS))
    except MissingData:
        return None


def reproduce(study: Study, bench: Workbench, command: str) -> Section:
    """Run a study and return its section.

    Args:
        study: the study.
        bench: the conditions.
        command: the command line that repeats the study, which the section records.

    Raises:
        EngineError: a required planner is not installed.
        InputError: the data cannot be read, or the folder of runs cannot be written.
    """
    started, clock = datetime.now(UTC), time.monotonic()
    findings = study.run(bench)
    return Section(
        study=study.name,
        title=study.title,
        made=started.isoformat(timespec="seconds"),
        machine=machine(),
        command=command,
        seconds=round(time.monotonic() - clock, 1),
        findings=findings,
        versions=installed_versions(),
    )
