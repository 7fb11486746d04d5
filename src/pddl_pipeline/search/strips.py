"""A grounded plain STRIPS task: its changeable atoms, and its operators over them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Step
from pddl_pipeline.search.changing import changing
from pddl_pipeline.search.reachability import GroundRule, reachable
from pddl_pipeline.search.strips_form import literals, rules_of
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.language import Binding, Ground, ground
from pddl_pipeline.validation.problem_reader import TOTAL_COST
from pddl_pipeline.validation.semantics import Semantics
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

MOST_OPERATORS: Final = 500_000
"""Default maximum number of operators; these take about a gigabyte."""


@dataclass(frozen=True, slots=True)
class Operator:
    """A ground action, reduced to changeable atoms."""

    step: Step
    needed: frozenset[Ground]
    """The atoms that must hold before it."""
    forbidden: frozenset[Ground]
    """The atoms that must not hold before it."""
    added: frozenset[Ground]
    deleted: frozenset[Ground]
    """The deleted atoms that are not also added."""
    cost: Number


@dataclass(frozen=True, slots=True)
class GroundTask:
    """A task with its reachable ground actions."""

    fixed: frozenset[Ground]
    """Initial facts that never change."""
    changing: tuple[Ground, ...]
    """The changeable atoms, sorted."""
    start: frozenset[Ground]
    """The changeable atoms that hold in the initial state."""
    operators: tuple[Operator, ...]
    """Sorted by action and arguments."""
    goal: tuple[tuple[Ground, bool], ...]
    """The atoms of the goal, without duplicates, and whether each must hold."""


def ground_strips(task: Task, most_operators: int = MOST_OPERATORS) -> GroundTask | None:
    """Return a grounded task; None if it is not plain STRIPS or has more operators."""
    rules = rules_of(task)
    if rules is None:
        return None
    static = set(task.vocabulary.predicates) - changing(task).predicates
    found = reachable(task, rules, static, most_operators)
    return None if found is None else _reduced(task, found)


def _reduced(task: Task, found: Iterable[GroundRule]) -> GroundTask:
    """Return the task without the atoms that are always or never true."""
    facts, prices = task.facts.facts, _Prices(task)
    full = [each for each in (_operator(each, prices) for each in found) if each is not None]
    fixed = facts - {atom for each in full for atom in each.deleted}
    begin = facts - fixed
    changing = begin | {atom for each in full for atom in each.added - fixed}
    # A negated atom that is always true can never be satisfied.
    possible = (each for each in full if not each.forbidden & fixed)
    operators = tuple(
        Operator(
            each.step, each.needed - fixed, each.forbidden & changing, each.added - fixed,
            each.deleted & changing, each.cost,
        )
        for each in sorted(possible, key=lambda each: each.step[:2])
    )  # fmt: skip
    parts = literals(task.facts.goal) or ()
    goal = dict.fromkeys(((atom.predicate, *atom.terms), wanted) for atom, wanted in parts)
    return GroundTask(fixed, tuple(sorted(changing)), begin, operators, tuple(goal))


class _Prices:
    """The costs of actions."""

    def __init__(self, task: Task) -> None:
        self._semantics = Semantics(task.vocabulary)
        self._state = State(set(), task.facts.values)
        metric = task.facts.metric
        self._count = metric is not None and metric.value == TOTAL_COST

    def price(self, found: GroundRule, binding: Binding) -> Number | None:
        """Return the cost of an action; None if it is undefined and the action not executable."""
        try:
            values = [
                self._semantics.value(price, binding, self._state) for price in found.rule.prices
            ]
        except CannotEvaluate:
            return None
        return sum(values) if self._count else 1


def _operator(found: GroundRule, prices: _Prices) -> Operator | None:
    rule = found.rule
    binding = rule.action.binding(found.arguments)
    price = prices.price(found, binding)
    if price is None:
        return None
    needed, forbidden, added, deleted = (
        frozenset(ground(atom.predicate, atom.terms, binding) for atom in atoms)
        for atoms in (rule.atoms, rule.negated, rule.adds, rule.deletes)
    )
    step = Step(rule.action.name, found.arguments)
    return Operator(step, needed, forbidden, added, deleted - added, price)
