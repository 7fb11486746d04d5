"""The interface of formats: each file defines its `Format` objects in FORMATS."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance


class DataRow(NamedTuple):
    """A row of a dataset, before it is decoded to an instance."""

    file: str
    """Name of the file, for messages."""
    line: int | None
    """1-based; None if the file has no lines."""
    position: int
    """1-based index among the rows of the file."""
    value: Any
    """Depends on the format: a JSON value, the columns of a line, …"""
    text: str = ""
    """The line, used to find the column of a fault."""
    unit: str = "item"
    """What the position counts, for messages about files without lines."""


def ignore(*_: object) -> None:
    """Do nothing: the default for notes."""


def raise_it(error: InputError) -> None:
    """Raise an error: the default for invalid rows."""
    raise error


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How datasets are read."""

    form: str | None = None
    """Name of their format; detected if None."""
    domain: Path | None = None
    """The domain file of PDDL problems, if it is not beside them."""
    folders: Mapping[str, Path] = field(default_factory=dict)
    """Folders of PDDL by the names that lists use for them; '' stands for all other folders."""
    on_bad: Callable[[InputError], None] = raise_it
    """Called for each invalid row. If it returns, the row is skipped."""
    on_guess: Callable[[str, Format], None] = ignore
    """Called with the name of a dataset and its detected format."""
    on_note: Callable[[str], None] = ignore
    """Called with each thing that is assumed about a dataset: its columns, ids, extra fields and
    rules."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """The dataset's names of fields of the record, by this project's names."""
    domain_name: str | None = None
    """The domain of records that do not name theirs."""
    rules: Mapping[str, Any] | None = None
    """The rules of countdown, as in records, for all instances; None for those of the records."""
    limit: int | None = None
    """The number of instances to read at most; None for all."""
    strict: bool = False
    """Whether an option that applies to none of the datasets is an error."""
    on_row: Callable[[Instance[Any], str, bool], Instance[Any]] | None = None
    """Called with each instance, its place, and whether its row has an id; returns the instance to
    use. Ids may then occur several times: each row is on its own."""
    on_ignored: Callable[[str], None] | None = None
    """Called for each part of a PDDL problem that is ignored; if None, problems are read strictly.
    See `lenient_problem`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(ReadOptions):
    """A dataset, and the user's options for it."""

    path: Path
    given: Iterator[DataRow] | None = None
    """The rows of data in memory; None for a file."""
    note: Callable[[str], None] = ignore
    """Called with what is assumed about the dataset, such as the column of the numbers."""
    shared: frozenset[str] = frozenset()
    """Names of files that also lie in another dataset of the same command."""
    unnamed: Callable[[str], None] = ignore
    """Called with the id that a row without one gets."""

    @property
    def named(self) -> bool:
        """Whether the user named the format; only then the source's rules apply."""
        return self.form is not None


@dataclass(frozen=True, slots=True)
class Head:
    """The properties of a dataset by which its format is detected."""

    path: Path
    suffix: str = ""
    """Lower case, without the suffix of a compression."""
    item: Any = None
    """The first object or element of JSON, or the first row; None if there is none."""
    is_list: bool = False
    """Whether the JSON is one list, and not one value per line."""
    columns: tuple[str, ...] = ()
    """The names of the columns of a CSV or Parquet file."""

    def has(self, *names: str) -> bool:
        """Return whether the first item is an object with these fields."""
        return isinstance(self.item, dict) and set(names) <= set(self.item)


@dataclass(frozen=True, slots=True)
class Format:
    """A format in which datasets are published."""

    name: str
    about: str
    """Description of one line, for users."""
    claims: Callable[[Head], bool]
    """Returns whether a dataset looks like this format."""
    rows: Callable[[Reading], Iterator[DataRow | InputError]]
    """Yields the rows of a dataset, and an error for each unreadable row. Raises an `InputError`
    if the rest of the dataset cannot be read either."""
    instance: Callable[[DataRow, Reading], Instance[Any]]
    """Returns the instance of a row. Raises a `FieldFault` or an `InputError`."""
    options: frozenset[str] = frozenset()
    """The fields of `Reading` that the format uses: ``domain``, ``folders``, ``columns``,
    ``domain_name``."""
