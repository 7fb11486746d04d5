"""Forms of English verbs: ``stacks``, ``stacking``, ``stacked``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

_IRREGULAR: Final[Mapping[str, tuple[str, ...]]] = {
    "bring": ("brought",), "drive": ("drove", "driven"), "go": ("went", "gone"),
    "lay": ("laid",), "leave": ("left",), "put": ("put",), "send": ("sent",), "set": ("set",),
    "take": ("took", "taken"),
}  # fmt: skip
NO_ACTS: Final = frozenset({"leaving", "returning"})
"""Forms in -ing that say what is then the case: ``unstack b from c, leaving c clear``."""


@lru_cache(1_024)
def third_person(verb: str) -> tuple[str, ...]:
    """Return the forms behind ``she``, more than are right: ``stacks``, ``passes``, ``carries``."""
    return f"{verb}s", f"{verb}es", f"{verb.removesuffix('y')}ies"


@lru_cache(1_024)
def past(verb: str) -> tuple[str, ...]:
    """Return the forms of the past, more than are right."""
    regular = f"{verb}ed", f"{verb}d", f"{verb}{verb[-1]}ed"
    return _IRREGULAR.get(verb, regular)


@lru_cache(1_024)
def participles(verb: str) -> tuple[str, ...]:
    """Return the forms behind ``is``, more than are right: ``stacked``, ``taken``."""
    return *past(verb), f"{verb}n", f"{verb}ed"


@lru_cache(1_024)
def gerunds(verb: str) -> tuple[str, ...]:
    """Return the forms in -ing, more than are right."""
    forms = f"{verb}ing", f"{verb.removesuffix('e')}ing", f"{verb}{verb[-1]}ing"
    return tuple(form for form in forms if form not in NO_ACTS)


def by_gerund(verbs: Iterable[str]) -> dict[str, str]:
    """Return verbs by their forms in -ing."""
    return {form: verb for verb in verbs for form in gerunds(verb)}


def by_past(verbs: Iterable[str]) -> dict[str, str]:
    """Return verbs by the forms of the past that differ from commands: ``put`` does not."""
    return {form: verb for verb in verbs for form in past(verb) if form != verb}
