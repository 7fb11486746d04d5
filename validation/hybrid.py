"""Tasks of PDDL+ (Fox and Long 2006), ground: processes, events, and a plan with its end.

The formulas are those of `language`, without variables and in a normal form. Conditions are made of
atoms, negated atoms, comparisons, conjunctions and disjunctions; effects of additions, deletions,
updates and conditional ones. What never changes is replaced by its truth or value.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.number import Number
from pddl_pipeline.validation.exact_reals import Real
from pddl_pipeline.validation.language import (
    SPONTANEOUS,
    Action,
    Add,
    And,
    Arithmetic,
    Atom,
    Binding,
    Comparison,
    Condition,
    Delete,
    Effect,
    Expression,
    Fluent,
    ForEach,
    Ground,
    Imply,
    Not,
    Or,
    Quantified,
    Same,
    Update,
    When,
    conjuncts,
    ground,
)
from pddl_pipeline.validation.matching import FactIndex
from pddl_pipeline.validation.plan_reader import Moment, Steps
from pddl_pipeline.validation.semantics import WorkLimit
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.successors import Query, joined
from pddl_pipeline.validation.timeline import Timeline
from pddl_pipeline.validation.transition_system import TransitionSystem
from pddl_pipeline.validation.vocabulary import changing_predicates, effects_of

TRUE: Final[Condition] = And(())
FALSE: Final[Condition] = Or(())
"""Equal as tuples: compare with ``is``. Both stand for every condition without parts."""
MOST_STATES: Final = 1000
"""The number of happenings whose states a trace keeps."""
_OPPOSITE: Final = {"<": ">=", "<=": ">", ">=": "<", ">": "<="}


class GroundPart(NamedTuple):
    """A ground process or event, a constraint, or what a durative action does while it lasts."""

    name: Ground
    """Its name, a blank and its kind, then the objects; see `transition_system.step_text`."""
    condition: Condition
    effects: tuple[Effect, ...]
    """A constraint has none. Those of a process are ``increase`` and ``decrease``, by what is added
    in a unit of time; several of one fluent add up, also over several processes."""


class UnderWay(NamedTuple):
    """A durative action of a plan, or a constraint, which is under way all the time."""

    part: GroundPart
    """Its condition must hold between the start and the end."""
    position: int
    """0 for a constraint."""
    start: Number
    end: Number

    def covers(self, time: Real) -> bool:
        """Return whether a time is between the start and the end."""
        return self.start < time < self.end


class HybridPlan(NamedTuple):
    """What a plan of PDDL+ does, and when."""

    moments: list[Moment]
    """The happenings until the end, in order, timed literals included."""
    under_way: tuple[UnderWay, ...]
    """The durative actions."""
    end: Number
    """When the goal must hold: as the plan says, or else when the last thing happens."""
    timeline: Timeline
    """It sets and checks the durations."""


class HybridTask:
    """A ground task of PDDL+."""

    def __init__(self, system: TransitionSystem) -> None:
        """Ground a task.

        Raises:
            NotJudged: it has derived predicates, preferences or trajectory constraints, or too many
                ground processes and events.
        """
        vocabulary, facts = system.vocabulary, system.facts
        for feature, has in (
            ("derived predicates", vocabulary.derived),
            ("preferences", vocabulary.preferences),
            ("trajectory constraints", facts.constraints),
        ):
            if has:
                raise NotJudged(f"{feature} with processes or events are not judged")
        self._system = system
        self._ground = Grounding(system)
        found = defaultdict[str, list[GroundPart]](list)
        for action in vocabulary.snaps.values():
            # `heat process`; no name that a text can give has a blank.
            kind = action.name.rpartition(" ")[2]
            # Other snaps are parts of durative actions, and timed literals.
            for binding in self._ground.instances(action) if kind in SPONTANEOUS else ():
                words = (action.name, *(binding[parameter.name] for parameter in action.parameters))
                found[kind].append(self._ground.part(words, action, binding))
        self.processes = tuple(each for each in found["process"] if each.condition is not FALSE)
        """The processes whose conditions can hold."""
        self.events = tuple(each for each in found["event"] if each.condition is not FALSE)
        """The events whose conditions can hold."""
        self.constraints = tuple(found["constraint"])
        """What must hold in every state; without effects."""

    def plan(self, steps: Steps) -> HybridPlan:
        """Return what a plan does.

        Raises:
            NotJudged: a quantifier exceeds the limits of the validator.
        """
        timeline = Timeline(steps, self._system)
        end = steps.end
        # Timed literals may follow the end of the plan.
        moments = [moment for moment in timeline.moments if end is None or moment.time <= end]
        under_way = list[UnderWay]()
        for position, words, start, stop in timeline.spans():
            action = self._system.schemas[words[0]].action
            part = self._ground.part(words, action, action.binding(words[1:]))
            under_way.append(UnderWay(part, position, start, stop))
        last = moments[-1].time if moments else 0
        end = last if end is None else end
        return HybridPlan(moments, tuple(under_way), end, timeline)


@lru_cache(maxsize=4)
def hybrid_task(system: TransitionSystem) -> HybridTask:
    """Return the ground task of a system; the last ones are kept."""
    return HybridTask(system)


class Grounding:
    """Writer of formulas without variables."""

    def __init__(self, system: TransitionSystem) -> None:
        self._semantics, self._vocabulary = system.semantics, system.vocabulary
        self._changing = changing_predicates(system.vocabulary)
        self._updated = {
            effect.fluent.function
            for effect in effects_of(system.vocabulary)
            if isinstance(effect, Update)
        }
        self._facts = {fact for fact in system.facts.facts if fact[0] not in self._changing}
        self._values: Mapping[Ground, Number] = system.facts.values
        self._index = FactIndex(self._facts)

    def instances(self, action: Action) -> Iterator[Binding]:
        """Return the bindings under which the unchanging atoms of a precondition hold.

        Raises:
            NotJudged: there are too many.
        """
        # Atoms that change may hold later; only the others exclude an instance.
        atoms = (
            part
            for part in conjuncts(action.precondition)
            if isinstance(part, Atom) and part.predicate not in self._changing
        )
        unchanging = action._replace(precondition=And(tuple(atoms)))
        query = Query(unchanging, self._semantics, self._vocabulary)
        state = State(self._facts, {})
        return map(action.binding, joined(query, self._index, state, WorkLimit()))

    def part(self, words: Ground, action: Action, binding: Binding) -> GroundPart:
        """Return a process, an event, a constraint or a part of a durative action, ground.

        Raises:
            NotJudged: a quantifier has too many combinations.
        """
        condition = self.condition(action.precondition, binding)
        return GroundPart(words, condition, tuple(self.effects(action.effects, binding)))

    def condition(self, condition: Condition, binding: Binding, *, holds: bool = True) -> Condition:
        """Return a condition, or its negation, in normal form.

        Raises:
            NotJudged: a quantifier has too many combinations.
        """
        match condition:
            case Atom(predicate, terms):
                fact = ground(predicate, terms, binding)
                if predicate not in self._changing:
                    # No effect changes the predicate: what holds at the start holds always.
                    return TRUE if (fact in self._facts) is holds else FALSE
                atom = Atom(predicate, fact[1:])
                return atom if holds else Not(atom)
            case Same(left, right):
                same = binding.get(left, left) == binding.get(right, right)
                return TRUE if same is holds else FALSE
            case Comparison():
                return self._comparison(condition, binding, holds=holds)
            case Not(part):
                return self.condition(part, binding, holds=not holds)
            case And(parts) | Or(parts):
                inner = [self.condition(part, binding, holds=holds) for part in parts]
                return _joined(inner, conjunction=isinstance(condition, And) is holds)
            case Imply(left, right):
                return self.condition(Or((Not(left), right)), binding, holds=holds)
            case Quantified(universal, variables, part):
                bindings = self._semantics.bindings(variables, binding)
                inner = [self.condition(part, each, holds=holds) for each in bindings]
                return _joined(inner, conjunction=universal is holds)

    def _comparison(self, condition: Comparison, binding: Binding, *, holds: bool) -> Condition:
        operator, *sides = condition
        first, second = (self.expression(side, binding) for side in sides)
        # Numbers that never change decide now, which may leave out the whole process.
        if isinstance(first, int | Fraction) and isinstance(second, int | Fraction):
            found = self._semantics.comparisons[operator](first, second)
            return TRUE if found is holds else FALSE
        if holds or operator != "=":
            return Comparison(operator if holds else _OPPOSITE[operator], first, second)
        # `flow` tests signs, and has no sign for "not equal".
        return Or((Comparison("<", first, second), Comparison(">", first, second)))

    def expression(self, expression: Expression, binding: Binding) -> Expression:
        """Return a numeric expression with its objects."""
        match expression:
            case Fluent(function, terms):
                fluent = ground(function, terms, binding)
                if function not in self._updated and fluent in self._values:
                    return self._values[fluent]
                return Fluent(function, fluent[1:])
            case Arithmetic(operator, operands):
                inner = [self.expression(operand, binding) for operand in operands]
                return Arithmetic(operator, tuple(inner))
        return expression

    def effects(self, effects: Sequence[Effect], binding: Binding) -> Iterator[Effect]:
        """Yield effects, universal ones for every object.

        Raises:
            NotJudged: a quantifier has too many combinations.
        """
        for effect in effects:
            match effect:
                case Add(Atom(name, terms)) | Delete(Atom(name, terms)):
                    yield type(effect)(Atom(name, ground(name, terms, binding)[1:]))
                case Update(operator, Fluent(name, terms), value):
                    changed = Fluent(name, ground(name, terms, binding)[1:])
                    yield Update(operator, changed, self.expression(value, binding))
                case When(condition, inner):
                    made = tuple(self.effects(inner, binding))
                    tested = self.condition(condition, binding)
                    if tested is TRUE:
                        yield from made
                    elif tested is not FALSE:
                        yield When(tested, made)
                case ForEach(variables, inner):
                    for each in self._semantics.bindings(variables, binding):
                        yield from self.effects(inner, each)


def _joined(parts: Iterable[Condition], *, conjunction: bool) -> Condition:
    """Return a conjunction or disjunction without the parts that do not matter."""
    neutral, decisive = (TRUE, FALSE) if conjunction else (FALSE, TRUE)
    # By identity: `And(())` equals `Or(())`, since both are tuples of an empty tuple.
    kept = [part for part in parts if part is not neutral]
    if any(part is decisive for part in kept):
        return decisive
    if len(kept) < 2:
        return kept[0] if kept else neutral
    return And(tuple(kept)) if conjunction else Or(tuple(kept))


class Trace:
    """What happens to a plan in time, for charts."""

    def __init__(self) -> None:
        self.points: list[tuple[float, dict[Ground, float]]] = []
        """Times with the values then."""
        self.happenings: list[tuple[Number, Ground, str, State]] = []
        """Times with the names of what happens, its kind, and the state after it."""
        self.state: State | None = None
        """The state in which the plan ends or fails; None if it does not start."""

    def values(self, time: Number | float, values: Mapping[Ground, Number | float]) -> None:
        """Add a point of the curves."""
        self.points.append((float(time), {name: float(value) for name, value in values.items()}))

    def happened(self, time: Number, name: Ground, kind: str, state: State) -> None:
        """Add a ``step``, a ``literal``, an ``event``, or the ``start`` or ``end`` of a process."""
        self.state = state
        # Copies of all states could exceed the memory, and a page shows the first ones only.
        kept = state.copy() if len(self.happenings) < MOST_STATES else state
        self.happenings.append((time, name, kind, kept))
