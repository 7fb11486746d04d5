"""Writes a problem of Unified Planning, without object fluents, as PDDL."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from unified_planning.model.fluent import get_all_fluent_exp
from unified_planning.model.walkers import Simplifier

from pddl_pipeline.integrations.unified_planning.expressions import (
    FALSE,
    PddlExpressions,
    both,
    conjuncts,
    negated,
)
from pddl_pipeline.integrations.unified_planning.names import ItemNames, pddl_names
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.number import decimal_text
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.text import atom_text

_TOTAL_COST: Final = "(total-cost)"
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
_WORD: Final = re.compile(r"[^\s()]+")


class PddlWriter:
    """The PDDL texts of a problem.

    Unified Planning's own writer rounds numbers, drops the bounds of numbers, and fails on some
    metrics. Its bounds and state invariants become conditions of every action and of the goal.
    """

    def __init__(self, problem: Any) -> None:
        self._problem = problem
        self.names = ItemNames(problem)
        self._convert: Callable[[Any], str] = PddlExpressions(
            problem.environment, self.names.of
        ).convert

    def _guards(self) -> list[Any]:
        """The state invariants and the bounds of numbers that actions change, as expressions."""
        problem = self._problem
        manager = problem.environment.expression_manager
        changed = {effect.fluent.fluent() for a in problem.actions for effect in a.effects}
        found = list(problem.state_invariants)
        for fluent in problem.fluents:
            kind = fluent.type
            if fluent not in changed or not (kind.is_int_type() or kind.is_real_type()):
                continue
            for ground in get_all_fluent_exp(problem, fluent):
                if kind.lower_bound is not None:
                    found.append(manager.LE(kind.lower_bound, ground))
                if kind.upper_bound is not None:
                    found.append(manager.LE(ground, kind.upper_bound))
        return found

    @property
    def _metric(self) -> Any:
        metrics = self._problem.quality_metrics
        if len(metrics) > 1:
            raise InputError(f"found {len(metrics)} metrics, expected at most one")
        return metrics[0] if metrics else None

    @property
    def problem(self) -> Problem:
        """The texts.

        Raises:
            InputError: PDDL has no words for a part of the problem.
        """
        names, fluents = self.names, self._problem.fluents
        title = pddl_names([("", self._problem.name or "problem")], letter="p")[""]
        types = [
            f"{names.of(each)} - {names.of(each.father) if each.father else 'object'}"
            for each in names.types
        ]
        predicates, functions = (
            [self._signature(fluent) for fluent in fluents if fluent.type.is_bool_type() is kind]
            for kind in (True, False)
        )
        functions += [_TOTAL_COST] if self._costs else []
        actions = list(map(self._action, self._problem.actions))
        # An object that an action names has to be declared in the domain.
        used = {*_WORD.findall(" ".join(actions))}
        objects = {
            names.objects[thing.name]: f"{names.objects[thing.name]} - {names.of(thing.type)}"
            for thing in self._problem.all_objects
        }
        sections = [
            _section(":types", types),
            _section(":constants", [objects[name] for name in objects if name in used]),
            _section(":predicates", predicates),
            _section(":functions", [f"{function} - number" for function in functions]),
            *actions,
        ]
        body = "".join(f"{section}\n" for section in sections if section)
        goal = self._conjunction(self._problem.goals)
        needed = [name for name, sign in _REQUIREMENTS.items() if re.search(sign, body + goal)]
        others = _section(":objects", [objects[name] for name in objects if name not in used])
        requirements, init = " ".join([":strips", *needed]), "\n  ".join(self._init)
        metric = self._metric_text()
        return Problem(
            f"(define (domain {title})\n (:requirements {requirements})\n{body})\n",
            f"(define (problem {title}-1)\n (:domain {title})\n{others}\n"
            f" (:init\n  {init})\n (:goal {goal})\n"
            f"{f' (:metric {metric}){chr(10)}' if metric else ''})\n",
        )

    def _signature(self, fluent: Any) -> str:
        parameters = [
            f"?x{number} - {self.names.of(each.type)}"
            for number, each in enumerate(fluent.signature, start=1)
        ]
        return atom_text([self.names.of(fluent), *parameters])

    def _action(self, action: Any) -> str:
        effects = [text for effect in action.effects for text in self._effect(effect)]
        cost = self._costs.get(action.name)
        if cost is not None:
            effects.append(f"(increase {_TOTAL_COST} {cost})")
        return (
            f" (:action {self.names.actions[action.name]}\n"
            f"  :parameters {self._variables(action.parameters)}\n"
            f"  :precondition {self._conjunction(action.preconditions)}\n"
            f"  :effect {atom_text(['and', *effects])})"
        )

    def _variables(self, variables: Iterable[Any]) -> str:
        return atom_text(f"{self.names.of(x)} - {self.names.of(x.type)}" for x in variables)

    @cached_property
    def _guard_parts(self) -> list[str]:
        """The guards as text; facts that never change are replaced by their values.

        Planners that expand disjunctions, as Fast Downward does, need that.
        """
        simplifier = Simplifier(self._problem.environment, self._problem)
        texts = []
        for guard in self._guards():
            text = self._convert(guard)
            if "(exists " not in text and "(forall " not in text:  # see `PddlExpressions`
                simple = simplifier.simplify(guard)
                text = "" if simple.is_true() else self._convert(simple)
            texts += [text] if text else []
        return texts

    def _conjunction(self, conditions: Iterable[Any]) -> str:
        """Return conditions and the guards as one text."""
        parts = conjuncts(conditions)
        # The whole conjunction is false, and the guards need not be written.
        if any(part.is_false() for part in parts):
            return FALSE
        texts = [self._convert(part) for part in parts if not part.is_true()]
        return atom_text(["and", *texts, *self._guard_parts])

    def _effect(self, effect: Any) -> Iterator[str]:
        """Yield the parts of an effect; a truth value that is an expression needs two."""
        fluent, value = self._convert(effect.fluent), effect.value
        if not effect.fluent.type.is_bool_type():
            word = "increase" if effect.is_increase() else "decrease"
            word = "assign" if effect.is_assignment() else word
            cases = [(effect.condition, f"({word} {fluent} {self._convert(value)})")]
        else:
            cases = [
                (both(effect.condition, value), fluent),
                (both(effect.condition, negated(value)), f"(not {fluent})"),
            ]
        for condition, text in cases:
            if condition.is_false():
                continue
            part = text if condition.is_true() else f"(when {self._convert(condition)} {text})"
            if effect.is_forall():
                part = f"(forall {self._variables(effect.forall)} {part})"
            yield part

    @cached_property
    def _costs(self) -> dict[str, str]:
        """The cost of each action, if the metric is the sum of costs or the number of steps."""
        metric, actions = self._metric, self._problem.actions
        if metric is None:
            return {}
        if metric.is_minimize_sequential_plan_length():
            return dict.fromkeys((each.name for each in actions), "1")
        if not metric.is_minimize_action_costs():
            return {}
        found = {}
        for action in actions:
            cost = metric.get_action_cost(action)
            if cost is None:
                raise InputError(f"the metric has no cost for the action '{action.name}'")
            found[action.name] = self._convert(cost)
        return found

    @cached_property
    def _init(self) -> list[str]:
        """The initial facts and values."""
        problem, found = self._problem, []
        for fluent in problem.fluents:
            name = self.names.of(fluent)
            # The property `initial_values` would change the problem.
            for ground in get_all_fluent_exp(problem, fluent):
                value = problem.initial_value(ground)
                known = value if value is None or value.is_constant() else value.simplify()
                # PDDL lists the true facts and the known values only.
                if known is None or known.is_false():
                    continue
                # Not by `names.of`: these objects are not constants of the domain.
                atom = atom_text(
                    [name, *(self.names.objects[arg.object().name] for arg in ground.args)]
                )
                found.append(
                    atom if known.is_true() else f"(= {atom} {self._number(ground, known)})"
                )
        return [*found, f"(= {_TOTAL_COST} 0)"] if self._costs else found

    @staticmethod
    def _number(fluent: Any, value: Any) -> str:
        number = value.constant_value()
        text = decimal_text(Fraction(number))
        if text is None:
            raise InputError(
                f"the initial value of {fluent} is {number}, which has no finite decimal and so "
                "cannot be written in PDDL"
            )
        return text

    def _metric_text(self) -> str:
        metric = self._metric
        if metric is None:
            return ""
        if self._costs or metric.is_minimize_action_costs():
            return f"minimize {_TOTAL_COST}" if self._costs else ""
        if metric.is_minimize_makespan():
            return "minimize (total-time)"
        word = "minimize" if metric.is_minimize_expression_on_final_state() else "maximize"
        return f"{word} {self._convert(metric.expression)}"


def _section(keyword: str, parts: Sequence[str]) -> str:
    """Return a section with a line for each part; empty without parts."""
    lines = "\n  ".join(parts)
    return f" ({keyword}\n  {lines})" if parts else ""
