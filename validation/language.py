"""The parts of PDDL 2.1 (levels 1 and 2) as data.

A term is a string: a variable where it starts with ``?``, else the name of an object. All names
are lower case, since PDDL does not tell cases apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Union

from pddl_pipeline.model.number import Number

Terms = tuple[str, ...]
Ground = tuple[str, ...]
"""A ground atom or fluent: the predicate or function, then the objects."""
Binding = Mapping[str, str]
"""The objects that variables stand for."""
Types = tuple[str, ...]
"""Alternatives, as in ``(either truck plane)``; one name in the common case."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A typed variable of an action or a quantifier."""

    name: str
    types: Types


def ground(name: str, terms: Terms, binding: Binding) -> Ground:
    """Return a ground atom or fluent, each variable replaced by its object."""
    return (name, *[binding.get(term, term) for term in terms])


# Conditions


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate of terms; ground when no term is a variable."""

    predicate: str
    terms: Terms


@dataclass(frozen=True, slots=True)
class Same:
    """Equality of two objects."""

    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """A numeric comparison: ``<``, ``<=``, ``=``, ``>=`` or ``>``."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    part: Condition


@dataclass(frozen=True, slots=True)
class And:
    """Conjunction; true when empty."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Disjunction; false when empty."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Imply:
    """Implication."""

    left: Condition
    right: Condition


@dataclass(frozen=True, slots=True)
class Quantified:
    """``exists`` or ``forall`` over objects."""

    universal: bool
    variables: tuple[Variable, ...]
    part: Condition


Condition = Union[Atom, Same, Comparison, Not, And, Or, Imply, Quantified]

# Numeric expressions


@dataclass(frozen=True, slots=True)
class Fluent:
    """A numeric function of terms."""

    function: str
    terms: Terms


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """``+``, ``-``, ``*`` or ``/``; ``-`` of one operand negates."""

    operator: str
    operands: tuple[Expression, ...]


Expression = Union[Number, Fluent, Arithmetic]

# Effects


@dataclass(frozen=True, slots=True)
class Add:
    """The atom becomes true."""

    atom: Atom


@dataclass(frozen=True, slots=True)
class Delete:
    """The atom becomes false, unless the same step adds it."""

    atom: Atom


@dataclass(frozen=True, slots=True)
class Update:
    """``assign``, ``increase``, ``decrease``, ``scale-up`` or ``scale-down`` of a fluent."""

    operator: str
    fluent: Fluent
    value: Expression


@dataclass(frozen=True, slots=True)
class When:
    """Effects that happen where a condition holds before the step."""

    condition: Condition
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class ForEach:
    """Effects for every object that fits the variables."""

    variables: tuple[Variable, ...]
    effects: tuple[Effect, ...]


Effect = Union[Add, Delete, Update, When, ForEach]

# Domain and problem


@dataclass(frozen=True, slots=True)
class Action:
    """An action schema."""

    name: str
    parameters: tuple[Variable, ...]
    precondition: Condition
    effects: tuple[Effect, ...]

    def binding(self, arguments: Sequence[str]) -> Binding:
        """Return the parameters with the objects that they stand for."""
        names = (parameter.name for parameter in self.parameters)
        return dict(zip(names, arguments, strict=True))


@dataclass(frozen=True, slots=True)
class Axiom:
    """A rule that derives an atom (PDDL 2.2, Edelkamp and Hoffmann 2004)."""

    head: Atom
    variables: tuple[Variable, ...]
    """The head's variables with their types."""
    body: Condition


@dataclass(frozen=True, slots=True)
class Metric:
    """What the problem asks to minimise or maximise."""

    maximise: bool
    value: Expression


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A part of PDDL that is not judged."""

    feature: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.feature} ({self.file}, line {self.line}) is not judged"


@dataclass(frozen=True, slots=True)
class ProblemFacts:
    """What a problem file adds to its domain."""

    name: str
    facts: frozenset[Ground]
    values: dict[Ground, Number]
    goal: Condition
    metric: Metric | None
    unsupported: tuple[Unsupported, ...] = field(default=())
