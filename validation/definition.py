"""The common form of domain and problem files: ``(define (KIND name) (:section …) …)``.

Parameters, objects, constants and types are typed lists, as in ``?x ?y - block ?z``.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final, NamedTuple

from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.validation.language import Types, Variable
from pddl_pipeline.validation.sexpr import NAME_CHARACTER, SExpr, SList, Source, show
from pddl_pipeline.validation.vocabulary import OBJECT, TypeTree

_NAME: Final = re.compile(rf"[a-z0-9_]{NAME_CHARACTER}*")
_VARIABLE: Final = re.compile(r"\?(?:[!-~]|\w)+")
"""As in VAL, other characters are allowed, but not blanks and dashes such as those of websites."""


IMPLIED: Final = {
    # Each row has all that its requirement implies, so one lookup is enough.
    ":adl": (
        ":typing", ":negative-preconditions", ":disjunctive-preconditions", ":equality",
        ":existential-preconditions", ":universal-preconditions", ":conditional-effects",
    ),
    ":quantified-preconditions": (":existential-preconditions", ":universal-preconditions"),
    ":fluents": (":numeric-fluents", ":action-costs"),
    **dict.fromkeys((":numeric-fluents", ":object-fluents"), (":action-costs",)),
}  # fmt: skip


OTHER_LANGUAGE: Final = {
    word: f"'{word}' belongs to {language}, expected deterministic PDDL"
    for words, language in (
        ("oneof", "FOND planning (non-deterministic effects)"),
        ("probabilistic", "PPDDL (probabilistic effects)"),
        (":observe observe unknown", "planning with partial observability"),
        (":htn :method :subtasks :task", "HDDL (hierarchical planning)"),
    )
    for word in words.split()
}
"""What is wrong with a word of another planning language."""


class Typed(NamedTuple):
    """One entry of a typed list."""

    name: str
    types: Types
    item: int
    """Index of the entry in its list, for messages."""


def read_typed_list(source: Source, where: SList, start: int) -> list[Typed]:
    """Read the entries from index ``start`` on; an entry without a type is an ``object``.

    As in VAL and Fast Downward, there may be no entries before a type.

    Raises:
        PddlError: a list instead of a name, or a ``-`` without a type.
    """
    entries: list[Typed] = []
    # In `?x ?y - block ?z`, the type belongs to `?x` and `?y`, which wait for it.
    waiting: list[tuple[str, int]] = []
    index = start
    while index < len(where):
        word = where[index]
        if word == "-":
            types = read_type(source, where, index + 1)
            entries += [Typed(name, types, item) for name, item in waiting]
            waiting = []
            index += 1
        elif isinstance(word, str):
            waiting.append((word, index))
        else:
            raise source.error(f"found {show(word)}, expected a name", where, index)
        index += 1
    return entries + [Typed(name, (OBJECT,), item) for name, item in waiting]


def read_type(source: Source, where: SList, item: int) -> Types:
    """Return the types that an item behind a ``-`` names: a word, or ``(either …)``.

    Raises:
        PddlError: the item is missing or something else.
    """
    if item == len(where):
        raise source.error("found '-', expected a type after it", where, item - 1)
    word = where[item]
    # `block`, or `(either truck plane)`; any other list leaves no name.
    names = [word] if isinstance(word, str) else word[1:] if word[:1] == ["either"] else []
    types = tuple([name for name in names if isinstance(name, str) and _NAME.fullmatch(name)])
    if not types or len(types) != len(names):
        raise source.error(f"found {show(word)}, expected a type or (either …)", where, item)
    return types


def check_types(source: Source, where: SList, entries: list[Typed], tree: TypeTree) -> None:
    """Raise a PddlError for the first entry whose type the domain does not declare."""
    for entry in entries:
        if not tree.declared and entry.types != (OBJECT,):
            source.note("types", "types are used and (:types …) is missing", where, entry.item)
        for name in entry.types:
            if not tree.knows(name):
                near = did_you_mean(name, tree.parents)
                message = f"'{entry.name}' has the unknown type '{name}'{near}"
                raise source.error(message, where, entry.item, ErrorKind.UNKNOWN_NAME)


def read_variables(
    source: Source, where: SList, start: int, tree: TypeTree, *, distinct: bool = True
) -> tuple[Variable, ...]:
    """Read a typed list of variables.

    Args:
        source: the text.
        where: the list.
        start: index of the first entry.
        tree: the types that may be used.
        distinct: whether to reject repeated variables. In declarations of predicates the names
            have no meaning, and public files repeat them.

    Raises:
        PddlError: a name without ``?``, a variable given twice, or an unknown type.
    """
    entries = read_typed_list(source, where, start)
    check_types(source, where, entries, tree)
    seen: set[str] = set()
    for entry in entries:
        if not _VARIABLE.fullmatch(entry.name):
            raise source.error(
                f"found '{entry.name}', expected a variable such as ?x", where, entry.item
            )
        if distinct and entry.name in seen:
            raise source.error(f"variable {entry.name} is given twice", where, entry.item)
        seen.add(entry.name)
    return tuple(Variable(entry.name, entry.types) for entry in entries)


def check_name(source: Source, where: SList, item: int, what: str) -> str:
    """Return the item as a name; ``what`` describes the name in the error message.

    Raises:
        PddlError: the item is missing, a list, or has characters that names cannot have.
    """
    if item >= len(where):
        raise source.error(f"expected {what} here", where)
    word = where[item]
    if not isinstance(word, str) or not _NAME.fullmatch(word):
        raise source.error(f"found {show(word)}, expected {what}", where, item)
    return word


class Definition(NamedTuple):
    """The name of a file and its sections, in file order."""

    name: str
    sections: list[tuple[str, SList]]
    whole: SList

    def all(self, keyword: str) -> list[SList]:
        """Return every section with that keyword."""
        return [section for name, section in self.sections if name == keyword]

    def requirements(self, source: Source) -> set[str]:
        """Return the declared requirements with those that they imply; note those given twice."""
        found = set[str]()
        for section in self.all(":requirements"):
            for index, name in enumerate(section[1:], start=1):
                if not isinstance(name, str):
                    raise source.error(
                        f"found {show(name)}, expected a requirement", section, index
                    )
                if name in found:
                    source.note("requirement", f"{name} is given twice", section, index)
                found.add(name)
        return found.union(*(IMPLIED.get(name, ()) for name in found))


def read_definition(source: Source, kind: str, keywords: Collection[str]) -> Definition:
    """Split a file of that kind (``domain`` or ``problem``) into its sections.

    Raises:
        PddlError: the file has another form, or a section's keyword is not among ``keywords``.
    """
    whole = source.read()
    head = whole[1] if len(whole) > 1 else "(define)"
    if isinstance(head, str) or len(head) != 2 or head[0] != kind:
        raise source.error(f"found {show(head)}, expected ({kind} NAME)", whole, 1)
    name = check_name(source, head, 1, f"the {kind}'s name")
    sections = [
        _section(source, part, whole, index, keywords)
        for index, part in enumerate(whole[2:], start=2)
    ]
    return Definition(name, sections, whole)


def _section(
    source: Source, part: SExpr, whole: SList, index: int, keywords: Collection[str]
) -> tuple[str, SList]:
    if isinstance(part, str) or not part or not isinstance(part[0], str):
        raise source.error(
            f"found {show(part)}, expected a section such as (:init …)", whole, index
        )
    if part[0] not in keywords:
        fault = f"unknown section '{part[0][:40]}'{did_you_mean(part[0], keywords)}"
        raise source.error(OTHER_LANGUAGE.get(part[0], fault), part, 0)
    return part[0], part
