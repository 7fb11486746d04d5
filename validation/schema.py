"""Action schemas, prepared for fast application.

The atoms of a conjunction decide most steps: they are picked from the environment and looked up in
the set of facts. Everything else uses the functions of `semantics`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from operator import contains

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.number import Number
from pddl_pipeline.validation.arithmetic import CannotEvaluate, updated
from pddl_pipeline.validation.frame import Environment, Frame, Pick
from pddl_pipeline.validation.language import (
    Action,
    Add,
    And,
    Atom,
    Condition,
    Delete,
    Ground,
    Not,
    Same,
    is_quantified,
)
from pddl_pipeline.validation.semantics import Semantics, Test
from pddl_pipeline.validation.state import Changes, State
from pddl_pipeline.validation.vocabulary import Vocabulary


def conjuncts(condition: Condition) -> Iterator[Condition]:
    """Yield the parts of a conjunction, including nested ones, or any other condition itself."""
    queue = [condition]
    while queue:
        part = queue.pop()
        if isinstance(part, And):
            queue += reversed(part.parts)
        else:
            yield part


class Conjunction:
    """A condition that is not part of another, such as a precondition or a goal.

    Its atoms and inequalities of objects can therefore be tested first: if one does not hold, it
    does not matter whether another part can be evaluated.
    """

    def __init__(self, semantics: Semantics, condition: Condition, frame: Frame) -> None:
        self._positive: list[Pick] = []
        self._negative: list[Pick] = []
        self._different: list[Pick] = []
        rest: list[Condition] = []
        for part in conjuncts(condition):
            match part:
                case Atom(predicate, terms):
                    self._positive.append(frame.pick(predicate, *terms))
                case Not(Atom(predicate, terms)):
                    self._negative.append(frame.pick(predicate, *terms))
                case Not(Same(left, right)):
                    self._different.append(frame.pick(left, right))
                case _:
                    rest.append(part)
        self._rest = [semantics.condition(part, frame) for part in rest]

    def holds(self, environment: Environment, state: State) -> bool:
        """Return whether every part holds.

        Raises:
            CannotEvaluate: the atoms hold, but another part cannot be evaluated.
        """
        facts = state.facts
        for pick in self._positive:
            if pick(environment) not in facts:
                return False
        for pick in self._negative:
            if pick(environment) in facts:
                return False
        for pick in self._different:
            first, second = pick(environment)
            if first == second:
                return False
        for test in self._rest:  # noqa: SIM110 -- a generator costs more than most tests
            if not test(environment, state):
                return False
        return True


class PreparedAction:
    """An action, compiled for the objects of a task; without quantifiers, for any objects."""

    def __init__(self, action: Action, semantics: Semantics) -> None:
        self.action = action
        self._semantics = semantics
        # The environments begin with the action's name, so that they begin with a step's words.
        frame = Frame(["", *(variable.name for variable in action.parameters)])
        self.precondition = Conjunction(semantics, action.precondition, frame)
        self.adds: list[Pick] = []
        self.deletes: list[Pick] = []
        rest = []
        for effect in action.effects:
            match effect:
                case Add(atom):
                    self.adds.append(frame.pick(atom.predicate, *atom.terms))
                case Delete(atom):
                    self.deletes.append(frame.pick(atom.predicate, *atom.terms))
                case _:
                    rest.append(effect)
        self.rest = semantics.effects(rest, frame)
        self.renewals = semantics.renewals(rest, frame)
        self.words = frame.words

    @cached_property
    def parts(self) -> tuple[list[tuple[Condition, Test]], Environment]:
        """The parts of the precondition, each with its test; and the words of their frame."""
        frame = Frame(["", *(variable.name for variable in self.action.parameters)])
        conditions = list(conjuncts(self.action.precondition))
        tests = [(part, self._semantics.condition(part, frame)) for part in conditions]
        return tests, frame.words


def _prepared(action: Action, semantics: Semantics, vocabulary: Vocabulary) -> PreparedAction:
    """Return an action, prepared once for all tasks of the domain unless it has quantifiers."""
    key = action.name, semantics.tolerance
    known = vocabulary.prepared.get(key)
    if isinstance(known, PreparedAction) and known.action is action:
        return known
    if is_quantified(action):
        return PreparedAction(action, semantics)
    # These semantics do not hold the objects of the task, which would be kept with them.
    found = PreparedAction(action, Semantics(vocabulary.without_objects(), semantics.tolerance))
    vocabulary.prepared[key] = found
    return found


class Schema:
    """One action of a task."""

    def __init__(self, action: Action, semantics: Semantics, vocabulary: Vocabulary) -> None:
        self.action = action
        types = (variable.types for variable in action.parameters)
        self._allowed = [{action.name}, *map(vocabulary.candidates, types)]
        self._prepared = prepared = _prepared(action, semantics, vocabulary)
        self._precondition = prepared.precondition
        self._adds, self._deletes = prepared.adds, prepared.deletes
        self._rest, self._renewals = prepared.rest, prepared.renewals
        self._words = prepared.words

    def failing(self, arguments: Sequence[str], state: State) -> Condition:
        """Return the conjunction of the parts of the precondition that do not hold.

        It includes the parts that cannot be evaluated or judged.
        """
        parts, words = self._prepared.parts
        environment = ("", *arguments, *words)
        found: list[Condition] = []
        for part, test in parts:
            try:
                if test(environment, state):
                    continue
            except (CannotEvaluate, NotJudged):
                pass  # the explanation evaluates the part again, and says why
            found.append(part)
        return And(tuple(found))

    def takes(self, step: Sequence[str]) -> bool:
        """Return whether a step, as words, has the right number and types of arguments."""
        return len(step) == len(self._allowed) and all(map(contains, self._allowed, step))

    def changes(self, arguments: Sequence[str], state: State) -> Changes | None:
        """Return the action's changes, or None if its precondition does not hold.

        Raises:
            CannotEvaluate: a part of the precondition or an effect cannot be evaluated.
        """
        environment = ("", *arguments, *self._words)
        if not self._precondition.holds(environment, state):
            return None
        return self._effects(environment, state)

    def apply(self, step: Sequence[str], state: State) -> bool:
        """Apply a step in place. If it is not applicable, return False; the state is unchanged.

        Args:
            step: the action's name and the arguments.
            state: the state before the step.

        Raises:
            CannotEvaluate: as for `changes`; the state is unchanged.
        """
        environment = (*step, *self._words)
        if not self._precondition.holds(environment, state):
            return False
        # Everything that can fail comes before the first change.
        values = self._renewed(environment, state)
        rest = self._evaluated(environment, state) if self._rest and values is None else None
        facts = state.facts
        for pick in self._deletes:
            facts.discard(pick(environment))
        if rest:
            facts.difference_update(rest.deletes)
        for pick in self._adds:
            facts.add(pick(environment))
        if rest:
            facts.update(rest.adds)
            state.values.update(rest.values)
        elif values:
            state.values.update(values)
        return True

    def _renewed(
        self, environment: Environment, state: State
    ) -> list[tuple[Ground, Number]] | None:
        """Return the new values; None if two effects may change one fluent, or for a fault."""
        if self._renewals is None:
            return None
        try:
            return [renew(environment, state) for renew in self._renewals]
        except (CannotEvaluate, NotJudged):
            # `_evaluated` finds the fault that comes first: all operands are computed before.
            return None

    def effects(self, arguments: Sequence[str], state: State) -> Changes:
        """Return the action's changes without testing its precondition.

        Raises:
            CannotEvaluate: an effect cannot be evaluated.
        """
        return self._effects(("", *arguments, *self._words), state)

    def _effects(self, environment: Environment, state: State) -> Changes:
        changes = self._evaluated(environment, state)
        changes.adds[:0] = [pick(environment) for pick in self._adds]
        changes.deletes[:0] = [pick(environment) for pick in self._deletes]
        return changes

    def _evaluated(self, environment: Environment, state: State) -> Changes:
        """Return the changes of all effects except plain atoms."""
        changes = Changes()
        for collect in self._rest:
            collect(environment, state, changes)
        changes.values = updated(changes.updates, state.values)
        return changes


class Schemas(dict[str, Schema]):
    """The schemas of a task by the action's name, each prepared when it is first looked up.

    A ground domain has thousands of actions, of which a plan uses a few dozen. Only subscription
    prepares a schema: `get`, iteration and the length see those that are prepared.
    """

    def __init__(
        self, actions: Mapping[str, Action], semantics: Semantics, vocabulary: Vocabulary
    ) -> None:
        super().__init__()
        self._actions = actions
        self._semantics = semantics
        self._vocabulary = vocabulary

    def __missing__(self, name: str) -> Schema:
        schema = Schema(self._actions[name], self._semantics, self._vocabulary)
        self[name] = schema
        return schema

    def all(self) -> Mapping[str, Schema]:
        """Return the schemas of all actions."""
        if len(self) < len(self._actions):
            for name in self._actions:
                self[name]
        return self
