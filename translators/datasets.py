"""Reads datasets of every format into instances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.io.standard_streams import STANDARD, standard_input_file
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.pddl_domains import domain_names
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.format import DataRow, Format, Reading, ignore
from pddl_pipeline.translators.formats.json_rows import column_of
from pddl_pipeline.translators.formats.registry import OWN, format_named, guess_format
from pddl_pipeline.translators.formats.table import TABLE, with_columns
from pddl_pipeline.translators.ids import Ids
from pddl_pipeline.translators.memory_rows import check_kind, memory_rows
from pddl_pipeline.translators.notes import Notes, takes_rules

_OPTIONS: Final = {
    "domain": "--domain", "folders": "--folder", "columns": "--column",
    "domain_name": "--domain-name", "on_ignored": "--lenient",
}  # fmt: skip


Data = str | Path | Instance[Any] | Mapping[str, Any] | Iterable[Any]
"""A dataset: a file or folder, an instance, a record, an iterable of these, or a data frame."""


def raise_it(error: InputError) -> None:
    """Raise an error: the default for invalid rows."""
    raise error


def say_nothing(path: str, form: Format) -> None:
    """Do nothing: the default when a format is detected."""
    del path, form


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How datasets are read."""

    form: str | None = None
    """Name of their format; detected if None."""
    domain: Path | None = None
    """See `Reading.domain`."""
    folders: Mapping[str, Path] = field(default_factory=dict)
    """See `Reading.folders`."""
    on_bad: Callable[[InputError], None] = raise_it
    """Called for each invalid row. If it returns, the row is skipped."""
    on_guess: Callable[[str, Format], None] = say_nothing
    """Called with the name of a dataset and its detected format."""
    on_note: Callable[[str], None] = ignore
    """Called with each thing that is assumed about a dataset: its columns, ids, extra fields and
    rules."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """See `Reading.columns`."""
    domain_name: str | None = None
    """See `Reading.domain_name`."""
    rules: Mapping[str, Any] | None = None
    """The rules of countdown, as in records, for all instances; None for those of the records."""
    limit: int | None = None
    """The number of instances to read at most; None for all."""
    strict: bool = False
    """Whether an option that applies to none of the datasets is an error."""
    on_ignored: Callable[[str], None] | None = None
    """See `Reading.on_ignored`."""


@dataclass(frozen=True, slots=True)
class _Dataset:
    """A dataset that is ready to be read."""

    name: str
    """For messages."""
    form: Format
    reading: Reading
    notes: Notes
    memory: Iterator[DataRow] | None = None
    """Its rows, if it is not a file."""

    def rows(self) -> Iterator[DataRow | InputError]:
        """Yield the rows, under the name of the dataset."""
        if self.memory is not None:
            yield from with_columns(self.memory, self.reading)
            return
        file = str(self.reading.path)
        with self.renaming():
            for row in self.form.rows(self.reading):
                if isinstance(row, DataRow) and row.file == file:
                    yield row._replace(file=self.name)
                else:
                    yield row

    @contextmanager
    def renaming(self) -> Iterator[None]:
        """Give errors the name of the dataset: standard input is read from a temporary file."""
        try:
            yield
        except InputError as error:
            if error.file == str(self.reading.path):
                error.file = self.name
            raise


def load_records(*paths: Data, source: ReadOptions = ReadOptions()) -> Iterator[Instance[Any]]:
    """Yield the instances of datasets, in order.

    Args:
        paths: files and folders, each in any of the known `formats`; ``-`` is standard input. Or
            data in memory: a record, an iterable of records or instances, or a data frame, with the
            fields of records or the columns of a table.
        source: how to read them.

    Raises:
        RecordError: a row is not an instance of a known domain, an id occurs twice, or a dataset
            has no valid instance; with file, line and, if known, column.
        InputError: a file cannot be read, or an option applies to none of the datasets.
        TypeError: the data are of no known kind.
    """
    for path in paths:
        check_kind(path)
    with closing(Ids()) as ids, ExitStack() as stack:
        shared = _shared_names(paths)
        datasets = [_opened(path, source, stack, shared) for path in paths]
        if source.strict:
            _check_options(datasets, source)
        instances = (each for dataset in datasets for each in _load(dataset, source, ids))
        yield from islice(instances, source.limit)
        with_rules = any(each.notes.has_rules for each in datasets)
        if source.strict and source.rules is not None and not with_rules:
            raise InputError("--rules does not apply: the data contain no countdown instance")
        for dataset in datasets:
            dataset.notes.pass_on()


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
    return frozenset(name for name, count in counts.items() if count > 1)


def _opened(path: Data, source: ReadOptions, stack: ExitStack, shared: frozenset[str]) -> _Dataset:
    is_file = isinstance(path, str | Path)
    name = str(path) if is_file else "data"
    notes = Notes(lambda note: source.on_note(f"{name}: {note}"))
    reading = Reading(
        Path(name), source.domain, source.folders, source.columns, source.domain_name,
        source.form is not None, notes.add, shared, source.on_ignored, notes.add_unnamed,
    )  # fmt: skip
    if not isinstance(path, str | Path):
        return _Dataset(name, format_named(TABLE), reading, notes, memory_rows(path))
    file = stack.enter_context(standard_input_file()) if name == STANDARD else Path(path)
    if file.exists() and not (file.is_file() or file.is_dir()):
        raise InputError("is not a regular file; expected a file or a folder", file=name)
    reading = replace(reading, path=file)
    if source.form is not None:
        return _Dataset(name, format_named(source.form), reading, notes)
    unknown = _Dataset(name, format_named(OWN), reading, notes)
    with unknown.renaming():
        form = guess_format(file, own_columns=bool(source.columns or source.domain_name))
    source.on_guess(name, form)
    return replace(unknown, form=form)


def _check_options(datasets: list[_Dataset], source: ReadOptions) -> None:
    """Check that each option applies to a dataset.

    Raises:
        InputError: an option applies to none.
    """
    for option, flag in _OPTIONS.items():
        if getattr(source, option) and not any(option in each.form.options for each in datasets):
            names = " and ".join(f"{each.name}, read as {each.form.name}" for each in datasets[:2])
            message = f"{flag} does not apply to {names}"
            if option == "domain":
                message += "; it names the domain file of PDDL problems"
                near = did_you_mean(str(source.domain), domain_names())
                message += near.replace("mean '", "mean --domain-name '")
            raise InputError(message)


def _load(dataset: _Dataset, source: ReadOptions, ids: Ids) -> Iterator[Instance[Any]]:
    found = read = False
    for row in dataset.rows():
        found = True
        try:
            with dataset.renaming():
                instance = _with_rules(_instance(row, dataset, ids), source.rules)
        except InputError as error:
            source.on_bad(error)
        else:
            read = True
            dataset.notes.add_instance(instance)
            yield instance
    if not read:
        nothing = "the file contains no record" if dataset.memory is None else "found no record"
        reason = "every record was skipped" if found else nothing
        raise RecordError(reason, file=dataset.name)


def _instance(row: DataRow | InputError, dataset: _Dataset, ids: Ids) -> Instance[Any]:
    if isinstance(row, InputError):
        raise row
    try:
        instance: Instance[Any] = (
            row.value
            if isinstance(row.value, Instance)
            else dataset.form.instance(row, dataset.reading)
        )
        ids.add(instance.id, _place(row, dataset))
    except FieldFault as fault:
        column = column_of(fault.field, row.text) if row.text else None
        message = str(fault) if row.line is not None else f"{row.unit} {row.position}: {fault}"
        raise RecordError(message, file=row.file, line=row.line, column=column) from None
    return instance


def _place(row: DataRow, dataset: _Dataset) -> str:
    if row.line is not None:
        return f"{row.file}:{row.line}"
    # Each PDDL file is one row.
    return f"{row.file}: {row.unit} {row.position}" if row.file == dataset.name else row.file


def _with_rules(instance: Instance[Any], rules: Mapping[str, Any] | None) -> Instance[Any]:
    """Return an instance with the rules that the user chose, if it takes rules."""
    if rules is None or not takes_rules(instance):
        return instance
    others = {name: value for name, value in instance.extras.items() if name != "rules"}
    return replace(instance, extras={**others, "rules": dict(rules)} if rules else others)


def as_instances(data: Data) -> Iterator[Instance[Any]]:
    """Yield the instances of data that may be instances already; others as `load_records` does.

    Raises:
        RecordError, InputError: as `load_records`.
        TypeError: the data are of no known kind.
    """
    if isinstance(data, Instance):
        yield data
    elif isinstance(data, str | Path | Mapping) or hasattr(data, "itertuples"):
        yield from load_records(data)
    else:
        check_kind(data)
        rest = iter(data)
        for first in rest:
            if isinstance(first, Instance):
                yield first
            else:
                yield from load_records(chain([first], rest))
