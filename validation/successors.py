"""Which steps are applicable in a state, and where they lead.

Parameters are bound one after the other by matching the positive atoms of the precondition against
the state, so that only combinations that can still become applicable are looked at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from pddl_pipeline.model.plan import Step
from pddl_pipeline.validation.language import Action, And, Atom, Condition, Ground, Variable
from pddl_pipeline.validation.semantics import CannotEvaluate, Semantics
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.vocabulary import Vocabulary


class Successor(NamedTuple):
    """An applicable step and the state after it."""

    step: Step
    state: State


def successors(vocabulary: Vocabulary, semantics: Semantics, state: State) -> Iterator[Successor]:
    """Yield the successors of a state, sorted by action and arguments."""
    facts: dict[str, list[Ground]] = defaultdict(list)
    for fact in state.facts:
        facts[fact[0]].append(fact)
    for name in sorted(vocabulary.actions):
        action = vocabulary.actions[name]
        atoms = [part for part in _conjuncts(action.precondition) if isinstance(part, Atom)]
        matches = {tuple(b[v.name] for v in action.parameters)
                   for partial in _match(atoms, {}, facts)
                   for b in _complete(vocabulary, semantics, action, partial)}  # fmt: skip
        for arguments in sorted(matches):
            after = _after(semantics, action, arguments, state)
            if after is not None:
                yield Successor(Step(name, arguments), after)


def _conjuncts(condition: Condition) -> Iterator[Condition]:
    if isinstance(condition, And):
        for part in condition.parts:
            yield from _conjuncts(part)
    else:
        yield condition


def _match(
    atoms: list[Atom], binding: dict[str, str], facts: dict[str, list[Ground]]
) -> Iterator[dict[str, str]]:
    """Yield the bindings of the atoms' variables under which every atom is a fact."""
    if not atoms:
        yield binding
        return
    for fact in facts[atoms[0].predicate]:
        widened = dict(binding)
        for term, name in zip(atoms[0].terms, fact[1:], strict=True):
            if (widened.setdefault(term, name) if term.startswith("?") else term) != name:
                break
        else:
            yield from _match(atoms[1:], widened, facts)


def _complete(
    vocabulary: Vocabulary, semantics: Semantics, action: Action, binding: dict[str, str]
) -> Iterator[dict[str, str]]:
    """Yield the binding with every parameter bound to an object of its type."""
    free: list[Variable] = []
    for variable in action.parameters:
        if variable.name not in binding:
            free.append(variable)
        elif binding[variable.name] not in vocabulary.candidates(variable):
            return
    yield from (dict(each) for each in semantics.bindings(tuple(free), binding))


def _after(
    semantics: Semantics, action: Action, arguments: tuple[str, ...], state: State
) -> State | None:
    names = (variable.name for variable in action.parameters)
    binding = dict(zip(names, arguments, strict=True))
    try:
        if not semantics.holds(action.precondition, binding, state):
            return None
        changes = semantics.changes(action.effects, binding, state)
    except CannotEvaluate:
        return None
    after = state.copy()
    changes.apply(after)
    return after
