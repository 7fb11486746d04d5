"""The interface of a family of instances: a file defines `Generator` objects in GENERATORS."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Generic, TypeVar

from msgspec import Meta

Settings = TypeVar("Settings")

COUNT: Final = 100
"""Default number of instances of each size."""
NotNegative = Annotated[int, Meta(ge=0)]
AtLeastOne = Annotated[int, Meta(ge=1)]


@dataclass(frozen=True, slots=True)
class NoSettings:
    """No settings: only the size can be chosen."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A generated task without an id."""

    task: Any
    """The domain's own fields: an object of its translator's `record_type`."""
    suffix: str = ""
    """End of the id, if one seed makes several tasks."""
    extras: Mapping[str, Any] = field(default_factory=dict)
    """Optional fields of the record, such as ``witness``. The seed is added to them."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A dataset of a paper: the number of instances in each split, spread evenly over sizes."""

    sizes: range
    splits: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Generator(Generic[Settings]):
    """A method of generating instances of a domain."""

    domain: str
    method: str
    about: str
    """One-line description for users."""
    settings: type[Settings]
    """Frozen dataclass of the method's options, each with a default and, as metadata, ``help``. Its
    ``__post_init__`` raises `InputError` for invalid values that the types allow."""
    sizes: range
    """The default sizes."""
    make: Callable[[Settings, int, int], Sequence[Draft]]
    """Return the tasks for settings, size and seed, or none if the seed is unsuitable: the goal
    holds in the initial state, for example. Equal arguments must result in equal tasks on any
    machine. Raise `InputError` if the settings allow no task of the size."""
    prefix: str = ""
    """Start of the ids; the domain's name if empty."""
    patience: int = 2000
    """Number of consecutive seeds without a new task after which a size counts as exhausted."""
    per_seed: Callable[[Settings], int] = lambda _: 1
    """Return the number of instances that a seed makes with the settings."""
    presets: Mapping[str, Preset] = field(default_factory=dict)
    faster: Callable[[], str] = lambda: ""
    """Return what is faster on this machine, for users who would wait long; empty for nothing."""


METHOD: Final = "simplan"
"""The method of the datasets of SimPlan's five domains (Appendix D, Tables 8 and 9)."""


def presets(simple: range, complex_: range) -> dict[str, Preset]:
    """Return both datasets; only the sizes differ between domains."""
    return {
        "simple": Preset(simple, {"train": 100, "dev": 30, "test": 30}),
        "complex": Preset(complex_, {"test": 50}),
    }
