"""The features that a planner must support to solve a task."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Final

from pddl_pipeline.model.number import Number
from pddl_pipeline.validation.language import (
    TOTAL_COST,
    TOTAL_TIME,
    Arithmetic,
    Comparison,
    Expression,
    ForEach,
    Formula,
    Imply,
    Or,
    Quantified,
    Update,
    When,
    fluents_in,
    walk,
)
from pddl_pipeline.validation.task import Task

NUMERIC: Final = frozenset({"numeric", "general-numeric"})
"""The features of tasks with numbers other than costs."""
_LARGEST_COST: Final = 2**31 // 1000
"""A thousand steps may cost as much each."""
UNTIMED: Final = NUMERIC | {"costs"}
"""The features that a planner of tasks without time and preferences may support."""
FEATURES: Final = UNTIMED | {"temporal", "pddl3", "processes"}
"""The features that a planner may support; see `task_features`."""


def task_features(task: Task) -> frozenset[str]:
    """Return the features beyond classical planning that a planner must support.

    - ``numeric``: conditions compare numbers, effects change numbers other than the cost, a cost is
      computed from fluents, or a classical planner cannot count the costs; see `_are_countable`.
    - ``general-numeric``: the task goes beyond simple numeric planning (Hoffmann 2003, Scala et
      al. 2016), in which numbers change only by constants and are compared only in linear
      expressions.
    - ``costs``: actions have costs.
    - ``temporal``: durative actions, or timed initial literals or fluents.
    - ``processes``: processes, events, continuous effects or constraints of ENHSP: PDDL+.
    - ``pddl3``: preferences or trajectory constraints.
    - ``adl``: conditional effects, quantifiers, disjunctions or derived predicates, which few
      optimal planners support. Planners do not declare it.
    """
    vocabulary, facts = task.vocabulary, task.facts
    every = _parts(task)
    # `(increase (total-cost) (road ?a ?b))` is a cost; `(+ 1 (road ?a ?b))` is computed.
    updates = [
        each
        for each in every
        if isinstance(each, Update) and (each.fluent != TOTAL_COST or _is_computed(each.value))
    ]
    comparisons = [each for each in every if isinstance(each, Comparison)]
    found = {"numeric"} if comparisons or updates else set()
    changed = {update.fluent.function for update in updates}
    sides = [side for comparison in comparisons for side in (comparison.left, comparison.right)]
    if not all(_by_a_constant(update, changed) for update in updates) or not all(
        _is_linear(side, changed) for side in sides
    ):
        found.add("general-numeric")
    metric = facts.metric
    if metric and any(fluent != TOTAL_TIME for fluent in fluents_in(metric.value)):
        found.add("costs")
    if vocabulary.strata or any(
        isinstance(each, (ForEach, Imply, Or, Quantified, When)) for each in every
    ):
        found.add("adl")
    if facts.timed or any(action.durative for action in vocabulary.actions.values()):
        found.add("temporal")
    if vocabulary.is_hybrid:
        found.add("processes")
    if vocabulary.preferences or facts.constraints:
        found.add("pddl3")
    if found <= {"costs", "adl"} and not _are_countable(task, every):
        found.add("numeric")
    return frozenset(found)


def _are_countable(task: Task, parts: Iterable[Formula]) -> bool:
    """Return whether the metric is a sum of costs that have integers, or small multiples of them.

    Fast Downward reads no other metric and no decimals, and adds costs in 32 bits.
    """
    metric = task.facts.metric
    if metric and (metric.maximise or metric.value not in (TOTAL_COST, TOTAL_TIME)):
        return False
    costs = [part.value for part in parts if isinstance(part, Update)]
    values = [*task.facts.values.values(), *costs]
    numbers = [Fraction(value) for value in values if isinstance(value, int | Fraction)]
    factor = lcm(*(number.denominator for number in numbers))
    return factor == 1 or all(abs(number * factor) <= _LARGEST_COST for number in numbers)


def _parts(task: Task) -> list[Formula]:
    """Return the formulas of the goal and the actions, with all formulas within them."""
    formulas: list[Formula] = [task.facts.goal]
    for action in (*task.vocabulary.actions.values(), *task.vocabulary.snaps.values()):
        formulas += [action.precondition, *action.effects]
    return [part for part, _ in walk(*formulas)]


def _is_computed(expression: Expression) -> bool:
    return isinstance(expression, Arithmetic) and bool(_functions(expression))


def _functions(expression: Expression) -> set[str]:
    return {fluent.function for fluent in fluents_in(expression)}


def _by_a_constant(update: Update, changed: AbstractSet[str]) -> bool:
    scales = update.operator in ("scale-up", "scale-down")
    return not scales and not _functions(update.value) & changed


def _is_linear(expression: Expression, changed: AbstractSet[str]) -> bool:
    """Return whether an expression is linear in the fluents that actions change."""
    if not isinstance(expression, Arithmetic):
        return True
    operands = expression.operands
    varying = [bool(_functions(operand) & changed) for operand in operands]
    if expression.operator == "*" and sum(varying) > 1:
        return False
    if expression.operator == "/" and any(varying[1:]):
        return False
    if expression.operator == "^" and any(varying):
        return False
    # A list, not a generator: a generator would take a part of the thread's stack per level.
    return all([_is_linear(operand, changed) for operand in operands])  # noqa: C419


def has_undefined_fluents(task: Task) -> bool:
    """Return whether a numeric fluent of the task's objects has no initial value."""
    vocabulary, values = task.vocabulary, task.initial_state().values
    return any(
        (name, *objects) not in values
        for name, parameters in vocabulary.functions.items()
        for objects in product(*map(vocabulary.candidates, parameters))
    )


def has_number_above(task: Task, largest: float) -> bool:
    """Return whether a number in the goal, the actions or the values is above the largest one."""
    numbers: list[Number] = [part for part in _parts(task) if isinstance(part, int | Fraction)]
    numbers += task.facts.values.values()
    return any(not -largest <= number <= largest for number in numbers)
