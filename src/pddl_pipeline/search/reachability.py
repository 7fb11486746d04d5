"""The ground actions that can become applicable if delete effects are ignored.

In the delete relaxation (Bonet and Geffner 2001), an atom that has become true stays true. Atoms
are joined one after the other as they become reachable (Helmert 2009, section 6).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from pddl_pipeline.search.strips_form import Rule
from pddl_pipeline.validation.language import Atom, Binding, Ground, Same, ground
from pddl_pipeline.validation.matching import FactIndex, completed, unified
from pddl_pipeline.validation.task import Task

TRIES: Final = 20
"""Number of facts that may be tried for each ground rule that is allowed."""


class GroundRule(NamedTuple):
    """A rule with objects for its parameters."""

    rule: Rule
    arguments: tuple[str, ...]


def reachable(
    task: Task, rules: Sequence[Rule], static: Collection[str], most: int
) -> set[GroundRule] | None:
    """Return the reachable ground rules; None if there are more than `most`.

    The result is also None if `TRIES` times as many facts were tried to find them.

    Args:
        task: the task with the objects and the initial facts.
        rules: the actions of the task.
        static: names of the predicates that no action changes; conditions on them are evaluated.
        most: maximum number of ground rules.
    """
    join = _Join(task, rules, static, most)
    try:
        return join.run()
    except _TooMany:
        return None


class _TooMany(Exception):
    """There are more ground rules than allowed, or too many facts were tried to find them."""


class _Join:
    def __init__(
        self, task: Task, rules: Sequence[Rule], static: Collection[str], most: int
    ) -> None:
        self._most = most
        self._tries_left = most * TRIES
        self._vocabulary = task.vocabulary
        self._facts = task.facts.facts
        self._static = static
        self._rules = rules
        self._allowed = {
            rule.action.name: {
                variable.name: self._vocabulary.candidates(variable.types)
                for variable in rule.action.parameters
            }
            for rule in rules
        }
        self._index = FactIndex(fact for fact in self._facts if fact[0] in static)
        self._queue = sorted(fact for fact in self._facts if fact[0] not in static)
        self._known = set(self._queue)
        self._found: set[GroundRule] = set()

    def run(self) -> set[GroundRule]:
        for rule in self._rules:
            if all(atom.predicate in self._static for atom in rule.atoms):
                self._keep(rule, rule.atoms, {})
        for fact in self._queue:  # which grows
            self._index.add(fact)
            for rule in self._rules:
                self._join(rule, fact)
        return self._found

    def _join(self, rule: Rule, fact: Ground) -> None:
        """Add the ground rules that a fact makes applicable, for each atom that it matches."""
        for position, atom in enumerate(rule.atoms):
            binding = self._unified(rule, atom, fact, {}) if atom.predicate == fact[0] else None
            if binding is not None:
                self._keep(rule, (*rule.atoms[:position], *rule.atoms[position + 1 :]), binding)

    def _keep(self, rule: Rule, atoms: Sequence[Atom], binding: Binding) -> None:
        for widened in self._matches(rule, atoms, binding):
            for arguments in completed(self._vocabulary, rule.action.parameters, widened):
                found = GroundRule(rule, arguments)
                if found not in self._found and self._is_possible(found):
                    self._found.add(found)
                    if len(self._found) > self._most:
                        raise _TooMany
                    self._reach(found)

    def _matches(self, rule: Rule, atoms: Sequence[Atom], binding: Binding) -> Iterator[Binding]:
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

    def _unified(self, rule: Rule, atom: Atom, fact: Ground, binding: Binding) -> Binding | None:
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

    def _is_possible(self, found: GroundRule) -> bool:
        """Return whether the conditions that no step can change hold."""
        binding = found.rule.action.binding(found.arguments)
        if any(_is_same(same, binding) is not wanted for same, wanted in found.rule.alike):
            return False
        return not any(
            atom.predicate in self._static
            and ground(atom.predicate, atom.terms, binding) in self._facts
            for atom in found.rule.negated
        )

    def _reach(self, found: GroundRule) -> None:
        binding = found.rule.action.binding(found.arguments)
        for atom in found.rule.adds:
            fact = ground(atom.predicate, atom.terms, binding)
            if fact not in self._known:
                self._known.add(fact)
                self._queue.append(fact)


def _may_be(alike: Sequence[tuple[Same, bool]], binding: Binding) -> bool:
    """Return whether the equalities between terms that are bound are as wanted."""
    return all(
        _is_same(same, binding) is wanted
        for same, wanted in alike
        if not any(term.startswith("?") and term not in binding for term in same)
    )


def _is_same(same: Same, binding: Binding) -> bool:
    return binding.get(same.left, same.left) == binding.get(same.right, same.right)
