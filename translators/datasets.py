"""Reads datasets of every format into instances."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import fields, replace
from itertools import chain, count, islice
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.io.standard_streams import STANDARD, standard_input_file
from pddl_pipeline.io.tables import CSV_SUFFIXES, PARQUET
from pddl_pipeline.io.text_lines import suffix_of
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.kept import Kept
from pddl_pipeline.translators import has_referee
from pddl_pipeline.translators.domains.countdown_rules import Rules, rules_text
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.format import DataRow, Reading, ReadOptions, ignore
from pddl_pipeline.translators.formats.json_rows import JSON_SUFFIXES, column_of
from pddl_pipeline.translators.formats.registry import OWN, format_named, guess_format, row_format
from pddl_pipeline.translators.formats.rows import plain_row
from pddl_pipeline.translators.formats.table import TABLE, usual_instance
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.ids import Names, add_id
from pddl_pipeline.translators.records import not_pddl
from pddl_pipeline.translators.translator import translator
from pddl_pipeline.validation.given_objects import library_of, problem_texts

_NAME: Final = "data"


def memory_rows(data: Instance[Any] | Mapping[str, Any] | Iterable[Any]) -> Iterator[DataRow]:
    """Yield the rows of a record, of an iterable of records or instances, or of a data frame.

    Raises:
        InputError: an element is neither a record nor an instance, or two columns have the same
            name.
    """
    positions: Iterable[int] = count(1)
    if is_frame(data):
        positions, data = row_numbers(data), plain_rows(data)
    elif isinstance(data, Mapping | Instance):
        data = [data]
    for position, value in zip(positions, data, strict=False):
        row: Any = as_row(value)
        if isinstance(row, Mapping):
            row = plain_row(row)
        elif not isinstance(value, Instance):
            row = _instance_of(value, position)
        yield DataRow(_NAME, None, position, row, unit="row")


def _instance_of(value: object, position: int) -> Instance[Any]:
    """Return a problem of another library as an instance with the problem's name as id."""
    texts = problem_texts(value)
    if texts is None:
        found = f"row {position}: found {type(value).__name__}"
        raise InputError(f"{found}, expected a record, a dict or an instance", file=_NAME)
    given = given_instance("", texts.domain_pddl, texts.problem_pddl, {})
    return replace(given, id=given.record.read().facts.name)


def listed(data: Any) -> Any:
    """Return data of a known kind; one problem of another library as a list of it.

    Raises:
        TypeError: they are neither an instance nor a name of a file, nor can they be iterated over.
    """
    if not isinstance(data, str | Path | Instance | Iterable) and not is_frame(data):
        if library_of(data) is not None:
            return [data]
        found = type(data).__name__
        raise TypeError(f"data: found {found}, expected instances, records, a data frame or a file")
    return data


_METHODS: Final = ("itertuples", "iter_rows", "to_pylist")
"""What returns the rows of a data frame of pandas, of Polars and of Arrow."""


def is_frame(data: Any) -> bool:
    """Return whether data are a frame of pandas or Polars, or a table of Arrow.

    Raises:
        TypeError: they are several tables, or one without its rows; the message says how to get it.
    """
    kind = type(data).__name__
    if kind.endswith("DatasetDict"):
        splits = ", ".join(map(repr, data))
        raise TypeError(
            f"found {kind} of {splits}; expected one, as in data[{next(iter(data), '')!r}]"
        )
    if kind == "LazyFrame":
        raise TypeError("found LazyFrame, expected its rows: data.collect()")
    return hasattr(data, "columns") and any(hasattr(data, name) for name in _METHODS)


def as_row(value: Any) -> Any:
    """Return a row that pandas gives as a Series as a dict; any other value unchanged."""
    is_series = type(value).__name__ == "Series" and hasattr(value, "items")
    return dict(value.items()) if is_series else value


def are_paths(data: Any) -> bool:
    """Return whether data are a list of names of files."""
    kinds = (
        {isinstance(each, str | Path) for each in data} if isinstance(data, list | tuple) else ()
    )
    return kinds == {True}


def row_numbers(frame: Any) -> Iterable[int]:
    """Return the numbers of the rows of a data frame, from 1.

    A part of a frame of pandas has those of the whole, which its index tells.
    """
    index = frame.index.tolist() if hasattr(frame, "index") else []
    are_numbers = all(isinstance(each, int) and each >= 0 for each in index)
    is_whole = not index or not are_numbers or len({*index}) < len(index)
    return count(1) if is_whole else [each + 1 for each in index]


def plain_rows(frame: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of a data frame with cells as JSON has them.

    Raises:
        InputError: two columns have the same name.
    """
    names = [str(name) for name in getattr(frame, "column_names", frame.columns)]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"column '{name}' occurs twice", file=_NAME)
    if hasattr(frame, "itertuples"):
        rows = frame.itertuples(index=False, name=None)
    elif hasattr(frame, "iter_rows"):
        rows = frame.iter_rows()
    else:
        rows = (row.values() for row in frame.to_pylist())
    for cells in rows:
        yield plain_row(dict(zip(names, cells, strict=True)))


_MOST: Final = 20
"""The largest number of names that a note contains."""


class Notes:
    """Collects notes about a dataset, each once, until it has been read.

    A fault in the dataset is then the only message about it.
    """

    def __init__(self) -> None:
        self.has_rules = False
        """Whether there was an instance whose domain has rules."""
        self._notes: dict[str, None] = {}
        self._extra: dict[str, None] = {}
        self._rules: list[Any] = []
        self.unnamed = 0
        """The number of rows without an id."""
        self._unnamed: list[str] = []
        self._instances = 0

    def add(self, note: str) -> None:
        """Add a note."""
        self._notes[note] = None

    def add_unnamed(self, name: str) -> None:
        """Add the id that a row gets because it has none."""
        self.unnamed += 1
        self._unnamed = self._unnamed or [name]

    def add_instance(self, instance: Instance[Any]) -> None:
        """Add the names of the extra fields of an instance, and its rules."""
        self._instances += 1
        self._extra.update(dict.fromkeys(name for name in instance.extra if name != "solvable"))
        if takes_rules(instance):
            self.has_rules = True
            rules = instance.extras.get("rules") or {}
            if rules not in self._rules:
                self._rules.append(rules)

    def all(self) -> Iterator[str]:
        """Yield the notes."""
        for name in self._unnamed:
            some = f"rows without an id: {self.unnamed:,} of {self._instances:,}; their"
            which = some if self.unnamed < self._instances else "no ids;"
            yield f"{which} ids are the file name and the position from 0, such as {name}"
        if self._extra:
            names = [ascii(name)[1:-1] if not name.isprintable() else name for name in self._extra]
            more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
            yield f"extra fields, kept in every output: {', '.join(names[:_MOST])}{more}"
        yield from (f"countdown rules: {rules_text(rules)}" for rules in self._rules)
        yield from self._notes


def takes_rules(instance: Instance[Any]) -> bool:
    """Return whether an instance is of countdown, which is played by different rules."""
    return has_referee(instance) and translator(instance.domain).rules is Rules


__all__ = ("Data", "ReadOptions", "as_instances", "instance_of", "load_records")
_HEAD: Final = 512
_NO_DATA: Final = {
    "is a pointer of Git LFS, without the data": r"version https://git-lfs",
    "is a web page, without the data": r"\s*<(!doctype|html)",
    "is the refusal of a gated dataset": r".{0,40}Access to (dataset|model) \S+ is restricted",
}
"""What may be downloaded in place of data, and how it begins."""
_LOAD: Final = (
    "load it first: datasets.load_dataset('{}', split='train') is data in Python, and its "
    ".to_json('data.jsonl') writes a file; gated ones need `hf auth login`"
)
_SUFFIXES: Final = (*JSON_SUFFIXES, *CSV_SUFFIXES, PARQUET, ".pddl")
_OPTIONS: Final = {
    "domain": "--domain",
    "folders": "--folder",
    "columns": "--column",
    "domain_name": "--domain",
    "on_ignored": "--lenient",
}


Data = str | Path | Instance[Any] | Mapping[str, Any] | Iterable[Any]
"""A dataset: files or folders, an instance, a record, a problem of Unified Planning, an iterable of
these, a data frame of pandas or Polars, or a table of Arrow."""


def _check_loaded(name: str, path: Path) -> None:
    """Check that data are on this machine: no name on the network, and no file in their place.

    Raises:
        InputError: it is; the message says how to load it.
    """
    known, found, head = "OWNER/NAME", "", ""
    is_id = re.fullmatch(r"[\w-]+/[\w.-]+", name) and suffix_of(path) not in _SUFFIXES
    if path.is_file():
        with suppress(OSError), path.open("rb") as file:
            head = file.read(_HEAD).decode(errors="replace")
        signs = (what for what, sign in _NO_DATA.items() if re.match(sign, head, re.IGNORECASE))
        found = next(signs, "")
    elif re.match(r"[a-zA-Z]\w+:/", name):  # Path takes one of two slashes away
        found = "is a URL"
    elif is_id and not path.parent.exists():
        known, found = name, "is not a file, but may be the id of a dataset"
    if found:
        raise InputError(f"{found}; {_LOAD.format(known)}", file=name)


class _Dataset:
    """A dataset that is being read."""

    def __init__(
        self, data: Data, options: ReadOptions, stack: ExitStack, shared: frozenset[str]
    ) -> None:
        is_file = isinstance(data, str | Path)
        self.name = str(data) if is_file else "data"
        self.notes = Notes()
        rows = None if isinstance(data, str | Path) else memory_rows(data)
        # The first row of data in memory decides the format; it is read again with the others.
        first = [] if rows is None else [*islice(rows, 1)]
        path = Path(self.name)
        if is_file and self.name == STANDARD:
            path = stack.enter_context(standard_input_file())
        if is_file:
            _check_loaded(self.name, path)
        # A pipe can be read once, and a file is read a first time to guess its format.
        if is_file and path.exists() and not (path.is_file() or path.is_dir()):
            reason = "is not a regular file; expected a file or a folder"
            raise InputError(reason, file=self.name)
        self.reading = Reading(
            **{field.name: getattr(options, field.name) for field in fields(ReadOptions)},
            path=path,
            note=self.notes.add,
            shared=shared,
            unnamed=self.notes.add_unnamed,
            given=None if rows is None else chain(first, rows),
        )
        # Columns and domains that the user names are those of tables, so no format is guessed.
        own_columns = bool(options.columns or options.domain_name)
        guessed = None if own_columns else next((row_format(row.value) for row in first), None)
        self.form = guessed or format_named(options.form or OWN if is_file else TABLE)
        if is_file and options.form is None:
            with self.renaming():
                self.form = guess_format(path, own_columns=own_columns)
            options.on_guess(self.name, self.form)

    @contextmanager
    def renaming(self) -> Iterator[None]:
        """Give errors the name of the dataset: standard input is read from a temporary file."""
        try:
            yield
        except InputError as error:
            self._rename(error)
            raise

    def _rename(self, error: InputError) -> None:
        if error.file == str(self.reading.path):
            error.file = self.name

    def instances(self, ids: Names) -> Iterator[Instance[Any]]:
        """Yield the instances.

        Raises:
            RecordError: a row is invalid, and `ReadOptions.on_bad` raises; or all rows are.
        """
        found = read = False
        with self.renaming():
            for row in self.form.rows(self.reading):
                found = True
                try:
                    instance = self._instance(row, ids)
                except InputError as error:
                    self._rename(error)
                    error.record = error.record or self._id_in(row)
                    self.reading.on_bad(error)
                else:
                    read = True
                    self.notes.add_instance(instance)
                    yield instance
        if not read:
            is_file = self.reading.given is None
            nothing = "the file contains no record" if is_file else "found no record"
            reason = "every record was skipped" if found else nothing
            raise RecordError(reason, file=self.name)

    def _id_in(self, row: DataRow | InputError) -> str | None:
        """Return the id in a row, if it has one."""
        value = row.value if isinstance(row, DataRow) else None
        name = self.reading.columns.get("id", "id")
        found = value.get(name) if isinstance(value, Mapping) else getattr(value, "id", None)
        return None if found is None else str(found)

    def _instance(self, row: DataRow | InputError, ids: Names) -> Instance[Any]:
        if isinstance(row, InputError):
            raise row
        instance: Instance[Any] = row.value
        file = self.name if row.file == str(self.reading.path) else row.file
        unnamed, on_row = self.notes.unnamed, self.reading.on_row
        try:
            if not isinstance(instance, Instance):
                instance = self.form.instance(row, self.reading)
            # Each PDDL file is one row.
            place = f"{file}: {row.unit} {row.position}" if file == self.name else file
            place = place if row.line is None else f"{file}:{row.line}"
            # Rows with answers repeat an instance for each attempt, so their ids may repeat.
            if on_row is None:
                add_id(ids, instance.id, place)
            else:
                instance = on_row(instance, place, self.notes.unnamed == unnamed)
        except FieldFault as fault:
            column = column_of(fault.field, row.text) if row.text else None
            message = str(fault) if row.line is not None else f"{row.unit} {row.position}: {fault}"
            raise RecordError(message, file=file, line=row.line, column=column) from None
        rules = self.reading.rules
        if rules is None or not takes_rules(instance):
            return instance
        extras = {**instance.extras, "rules": dict(rules)}
        # The paper's rules are the default, which records do not state.
        if not rules:
            del extras["rules"]
        return replace(instance, extras=extras)


def load_records(
    *paths: Data,
    source: ReadOptions = ReadOptions(),  # noqa: B008 -- frozen
) -> Iterator[Instance[Any]]:
    """Yield the instances of datasets, in order.

    Args:
        paths: files and folders, or lists of them, each in any of the known `formats`; ``-`` is
            standard input. Or data in memory: a record, an iterable of records or instances, or a
            data frame, with the fields of records or the columns of a table.
        source: how to read them.

    Raises:
        RecordError: a row is not an instance of a known domain, an id occurs twice, or a dataset
            has no valid instance; with file, line and, if known, column.
        InputError: a file cannot be read, or an option applies to none of the datasets.
        TypeError: the data are of no known kind.
    """
    lists: list[Any] = [each if are_paths(each) else [listed(each)] for each in paths]
    paths = tuple(chain(*lists))
    with Names() as ids, ExitStack() as stack:
        shared = _shared_names(paths)
        datasets = [_Dataset(path, source, stack, shared) for path in paths]
        if source.strict:
            _check_options(datasets, source)
        instances = (instance for dataset in datasets for instance in dataset.instances(ids))
        yield from islice(instances, source.limit)
        with_rules = any(each.notes.has_rules for each in datasets)
        if source.strict and source.rules is not None and not with_rules:
            raise InputError("--rules does not apply: the data contain no countdown instance")
        # Known only after the last row; a caller that stops early gets no notes.
        for dataset in datasets if source.on_note is not ignore else ():
            for note in dataset.notes.all():
                source.on_note(f"{dataset.name}: {note}")


def _shared_names(paths: Sequence[Data]) -> frozenset[str]:
    """Return the names of files that lie in several datasets, such as ``p01.pddl``."""
    datasets = [Path(path) for path in paths if isinstance(path, str | Path)]
    if len(datasets) < 2:
        return frozenset()
    names = (
        {file.name for file in path.rglob("*")} if path.is_dir() else {path.name}
        for path in datasets
    )
    counts = Counter(chain.from_iterable(names))
    # Ids of PDDL files are made of their names; those of shared names have the folder's, too.
    return frozenset(name for name, count in counts.items() if count > 1)


def _check_options(datasets: list[_Dataset], source: ReadOptions) -> None:
    """Check that each option applies to a dataset.

    Raises:
        InputError: an option applies to none.
    """
    for option, flag in _OPTIONS.items():
        if getattr(source, option) and not any(
            option in dataset.form.options for dataset in datasets
        ):
            names = " and ".join(
                f"{dataset.name}, read as {dataset.form.name}" for dataset in datasets[:2]
            )
            message = f"{flag} does not apply to {names}"
            if option == "domain":
                message += "; it names the domain file of PDDL problems"
            raise InputError(message)


def instance_of(*rows: object) -> Instance[Any]:
    """Return the instance of a row: the same object for the same row, while it is remembered.

    Args:
        rows: a row in any of the known `formats`: the fields of a record, or with ``record``, PDDL
            texts such as ``domain_pddl`` and ``problem_pddl``, or those of a public dataset. Of
            several, the first that holds a problem counts.

    Raises:
        InputError: no row holds a problem, or it is invalid.
    """
    found = next(filter(None, (_of_row(json.dumps(plain_row(row))) for row in rows)), None)
    if found is None:
        faults = (not_pddl(row) for row in rows if isinstance(row, Mapping))
        if fault := next(filter(None, faults), None):
            raise InputError(str(fault), file=_NAME)
        names = ", ".join(str(name) for row in rows if isinstance(row, Mapping) for name in row)
        message = f"found no problem in the fields {names[:80]}" if names else "found no fields"
        texts = [
            f"found {row[:40]!r}, which is not a JSON object"
            for row in rows
            if isinstance(row, str)
        ]
        expected = "'record', PDDL texts, or the fields of a record such as 'numbers' and 'target'"
        raise InputError(f"{[*texts, message][0]}; expected {expected}", file=_NAME)
    return found


# The same rows come again and again, and reading one takes longer than judging an answer.
_ROWS: Final = Kept[str, Instance[Any]](1_000)


def _of_row(text: str) -> Instance[Any] | None:
    if text in _ROWS:
        return _ROWS[text]
    row = json.loads(text)
    if not isinstance(row, dict) or row_format(row) is None:
        return None
    return _ROWS.keep(text, usual_instance(row) or next(load_records(row)))


def as_instances(data: Data) -> Iterator[Instance[Any]]:
    """Yield the instances of data that may be instances already; others as `load_records` does.

    Raises:
        RecordError, InputError: as `load_records`.
        TypeError: the data are of no known kind.
    """
    data = listed(data)
    if isinstance(data, Instance):
        yield data
    elif isinstance(data, str | Path | Mapping) or is_frame(data) or are_paths(data):
        yield from load_records(data)
    else:
        rest = iter(data)
        for first in rest:
            if isinstance(first, Instance):
                yield first
            else:
                # This reads the rest of the data, so it also ends the loop.
                yield from load_records(chain([first], rest))
