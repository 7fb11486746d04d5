"""Checks of record fields that their types cannot express."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from pddl_pipeline.pddl_domains import domain_text
from pddl_pipeline.validation.domain_reader import read_domain

# Keywords of PDDL. Planners and validators fail on objects with these names.
RESERVED: Final = frozenset({
    "and", "assign", "decrease", "define", "domain", "either", "exists", "forall", "imply",
    "increase", "maximize", "minimize", "not", "number", "object", "or", "preference", "problem",
    "scale-down", "scale-up", "total-cost", "total-time", "when",
})  # fmt: skip
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]*")
MAX_NAME: Final = 100


class FieldFault(ValueError):
    """A field of a record has an invalid value.

    Args:
        field: the name of the field.
        message: what is wrong.
        verb: whether the message is a verb of which the field is the subject, such as "is missing".
    """

    def __init__(self, field: str, message: str, *, verb: bool = False) -> None:
        super().__init__(f"field '{field}'{'' if verb else ':'} {message}")
        self.field, self.message, self.verb = field, message, verb


@cache
def _declared(domain: str) -> frozenset[str]:
    """Return the names that a domain declares; parsers confuse objects with these names."""
    vocabulary = read_domain(domain_text(domain), f"{domain}/domain.pddl")
    types = vocabulary.types.parents
    return frozenset((*vocabulary.predicates, *vocabulary.functions, *vocabulary.actions, *types))


def check_names(domain: str, field: str, names: Iterable[str]) -> None:
    """Check that the names can be objects of a PDDL problem and differ from each other.

    Raises:
        FieldFault: upper case, other characters, a reserved word, a name that the domain
            declares as something else, or a name used twice.
    """
    seen: set[str] = set()
    for name in names:
        if name in _declared(domain):
            raise FieldFault(field, f"'{name}' is declared by the domain, expected another name")
        if not _NAME.fullmatch(name) or len(name) > MAX_NAME or name in RESERVED:
            raise FieldFault(
                field,
                f"found '{name[:MAX_NAME]}', expected a name of lower-case letters, digits,"
                " '-' and '_' that starts with a letter and is not a PDDL keyword",
            )
        if name in seen:
            raise FieldFault(field, f"the name '{name}' is used twice")
        seen.add(name)


def check_known(field: str, names: Iterable[str], known: Iterable[str], what: str) -> None:
    """Check that every name is known.

    Raises:
        FieldFault: for the first unknown name; ``what`` describes a known one.
    """
    allowed = set(known)
    for name in names:
        if name not in allowed:
            raise FieldFault(field, f"'{name}' is not {what}")


def check_keys(field: str, found: Iterable[str], wanted: Iterable[str]) -> None:
    """Check that a mapping has exactly the wanted keys.

    Raises:
        FieldFault: for the first unexpected or missing key.
    """
    keys, expected = set(found), set(wanted)
    for name in sorted(keys - expected):
        raise FieldFault(field, f"'{name}' is not expected here")
    for name in sorted(expected - keys):
        raise FieldFault(field, f"'{name}' is missing")


def check_atoms(
    field: str, atoms: Sequence[Sequence[str]], known: Mapping[str, Sequence[Collection[str]]]
) -> None:
    """Check that a goal is a list of different atoms.

    Args:
        field: name of the field.
        atoms: each a predicate and its objects.
        known: for each predicate, the objects allowed for each argument.

    Raises:
        FieldFault: for the first invalid or repeated atom, or if there is no atom.
    """
    if not atoms:
        raise FieldFault(field, "found no atom, expected at least one")
    for atom in atoms:
        predicate = atom[0] if atom else ""
        if predicate not in known:
            raise FieldFault(field, f"found '{predicate}', expected one of {', '.join(known)}")
        if len(atom) - 1 != len(known[predicate]):
            expected = len(known[predicate])
            raise FieldFault(field, f"'{predicate}' takes {expected} names, found {len(atom) - 1}")
        for name, allowed in zip(atom[1:], known[predicate], strict=True):
            check_known(field, [name], allowed, f"an object that '{predicate}' takes here")
    if len(set(map(tuple, atoms))) < len(atoms):
        raise FieldFault(field, "the same atom is given twice")


def natural(name: str) -> tuple[list[str | int], str]:
    """Return a sort key that puts ``b2`` before ``b10``."""
    # Text and numbers alternate, so that equal places of two keys have the same type.
    parts: list[str | int] = [
        int(part) if part.isdecimal() else part for part in re.split(r"(\d{1,18})", name)
    ]
    return parts, name


def keep_sorted(record: object, *fields: str) -> None:
    """Sort fields of a frozen record, each a tuple of names, in natural order."""
    for field in fields:
        object.__setattr__(record, field, tuple(sorted(getattr(record, field), key=natural)))
