"""The domain of a record that does not name it, guessed for error messages."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from pddl_pipeline.pddl_domains import domain_names
from pddl_pipeline.translators.records import fields_of

_HALF: Final = 0.5


def domain_of_fields(found: Collection[str]) -> str | None:
    """Return the domain whose fields fit those of a record best, or None if none fits.

    A domain fits if the record has more than half of its fields, and more than one.
    """
    shares = {
        name: (len(shared) / len(own), len(shared))
        for name in domain_names()
        if (own := fields_of(name)) and (shared := set(own).intersection(found))
    }
    best = max(shares, key=lambda name: shares[name], default=None)
    return best if best is not None and shares[best][0] > _HALF and shares[best][1] > 1 else None
