"""The parts of PDDL 2.1 (levels 1 and 2) as data.

A term is a string: a variable if it starts with ``?``, otherwise the name of an object. All names
are lower case, since PDDL is case-insensitive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Union

from pddl_pipeline.model.number import Number

Terms = tuple[str, ...]
Ground = tuple[str, ...]
"""A ground atom or fluent: the predicate or function, then the objects."""
Binding = Mapping[str, str]
"""The objects that variables stand for."""
Types = tuple[str, ...]
"""Alternatives, as in ``(either truck plane)``; one name in the common case."""


class Variable(NamedTuple):
    """A typed variable of an action or a quantifier."""

    name: str
    types: Types


def ground(name: str, terms: Terms, binding: Binding) -> Ground:
    """Return a ground atom or fluent, each variable replaced by its object."""
    return (name, *[binding.get(term, term) for term in terms])


# Conditions


class Atom(NamedTuple):
    """A predicate of terms; ground when no term is a variable."""

    predicate: str
    terms: Terms


class Same(NamedTuple):
    """Equality of two objects."""

    left: str
    right: str


class Comparison(NamedTuple):
    """A numeric comparison: ``<``, ``<=``, ``=``, ``>=`` or ``>``."""

    operator: str
    left: Expression
    right: Expression


class Not(NamedTuple):
    """Negation."""

    part: Condition


class And(NamedTuple):
    """Conjunction; true when empty."""

    parts: tuple[Condition, ...]


class Or(NamedTuple):
    """Disjunction; false when empty."""

    parts: tuple[Condition, ...]


class Imply(NamedTuple):
    """Implication."""

    left: Condition
    right: Condition


class Quantified(NamedTuple):
    """``exists`` or ``forall`` over objects."""

    universal: bool
    variables: tuple[Variable, ...]
    part: Condition


Condition = Union[Atom, Same, Comparison, Not, And, Or, Imply, Quantified]


# Numeric expressions


class Fluent(NamedTuple):
    """A numeric function of terms."""

    function: str
    terms: Terms


class Arithmetic(NamedTuple):
    """``+``, ``-``, ``*`` or ``/``; ``-`` of one operand negates."""

    operator: str
    operands: tuple[Expression, ...]


Expression = Union[Number, Fluent, Arithmetic]


# Effects


class Add(NamedTuple):
    """The atom becomes true."""

    atom: Atom


class Delete(NamedTuple):
    """The atom becomes false, unless the same step adds it."""

    atom: Atom


class Update(NamedTuple):
    """``assign``, ``increase``, ``decrease``, ``scale-up`` or ``scale-down`` of a fluent."""

    operator: str
    fluent: Fluent
    value: Expression


class When(NamedTuple):
    """Effects that happen if a condition holds before the step."""

    condition: Condition
    effects: tuple[Effect, ...]


class ForEach(NamedTuple):
    """Effects for every object that fits the variables."""

    variables: tuple[Variable, ...]
    effects: tuple[Effect, ...]


Effect = Union[Add, Delete, Update, When, ForEach]

# Parts of formulas

Formula = Union[Condition, Expression, Effect]


def parts(formula: Formula) -> Sequence[Formula]:
    """Return the formulas that a formula reads directly; effects do not read what they change."""
    match formula:
        case And(inner) | Or(inner) | Arithmetic(_, inner) | ForEach(_, inner):
            return inner
        case Not(part) | Quantified(_, _, part) | Update(_, _, part):
            return (part,)
        case Imply(left, right) | Comparison(_, left, right):
            return (left, right)
        case When(condition, effects):
            return (condition, *effects)
        case _:
            return ()


def walk(*formulas: Formula) -> Iterator[tuple[Formula, bool]]:
    """Yield formulas and all formulas within them, and whether each is under a negation.

    This does not use recursion, since conditions may be nested deeply.
    """
    queue = [(formula, False) for formula in formulas]
    while queue:
        formula, negative = queue.pop()
        yield formula, negative
        inner = [(part, negative) for part in parts(formula)]
        if isinstance(formula, (Not, Imply)):
            inner[0] = inner[0][0], not negative
        queue += inner


def fluents_in(*expressions: Expression) -> Iterator[Fluent]:
    """Yield the fluents that expressions read."""
    return (part for part, _ in walk(*expressions) if isinstance(part, Fluent))


def conjuncts(condition: Condition) -> Iterator[Condition]:
    """Yield the parts of a conjunction, including nested ones, or any other condition itself."""
    queue = [condition]
    while queue:
        part = queue.pop()
        if isinstance(part, And):
            queue += reversed(part.parts)
        else:
            yield part


# Domain and problem


class Action(NamedTuple):
    """An action schema."""

    name: str
    parameters: tuple[Variable, ...]
    precondition: Condition
    effects: tuple[Effect, ...]

    def binding(self, arguments: Sequence[str]) -> Binding:
        """Return the object that each parameter stands for."""
        names = (parameter.name for parameter in self.parameters)
        return dict(zip(names, arguments, strict=True))


class Axiom(NamedTuple):
    """A rule that derives an atom (PDDL 2.2, Edelkamp and Hoffmann 2004)."""

    head: Atom
    variables: tuple[Variable, ...]
    """The head's variables with their types."""
    body: Condition


class Metric(NamedTuple):
    """The expression that the problem asks to minimise or maximise."""

    maximise: bool
    value: Expression


class Unsupported(NamedTuple):
    """A part of PDDL that is not judged."""

    feature: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.feature} ({self.file}, line {self.line}) is not judged"


class ProblemFacts(NamedTuple):
    """The contents of a problem file other than its objects."""

    name: str
    facts: frozenset[Ground]
    values: dict[Ground, Number]
    goal: Condition
    metric: Metric | None
    unsupported: tuple[Unsupported, ...] = ()
