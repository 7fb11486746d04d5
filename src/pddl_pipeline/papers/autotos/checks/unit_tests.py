"""Unit tests of `succ` and `isgoal`, and instances to search, in AutoToS's file formats."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.pddl_domains import domain_text
from pddl_pipeline.search.black_boxes.bridges import bridge_of
from pddl_pipeline.search.black_boxes.domain import Domain, Puzzle
from pddl_pipeline.search.space import NotAState, State
from pddl_pipeline.translators.formats.json_rows import parse_json, value_of_line
from pddl_pipeline.validation.task import read_task

_FOLDER: Final = Path(__file__).parent / "unit_test_data"
_PUZZLES: Final = "Puzzles"


class SuccessorCase(NamedTuple):
    """A state and some or all of its successors."""

    puzzle: Puzzle
    successors: list[State]


class Example(NamedTuple):
    """An instance to search."""

    name: str
    puzzle: Puzzle


class UnitTests(NamedTuple):
    """The unit tests of one domain."""

    goals: list[Puzzle]
    """Goal states, each with its setting."""
    non_goals: list[Puzzle]
    successors: list[SuccessorCase]
    examples: list[Example]


def own_folder(domain: Domain) -> Path:
    """Return the folder of the project's unit tests of a domain."""
    return _FOLDER / domain.name


def read_unit_tests(folder: Path, domain: Domain) -> UnitTests:
    """Read a folder of unit tests in AutoToS's format.

    ``*_goals.jsonl``, ``*_non_goals.jsonl`` and ``*_successors.jsonl`` have one object per line or
    one list of objects. Instances are PDDL files in ``unittests_instances``, or are listed in
    ``unittests.csv``: puzzles of four numbers, or PDDL files. Instances of countdown are in
    ``*_instances.jsonl``.

    Raises:
        InputError: a file is missing, or has another format.
    """
    non_goals = set(folder.glob("*_non_goals.jsonl"))
    goals = set(folder.glob("*_goals.jsonl")) - non_goals
    successors = set(folder.glob("*_successors.jsonl"))
    for name, found in (("goals", goals), ("non_goals", non_goals), ("successors", successors)):
        if len(found) != 1:
            raise InputError(
                f"found {len(found)} files *_{name}.jsonl, expected 1", file=str(folder)
            )
    return UnitTests(
        [_puzzle(entry, domain) for entry in _entries(goals.pop())],
        [_puzzle(entry, domain) for entry in _entries(non_goals.pop())],
        [_known(entry, domain) for entry in _entries(successors.pop())],
        list(_examples(folder, domain)),
    )


class _Entry(NamedTuple):
    content: Any
    file: str
    line: int | None

    def fault(self, found: str) -> InputError:
        return InputError(found, file=self.file, line=self.line)


def _entries(file: Path) -> Iterator[_Entry]:
    text, name = read_file(file), str(file)
    try:
        entries = parse_json(text)
    except ValueError:
        entries = None
    if isinstance(entries, list) and entries and all(isinstance(each, dict) for each in entries):
        yield from (_Entry(content, name, None) for content in entries)
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield _Entry(value_of_line(line, name, number), name, number)


def _puzzle(entry: _Entry, domain: Domain) -> Puzzle:
    """Return a state and its setting; the 24 game has no setting, and its entry is the state."""
    content = entry.content if isinstance(entry.content, dict) else {"state": entry.content}
    try:
        setting = domain.tidy(content[domain.setting]) if domain.setting else None
        return Puzzle(_state(content["state"], domain), setting)
    except (KeyError, TypeError, NotAState) as error:
        expected = f"a state{domain.setting and f' and a {domain.setting}'}"
        raise entry.fault(f"{_missing(error)}, expected {expected} of {domain.name}") from error


def _known(entry: _Entry, domain: Domain) -> SuccessorCase:
    content = entry.content
    if isinstance(content, list) and len(content) == 2:
        content = {"state": content[0], "successors": content[1]}
    try:
        setting = domain.tidy(content[domain.setting]) if domain.succ_takes else None
        successors = [_state(each, domain) for each in content["successors"]]
        return SuccessorCase(Puzzle(_state(content["state"], domain), setting), successors)
    except (KeyError, TypeError, NotAState) as error:
        expected = f"a state and successors of {domain.name}"
        raise entry.fault(f"{_missing(error)}, expected {expected}") from error


def _state(value: Any, domain: Domain) -> State:
    state = domain.tidy(value)
    domain.key(state)
    return state


def _missing(error: Exception) -> str:
    return f"found no {error.args[0]!r}" if isinstance(error, KeyError) else str(error)


def _examples(folder: Path, domain: Domain) -> Iterator[Example]:
    """Yield the instances in the order of their file names, or of the file that lists them."""
    for file in sorted(folder.glob("unittests_instances/*.pddl")):
        yield _from_pddl(file, folder, domain)
    for file in sorted(folder.glob("*_instances.jsonl")):
        for number, entry in enumerate(_entries(file), start=1):
            yield Example(f"{file.name}:{number}", _puzzle(entry, domain))
    if (folder / "unittests.csv").exists():
        yield from _from_table(folder / "unittests.csv", domain)


def _from_table(file: Path, domain: Domain) -> Iterator[Example]:
    rows = list(csv.reader(read_file(file).splitlines()))
    head = rows[0] if rows else []
    for number, row in enumerate(rows, start=1):
        if _PUZZLES not in head and row:
            yield _from_pddl(file.parent / row[0].strip(), file.parent, domain)
        elif number > 1 and row:
            words = row[head.index(_PUZZLES)].split()
            if not words or not all(word.isascii() and word.isdigit() for word in words):
                raise InputError(f"found no numbers: {words}", file=str(file), line=number)
            yield Example(" ".join(words), Puzzle([int(word) for word in words]))


def _from_pddl(file: Path, folder: Path, domain: Domain) -> Example:
    text, own = read_file(file), folder / "domain.pddl"
    about = read_file(own) if own.exists() else domain_text(domain.name)
    bridge = bridge_of(read_task(about, file), about, text)
    if bridge.form is None or bridge.form.domain is not domain:
        raise InputError(f"found no task of {domain.name}", file=str(file))
    return Example(file.name, bridge.form.puzzle)
