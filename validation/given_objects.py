"""Problems that are objects of other libraries, as texts. Others are not imported."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pddl_pipeline.validation.sexpr import read_pddl

if TYPE_CHECKING:
    from pddl_pipeline.model.problem import Problem

Given = Any
"""A path, PDDL text, a `Problem`, or an object of another library."""
_GROUP: Final = "pddl_pipeline.libraries"


class Library(NamedTuple):
    """A library with problems as objects. A distribution adds one by an entry point."""

    name: str
    """The package that defines the classes of the objects; also the name of the entry point."""
    texts: Callable[[Any, Any], Problem]
    """Returns the texts of a domain and a problem; the second one is None for an object with both.

    Raises `InputError` if PDDL cannot express a part, or `TypeError` for an object of another kind.
    """


def library_of(value: object) -> Library | None:
    """Return the library that defines the class of an object or one of its base classes."""
    if value is None or isinstance(value, (str, os.PathLike)):
        return None
    from pddl_pipeline.model.discovery import plugin_named, plugin_names  # rare

    roots = {kind.__module__.partition(".")[0] for kind in type(value).__mro__}
    for name in roots.intersection(plugin_names(_GROUP)):
        libraries: tuple[Library, ...] = plugin_named(_GROUP, name).module.LIBRARIES
        return next(library for library in libraries if library.name == name)
    return None


def problem_texts(domain: Any, problem: Any = None) -> Problem | None:
    """Return the texts of a `Problem`, or of objects of a library; None for texts and paths.

    Raises:
        InputError: PDDL cannot express a part of the objects; the message names it.
        TypeError: the objects are of different libraries.
    """
    if isinstance(domain, (str, os.PathLike)) and isinstance(problem, (str, os.PathLike)):
        return None
    from pddl_pipeline.model.problem import Problem  # its import takes long

    if isinstance(domain, Problem) and problem is None:
        return domain
    library = library_of(domain) or library_of(problem)
    return None if library is None else library.texts(domain, problem)


def read_given(domain: Given, problem: Given) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the texts of a domain and a problem, each with its name for messages.

    Args:
        domain: a path, PDDL text, or an object: a domain, or a problem with its domain.
        problem: a path, PDDL text, or an object; None if the domain is an object with both.

    Raises:
        InputError: a file cannot be read, or PDDL cannot express a part of an object.
        TypeError: an argument has a different type.
    """
    texts = problem_texts(domain, problem)
    if texts is None:
        return read_pddl(domain, "domain"), read_pddl(problem, "problem")
    return (texts.domain_pddl, "<domain>"), (texts.problem_pddl, "<problem>")
