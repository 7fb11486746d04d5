"""Grounding of plain STRIPS: types, equality, negated atoms, and action costs.

Only ground actions that can become applicable if delete effects are ignored are found: in the
delete relaxation (Bonet and Geffner 2001), an atom that has become true stays true. Each atom that
becomes reachable is joined with those before it (Helmert 2009, section 6).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Step
from pddl_pipeline.search.changing import changing, reads_cost
from pddl_pipeline.search.effort import UNLIMITED, Effort
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.language import (
    TOTAL_COST,
    TOTAL_TIME,
    Action,
    Add,
    And,
    Atom,
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
from pddl_pipeline.validation.matching import FactIndex, Row
from pddl_pipeline.validation.semantics import Semantics, Test, WorkLimit
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.successors import Query, QueryAtom, Slots, joined
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.vocabulary import Vocabulary

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
    query: Query
    """Joins the atoms that must hold; tests equalities."""
    tests: list[Test]
    """The equalities between parameters."""
    atoms: tuple[Atom, ...]
    """The atoms that must hold."""
    negated: tuple[Atom, ...]
    """The atoms that must not hold."""
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]
    prices: tuple[Expression, ...]
    """The increases of total-cost; they read only constant values."""


def ground_strips(
    task: Task, most_operators: int = MOST_OPERATORS, effort: Effort = UNLIMITED
) -> list[Operator] | None:
    """Return the reachable operators of a task; None if it is not plain STRIPS or has more.

    The result is also None if `_TRIES` times as many facts were tried to find them.

    Raises:
        NotJudged: the time of the effort is over.
    """
    metric = task.facts.metric
    served = metric is None or (not metric.maximise and metric.value in (TOTAL_COST, TOTAL_TIME))
    if not served or task.vocabulary.strata or goal_literals(task) is None:
        return None
    rules = [_rule(action, task.vocabulary) for action in task.vocabulary.actions.values()]
    known = [rule for rule in rules if rule is not None]
    if len(known) < len(rules):
        return None
    try:
        return _Grounding(task, known, most_operators, effort).run()
    except NotJudged:
        # Raises again if the time is over; too many operators are no error here.
        effort.spend(0)
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


def _rule(action: Action, vocabulary: Vocabulary) -> _Rule | None:
    """Return an action as a rule; None if it is not plain STRIPS."""
    literals = {part: _literal(part) for part in conjuncts(action.precondition)}
    updates = [effect for effect in action.effects if isinstance(effect, Update)]
    if (
        not all(isinstance(part, (Atom, Same)) for part, _ in literals.values())
        or not all(isinstance(effect, (Add, Delete, Update)) for effect in action.effects)
        or any(update.operator != "increase" or update.fluent != TOTAL_COST for update in updates)
        or any(reads_cost(update.value) for update in updates)
    ):
        return None
    atoms, negated = (
        tuple(part for part, holds in literals.values() if isinstance(part, Atom) and holds is kind)
        for kind in (True, False)
    )
    relaxed = And(
        (*atoms, *(part for part, (inner, _) in literals.items() if isinstance(inner, Same)))
    )
    query = Query(action._replace(precondition=relaxed), Semantics(vocabulary), vocabulary)
    return _Rule(
        action,
        query,
        query.due(0, query.full),
        atoms,
        negated,
        tuple(effect.atom for effect in action.effects if isinstance(effect, Add)),
        tuple(effect.atom for effect in action.effects if isinstance(effect, Delete)),
        tuple(update.value for update in updates),
    )


class TryLimit(WorkLimit):
    """Counts the facts that joins try, and checks the time."""

    def __init__(self, most: float, effort: Effort) -> None:
        super().__init__()
        self._most = self._left = most
        self._effort = effort

    def spend(self, combinations: int = 1) -> None:
        """Count facts that are tried.

        Raises:
            NotJudged: there are more than the limit, or the time is over.
        """
        self._effort.spend(0)
        self._left -= combinations
        if self._left < 0:
            raise NotJudged(f"finding applicable actions takes more than {self._most:,} tries")


class _Grounding:
    """The reachable operators of rules, found from the facts on."""

    def __init__(self, task: Task, rules: Sequence[_Rule], most: int, effort: Effort) -> None:
        self._most = most
        self._tries = TryLimit(most * _TRIES, effort)
        self._semantics = Semantics(task.vocabulary)
        metric = task.facts.metric
        self._has_costs = metric is not None and metric.value == TOTAL_COST
        # What no action changes is joined first, and is never queued.
        changed = changing(task).predicates
        self._static = {fact for fact in task.facts.facts if fact[0] not in changed}
        self._rules = rules
        self._index = FactIndex(self._static)
        self._state = State(set(self._static), task.facts.values)
        self._queue = sorted(task.facts.facts - self._static)
        self._known = set(self._queue)
        self._found: dict[tuple[str, tuple[str, ...]], Operator] = {}

    def run(self) -> list[Operator]:
        for rule in self._rules:
            self._join(rule, list(rule.query.row), 0)
        # Each new fact is joined with all facts before it: every operator is found once its last
        # fact is there.
        for fact in self._queue:  # which grows
            self._index.add(fact)
            self._state.facts.add(fact)
            for rule in self._rules:
                for atom in rule.query.atoms:
                    row = _row(rule.query, atom, fact) if atom.predicate == fact[0] else None
                    if row is not None:
                        self._join(rule, row, atom.slots)
        return list(self._found.values())

    def _join(self, rule: _Rule, row: Row, bound: Slots) -> None:
        """Add the operators of a rule that have the objects of a row."""
        for arguments in joined(rule.query, self._index, self._state, self._tries, row, bound):
            key = rule.action.name, arguments
            operator = None if key in self._found else self._operator(rule, arguments)
            if operator is not None:
                self._found[key] = operator
                if len(self._found) > self._most:
                    raise NotJudged("too many operators")

    def _operator(self, rule: _Rule, arguments: tuple[str, ...]) -> Operator | None:
        """Return a ground action, or None if it is never applicable; its new facts are reachable.

        An action whose cost is undefined is not applicable.
        """
        binding = rule.action.binding(arguments)
        needed, forbidden, added, deleted = (
            frozenset(ground(atom.predicate, atom.terms, binding) for atom in atoms)
            for atoms in (rule.atoms, rule.negated, rule.adds, rule.deletes)
        )
        # Facts that change may become false, so only the others exclude an operator.
        if forbidden & self._static or not rule.query.hold(
            rule.tests, list(arguments), self._state
        ):
            return None
        try:
            costs = [self._semantics.value(price, binding, self._state) for price in rule.prices]
        except CannotEvaluate:
            return None
        # Sorted: the order of a set of texts changes from process to process.
        self._queue += sorted(added - self._known)
        self._known |= added
        cost = sum(costs) if self._has_costs else 1
        return Operator(
            Step(rule.action.name, arguments), cost, needed, forbidden, added, deleted - added
        )


def _row(query: Query, atom: QueryAtom, fact: Ground) -> Row | None:
    """Return the row in which an atom of a query is a fact; None if it cannot be."""
    row = list(query.row)
    for position, slot in atom.places:
        name = fact[position]
        if row[slot] not in (None, name) or name not in query.domains[slot]:
            return None
        row[slot] = name
    return row
