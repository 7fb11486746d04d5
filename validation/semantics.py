"""What conditions, expressions and effects mean: PDDL 2.1 (Fox and Long 2003), in exact numbers.

Everything here reads one state and changes none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from operator import add, eq, ge, gt, le, lt, mul, sub, truediv
from typing import Final

from pddl_pipeline.model.errors import TooLarge
from pddl_pipeline.model.number import Number, normal
from pddl_pipeline.validation.language import (
    Add,
    And,
    Arithmetic,
    Atom,
    Comparison,
    Condition,
    Delete,
    Effect,
    Expression,
    Fluent,
    ForEach,
    Ground,
    Imply,
    Not,
    Or,
    Quantified,
    Same,
    Update,
    Variable,
    When,
)
from pddl_pipeline.validation.state import Changes, State
from pddl_pipeline.validation.vocabulary import Vocabulary

Binding = Mapping[str, str]
"""The objects that variables stand for."""

MAX_BITS: Final = 2**20
"""Repeated squaring makes numbers that no machine can hold; up to here all is exact."""
_OPERATE: Final = {"+": add, "-": sub, "*": mul, "/": truediv}
_COMPARE: Final = {"<": lt, "<=": le, "=": eq, ">=": ge, ">": gt}


class CannotEvaluate(Exception):
    """A condition or effect reads an undefined fluent, divides by zero, or effects collide.

    The step or the goal that needs it fails, and the message is the reason.
    """


def ground(name: str, terms: tuple[str, ...], binding: Binding) -> Ground:
    """Return a ground atom or fluent, each variable replaced by its object."""
    return (name, *[binding.get(term, term) for term in terms])


class Semantics:
    """Evaluates formulas over the objects of one vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def bindings(self, variables: tuple[Variable, ...], outer: Binding) -> Iterator[Binding]:
        """Yield ``outer`` widened by each combination of objects that fits the variables."""
        names = [variable.name for variable in variables]
        for objects in product(*map(self._vocabulary.candidates, variables)):
            yield {**outer, **dict(zip(names, objects, strict=True))}

    def holds(self, condition: Condition, binding: Binding, state: State) -> bool:
        """Whether a condition holds; ``and``, ``or`` and ``imply`` stop early, as in VAL.

        Raises:
            CannotEvaluate: a fluent that is read is undefined, or a divisor is zero.
        """
        match condition:
            case Atom(predicate, terms):
                return ground(predicate, terms, binding) in state.facts
            case Not(part):
                return not self.holds(part, binding, state)
            case And(parts):
                return all(self.holds(part, binding, state) for part in parts)
            case Same(left, right):
                return binding.get(left, left) == binding.get(right, right)
            case Comparison(operator, left, right):
                first = self.value(left, binding, state)
                return bool(_COMPARE[operator](first, self.value(right, binding, state)))
            case Or(parts):
                return any(self.holds(part, binding, state) for part in parts)
            case Imply(left, right):
                return not self.holds(left, binding, state) or self.holds(right, binding, state)
            case Quantified(universal, variables, part):
                inner = (self.holds(part, b, state) for b in self.bindings(variables, binding))
                return all(inner) if universal else any(inner)

    def value(self, expression: Expression, binding: Binding, state: State) -> Number:
        """Return the exact value of a numeric expression.

        Raises:
            CannotEvaluate: as for `holds`.
        """
        match expression:
            case Fluent(function, terms):
                key = ground(function, terms, binding)
                if key not in state.values:
                    raise CannotEvaluate(f"({' '.join(key)}) is undefined")
                return state.values[key]
            case Arithmetic(operator, operands):
                numbers = [self.value(operand, binding, state) for operand in operands]
                return _calculate(operator, numbers)
        return expression

    def changes(self, effects: tuple[Effect, ...], binding: Binding, state: State) -> Changes:
        """Return what the effects do; everything is read in ``state``, the one before the step.

        Raises:
            CannotEvaluate: as for `holds`; or one fluent is assigned and changed otherwise too,
                which PDDL 2.1 forbids (definition 8).
        """
        adds: set[Ground] = set()
        deletes: set[Ground] = set()
        updates: dict[Ground, list[tuple[str, Number]]] = {}
        for effect, inner in self._taken(effects, binding, state):
            match effect:
                case Add(atom):
                    adds.add(ground(atom.predicate, atom.terms, inner))
                case Delete(atom):
                    deletes.add(ground(atom.predicate, atom.terms, inner))
                case Update(operator, fluent, value):
                    key = ground(fluent.function, fluent.terms, inner)
                    amount = self.value(value, inner, state)
                    updates.setdefault(key, []).append((operator, amount))
        values = {key: _updated(key, done, state) for key, done in updates.items()}
        return Changes(adds, deletes, values)

    def _taken(
        self, effects: tuple[Effect, ...], binding: Binding, state: State
    ) -> Iterator[tuple[Add | Delete | Update, Binding]]:
        for effect in effects:
            match effect:
                case When(condition, inner):
                    if self.holds(condition, binding, state):
                        yield from self._taken(inner, binding, state)
                case ForEach(variables, inner):
                    for widened in self.bindings(variables, binding):
                        yield from self._taken(inner, widened, state)
                case _:
                    yield effect, binding


def _calculate(operator: str, numbers: list[Number]) -> Number:
    result = numbers[0]
    if operator == "-" and len(numbers) == 1:
        return -result
    for number in numbers[1:]:
        result = _combine(operator, result, number)
    return result


def _combine(operator: str, left: Number, right: Number) -> Number:
    if operator == "/" and right == 0:
        raise CannotEvaluate("division by zero")
    # An int divided by an int would be a float.
    exact = Fraction(left) if operator == "/" else left
    result: Number = normal(_OPERATE[operator](exact, right))
    if max(result.numerator.bit_length(), result.denominator.bit_length()) > MAX_BITS:
        raise TooLarge(f"a number of more than {MAX_BITS} bits is not judged")
    return result


_UPDATE: Final = {"increase": "+", "decrease": "-", "scale-up": "*", "scale-down": "/"}


def _updated(key: Ground, updates: list[tuple[str, Number]], state: State) -> Number:
    """Return the new value of a fluent: additive effects add up, an assignment stands alone."""
    operators = {operator for operator, _ in updates}
    if operators == {"assign"} and len(updates) == 1:
        return updates[0][1]
    if not (operators <= {"increase", "decrease"} or operators <= {"scale-up", "scale-down"}):
        raise CannotEvaluate(f"({' '.join(key)}) is changed by effects that exclude each other")
    if key not in state.values:
        raise CannotEvaluate(f"({' '.join(key)}) is undefined")
    result = state.values[key]
    for operator, amount in updates:
        result = _combine(_UPDATE[operator], result, amount)
    return result
