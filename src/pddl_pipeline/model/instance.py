"""An instance: one problem of a dataset, decoded from its record and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

Record_co = TypeVar("Record_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Instance(Generic[Record_co]):
    """One problem of a dataset."""

    id: str
    """Unique within its dataset; also the name of the files written for the instance."""
    domain: str
    """Name of the domain, with hyphens."""
    size: int
    """The size that reports group by: count of numbers, blocks, cars, balls, crates or shapes."""
    record: Record_co = field(hash=False)
    """The domain's own fields, a frozen dataclass of the domain's translator."""
    budget: int | None = None
    """Maximum cost of a plan; None for no limit. Not part of the PDDL."""
    extras: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """The optional fields that the record has, such as source and seed."""
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """The user's own fields, which have no meaning for this project: JSON values by name. They are
    carried to every output."""

    def __repr__(self) -> str:
        return f"<Instance {self.domain} {self.id}: size {self.size}>"
