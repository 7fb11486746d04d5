"""Writes a problem of Unified Planning, without object fluents, as PDDL."""

from __future__ import annotations

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
    decimal_text,
    negated,
)
from pddl_pipeline.integrations.unified_planning.kinds import written_features
from pddl_pipeline.integrations.unified_planning.names import ItemNames, pddl_names
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.text import atom_text

_TOTAL_COST: Final = "(total-cost)"
_REQUIREMENTS: Final = {
    ":typing": {"FLAT_TYPING"},
    ":negative-preconditions": {"NEGATIVE_CONDITIONS"},
    ":disjunctive-preconditions": {"DISJUNCTIVE_CONDITIONS"},
    ":equality": {"EQUALITIES"},
    ":existential-preconditions": {"EXISTENTIAL_CONDITIONS"},
    ":universal-preconditions": {"UNIVERSAL_CONDITIONS"},
    ":conditional-effects": {"CONDITIONAL_EFFECTS", "FORALL_EFFECTS"},
    ":numeric-fluents": {"INT_FLUENTS", "REAL_FLUENTS", "FLUENTS_IN_ACTIONS_COST"},
    ":action-costs": {"ACTIONS_COST", "PLAN_LENGTH"},
}


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
        changed = {each.fluent.fluent() for a in problem.actions for each in a.effects}
        found = list(problem.state_invariants)
        for fluent in problem.fluents:
            kind = fluent.type
            if fluent not in changed or not (kind.is_int_type() or kind.is_real_type()):
                continue
            for each in get_all_fluent_exp(problem, fluent):
                if kind.lower_bound is not None:
                    found.append(manager.LE(kind.lower_bound, each))
                if kind.upper_bound is not None:
                    found.append(manager.LE(each, kind.upper_bound))
        return found

    @property
    def _metric(self) -> Any:
        metrics = self._problem.quality_metrics
        if len(metrics) > 1:
            raise InputError(f"found {len(metrics)} metrics, expected at most one")
        return metrics[0] if metrics else None

    @cached_property
    def domain_pddl(self) -> str:
        """The text of the domain.

        Raises:
            InputError: PDDL has no words for a part of the problem.
        """
        actions, constants = self._actions
        fluents = self._problem.fluents
        predicates = [self._signature(each) for each in fluents if each.type.is_bool_type()]
        functions = [self._signature(each) for each in fluents if not each.type.is_bool_type()]
        if self._costs:
            functions.append(_TOTAL_COST)
        features = written_features(self._problem.kind.features)
        requirements = [name for name, those in _REQUIREMENTS.items() if features & those]
        return _lines(
            f"(define (domain {_titled(self._problem)})",
            f" (:requirements {' '.join([':strips', *requirements])})",
            _section(":types", self._types()),
            _section(":constants", self._typed(constants)),
            _section(":predicates", predicates),
            _section(":functions", functions),
            *actions,
            ")",
        )

    @cached_property
    def problem_pddl(self) -> str:
        """The text of the problem.

        Raises:
            InputError: PDDL has no words for a part of the problem.
        """
        _, constants = self._actions
        declared = {each.name for each in constants}
        objects = self._typed(o for o in self._problem.all_objects if o.name not in declared)
        return _lines(
            f"(define (problem {_titled(self._problem)}-1)",
            f" (:domain {_titled(self._problem)})",
            _section(":objects", objects),
            f" (:init\n  {_INDENTED.join(self._init)})",
            f" (:goal {self._conjunction(self._problem.goals)})",
            self._metric_text(),
            ")",
        )

    def _types(self) -> list[str]:
        names = self.names
        above = {each: names.of(each.father) if each.father else "object" for each in names.types}
        return [f"{names.of(each)} - {parent}" for each, parent in above.items()]

    def _typed(self, objects: Iterable[Any]) -> list[str]:
        return [f"{self.names.objects[each.name]} - {self.names.of(each.type)}" for each in objects]

    def _signature(self, fluent: Any) -> str:
        parameters = [
            f"?x{number} - {self.names.of(each.type)}"
            for number, each in enumerate(fluent.signature, start=1)
        ]
        return atom_text([self.names.of(fluent), *parameters])

    @cached_property
    def _actions(self) -> tuple[list[str], list[Any]]:
        """The texts of the actions, and the objects in them: the constants of the domain."""
        texts = list(map(self._action, self._problem.actions))
        names, used = self.names.objects, frozenset(self.names.used)
        return texts, [each for each in self._problem.all_objects if names[each.name] in used]

    def _action(self, action: Any) -> str:
        effects = [text for each in action.effects for text in self._effect(each)]
        cost = self._costs.get(action.name)
        if cost is not None:
            effects.append(f"(increase {_TOTAL_COST} {cost})")
        return _lines(
            f" (:action {self.names.actions[action.name]}",
            f"  :parameters ({self._variable_list(action.parameters)})",
            f"  :precondition {self._conjunction(action.preconditions)}",
            f"  :effect {atom_text(['and', *effects])})",
        )

    def _variable_list(self, variables: Iterable[Any]) -> str:
        return " ".join(f"{self.names.of(each)} - {self.names.of(each.type)}" for each in variables)

    @cached_property
    def _guard_parts(self) -> list[str]:
        """The guards as text; facts that never change are replaced by their values.

        Planners that expand disjunctions, as Fast Downward does, need that.
        """
        simplifier = Simplifier(self._problem.environment, self._problem)
        texts = []
        for each in self._guards():
            text = self._convert(each)
            if "(exists " not in text and "(forall " not in text:  # see `PddlExpressions`
                simple = simplifier.simplify(each)
                text = "" if simple.is_true() else self._convert(simple)
            texts += [text] if text else []
        return texts

    def _conjunction(self, conditions: Iterable[Any]) -> str:
        """Return conditions and the guards as one text."""
        parts = conjuncts(conditions)
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
                part = f"(forall ({self._variable_list(effect.forall)}) {part})"
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
            for each in get_all_fluent_exp(problem, fluent):
                value = problem.initial_value(each)
                known = value if value is None or value.is_constant() else value.simplify()
                if known is None or known.is_false():
                    continue
                # Not by `names.of`: these objects are not constants of the domain.
                atom = atom_text(
                    [name, *(self.names.objects[arg.object().name] for arg in each.args)]
                )
                found.append(atom if known.is_true() else f"(= {atom} {self._number(each, known)})")
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
            return f" (:metric minimize {_TOTAL_COST})" if self._costs else ""
        if metric.is_minimize_makespan():
            return " (:metric minimize (total-time))"
        word = "minimize" if metric.is_minimize_expression_on_final_state() else "maximize"
        return f" (:metric {word} {self._convert(metric.expression)})"


_INDENTED: Final = "\n  "


def _titled(problem: Any) -> str:
    return pddl_names([("", problem.name or "problem")], letter="p")[""]


def _section(keyword: str, parts: Sequence[str]) -> str:
    return f" ({keyword}\n  {_INDENTED.join(parts)})" if parts else ""


def _lines(*lines: str) -> str:
    return "\n".join(line.rstrip("\n") for line in lines if line) + "\n"
