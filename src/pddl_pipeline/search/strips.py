"""Grounding of plain STRIPS: types, equality, negated atoms, and action costs.

Only ground actions that can become applicable if delete effects are ignored are found: in the
delete relaxation (Bonet and Geffner 2001), an atom that has become true stays true. Atoms are
joined one after the other as they become reachable (Helmert 2009, section 6).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Step
from pddl_pipeline.search.changing import changing, reads_cost
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.language import (
    Action,
    Add,
    Atom,
    Binding,
    Condition,
    Delete,
    Expression,
    Ground,
    Not,
    Same,
    Update,
    conjuncts,
    ground,
)
from pddl_pipeline.validation.matching import FactIndex, completed, unified
from pddl_pipeline.validation.problem_reader import TOTAL_COST, TOTAL_TIME
from pddl_pipeline.validation.semantics import Semantics
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.vocabulary import effects_of

MOST_OPERATORS: Final = 500_000
"""Default maximum number of operators; these take about a gigabyte."""
_TRIES: Final = 20
"""Number of facts that may be tried for each operator that is allowed."""


class Operator(NamedTuple):
    """A ground action."""

    step: Step
    cost: Number
    needed: frozenset[Ground]
    """The atoms that must hold before it."""
    forbidden: frozenset[Ground]
    """The atoms that must not hold before it."""
    added: frozenset[Ground]
    deleted: frozenset[Ground]
    """The deleted atoms that are not also added."""


class _Rule(NamedTuple):
    """An action schema with its parts grouped by kind."""

    action: Action
    atoms: tuple[Atom, ...]
    """The atoms that must hold."""
    negated: tuple[Atom, ...]
    """The atoms that must not hold."""
    alike: tuple[tuple[Same, bool], ...]
    """Equalities, and whether each must hold."""
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]
    prices: tuple[Expression, ...]
    """The increases of total-cost; they read only constant values."""


def ground_strips(task: Task, most_operators: int = MOST_OPERATORS) -> list[Operator] | None:
    """Return the reachable operators of a task; None if it is not plain STRIPS or has more.

    The result is also None if `_TRIES` times as many facts were tried to find them.
    """
    metric = task.facts.metric
    served = metric is None or (not metric.maximise and metric.value in (TOTAL_COST, TOTAL_TIME))
    has_costs = any(isinstance(each, Update) for each in effects_of(task.vocabulary))
    no_cost = has_costs and (TOTAL_COST.function,) not in task.facts.values
    rules = [_rule(action) for action in task.vocabulary.actions.values()]
    known = [rule for rule in rules if rule is not None]
    if not served or task.vocabulary.strata or no_cost or goal_literals(task) is None:
        return None
    if len(known) < len(rules):
        return None
    try:
        return _Join(task, known, most_operators).run()
    except _TooMany:
        return None


def goal_literals(task: Task) -> list[tuple[Ground, bool]] | None:
    """Return the atoms of the goal, each once, and whether each must hold; None for other goals."""
    parts = list(map(_literal, conjuncts(task.facts.goal)))
    atoms = [
        ((part.predicate, *part.terms), holds) for part, holds in parts if isinstance(part, Atom)
    ]
    return list(dict.fromkeys(atoms)) if len(atoms) == len(parts) else None


def _literal(part: Condition) -> tuple[Condition, bool]:
    """Return a condition that is not negated, and whether it must hold."""
    return (part.part, False) if isinstance(part, Not) else (part, True)


def _rule(action: Action) -> _Rule | None:
    """Return an action as a rule; None if it is not plain STRIPS."""
    parts = list(map(_literal, conjuncts(action.precondition)))
    updates = [each for each in action.effects if isinstance(each, Update)]
    if (
        not all(isinstance(part, (Atom, Same)) for part, _ in parts)
        or not all(isinstance(each, (Add, Delete, Update)) for each in action.effects)
        or any(each.operator != "increase" or each.fluent != TOTAL_COST for each in updates)
        or any(reads_cost(each.value) for each in updates)
    ):
        return None
    return _Rule(
        action,
        tuple(part for part, holds in parts if isinstance(part, Atom) and holds),
        tuple(part for part, holds in parts if isinstance(part, Atom) and not holds),
        tuple((part, holds) for part, holds in parts if isinstance(part, Same)),
        tuple(each.atom for each in action.effects if isinstance(each, Add)),
        tuple(each.atom for each in action.effects if isinstance(each, Delete)),
        tuple(each.value for each in updates),
    )


class _TooMany(Exception):
    """There are more operators than allowed, or too many facts were tried to find them."""


class _Join:
    """The reachable operators of rules, found from the facts on."""

    def __init__(self, task: Task, rules: Sequence[_Rule], most: int) -> None:
        self._most = most
        self._tries_left = most * _TRIES
        self._vocabulary = task.vocabulary
        self._semantics = Semantics(task.vocabulary)
        self._state = State(set(), task.facts.values)
        metric = task.facts.metric
        self._has_costs = metric is not None and metric.value == TOTAL_COST
        self._facts = task.facts.facts
        self._static = set(task.vocabulary.predicates) - changing(task).predicates
        self._rules = rules
        self._allowed = {
            rule.action.name: {
                variable.name: self._vocabulary.candidates(variable.types)
                for variable in rule.action.parameters
            }
            for rule in rules
        }
        self._index = FactIndex(fact for fact in self._facts if fact[0] in self._static)
        self._queue = sorted(fact for fact in self._facts if fact[0] not in self._static)
        self._known = set(self._queue)
        self._found: dict[tuple[str, tuple[str, ...]], Operator] = {}

    def run(self) -> list[Operator]:
        for rule in self._rules:
            if all(atom.predicate in self._static for atom in rule.atoms):
                self._keep(rule, rule.atoms, {})
        for fact in self._queue:  # which grows
            self._index.add(fact)
            for rule in self._rules:
                self._join(rule, fact)
        return list(self._found.values())

    def _join(self, rule: _Rule, fact: Ground) -> None:
        """Add the operators that a fact makes applicable, for each atom that it matches."""
        for position, atom in enumerate(rule.atoms):
            binding = self._unified(rule, atom, fact, {}) if atom.predicate == fact[0] else None
            if binding is not None:
                self._keep(rule, (*rule.atoms[:position], *rule.atoms[position + 1 :]), binding)

    def _keep(self, rule: _Rule, atoms: Sequence[Atom], binding: Binding) -> None:
        for widened in self._matches(rule, atoms, binding):
            for arguments in completed(self._vocabulary, rule.action.parameters, widened):
                key = rule.action.name, arguments
                operator = None if key in self._found else self._operator(rule, arguments)
                if operator is not None:
                    self._found[key] = operator
                    if len(self._found) > self._most:
                        raise _TooMany

    def _matches(self, rule: _Rule, atoms: Sequence[Atom], binding: Binding) -> Iterator[Binding]:
        """Yield the extensions of a binding under which the atoms are facts, rarest atom first."""
        if not atoms:
            yield binding
            return
        facts = [self._index.candidates(atom, binding) for atom in atoms]
        chosen = min(range(len(atoms)), key=lambda number: len(facts[number]))
        others = (*atoms[:chosen], *atoms[chosen + 1 :])
        self._tries_left -= len(facts[chosen])
        if self._tries_left < 0:
            raise _TooMany
        for fact in facts[chosen]:
            widened = self._unified(rule, atoms[chosen], fact, binding)
            if widened is not None:
                yield from self._matches(rule, others, widened)

    def _unified(self, rule: _Rule, atom: Atom, fact: Ground, binding: Binding) -> Binding | None:
        """Return the binding extended so that an atom is a fact; None if that is impossible."""
        widened = unified(atom, fact, binding)
        if widened is None:
            return None
        allowed = self._allowed[rule.action.name]
        fits = all(
            name in allowed[term]
            for term, name in zip(atom.terms, fact[1:], strict=True)
            if term in allowed
        )
        return widened if fits and (not rule.alike or _may_be(rule.alike, widened)) else None

    def _operator(self, rule: _Rule, arguments: tuple[str, ...]) -> Operator | None:
        """Return a ground action, or None if it is never applicable; its new facts are reachable.

        An action whose cost is undefined is not applicable.
        """
        binding = rule.action.binding(arguments)
        needed, forbidden, added, deleted = (
            frozenset(ground(atom.predicate, atom.terms, binding) for atom in atoms)
            for atoms in (rule.atoms, rule.negated, rule.adds, rule.deletes)
        )
        is_never = any(fact[0] in self._static and fact in self._facts for fact in forbidden)
        if is_never or not _may_be(rule.alike, binding):
            return None
        try:
            costs = [self._semantics.value(each, binding, self._state) for each in rule.prices]
        except CannotEvaluate:
            return None
        self._queue += sorted(added - self._known)
        self._known |= added
        cost = sum(costs) if self._has_costs else 1
        return Operator(
            Step(rule.action.name, arguments), cost, needed, forbidden, added, deleted - added
        )


def _may_be(alike: Sequence[tuple[Same, bool]], binding: Binding) -> bool:
    """Return whether the equalities between terms that are bound are as wanted."""
    return all(
        (binding.get(same.left, same.left) == binding.get(same.right, same.right)) is wanted
        for same, wanted in alike
        if not any(term.startswith("?") and term not in binding for term in same)
    )
