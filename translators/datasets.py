"""Reads datasets of every format into instances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.io.standard_streams import STANDARD, standard_input_file
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.pddl_domains import domain_names
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.format import DataRow, Reading, ReadOptions
from pddl_pipeline.translators.formats.json_rows import column_of
from pddl_pipeline.translators.formats.registry import OWN, format_named, guess_format
from pddl_pipeline.translators.formats.table import TABLE, with_columns
from pddl_pipeline.translators.ids import Names, add_id
from pddl_pipeline.translators.memory_rows import check_kind, memory_rows
from pddl_pipeline.translators.notes import Notes, takes_rules

__all__ = ("Data", "ReadOptions", "as_instances", "load_records")
_OPTIONS: Final = {
    "domain": "--domain", "folders": "--folder", "columns": "--column",
    "domain_name": "--domain-name", "on_ignored": "--lenient",
}  # fmt: skip


Data = str | Path | Instance[Any] | Mapping[str, Any] | Iterable[Any]
"""A dataset: a file or folder, an instance, a record, an iterable of these, or a data frame."""


class _Dataset:
    """A dataset that is being read."""

    def __init__(
        self, data: Data, options: ReadOptions, stack: ExitStack, shared: frozenset[str]
    ) -> None:
        is_file = isinstance(data, str | Path)
        self.name = str(data) if is_file else "data"
        self.notes = Notes(lambda note: options.on_note(f"{self.name}: {note}"))
        self.memory = None if isinstance(data, str | Path) else memory_rows(data)
        path = Path(self.name)
        if is_file and self.name == STANDARD:
            path = stack.enter_context(standard_input_file())
        if is_file and path.exists() and not (path.is_file() or path.is_dir()):
            reason = "is not a regular file; expected a file or a folder"
            raise InputError(reason, file=self.name)
        given = {each.name: getattr(options, each.name) for each in fields(ReadOptions)}
        self.reading = Reading(
            **given, path=path, note=self.notes.add, shared=shared, unnamed=self.notes.add_unnamed
        )
        self.form = format_named(TABLE if self.memory else options.form or OWN)
        if is_file and options.form is None:
            own_columns = bool(options.columns or options.domain_name)
            with self.renaming():
                self.form = guess_format(path, own_columns=own_columns)
            options.on_guess(self.name, self.form)

    @contextmanager
    def renaming(self) -> Iterator[None]:
        """Give errors the name of the dataset: standard input is read from a temporary file."""
        try:
            yield
        except InputError as error:
            if error.file == str(self.reading.path):
                error.file = self.name
            raise

    def instances(self, ids: Names) -> Iterator[Instance[Any]]:
        """Yield the instances.

        Raises:
            RecordError: a row is invalid, and `ReadOptions.on_bad` raises; or all rows are.
        """
        rows = self.memory and with_columns(self.memory, self.reading)
        found = read = False
        with self.renaming():
            for row in rows or self.form.rows(self.reading):
                found = True
                try:
                    with self.renaming():
                        instance = self._instance(row, ids)
                except InputError as error:
                    self.reading.on_bad(error)
                else:
                    read = True
                    self.notes.add_instance(instance)
                    yield instance
        if not read:
            nothing = "found no record" if self.memory else "the file contains no record"
            reason = "every record was skipped" if found else nothing
            raise RecordError(reason, file=self.name)

    def _instance(self, row: DataRow | InputError, ids: Names) -> Instance[Any]:
        if isinstance(row, InputError):
            raise row
        instance: Instance[Any] = row.value
        file = self.name if row.file == str(self.reading.path) else row.file
        try:
            if not isinstance(instance, Instance):
                instance = self.form.instance(row, self.reading)
            # Each PDDL file is one row.
            place = f"{file}: {row.unit} {row.position}" if file == self.name else file
            add_id(ids, instance.id, place if row.line is None else f"{file}:{row.line}")
        except FieldFault as fault:
            column = column_of(fault.field, row.text) if row.text else None
            message = str(fault) if row.line is not None else f"{row.unit} {row.position}: {fault}"
            raise RecordError(message, file=file, line=row.line, column=column) from None
        rules = self.reading.rules
        if rules is None or not takes_rules(instance):
            return instance
        extras = {**instance.extras, "rules": dict(rules)}
        if not rules:
            del extras["rules"]
        return replace(instance, extras=extras)


def load_records(
    *paths: Data,
    source: ReadOptions = ReadOptions(),  # noqa: B008 -- frozen
) -> Iterator[Instance[Any]]:
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
    with Names() as ids, ExitStack() as stack:
        shared = _shared_names(paths)
        datasets = [_Dataset(path, source, stack, shared) for path in paths]
        if source.strict:
            _check_options(datasets, source)
        instances = (each for dataset in datasets for each in dataset.instances(ids))
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
