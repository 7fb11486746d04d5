"""What a family of instances plugs in: `Generator` objects in its own file, in GENERATORS."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

Settings = TypeVar("Settings")


@dataclass(frozen=True, slots=True)
class Draft:
    """A task that was made, before it has an id."""

    task: Any
    """The domain's own fields, an object of its translator's form."""
    suffix: str = ""
    """Ends the id where one seed gives several tasks."""
    extras: Mapping[str, Any] = field(default_factory=dict)
    """Optional fields of the record, such as ``witness``. Its seed is added to them."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A dataset of a paper: how many instances of each split, spread evenly over sizes."""

    sizes: range
    splits: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Generator(Generic[Settings]):
    """A way to make instances of a domain."""

    domain: str
    method: str
    about: str
    """One line for users."""
    settings: type[Settings]
    """Frozen dataclass of its own options, each with a default and, as metadata, ``help``. Its
    ``__post_init__`` raises an `InputError` for what the types do not say."""
    sizes: range
    """The sizes that it makes where the user names none."""
    make: Callable[[Settings, int, int], Sequence[Draft]]
    """From settings, size and seed makes a task, or none where the seed is of no use: the goal is
    reached at the start, for example. The same for the same arguments, on any machine. Raises an
    `InputError` where the settings allow no task of the size."""
    prefix: str = ""
    """Begins the ids; the domain's name where empty."""
    patience: int = 2000
    """After so many seeds in a row that give nothing new, a size counts as exhausted."""
    per_seed: Callable[[Settings], int] = lambda _: 1
    """How many instances a seed gives, under the settings."""
    presets: Mapping[str, Preset] = field(default_factory=dict)
