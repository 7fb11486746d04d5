"""Conditions, expressions and effects while fluents are polynomials of time.

A comparison changes only at roots of a polynomial. A condition is therefore tested at these roots
and just after them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple, Union

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.validation.arithmetic import CannotEvaluate, comparisons
from pddl_pipeline.validation.exact_reals import (
    Algebraic,
    Polynomial,
    Real,
    derivative,
    minus,
    plus,
    ratio,
    roots,
    sign,
    times,
    trimmed,
    value_at,
)
from pddl_pipeline.validation.explanation import Unsatisfied, condition_text
from pddl_pipeline.validation.language import (
    And,
    Arithmetic,
    Atom,
    Comparison,
    Condition,
    Expression,
    Fluent,
    Ground,
    Not,
    Or,
    conjuncts,
)
from pddl_pipeline.validation.state import State

MAX_DEGREE: Final = 32
"""The largest degree of a polynomial, and of all together whose roots a value uses."""
_MAX_TEXT: Final = 24
_COMPARE: Final = comparisons(0)


class Sign(NamedTuple):
    """A comparison with 0 of a polynomial that is not constant."""

    operator: str
    polynomial: Polynomial


class Branch(NamedTuple):
    """A conjunction, or a disjunction."""

    every: bool
    parts: list[Test]


Test = Union[bool, Sign, Branch]
"""A condition during a piece of time, in which atoms and constant comparisons are known."""


class Mark(NamedTuple):
    """A time, or just after it; marks are in order of time."""

    time: Real
    after: bool


def holds(test: Test, place: Real = 0, *, after: bool = False) -> bool:
    """Return whether a condition holds at a time, or just after it."""
    if isinstance(test, bool):
        return test
    if isinstance(test, Branch):
        return (all if test.every else any)(holds(part, place, after=after) for part in test.parts)
    polynomial, found = test.polynomial, sign(value_at(test.polynomial, place))
    # Where a polynomial is 0, its first derivative that is not 0 has its sign just after.
    while after and not found:
        polynomial = derivative(polynomial)
        found = sign(value_at(polynomial, place))
    return _COMPARE[test.operator](found, 0)


def _polynomials(test: Test) -> Iterator[Polynomial]:
    if isinstance(test, Sign):
        yield test.polynomial
    elif isinstance(test, Branch):
        for part in test.parts:
            yield from _polynomials(part)


def first(test: Test, end: Real, *, wanted: bool) -> Mark | None:
    """Return when a condition first has a truth value after 0 and until a time."""
    # Before any root is computed: most conditions have this value from the start.
    if holds(test, after=True) == wanted:
        return Mark(0, after=True)
    if isinstance(test, bool):
        return None
    for place in sorted(
        chain.from_iterable(roots(polynomial, end) for polynomial in _polynomials(test))
    ):
        # At the end itself, and not just after it: that belongs to the next piece.
        for after in (False, True)[: 1 + (place != end)]:
            if place != 0 and holds(test, place, after=after) == wanted:
                return Mark(place, after)
    return None


class Piece:
    """A piece of time in which the atoms do not change and the fluents are polynomials."""

    def __init__(self, state: State) -> None:
        self.facts, self.values = state.facts, state.values
        self.flow: dict[Ground, Polynomial] = {}
        """The fluents that change."""
        self._tests: dict[int, Test] = {}
        """The tests of the conditions so far, by their identity; the task keeps them."""

    def polynomial(self, expression: Expression) -> Polynomial:
        """Return an expression as a polynomial of time.

        Raises:
            CannotEvaluate: it reads an undefined fluent or divides by zero.
            NotJudged: it is no polynomial.
        """
        match expression:
            case Fluent(function, terms):
                fluent = (function, *terms)
                if fluent in self.flow:
                    return self.flow[fluent]
                if fluent not in self.values:
                    raise CannotEvaluate(f"{atom_text(fluent)} is undefined")
                return trimmed((self.values[fluent],))
            case Arithmetic(operator, operands):
                first, *others = map(self.polynomial, operands)
                # `(- x)` is 0 - x, and 0 has no coefficients.
                if not others:
                    return minus((), first)
                for other in others:
                    first = self._combined(operator, first, other)
                return first
        return trimmed((expression,))

    def _combined(self, operator: str, left: Polynomial, right: Polynomial) -> Polynomial:
        if operator == "*":
            return times(left, right)
        if operator in "+-":
            return plus(left, right) if operator == "+" else minus(left, right)
        if len(right) > 1:
            what = "divides by what" if operator == "/" else "has an exponent that"
            raise NotJudged(f"an expression {what} changes in time, which is no polynomial")
        if operator == "/":
            if not right:
                raise CannotEvaluate("division by zero")
            return tuple(ratio(each, right[0]) for each in left)
        power = right[0] if right else 0
        # A root or a quotient is no polynomial.
        if not isinstance(power, int) or not 0 <= power <= MAX_DEGREE:
            raise NotJudged(f"the exponent {real_text(power)} is not judged")
        found: Polynomial = (1,)
        for _ in range(power):
            found = times(found, left)
        return found

    def test(self, condition: Condition) -> Test:
        """Return a condition of the task during this piece of time.

        Raises:
            CannotEvaluate, NotJudged: as for `polynomial`.
        """
        known = self._tests.get(id(condition))
        if known is None:
            known = self._tests[id(condition)] = self._test(condition)
        return known

    def _test(self, condition: Condition) -> Test:
        match condition:
            case Atom(predicate, terms):
                return (predicate, *terms) in self.facts
            # In the normal form, only atoms are negated, and these are known during a piece.
            case Not(part):
                return not self._test(part)
            case Comparison(operator, left, right):
                found = minus(self.polynomial(left), self.polynomial(right))
                if len(found) > MAX_DEGREE:
                    raise NotJudged(f"a polynomial of time of degree {len(found) - 1}")
                if len(found) > 1:
                    return Sign(operator, found)
                return _COMPARE[operator](sign(found[0]) if found else 0, 0)
            case And(parts) | Or(parts):
                return self._branch(parts, every=isinstance(condition, And))
        raise AssertionError(condition)

    def _branch(self, parts: Sequence[Condition], *, every: bool) -> Test:
        found: list[Test] = []
        fault: CannotEvaluate | None = None
        for part in parts:
            try:
                test = self._test(part)
            except CannotEvaluate as error:
                fault = error  # it does not matter if another part decides
                continue
            if not isinstance(test, bool):
                found.append(test)
            # A false part decides a conjunction, a true one a disjunction.
            elif test is not every:
                return test
        if fault is not None:
            raise fault
        return Branch(every, found) if found else every

    def missing(
        self, condition: Condition, place: Real = 0, *, after: bool = False
    ) -> list[Unsatisfied]:
        """Return the parts of a condition that do not hold at a time, or just after it."""
        found = []
        for part in conjuncts(condition):
            text = condition_text(part, {})
            try:
                if holds(self.test(part), place, after=after):
                    continue
                why = f"{text} does not hold{' just after' * after}"
                if isinstance(part, Comparison):
                    sides = (value_at(self.polynomial(each), place) for each in part[1:])
                    left, right = map(real_text, sides)
                    why += f": {left} {part.operator} {right}" + " is false" * (not after)
            except CannotEvaluate as error:
                why = f"{text} cannot be evaluated: {error}"
            found.append(Unsatisfied(text, why))
        return found


def real_text(number: Real) -> str:
    """Return a number as text; with an ellipsis if it is irrational or has many digits."""
    text = str(number) if isinstance(number, Algebraic) else number_text(number)
    return text if len(text) <= _MAX_TEXT else f"{float(number):.6f}…"
