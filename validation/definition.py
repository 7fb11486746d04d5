"""The common form of domain and problem files: ``(define (KIND name) (:section …) …)``."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.validation.sexpr import SExpr, SList, Source, show
from pddl_pipeline.validation.typed_list import check_name


class Definition(NamedTuple):
    """The name of a file and its sections, in file order."""

    name: str
    sections: list[tuple[str, SList]]
    whole: SList

    def all(self, keyword: str) -> list[SList]:
        """Return every section with that keyword."""
        return [section for name, section in self.sections if name == keyword]


def read_definition(source: Source, kind: str, keywords: Collection[str]) -> Definition:
    """Split a file of that kind (``domain`` or ``problem``) into its sections.

    Raises:
        PddlError: the file has another form, or a section's keyword is not among ``keywords``.
    """
    whole = source.read()
    if len(whole) < 2 or whole[0] != "define":
        raise source.error(f"found {show(whole, 30)}, expected (define ({kind} …) …)", whole)
    head = whole[1]
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
        near = did_you_mean(part[0], keywords)
        raise source.error(f"unknown section '{part[0][:40]}'{near}", part, 0)
    return part[0], part
