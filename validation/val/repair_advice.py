"""Repair advice in VAL's format: the changes that would make a condition hold.

Scripts read this layout, for example ``(Set (holding c) to true)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from pddl_pipeline.model.number import Number, number_decimal
from pddl_pipeline.model.text import atom_text, shortened
from pddl_pipeline.validation.explanation import condition_text, surely_holds
from pddl_pipeline.validation.language import (
    And,
    Arithmetic,
    Atom,
    Binding,
    Comparison,
    Condition,
    Expression,
    Fluent,
    Imply,
    Not,
    Or,
    Quantified,
    Same,
    conjuncts,
    ground,
)
from pddl_pipeline.validation.semantics import Semantics
from pddl_pipeline.validation.state import State

_MOST_INSTANCES: Final = 20_000
"""Maximum number of quantifier instances that one piece of advice expands."""
_DEEPEST_INDENT: Final = 400
_LONGEST: Final = 400


class _Line(NamedTuple):
    text: str


class _Group(NamedTuple):
    every: bool
    """Whether to follow all parts, or one of them."""
    parts: list[_Line | _Group]


def shown(advice: _Line | _Group, indent: int = 0) -> str:
    """Return advice as lines; the first is not indented, since it may follow an ``and``."""
    if isinstance(advice, _Line):
        return f"({advice.text})\n"
    if not advice.parts:
        return f"(No advice for {'con' if advice.every else 'dis'}junction!)\n"
    if len(advice.parts) == 1:
        return shown(advice.parts[0], indent)
    if indent > _DEEPEST_INDENT:
        return "(…)\n"
    word, link = ("each", "and") if advice.every else ("one", "or")
    inner = " " * (indent + 4)
    lines = [f"(Follow {word} of:\n"]
    for number, part in enumerate(advice.parts):
        between = f"{link} " if number else ""
        if number and isinstance(part, _Group):
            between += f"\n{inner}"
        lines.append(f"{inner}{between}{shown(part, indent + 4)}")
    return "".join(lines) + " " * indent + ")\n"


class RepairAdvisor:
    """Writer of repair advice on conditions of one task in one state."""

    def __init__(self, semantics: Semantics, derived: frozenset[str], state: State) -> None:
        self._semantics = semantics
        self._derived = derived
        self._state = state
        self._instances_left = _MOST_INSTANCES

    def advice(self, condition: Condition, binding: Binding) -> str:
        """Return the lines of advice on a condition that does not hold."""
        return shown(self._advice(condition, binding, wanted=True))

    def _holds(self, condition: Condition, binding: Binding) -> bool:
        return surely_holds(self._semantics, condition, binding, self._state)

    def _advice(self, condition: Condition, binding: Binding, *, wanted: bool) -> _Line | _Group:
        """Return advice on making the condition true if `wanted`, else on making it false."""
        match condition:
            case Atom() | Same():
                return self._literal(condition, binding, wanted=wanted)
            case Comparison():
                if self._holds(condition, binding) is wanted:
                    return _Line("No advice comparison!")
                return _Line(f"{_satisfy(wanted)} {self._comparison(condition, binding)}")
            case Not(part):
                return self._advice(part, binding, wanted=not wanted)
            case And(parts):
                aims = [(part, wanted) for part in (conjuncts(condition) if wanted else parts)]
                return self._group(aims, binding, every=wanted)
            case Or(parts):
                aims = [(part, wanted) for part in parts]
                return self._group(aims, binding, every=not wanted)
            case Imply(left, right):
                return self._group([(left, not wanted), (right, wanted)], binding, every=not wanted)
            case Quantified():
                return self._quantified(condition, binding, wanted=wanted)

    def _group(
        self, aims: Sequence[tuple[Condition, bool]], binding: Binding, *, every: bool
    ) -> _Group:
        """Return advice on giving every condition, or at least one, its wanted value."""
        if every:
            # Leave out the conditions that already have their value.
            aims = [(part, aim) for part, aim in aims if self._holds(part, binding) is not aim]
        return _Group(every, [self._advice(part, binding, wanted=aim) for part, aim in aims])

    def _quantified(
        self, condition: Quantified, binding: Binding, *, wanted: bool
    ) -> _Line | _Group:
        instances = self._instances(condition, binding)
        if instances is None:
            shown = shortened(condition_text(condition, binding), _LONGEST)
            return _Line(f"{_satisfy(wanted)} {shown}")
        every, part = condition.universal is wanted, condition.part
        if every:
            # All instances must have the wanted value: leave out those that already have it.
            instances = [
                instance for instance in instances if self._holds(part, instance) is not wanted
            ]
        return _Group(every, [self._advice(part, each, wanted=wanted) for each in instances])

    def _instances(self, condition: Quantified, binding: Binding) -> list[Binding] | None:
        """Return the instances of a quantifier, sorted by their objects as in VAL.

        Return None if there are too many to read.
        """
        self._instances_left -= self._semantics.count(condition.variables)
        if self._instances_left < 0:
            return None
        names = [variable.name for variable in condition.variables]
        instances = self._semantics.bindings(condition.variables, binding)
        return sorted(instances, key=lambda instance: [instance[name] for name in names])

    def _literal(self, literal: Atom | Same, binding: Binding, *, wanted: bool) -> _Line:
        text = condition_text(literal, binding)
        if isinstance(literal, Atom) and literal.predicate in self._derived:
            return _Line(f"Satisfy derived predicate {text if wanted else f'(NOT {text})'}!")
        if self._holds(literal, binding) is wanted:
            return _Line("No advice for literal!")
        return _Line(f"Set {text} to {'true' if wanted else 'false'}")

    def _comparison(self, comparison: Comparison, binding: Binding) -> str:
        left = self._expression(comparison.left, binding)
        return f"{left} {comparison.operator} {self._expression(comparison.right, binding)}"

    def _expression(self, expression: Expression, binding: Binding) -> str:
        match expression:
            case Fluent(function, terms):
                fluent = ground(function, terms, binding)
                value = self._state.values.get(fluent)
                shown_value = "undefined" if value is None else _short(value)
                return f"{atom_text(fluent)}[={shown_value}]"
            case Arithmetic(operator, operands):
                text = self._expression(operands[0], binding)
                if len(operands) == 1:
                    return f" - {text}"
                for other in operands[1:]:
                    text = f"({text} {operator} {self._expression(other, binding)})"
                return text
        return _short(expression)


def _satisfy(wanted: bool) -> str:  # noqa: FBT001 -- reads as a question
    return "Satisfy" if wanted else "Do NOT satisfy"


def _short(number: Number) -> str:
    return number_decimal(number, 6)
