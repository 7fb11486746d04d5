"""The states and the fixed part of a PDDL task as plain data, for functions of models.

A state is ``{"facts": [("at", "b1", "rooma"), …]}``, with ``"values": {("fuel", "van"): 3}`` if
actions change fluents. The fixed part, which functions get as their second argument, has the
objects, the atoms and values that no action changes, and the goal.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.number import Number, normal
from pddl_pipeline.search.changing import changing
from pddl_pipeline.search.space import NotAState, State
from pddl_pipeline.validation.language import (
    And,
    Arithmetic,
    Atom,
    Comparison,
    Condition,
    Expression,
    Fluent,
    Ground,
    Imply,
    Not,
    Or,
    Quantified,
    Same,
    Variable,
)
from pddl_pipeline.validation.problem_reader import TOTAL_COST
from pddl_pipeline.validation.task import Task

_DIGITS: Final = 6
"""Decimal places to which values of fluents are compared: models compute with floats."""
_FORM: Final = "dict with facts, a list of tuples of strings"


class FactForm(NamedTuple):
    """The names that distinguish what a state contains from the fixed part."""

    predicates: frozenset[str]
    """The predicates that actions change; derived ones are in neither part."""
    functions: frozenset[str]
    """The functions that actions change."""
    derived: frozenset[str]

    def state(self, atoms: Iterable[Ground], values: Mapping[Ground, Number]) -> State:
        """Return a state.

        Args:
            atoms: the atoms that hold, with or without the fixed ones.
            values: the values of fluents, likewise.
        """
        state: State = {"facts": sorted(atom for atom in atoms if atom[0] in self.predicates)}
        if self.functions:
            changed = (name for name in values if name[0] in self.functions)
            state["values"] = {name: normal(Fraction(values[name])) for name in sorted(changed)}
        return state

    def fixed(self, task: Task, name: str) -> dict[str, Any]:
        """Return the fixed part of a task.

        Args:
            task: the task.
            name: the name of the problem, which is part of it.
        """
        begin, moving = task.initial_state(), self.predicates | self.derived
        part = {
            "name": name,
            "objects": {each: _own_type(task, each) for each in task.vocabulary.objects},
            "facts": sorted(fact for fact in begin.facts if fact[0] not in moving),
            "goal": _condition(task.facts.goal),
        }
        values = {
            fluent: value
            for fluent, value in sorted(begin.values.items())
            if fluent[0] not in self.functions and fluent[0] != TOTAL_COST.function
        }
        return {**part, "values": values} if values else part


def form_of(task: Task) -> FactForm:
    """Return the form of the states of a task's domain."""
    derived = task.vocabulary.derived
    # A goal on the cost, or a metric, would make the form differ between problems.
    found = changing(task, with_goal=False)
    return FactForm(found.predicates - derived, found.functions, derived)


def key(state: State) -> Hashable:
    """Return a value that does not depend on the order of the facts.

    Raises:
        NotAState: the value has another form.
    """
    try:
        facts = frozenset(map(tuple, state["facts"]))
        values = state.get("values", {})
        numbers = frozenset((tuple(name), round(float(value), _DIGITS))
                            for name, value in values.items())  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise NotAState(f"found no {_FORM}") from error
    if not all(isinstance(word, str) for fact in facts for word in fact):
        raise NotAState(f"found no {_FORM}")
    return facts, numbers


def _own_type(task: Task, name: str) -> str:
    """Return the most specific types of an object, joined by ``or`` if there are several."""
    kinds, tree = task.vocabulary.objects[name], task.vocabulary.types
    own = [
        kind
        for kind in sorted(kinds)
        if not any(other != kind and kind in tree.with_ancestors((other,)) for other in kinds)
    ]
    return " or ".join(own)


def _condition(part: Condition) -> Any:
    """Return a condition as nested tuples, in the order of PDDL."""
    match part:
        case Atom(predicate, terms):
            return (predicate, *terms)
        case Same(left, right):
            return ("=", left, right)
        case Comparison(operator, one, other):
            return (operator, _expression(one), _expression(other))
        case Not(inner):
            return ("not", _condition(inner))
        case And(parts):
            return ("and", *map(_condition, parts))
        case Or(parts):
            return ("or", *map(_condition, parts))
        case Imply(condition, conclusion):
            return ("imply", _condition(condition), _condition(conclusion))
        case Quantified(universal, variables, inner):
            word = "forall" if universal else "exists"
            return (word, tuple(map(_variable, variables)), _condition(inner))


def _variable(variable: Variable) -> tuple[str, ...]:
    return (variable.name, *variable.types)


def _expression(part: Expression) -> Any:
    match part:
        case Fluent(function, terms):
            return (function, *terms)
        case Arithmetic(operator, operands):
            return (operator, *map(_expression, operands))
        case _:
            return part
