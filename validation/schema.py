"""Action schemas, prepared for fast application.

The atoms of a conjunction decide most steps: they are picked from the environment and looked up in
the set of facts. Everything else uses the functions of `semantics`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.validation.arithmetic import CannotEvaluate, updated
from pddl_pipeline.validation.language import (
    Action,
    Add,
    And,
    Atom,
    Condition,
    Delete,
    ForEach,
    Ground,
    Not,
    Quantified,
    Same,
    Update,
    When,
    conjuncts,
    walk,
)
from pddl_pipeline.validation.semantics import Environment, Frame, Pick, Semantics, Test, evaluation
from pddl_pipeline.validation.state import Changes, State
from pddl_pipeline.validation.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pddl_pipeline.validation.interference import Footprint

# Enough for plans of one task; a process that judges for days must not keep every step.
_MOST_KEPT: Final = 10_000
_NOTHING: Final = frozenset[Ground]()


class Conjunction:
    """A condition that is not part of another, such as a precondition or a goal.

    Its atoms and inequalities of objects can therefore be tested first: if one does not hold, it
    does not matter whether another part can be evaluated.
    """

    def __init__(self, semantics: Semantics, condition: Condition, frame: Frame) -> None:
        self.positive: list[Pick] = []
        self.negative: list[Pick] = []
        self.different: list[Pick] = []
        rest: list[Condition] = []
        for part in conjuncts(condition):
            match part:
                case Atom(predicate, terms):
                    self.positive.append(frame.pick(predicate, *terms))
                case Not(Atom(predicate, terms)):
                    self.negative.append(frame.pick(predicate, *terms))
                case Not(Same(left, right)):
                    self.different.append(frame.pick(left, right))
                case _:
                    rest.append(part)
        self.tests = [semantics.condition(part, frame) for part in rest]


class GroundConjunction:
    """A conjunction in an environment, ready to be tested in any state."""

    __slots__ = ("_environment", "_excluded", "_needed", "_possible", "_tests")

    def __init__(self, conjunction: Conjunction, environment: Environment) -> None:
        self._environment = environment
        self._needed = frozenset([pick(environment) for pick in conjunction.positive])
        self._excluded = _NOTHING
        if conjunction.negative:
            self._excluded = frozenset([pick(environment) for pick in conjunction.negative])
        self._possible = True
        if conjunction.different:
            different = [pick(environment) for pick in conjunction.different]
            self._possible = all(left != right for left, right in different)
        self._tests = conjunction.tests

    def holds(self, state: State) -> bool:
        """Return whether every part holds.

        Raises:
            CannotEvaluate: the atoms hold, but another part cannot be evaluated.
        """
        facts = state.facts
        if not (self._needed <= facts and self._possible and self._excluded.isdisjoint(facts)):
            return False
        for test in self._tests:  # noqa: SIM110 -- a generator costs more than most tests
            if not test(self._environment, state):
                return False
        return True


class Schema:
    """One action, compiled for the objects of a task; without quantifiers, for any objects."""

    def __init__(self, action: Action, semantics: Semantics) -> None:
        self.action = action
        self._semantics = semantics
        # The environments begin with the action's name, so that they begin with a step's words.
        self._names = ["", *(variable.name for variable in action.parameters)]
        self.types = [variable.types for variable in action.parameters]
        frame = Frame(self._names)
        self.precondition = Conjunction(semantics, action.precondition, frame)
        effects = [effect for effect in action.effects if isinstance(effect, (Add, Delete))]
        picks = [(each, frame.pick(each.atom.predicate, *each.atom.terms)) for each in effects]
        self.adds = [pick for effect, pick in picks if isinstance(effect, Add)]
        self.deletes = [pick for effect, pick in picks if isinstance(effect, Delete)]
        self.updates = [
            (
                frame.pick(each.fluent.function, *each.fluent.terms),
                each.operator,
                evaluation(each.value, frame),
            )
            for each in action.effects
            if isinstance(each, Update)
        ]
        # This is VAL's order of effects; it matters only to accounts of a plan.
        whens = [each for each in action.effects if isinstance(each, When)]
        self.before = [semantics.effect(each, frame) for each in whens]
        loops = [each for each in action.effects if isinstance(each, ForEach)]
        self.after = [semantics.effect(each, frame) for each in loops]
        self.bounds = [(bound, evaluation(bound.value, frame)) for bound in action.bounds]
        self.words = frame.words

    @cached_property
    def plain(self) -> bool:
        """Whether what a step reads does not depend on the state or on other objects."""
        formulas = walk(self.action.precondition, *self.action.effects)
        kinds = When, Quantified, ForEach
        return not self.action.preferences and not any(isinstance(f, kinds) for f, _ in formulas)

    @cached_property
    def _parts(self) -> tuple[list[tuple[Condition, Test]], Environment]:
        """The parts of the precondition, each with its test; and the words of their frame."""
        frame = Frame(self._names)
        conditions = conjuncts(self.action.precondition)
        tests = [(part, self._semantics.condition(part, frame)) for part in conditions]
        return tests, frame.words

    def failing(self, step: Sequence[str], state: State) -> Condition:
        """Return the conjunction of the parts of the precondition that do not hold.

        It includes the parts that cannot be evaluated or judged.
        """
        parts, words = self._parts
        environment = (*step, *words)
        found: list[Condition] = []
        for part, test in parts:
            try:
                if test(environment, state):
                    continue
            except (CannotEvaluate, NotJudged):
                pass  # the explanation evaluates the part again, and says why
            found.append(part)
        return And(tuple(found))


class GroundStep:
    """An action with its objects, ready to be applied in any state."""

    __slots__ = (
        "_others", "_plain", "_precondition", "_updates", "environment", "footprint", "schema"
    )  # fmt: skip

    def __init__(self, schema: Schema, step: Sequence[str]) -> None:
        self.schema = schema
        self.environment = environment = (*step, *schema.words)
        self.footprint: Footprint | None = None
        """What the step reads, if that is known and does not depend on the state."""
        self._precondition = GroundConjunction(schema.precondition, environment)
        self._plain = Changes(
            [pick(environment) for pick in schema.adds],
            [pick(environment) for pick in schema.deletes],
        )
        self._updates = [
            (pick(environment), operator, evaluate) for pick, operator, evaluate in schema.updates
        ]
        self._others = bool(schema.before or schema.updates or schema.after)

    def changes(self, state: State) -> Changes | None:
        """Return the changes of the step, or None if the precondition does not hold.

        Raises:
            CannotEvaluate: a part of the precondition or an effect cannot be evaluated.
        """
        if not self._precondition.holds(state):
            return None
        return self.effects(state) if self._others else self._plain

    def effects(self, state: State) -> Changes:
        """Return the changes of the step without testing the precondition.

        Raises:
            CannotEvaluate: an effect cannot be evaluated.
        """
        plain, environment = self._plain, self.environment
        changes = Changes(plain.adds, plain.deletes)
        if self.schema.before or self.schema.after:  # these add to the lists
            changes = Changes([*plain.adds], [*plain.deletes])
        for collect in self.schema.before:
            collect(environment, state, changes)
        for fluent, operator, evaluate in self._updates:
            changes.updates.append((fluent, operator, evaluate(environment, state)))
        for collect in self.schema.after:
            collect(environment, state, changes)
        changes.values = updated(changes.updates, state.values)
        return changes


class Schemas(dict[str, Schema]):
    """The schemas of a task by the action's name, each compiled when it is first looked up.

    A ground domain has thousands of actions, of which a plan uses a few dozen. An action without
    quantifiers is compiled once for all tasks of the domain.
    """

    def __init__(self, vocabulary: Vocabulary, semantics: Semantics) -> None:
        super().__init__()
        self._vocabulary = vocabulary
        self._semantics = semantics

    def __missing__(self, name: str) -> Schema:
        known = self._vocabulary
        schema = self[name] = self._compiled(known.actions.get(name) or known.snaps[name])
        return schema

    def _compiled(self, action: Action) -> Schema:
        key = action.name, self._semantics.tolerance
        known = self._vocabulary.prepared.get(key)
        # Timed literals of two problems may have the same name, but are not the same action.
        if isinstance(known, Schema) and known.action is action:
            return known
        formulas = walk(action.precondition, *action.effects)
        if any(isinstance(each, (Quantified, ForEach)) for each, _ in formulas):
            return Schema(action, self._semantics)
        found = self._vocabulary.prepared[key] = Schema(action, self._without_objects)
        return found

    @cached_property
    def _without_objects(self) -> Semantics:
        """Semantics without the objects of the task, which would be kept with what is prepared."""
        return Semantics(self._vocabulary.without_objects(), self._semantics.tolerance)


class GroundSteps(dict[tuple[str, ...], GroundStep]):
    """The steps of a task by their words, made when they are first looked up.

    The last ones are kept, since plans of one task have most steps in common. A lookup raises
    KeyError for words that are no action of the task with its arguments.
    """

    def __init__(self, vocabulary: Vocabulary, schemas: Schemas) -> None:
        super().__init__()
        self._vocabulary = vocabulary
        self._schemas = schemas

    def __missing__(self, step: tuple[str, ...]) -> GroundStep:
        schema = self._schemas[step[0]]
        if len(schema.types) != len(step) - 1:
            raise KeyError(step)
        for types, name in zip(schema.types, step[1:], strict=True):
            # The occurrence of a durative action has no types: any word may stand there.
            if types and name not in self._vocabulary.candidates(types):
                raise KeyError(step)
        if len(self) >= _MOST_KEPT:
            self.clear()
        found = self[step] = GroundStep(schema, step)
        return found
