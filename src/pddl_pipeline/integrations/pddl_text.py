"""PDDL texts from their parts, for problems of other libraries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.number import decimal_text
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.text import atom_text

_REQUIREMENTS: Final = {
    ":typing": r" - |:types",
    ":negative-preconditions": r"\(\s*not\b",
    ":disjunctive-preconditions": r"\(\s*(or|imply)\b",
    ":equality": r"\(\s*=",
    ":existential-preconditions": r"\(\s*exists\b",
    ":universal-preconditions": r"\(\s*forall\b",
    ":conditional-effects": r"\(\s*(when|forall)\b",
    ":numeric-fluents": r"\(\s*(assign|decrease|scale-|[<>]|increase\s*\(\s*(?!total-cost))",
    ":derived-predicates": r"\(\s*:derived",
    ":action-costs": r"total-cost",
}
"""The requirements of a text, with what needs them. Fast Downward reads no numeric ones."""
_NAME: Final = re.compile(r"[^\s()?;,:]+")
_WORD: Final = re.compile(r"[^\s()]+")
_TITLE: Final = re.compile(r"[^A-Za-z0-9_-]")


def number(value: Any) -> str:
    """Return a number of any type as PDDL: a quotient if it has no finite decimal.

    Raises:
        InputError: the value is not a finite number.
    """
    try:
        exact = Fraction(str(value))
    except ValueError as error:
        raise InputError(f"found {value!r}, expected a finite number") from error
    return decimal_text(exact) or f"(/ {exact.numerator} {exact.denominator})"


def checked_name(text: object) -> str:
    """Return a name of a library's object.

    Raises:
        InputError: the name cannot be written in PDDL.
    """
    if not _NAME.fullmatch(str(text)):
        raise InputError(f"the name {str(text)!r} cannot be written in PDDL")
    return str(text)


def typed(name: str, types: Sequence[str]) -> str:
    """Return a name with its types; without types, the name."""
    if not types:
        return name
    kinds = [checked_name(each) for each in types]
    return f"{name} - {kinds[0] if len(kinds) == 1 else atom_text(['either', *kinds])}"


def action_text(
    name: str, parameters: Iterable[str], condition: str, effects: Iterable[str]
) -> str:
    """Return the text of an action."""
    return (
        f" (:action {checked_name(name)}\n  :parameters {atom_text(parameters)}\n"
        f"  :precondition {condition}\n  :effect {atom_text(['and', *effects])})"
    )


def bound(word: str, variables: Iterable[str], inner: str) -> str:
    """Return a quantifier with its variables, and what it quantifies."""
    return f"({word} {atom_text(variables)} {inner})"


def problem_of(  # noqa: PLR0913 -- the parts of two files
    names: Sequence[object],
    *,
    types: Sequence[str],
    predicates: Sequence[str],
    functions: Sequence[str],
    actions: Sequence[str],
    objects: Sequence[str],
    init: Sequence[str],
    goal: str,
    metric: str = "",
) -> Problem:
    """Return the texts of a domain and a problem.

    Args:
        names: of the domain and of the problem.
        types: the types, each with its parent.
        predicates: the declarations of the predicates.
        functions: likewise, of the functions.
        actions: the texts of the derived predicates' rules and of the actions.
        objects: the objects, each with its types; those in rules and actions become constants.
        init: the facts and values.
        goal: the goal.
        metric: ``minimize`` or ``maximize``, and an expression; empty for none.

    Raises:
        InputError: two objects or types have names that differ only in upper and lower case.
    """
    for kind in (types, objects):
        named = sorted((each.partition(" ")[0] for each in kind), key=str.lower)
        for one, other in pairwise(named):
            if one.lower() == other.lower() and one != other:
                raise InputError(f"the names {one} and {other} differ only in upper and lower case")
    domain, problem = (_TITLE.sub("-", str(name)) for name in names)
    functions = [f"{each} - number" for each in functions]
    used = {word.lower() for word in _WORD.findall(" ".join(actions))}
    # A type counts for all names before it, so those without one come last.
    objects = sorted(objects, key=lambda each: " - " not in each or each.endswith(" - object"))
    # An object that an action names has to be declared in the domain.
    constants = [each for each in objects if each.partition(" ")[0].lower() in used]
    others = [each for each in objects if each.partition(" ")[0].lower() not in used]
    sections = [
        section(":types", types),
        section(":constants", constants),
        section(":predicates", predicates),
        section(":functions", functions),
        *actions,
    ]
    body = "".join(f"{each}\n" for each in sections if each)
    head = f"(define (domain {domain})\n {_requirements(f'{body}{goal}')}\n"
    tail = f" (:metric {metric})\n" if metric else ""
    return Problem(
        f"{head}{body})\n",
        f"(define (problem {problem})\n (:domain {domain})\n{section(':objects', others)}\n"
        f" (:init\n  {_INDENTED.join(init)})\n (:goal {goal})\n{tail})\n",
    )


_INDENTED: Final = "\n  "


def section(keyword: str, parts: Sequence[str]) -> str:
    """Return a section with a line for each part; empty without parts."""
    return f" ({keyword}\n  {_INDENTED.join(parts)})" if parts else ""


def _requirements(text: str) -> str:
    found = [name for name, sign in _REQUIREMENTS.items() if re.search(sign, text)]
    return f"(:requirements {' '.join([':strips', *found])})"
