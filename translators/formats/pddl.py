"""PDDL files of any domain, unchanged: folders and single problems.

PlanBench, AutoToS, pddl-generators and the IPC publish their instances in this format.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple

from pddl_pipeline.io.tables import CSV_SUFFIXES, PARQUET
from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.io.text_lines import suffix_of
from pddl_pipeline.model.errors import InputError, PddlError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.text import printable
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.translators import encodings_of, translate
from pddl_pipeline.translators.export import check_complete
from pddl_pipeline.translators.field_checks import FieldFault, natural
from pddl_pipeline.translators.formats.format import DataRow, Format, Reading
from pddl_pipeline.translators.formats.json_rows import JSON_SUFFIXES, json_lines, parse_json
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.ids import Names, check_id
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.translators.translator import PAPER
from pddl_pipeline.validation.problem_reader import lenient_problem
from pddl_pipeline.validation.task import task_from_texts

_SUFFIX: Final = ".pddl"
_COMMENT: Final = re.compile(r";.*")
_DEFINE: Final = re.compile(r"\(\s*define\s*\(\s*(domain|problem)\s+([^\s()]+)", re.IGNORECASE)
_OF_DOMAIN: Final = re.compile(r"\(\s*:domain\s+([^\s()]+)", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d+$")
_TABLES: Final = (*JSON_SUFFIXES, *CSV_SUFFIXES, PARQUET)
_MOST_TABLES: Final = 5


def _is_pddl(path: Path) -> bool:
    return path.name.lower().endswith(_SUFFIX) and path.is_file()


def kind_of(text: str) -> tuple[str, str]:
    """Return ``domain`` or ``problem`` and its name; both are empty if a text is neither."""
    match = _DEFINE.search(_COMMENT.sub("", text))
    return (match[1].lower(), match[2].lower()) if match else ("", "")


def _kind(path: Path) -> tuple[str, str]:
    """Return `kind_of` a file; a file that cannot be read is neither, and its row has the error."""
    with suppress(InputError):
        return kind_of(read_file(path))
    return "", ""


def domain_named_by(problem: str) -> str:
    """Return the name of a problem's domain as the problem declares it, or an empty string."""
    match = _OF_DOMAIN.search(_COMMENT.sub("", problem))
    return match[1].lower() if match else ""


class DomainFiles:
    """Finds the domain file of a problem; each folder is read once.

    In order of preference: the file with a name that Fast Downward's driver expects, or with the
    problem's number (``domain-7.pddl`` for ``instance-7.pddl``), if it declares the domain that
    the problem names; the only file that declares this domain; the file with the expected name.
    """

    def __init__(self) -> None:
        self._known: dict[Path, dict[str, str]] = {}

    def of(self, name: str, problem: str, folders: Iterable[Path]) -> Path | None:
        """Return a problem's domain file, or None.

        Args:
            name: the name of the problem's file.
            problem: its text.
            folders: the folders to search, each before its subfolder ``domains``.
        """
        wanted = domain_named_by(problem)
        for folder in folders:
            for place in (folder, folder / "domains"):
                chosen = _choose(name, wanted, self._domains_in(place))
                if chosen:
                    return place / chosen
        return None

    def _domains_in(self, folder: Path) -> dict[str, str]:
        """Return the names of the domains that a folder's files declare, by file name."""
        if folder not in self._known:
            files = sorted(folder.iterdir()) if folder.is_dir() else []
            kinds = {path.name: _kind(path) for path in files if _is_pddl(path)}
            self._known[folder] = {
                name: declared for name, (kind, declared) in kinds.items() if kind == "domain"
            }
        return self._known[folder]


def _choose(name: str, wanted: str, found: dict[str, str]) -> str | None:
    """Return the file among ``found`` that declares the domain of the problem file ``name``."""
    stem = name[: -len(_SUFFIX)]
    number = _NUMBER.search(stem)
    # The order of Fast Downward's driver.
    files = [
        f"domain{_SUFFIX}",
        f"{stem}-domain{_SUFFIX}",
        f"{name[:3]}-domain{_SUFFIX}",
        f"domain_{name}",
        f"domain-{name}",
    ]
    if number:
        files.append(f"domain-{number[0]}{_SUFFIX}")
    by_file = [file for file in files if file in found]
    by_name = [file for file, declared in found.items() if declared == wanted]
    both = [file for file in by_file if file in by_name]
    chosen = both or (by_name if len(by_name) == 1 else by_file)
    return chosen[0] if chosen else None


class _Pair(NamedTuple):
    """A problem and its domain."""

    id: str
    problem: str
    domain_file: str
    domain: str
    extra: Mapping[str, Any]
    """The fields that an export's manifest has for it; see `Instance.extra`."""
    record: str | None
    """Its line in an export's ``instances.jsonl``; None if the manifest does not name its file."""
    words: str
    """The path of the ``words.toml`` beside its domain; empty if there is none."""


def _rows(reading: Reading) -> Iterator[DataRow | InputError]:
    path, above = reading.path, reading.path.parent.resolve()
    is_one = not path.is_dir()
    root = path.parent if is_one else path
    check_complete(path)
    with Names() as records:
        found = [path] if is_one else filter(_is_pddl, root.rglob("*"))
        files = sorted(
            (PurePosixPath(each.relative_to(root)) for each in found),
            key=lambda file: (natural(str(file.parent)), natural(file.name)),
        )
        problems = [file for file in files if _kind(root / file)[0] != "domain"]
        if not problems:
            raise InputError("contains no PDDL problem in a separate file", file=str(path))
        _note_tables(reading)
        twice = Counter(file.name for file in problems)
        exported = _exported(path, records)
        domains = DomainFiles()
        for position, file in enumerate(problems, start=1):
            shown = str(path if is_one else path / file)
            name = str(file) if twice[file.name] > 1 else file.name
            name = f"{root.resolve().name}/{file}" if file.name in reading.shared else name
            named, extra = exported.get(str(file), (None, {}))
            from_file = printable("-".join(PurePosixPath(name).parts)[: -len(_SUFFIX)])
            instance_id = from_file if named in (None, file.stem) else named
            try:
                text = read_file(root / file)
            except InputError as error:
                error.file, error.record = shown, instance_id
                yield error
                continue
            if kind_of(text)[0] != "problem":
                neither = "is neither a PDDL domain nor a PDDL problem"
                yield InputError(neither, file=shown, record=instance_id)
                continue
            # Its own folder, those up to the dataset's, and two above.
            folders = *(root / folder for folder in file.parents), above, above.parent
            place = reading.domain or domains.of(file.name, text, folders)
            if place is None:
                domain = own_domain(text)
            else:
                domain = str(place) if reading.domain else place.name, read_file(place)
            if domain is None:
                reason = "no domain file found; expected domain.pddl beside it, or --domain FILE"
                yield InputError(reason, file=shown, record=instance_id)
                continue
            # `add` returns the line that is stored under the id; no PDDL has the record `{}`.
            record = None if named is None else records.add(named) or "{}"
            pair = _Pair(instance_id, text, *domain, extra, record, _words(place))
            yield DataRow(shown, None, position, pair)


def _note_tables(reading: Reading) -> None:
    """Print the names of the first tables in a folder, without those that `translate` writes."""
    files = sorted(reading.path.iterdir()) if reading.path.is_dir() else []
    names = [file.name for file in files if suffix_of(file) in _TABLES]
    names = [name for name in names if name not in ("manifest.jsonl", "instances.jsonl")]
    if names:
        shown = ", ".join(names[:_MOST_TABLES])
        reading.note(f"tables in the folder are not read as problems: {shown}")


def _words(domain: Path | None) -> str:
    """Return the path of the ``words.toml`` beside a domain's file; empty if there is none."""
    beside = domain.with_name("words.toml") if domain is not None else None
    return str(beside.resolve()) if beside is not None and beside.is_file() else ""


def _exported(folder: Path, records: Names) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return ids and extra fields by file, from the manifest in a folder that `translate` wrote.

    Args:
        folder: the folder.
        records: gets the lines of its ``instances.jsonl`` by id.
    """
    manifest, instances = (
        json_lines(folder / name) if (folder / name).is_file() else ()
        for name in ("manifest.jsonl", "instances.jsonl")
    )
    try:
        exported = {
            row["problem_file"]: (check_id(row["id"]), dict(row.get("extra", {})))
            for row in (each.value for each in manifest if isinstance(each, DataRow))
        }
    except (AttributeError, KeyError, TypeError, ValueError):
        # A manifest of another program.
        return {}
    for row in instances if exported else ():
        if isinstance(row, DataRow) and isinstance(row.value, dict):
            records.add(str(row.value.get("id")), row.text)
    return exported


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


def _instance(row: DataRow, reading: Reading) -> Instance[Any]:
    pair: _Pair = row.value
    recorded = _recorded(pair)
    if recorded is not None:
        return recorded
    if pair.record is not None:
        reading.note(
            "instances.jsonl does not match all PDDL files; those that differ are read without"
            " rules, budget and optimal cost"
        )
    if reading.on_ignored is not None:
        kept = lenient_problem((pair.domain, pair.domain_file), (pair.problem, row.file))
        for message in kept.ignored:
            reading.on_ignored(message)
        pair = pair._replace(problem=kept.text)
    given = given_instance(
        check_id(pair.id),
        pair.domain,
        pair.problem,
        {"words": pair.words} if pair.words else {},
        files=(pair.domain_file, row.file),
    )
    return replace(given, extra=pair.extra)


def _recorded(pair: _Pair) -> Instance[Any] | None:
    """Return the instance of a pair's record; None if its PDDL is not exactly that of the pair."""
    with suppress(FieldFault, InputError):
        instance = from_record(parse_json(pair.record or "{}"))
        # The record counts only if it gives these texts, since the PDDL may have been edited.
        for encoding in encodings_of(instance):
            texts = translate(instance, encoding=encoding)
            if (texts.domain_pddl, texts.problem_pddl) == (pair.domain, pair.problem):
                record = (
                    instance.record
                    if encoding == PAPER
                    else given_instance(pair.id, pair.domain, pair.problem, {}).record
                )
                return replace(instance, id=check_id(pair.id), record=record)
    return None


FORMATS: Final = (
    Format(
        "pddl",
        "folder or file of PDDL problems, unchanged",
        lambda head: head.path.is_dir() or head.suffix == ".pddl",
        _rows,
        _instance,
        options=frozenset({"domain", "on_ignored"}),
    ),
)
