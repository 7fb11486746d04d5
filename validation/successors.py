"""The applicable steps in a state and the states that they lead to.

Parameters are bound one after the other by matching the positive atoms of the precondition against
the state, so that only combinations that can still become applicable are tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pddl_pipeline.model.plan import Step
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.axioms import Axioms
from pddl_pipeline.validation.language import Atom
from pddl_pipeline.validation.matching import FactIndex, completed, matches
from pddl_pipeline.validation.schema import Schema, conjuncts
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.vocabulary import Vocabulary


class Successor(NamedTuple):
    """An applicable step and the state after it."""

    step: Step
    state: State


def successors(
    vocabulary: Vocabulary, schemas: Mapping[str, Schema], axioms: Axioms, state: State
) -> Iterator[Successor]:
    """Yield the successors of a state, sorted by action and arguments."""
    index = FactIndex(state.facts)
    for name in sorted(schemas):
        action = schemas[name].action
        atoms = [part for part in conjuncts(action.precondition) if isinstance(part, Atom)]
        candidates = {
            arguments
            for binding in matches(atoms, {}, index)
            for arguments in completed(vocabulary, action.parameters, binding)
        }
        for arguments in sorted(candidates):
            try:
                changes = schemas[name].changes(arguments, state)
            except CannotEvaluate:
                continue
            if changes is not None:
                after = state.copy()
                changes.apply(after)
                axioms.complete(after)
                yield Successor(Step(name, arguments), after)
