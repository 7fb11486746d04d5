"""The numbers of the papers, in a file ``published.toml`` beside the studies of each paper."""

from __future__ import annotations

from importlib import resources
from typing import TypeVar

import msgspec

Numbers = TypeVar("Numbers")


def published(package: str, numbers: type[Numbers]) -> Numbers:
    """Return the numbers of the paper whose studies a package contains.

    Every table of the file has a ``source``, the paper's table, figure, section or page, and has
    no key that `numbers` does not define.

    Args:
        package: the package, as its modules know it by ``__package__``.
        numbers: a `msgspec.Struct` whose fields are the tables of the file.
    """
    text = resources.files(package).joinpath("published.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=numbers)


class Sourced(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of published numbers."""

    source: str
    """The paper's table, figure, section or page."""


class Margins(Sourced, frozen=True):
    """Differences that do not matter, stated before the runs that they decide are made."""

    share: float
    """Of two shares, and of the cumulative shares of two distributions."""
    exceptions: float
    """The share of exceptions to a statement on all instances that a sample must exclude."""
