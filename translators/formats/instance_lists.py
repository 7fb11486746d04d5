"""Lists of llm-reasoners and RAP: the path of a blocksworld problem, a plan and its length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final

from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.text import counted
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.format import DataRow, Format, Reading
from pddl_pipeline.translators.formats.json_rows import json_items
from pddl_pipeline.translators.formats.pddl import DomainFiles
from pddl_pipeline.translators.formats.rows import slug
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.ids import check_id
from pddl_pipeline.validation.task import read_task

# RAP's plans name blocks by the colours that PlanBench's prompts give them.
_COLOURS: Final = {
    "red": "a", "blue": "b", "orange": "c", "yellow": "d", "white": "e", "magenta": "f",
    "black": "g", "cyan": "h", "green": "i", "violet": "j", "silver": "k", "gold": "l",
}  # fmt: skip


def _is_entry(item: Any) -> bool:
    return isinstance(item, list) and [type(part) for part in item] == [str, str, int]


def _rows(reading: Reading) -> Iterator[DataRow | InputError]:
    # One folder contains hundreds of problems, so its domains are read once.
    domains = DomainFiles()
    for row in json_items(reading.path):
        yield row if isinstance(row, InputError) else row._replace(value=(row.value, domains))


def _instance(row: DataRow, reading: Reading) -> Instance[Any]:
    entry, domains = row.value
    if not _is_entry(entry):
        raise FieldFault("list", "expected a path, a plan and its length")
    listed, plan, length = entry
    file = _find(PurePosixPath(listed), reading)
    texts = _texts(file, reading, domains)
    steps = re.findall(r"\([^()]*\)", plan)
    task = read_task(*texts)
    # The plans name the colours of the blocks, the problem files their letters.
    if not set(_COLOURS) & set(task.vocabulary.objects):
        steps = [re.sub(r"[a-z]+", lambda word: _COLOURS.get(word[0], word[0]), s) for s in steps]
    verdict = task.judge("\n".join(steps))
    if verdict.status is not Status.VALID:
        raise FieldFault("plan", f"is not a valid plan of {file}: {verdict.reason}", verb=True)
    if len(steps) != length:
        raise FieldFault("length", f"found {length}, the plan has {counted(len(steps), 'step')}")
    path = PurePosixPath(listed)
    name = check_id(f"{slug(path.parent.name)}-{slug(path.stem)}")
    extras = {"source": "llm-reasoners", "witness": steps, "optimal_cost": length}
    return given_instance(name, *texts, extras, files=("<domain>", str(file)))


def _find(listed: PurePosixPath, reading: Reading) -> Path:
    """Return the file that a path in the list refers to.

    The name of its folder is looked up first. Otherwise the longest part of the path that exists
    below the folder for all others is used, including at least the file's own folder.
    """
    place = reading.folders.get(listed.parent.name)
    if place is not None and (place / listed.name).is_file():
        return place / listed.name
    root = reading.folders.get("", reading.path.parent)
    parts = [part for part in listed.parts if part not in ("/", "..", ".")]
    for start in range(len(parts) - 1):
        candidate = root.joinpath(*parts[start:])
        if candidate.is_file():
            return candidate
    option = f"--folder {listed.parent.name}=DIR"
    shown = "/".join(listed.parts[-3:])
    raise FieldFault("path", f"'{shown[:80]}' was not found; give its folder with {option}")


def _texts(file: Path, reading: Reading, domains: DomainFiles) -> tuple[str, str]:
    """Return the texts of the domain and the problem."""
    problem, folder = read_file(file), file.parent.resolve()
    place = reading.domain or domains.of(file.name, problem, (folder, folder.parent))
    if place is None:
        raise InputError("no domain file found; name it with --domain", file=str(file))
    return read_file(place), problem


FORMATS: Final = (
    Format(
        "llm-reasoners",
        "JSON list of llm-reasoners and RAP: problem file, plan, length",
        lambda head: head.is_list and _is_entry(head.item),
        _rows,
        _instance,
        options=frozenset({"domain", "folders"}),
    ),
)
