"""PDDL files of any domain, unchanged: folders, archives, single problems.

PlanBench, AutoToS, pddl-generators and the IPC publish their instances in this format.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple

from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.errors import InputError, PddlError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.translators.formats.format import DataRow, Format, Head, Reading
from pddl_pipeline.translators.formats.json_rows import json_lines
from pddl_pipeline.translators.formats.pddl_tree import (
    DomainFiles,
    Tree,
    domain_named_by,
    is_archive,
    kind_of,
)
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.ids import check_id
from pddl_pipeline.validation.lenient import lenient_problem
from pddl_pipeline.validation.task import task_from_texts


class _Pair(NamedTuple):
    """A problem and its domain."""

    name: str
    problem: str
    domain_file: str
    domain: str
    extra: Mapping[str, Any]
    """The fields that an export's manifest has for it; see `Instance.extra`."""


def _claims(head: Head) -> bool:
    path = head.path
    return path.is_dir() or head.suffix == ".pddl" or is_archive(path)


def _rows(reading: Reading) -> Iterator[DataRow | InputError]:
    with closing(Tree(reading.path)) as tree:
        problems = [file for file in tree.files if kind_of(tree.text(file))[0] != "domain"]
        if not problems:
            raise InputError("contains no PDDL problem", file=str(reading.path))
        twice = Counter(file.name for file in problems)
        exported = _exported(reading.path)
        domains = DomainFiles()
        for position, file in enumerate(problems, start=1):
            text, shown = tree.text(file), tree.shown(file)
            name = str(file) if twice[file.name] > 1 else file.name
            if file.name in reading.shared:
                name = f"{_folder_name(reading.path)}/{file}"
            if kind_of(text)[0] != "problem":
                yield InputError("is neither a PDDL domain nor a PDDL problem", file=shown)
                continue
            place = reading.domain or domains.of(file.name, text, tree.folders_for(file))
            domain = (_domain_name(place, reading), read_file(place)) if place else own_domain(text)
            if domain is None:
                expected = "domain.pddl beside it, or another file with --domain"
                yield InputError(f"no domain file found; expected {expected}", file=shown)
            else:
                instance_id, extra = exported.get(str(file), (_id(name), {}))
                yield DataRow(shown, None, position, _Pair(instance_id, text, *domain, extra))


def _domain_name(place: Path, reading: Reading) -> str:
    return str(place) if reading.domain else place.name


def _folder_name(path: Path) -> str:
    """Return the name of a dataset's folder, which begins the ids of files with equal names."""
    return (path if path.is_dir() else path.parent).resolve().name


def _exported(folder: Path) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return ids and extra fields from the manifest in a folder that `translate` wrote.

    They are returned by file, where the name of the file does not say as much.
    """
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    manifest = folder / "manifest.jsonl"
    for row in json_lines(manifest) if manifest.is_file() else ():
        value = row.value if isinstance(row, DataRow) else None
        if not isinstance(value, dict):
            return {}
        name, file, extra = value.get("id"), value.get("problem_file"), value.get("extra", {})
        if not (isinstance(name, str) and isinstance(file, str) and isinstance(extra, dict)):
            # A manifest of another program.
            return {}
        if extra or file != f"problems/{name}.pddl":
            found[file] = name, extra
    return found


def own_domain(problem: str) -> tuple[str, str] | None:
    """Return file and text of this project's domain or variant that a problem is written for.

    The domain has the name that the problem gives, and declares everything that the problem uses.
    """
    wanted = domain_named_by(problem)
    for file, name, text in _own_domains():
        if name == wanted:
            with suppress(PddlError):
                task_from_texts((text, "domain"), (problem, "problem"))
                return file, text
    return None


@cache
def _own_domains() -> list[tuple[str, str, str]]:
    """Return the file, name and text of each domain and variant of this project."""
    files = [
        (f"{name}/{file.name}", read_file(file))
        for name in domain_names()
        for folder in [domain_folder(name)]
        for file in (folder / "domain.pddl", *sorted(folder.glob("variants/*.pddl")))
    ]
    return [(file, kind_of(text)[1], text) for file, text in files]


def _id(name: str) -> str:
    return "-".join(PurePosixPath(name).parts)[: -len(".pddl")]


def _instance(row: DataRow, reading: Reading) -> Instance[Any]:
    pair: _Pair = row.value
    problem = pair.problem
    if reading.on_ignored is not None:
        kept = lenient_problem((pair.domain, pair.domain_file), (problem, row.file))
        for message in kept.ignored:
            reading.on_ignored(message)
        problem = kept.text
    given = given_instance(
        check_id(pair.name), pair.domain, problem, {}, files=(pair.domain_file, row.file)
    )
    return replace(given, extra=pair.extra)


FORMATS: Final = (
    Format(
        "pddl", "folder, tar archive or file of PDDL problems, unchanged",
        _claims, _rows, _instance, options=frozenset({"domain", "on_ignored"}),
    ),
)  # fmt: skip
