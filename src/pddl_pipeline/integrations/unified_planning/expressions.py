"""Expressions of Unified Planning as PDDL, with exact numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from unified_planning.io.pddl_writer import ConverterToPDDLString

from pddl_pipeline.model.number import decimal_text

TRUE = "(and)"
FALSE = "(or)"


class PddlExpressions(ConverterToPDDLString):  # type: ignore[misc] # it has no types
    """Writes expressions as PDDL.

    Unified Planning's own converter rounds numbers to ten digits, does not write constants of truth
    values, and simplifies: that drops ``forall`` where the variable is not used, also if its type
    has no objects.
    """

    def __init__(self, environment: Any, name_of: Callable[[Any], str]) -> None:
        super().__init__(environment, name_of)

    def convert(self, expression: Any) -> str:
        """Return an expression as text, not simplified."""
        text: str = self.walk(expression)
        return text

    def walk_real_constant(self, expression: Any, args: list[str]) -> str:
        """Return a number, as a quotient if it has no finite decimal."""
        del args  # Unified Planning passes it by name
        exact = Fraction(expression.constant_value())
        return decimal_text(exact) or f"(/ {exact.numerator} {exact.denominator})"

    def walk_bool_constant(self, expression: Any, args: list[str]) -> str:
        """Return a condition that always holds, or one that never does."""
        del args
        return TRUE if expression.bool_constant_value() else FALSE


def quantified_types(problem: Any) -> list[Any]:
    """Return the types of the variables in a problem, and the types above these.

    The problem itself knows only the types of its objects, fluents and actions.
    """
    found: dict[Any, None] = {}
    queue = [*problem.goals, *problem.trajectory_constraints]
    for action in problem.actions:
        queue += action.preconditions
        for effect in action.effects:
            queue += [effect.condition, effect.value]
            found.update(dict.fromkeys(each.type for each in effect.forall))
    while queue:
        node = queue.pop()
        queue += node.args
        if node.is_forall() or node.is_exists():
            found.update(dict.fromkeys(variable.type for variable in node.variables()))
    return list(dict.fromkeys(above for each in found for above in each.ancestors))


def conjuncts(conditions: Iterable[Any]) -> list[Any]:
    """Return the parts of conditions that all have to hold; no part is a conjunction."""
    found, queue = [], list(conditions)[::-1]
    while queue:
        part = queue.pop()
        if part.is_and():
            queue += reversed(part.args)
        else:
            found.append(part)
    return found


def both(first: Any, second: Any) -> Any:
    """Return a conjunction; not a conjunction with a constant."""
    if first.is_false() or second.is_true():
        return first
    return second if first.is_true() or second.is_false() else first.And(second)


def negated(value: Any) -> Any:
    """Return the negation of a condition; of a constant, the other constant."""
    manager = value.environment.expression_manager
    constants = {True: manager.FALSE(), False: manager.TRUE()}
    return constants[value.is_true()] if value.is_bool_constant() else value.Not()
