"""What a format plugs in: one `Format` (or several) in its own file, in FORMATS."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance


class DataRow(NamedTuple):
    """What a dataset holds of one instance, before it is understood."""

    file: str
    """Name for messages."""
    line: int | None
    """1-based; None where the file has no lines."""
    position: int
    """1-based, among the rows of the file."""
    value: Any
    """What the format's file says that it is: a JSON value, a line's columns, …"""
    text: str = ""
    """The line, for the columns of faults."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A dataset, and what the user says about it."""

    path: Path
    domain: Path | None = None
    """The domain file of PDDL problems, where it does not lie beside them."""
    folders: Mapping[str, Path] = field(default_factory=dict)
    """Where folders of PDDL are, by the names that lists call them by; '' for all others."""


@dataclass(frozen=True, slots=True)
class Head:
    """What can be told of a dataset before it is read."""

    path: Path
    suffix: str = ""
    """Lower case, that of a compression left out."""
    item: Any = None
    """The first object or element of JSON; None where it is no JSON."""
    is_list: bool = False
    """Whether the JSON is one list and not a value a line."""
    columns: tuple[str, ...] = ()
    """The first line of a CSV file."""

    def has(self, *names: str) -> bool:
        """Whether the first item is an object with these fields."""
        return isinstance(self.item, dict) and set(names) <= set(self.item)


@dataclass(frozen=True, slots=True)
class Format:
    """A form in which datasets are published."""

    name: str
    about: str
    """One line for users."""
    claims: Callable[[Head], bool]
    """Whether a dataset looks like it."""
    rows: Callable[[Reading], Iterator[DataRow | InputError]]
    """Reads a dataset row by row; a row that cannot be read is an error that is yielded. Raises an
    `InputError` where the rest of the dataset cannot be read either."""
    instance: Callable[[DataRow, Reading], Instance[Any]]
    """Understands a row. Raises a `FieldFault` or an `InputError`."""
