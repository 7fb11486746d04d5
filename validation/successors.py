"""The applicable steps in a state and the states that they lead to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pddl_pipeline.model.plan import Step
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.axioms import Axioms
from pddl_pipeline.validation.join import joined
from pddl_pipeline.validation.query import Query
from pddl_pipeline.validation.schema import GroundStep, Schemas
from pddl_pipeline.validation.semantics import Semantics
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.static_facts import StaticFacts
from pddl_pipeline.validation.vocabulary import Vocabulary


class Successor(NamedTuple):
    """An applicable step and the state after it."""

    step: Step
    state: State


class SuccessorGenerator:
    """The actions of a task, prepared to find the applicable steps of any state."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        semantics: Semantics,
        schemas: Schemas,
        axioms: Axioms,
        static: StaticFacts,
    ) -> None:
        self._axioms = axioms
        self._static = static
        self._actions = [
            (name, schemas[name], Query(schemas[name].action, semantics, vocabulary))
            for name in sorted(vocabulary.actions)
        ]

    def successors(self, state: State) -> Iterator[Successor]:
        """Yield the successors of a state, sorted by action and arguments.

        Each is computed when it is asked for. The state must not change meanwhile.
        """
        index = self._static.index(state.facts)
        for name, schema, query in self._actions:
            for arguments in joined(query, index, state):
                try:
                    changes = GroundStep(schema, (name, *arguments)).changes(state)
                except CannotEvaluate:
                    continue
                if changes is not None:
                    after = state.copy()
                    changes.apply(after)
                    self._axioms.complete(after)
                    yield Successor(Step(name, arguments), after)
