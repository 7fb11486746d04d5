"""Problems that are not PDDL, but that other parsers read: what is wrong in them is ignored.

What is ignored becomes blanks in the text. The rest is read as strictly as any text, also by
planners and by other validators.
"""

from __future__ import annotations

import warnings
from typing import NamedTuple

from pddl_pipeline.validation.domain_reader import read_domain
from pddl_pipeline.validation.problem_reader import read_problem
from pddl_pipeline.validation.sexpr import SList, Source


class IgnoredPddl(UserWarning):
    """A part of a problem was ignored."""


class LenientProblem(NamedTuple):
    """A problem without the parts that were ignored."""

    text: str
    """What was ignored is blank, and everything else is in its place."""
    ignored: tuple[str, ...]
    """A message for each part that was ignored, with its place."""


def lenient_problem(domain: tuple[str, str], problem: tuple[str, str]) -> LenientProblem:
    """Return a problem without what others forgive; both are texts with their names for messages.

    Ignored are values of functions that the domain does not declare, a value of a fluent that is
    given another value later, and every metric but the first.

    Raises:
        PddlError: as for `read_task`, for everything else.
    """
    source = LenientSource(*problem)
    read_problem(source, read_domain(*domain))
    return source.kept()


def warned_problem(domain: tuple[str, str], problem: tuple[str, str]) -> tuple[str, str]:
    """Return what is kept of a problem, and its name; warn of what is ignored.

    Raises:
        PddlError: as for `lenient_problem`.
    """
    kept = lenient_problem(domain, problem)
    for message in kept.ignored:
        warnings.warn(message, IgnoredPddl, stacklevel=3)
    return kept.text, problem[1]


class LenientSource(Source):
    """One PDDL text, from which some parts are left out."""

    def __init__(self, text: str, file: str) -> None:
        super().__init__(text, file)
        self._given = text
        self._ignored: list[tuple[SList, str]] = []

    def forgive(self, message: str, ignored: SList, where: SList, item: int | None = None) -> None:
        """Leave out the list ``ignored``."""
        del where, item
        self._ignored.append((ignored, message))

    def kept(self) -> LenientProblem:
        """Return the text without the parts that were left out."""
        parts = sorted(self._ignored, key=lambda part: part[0].first)
        spans = self.spans([part for part, _ in parts])
        pieces: list[str] = []
        messages: list[str] = []
        position, line = 0, 1
        for (start, end), (_, message) in zip(spans, parts, strict=True):
            line += self._given.count("\n", position, start)
            column = start - self._given.rfind("\n", 0, start)
            messages.append(f"{self.file}:{line}:{column}: ignored: {message}")
            blank = "".join(x if x.isspace() else " " for x in self._given[start:end])
            pieces += [self._given[position:start], blank]
            line += blank.count("\n")
            position = end
        return LenientProblem("".join([*pieces, self._given[position:]]), tuple(messages))
