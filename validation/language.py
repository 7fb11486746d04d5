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


def conditions_in(condition: Condition) -> Iterator[Condition]:
    """Yield a condition and all conditions within it.

    This does not use recursion, since conditions may be nested deeply.
    """
    queue = [condition]
    while queue:
        part = queue.pop()
        yield part
        match part:
            case Not(inner) | Quantified(_, _, inner):
                queue.append(inner)
            case And(parts) | Or(parts):
                queue += parts
            case Imply(left, right):
                queue += [left, right]
            case _:
                pass


def leaves(condition: Condition) -> Iterator[tuple[Atom | Same | Comparison, bool]]:
    """Yield the parts without further conditions, and whether each is under a negation.

    This does not use recursion, since conditions may be nested deeply.
    """
    queue: list[tuple[Condition, bool]] = [(condition, False)]
    while queue:
        part, negative = queue.pop()
        match part:
            case Not(inner):
                queue.append((inner, not negative))
            case And(parts) | Or(parts):
                queue += [(each, negative) for each in parts]
            case Imply(left, right):
                queue += [(left, not negative), (right, negative)]
            case Quantified(_, _, inner):
                queue.append((inner, negative))
            case _:
                yield part, negative


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


def fluents_in(*expressions: Expression) -> Iterator[Fluent]:
    """Yield the fluents that expressions read."""
    queue = list(expressions)
    while queue:
        match queue.pop():
            case Fluent() as fluent:
                yield fluent
            case Arithmetic(_, operands):
                queue += operands


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


def is_quantified(action: Action) -> bool:
    """Return whether an action has quantifiers, so that its meaning depends on a task's objects."""
    conditions, effects = [action.precondition], [*action.effects]
    while effects:
        match effects.pop():
            case ForEach():
                return True
            case When(condition, inner):
                conditions.append(condition)
                effects += inner
            case _:
                pass
    return any(isinstance(part, Quantified) for each in conditions for part in conditions_in(each))


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
