"""The state space of a task, with fast successors.

Its semantics are the validator's: `Task.successors` is the reference, slow and for every task.
Plain STRIPS uses bit masks; all other tasks use the validator's own code.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from copy import copy
from math import inf
from operator import itemgetter
from typing import Any, Final, Generic, NamedTuple, Self, TypeVar

from pddl_pipeline.model.errors import NotJudged, StepFails
from pddl_pipeline.model.number import Number, number_json
from pddl_pipeline.model.plan import Step
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.search.changing import changing
from pddl_pipeline.search.effort import UNLIMITED, Effort
from pddl_pipeline.search.strips import (
    MOST_OPERATORS,
    Operator,
    TryLimit,
    goal_literals,
    ground_strips,
)
from pddl_pipeline.validation import state as validated
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.language import Ground, conjuncts
from pddl_pipeline.validation.semantics import Semantics
from pddl_pipeline.validation.task import Task

State = TypeVar("State", bound=Hashable)

_NO_BIT: Final = 0


class World(ABC, Generic[State]):
    """A state space. States can be compared and hashed; they do not include the cost so far."""

    start: State
    """The initial state."""
    goals: int
    """The number of parts of the goal."""
    fixed: frozenset[Ground]
    """The atoms that hold in every state."""

    @abstractmethod
    def successors(self, state: State) -> Sequence[tuple[Step, State]]:
        """Return the applicable steps with their resulting states, sorted by action and arguments.

        Raises:
            NotJudged: as in `Task.successors`.
        """

    @abstractmethod
    def is_goal(self, state: State) -> bool:
        """Return whether the goal holds."""

    @abstractmethod
    def goals_met(self, state: State) -> int:
        """Return how many parts of the goal hold."""

    @abstractmethod
    def changeable(self, state: State) -> Collection[Ground]:
        """Return the atoms that hold, except those that hold in every state."""

    @abstractmethod
    def avoiding(self, atom: Ground) -> World[State]:
        """Return the world without the steps after which an atom holds."""

    def starting(self, state: State) -> Self:
        """Return the world with another initial state."""
        found = copy(self)
        found.start = state
        return found

    def atoms(self, state: State) -> frozenset[Ground]:
        """Return every atom that holds, including those that never change."""
        return self.fixed.union(self.changeable(state))

    def holds(self, atom: Ground, state: State) -> bool:
        """Return whether an atom holds."""
        return atom in self.fixed or atom in self.changeable(state)

    def values(self, _state: State) -> Mapping[Ground, Number]:
        """Return the values of the fluents that states depend on and that may change."""
        return {}

    def fact_texts(self, state: State) -> tuple[str, ...]:
        """Return the changeable facts that hold, as sorted PDDL.

        Values of fluents are written as ``(= (value n1) 7/3)``.
        """
        values = [value_text(fluent, value) for fluent, value in self.values(state).items()]
        return tuple(sorted([*map(atom_text, self.changeable(state)), *values]))

    @abstractmethod
    def cost(self, step: Step, state: State) -> Number:
        """Return by how much an applicable step increases the metric.

        The cost is 1 if there is no metric or the metric is to be maximised.

        Raises:
            StepFails: the step is not applicable.
            NotJudged: the metric cannot be evaluated.
        """

    @abstractmethod
    def apply(self, step: Step, state: State) -> State:
        """Return the state after a step of the task.

        Raises:
            StepFails: the step cannot be applied in the state.
        """


def world_of(
    task: Task, most_operators: int = MOST_OPERATORS, effort: Effort = UNLIMITED
) -> World[Any]:
    """Return the state space of a task.

    Args:
        task: the task.
        most_operators: the number of reachable ground actions above which bit masks are not used.
        effort: its time limits the preparation, and the search for successors of a state.

    Raises:
        NotJudged: the task uses a part of PDDL that is not judged, or the time is over.
    """
    if task.facts.unsupported:
        raise NotJudged(str(task.facts.unsupported[0]))
    # None also for tasks with numbers, quantifiers or axioms, which have no bits.
    operators = ground_strips(task, most_operators, effort)
    if operators is None:
        return JudgedWorld(task, effort=effort)
    return StripsWorld(task, operators)


class JudgedState(NamedTuple):
    """The changeable part of a state."""

    facts: frozenset[Ground]
    """The changeable atoms that hold."""
    values: frozenset[tuple[Ground, Number]] = frozenset()
    """The values of the changeable fluents; costs are included only if they are read."""


class JudgedWorld(World[JudgedState]):
    """A task whose states are computed by the validator; see `World`."""

    def __init__(
        self, task: Task, most_tries: float = inf, effort: Effort = UNLIMITED, *,
        with_goal: bool = True,
    ) -> None:  # fmt: skip
        """Store a task; successors are computed on demand.

        Args:
            task: the task.
            most_tries: the number of facts that may be tried to find the successors of a state.
            effort: its time limits the search for successors, too.
            with_goal: see `changing`.
        """
        self._task = task
        self._most_tries, self._effort = most_tries, effort
        self.avoided = frozenset[Ground]()
        """See `avoiding`."""
        self._semantics = Semantics(task.vocabulary)
        predicates, self._functions = changing(task, with_goal=with_goal)
        # States have only what can change: they are smaller, and equal ones are found.
        begin = task.initial_state()
        self.fixed = frozenset(fact for fact in begin.facts if fact[0] not in predicates)
        self._values = {
            fluent: value
            for fluent, value in begin.values.items()
            if fluent[0] not in self._functions
        }
        self._parts = list(dict.fromkeys(conjuncts(task.facts.goal)))
        self.start = self._key(begin)
        self.goals = len(self._parts)

    def _key(self, state: validated.State) -> JudgedState:
        changed = (item for item in state.values.items() if item[0][0] in self._functions)
        return JudgedState(frozenset(state.facts - self.fixed), frozenset(changed))

    def _state(self, key: JudgedState) -> validated.State:
        return validated.State({*self.fixed, *key.facts}, {**self._values, **dict(key.values)})

    def successors(self, state: JudgedState) -> list[tuple[Step, JudgedState]]:
        """Return the applicable steps with their resulting states; see `World.successors`.

        Raises:
            NotJudged: also if finding them takes more tries than the limit.
        """
        limit = TryLimit(self._most_tries, self._effort)
        found = self._task.successors(self._state(state), limit)
        after = [(each.step, self._key(each.state)) for each in found]
        return [each for each in after if self.avoided.isdisjoint(each[1].facts)]

    def avoiding(self, atom: Ground) -> JudgedWorld:
        """Return the world without some steps; see `World.avoiding`."""
        found = copy(self)
        found.avoided = self.avoided | {atom}
        return found

    def is_goal(self, state: JudgedState) -> bool:
        """Return whether the goal holds."""
        return self._task.goal_holds(self._state(state))

    def goals_met(self, state: JudgedState) -> int:
        """Return how many parts of the goal hold."""
        full_state, met = self._state(state), 0
        for part in self._parts:
            # A part that reads an undefined fluent does not hold, and the others still count.
            try:
                met += self._semantics.holds(part, {}, full_state)
            except CannotEvaluate:
                continue
        return met

    def changeable(self, state: JudgedState) -> frozenset[Ground]:
        """Return the changeable atoms that hold; see `World.changeable`."""
        return state.facts

    def values(self, state: JudgedState) -> Mapping[Ground, Number]:
        """Return the values of the changeable fluents."""
        return dict(state.values)

    def cost(self, step: Step, state: JudgedState) -> Number:
        """Return by how much a step increases the metric; see `World.cost`."""
        metric = self._task.facts.metric
        if metric is None or metric.maximise:
            return 1
        before = self._state(state)
        after = before.copy()
        self._task.apply(step, after)
        # The cost of a step is the difference of the metric, which may depend on the state.
        old, new = self._task.cost(before, 0), self._task.cost(after, 1)
        if old is None or new is None:
            raise NotJudged("the metric cannot be evaluated")
        return new - old

    def apply(self, step: Step, state: JudgedState) -> JudgedState:
        """Return the state after a step; see `World.apply`."""
        full_state = self._state(state)
        self._task.apply(step, full_state)
        return self._key(full_state)


def value_text(fluent: Ground, value: Number) -> str:
    """Return the value of a fluent as an exact fact, such as ``(= (value n1) 7/3)``."""
    return f"(= {atom_text(fluent)} {number_json(value)})"


Literal = tuple[Ground, bool]
"""An atom, and whether it must hold."""


class Partial(NamedTuple):
    """A partial state: the atoms that must or must not hold, as bits."""

    needed: int
    """The atoms that must hold."""
    unwanted: int = 0
    """The atoms that must not hold."""

    def holds(self, state: int) -> bool:
        """Return whether a state satisfies this partial state."""
        return state & self.needed == self.needed and not state & self.unwanted

    def excludes(self, other: Partial) -> bool:
        """Return whether no state satisfies both."""
        return bool(self.needed & other.unwanted | self.unwanted & other.needed)

    def missing(self, other: Partial) -> int:
        """Return the number of atoms of another partial state that this one leaves open."""
        open_atoms = other.needed & ~self.needed | other.unwanted & ~self.unwanted
        return open_atoms.bit_count()


class BitOperator(NamedTuple):
    """An operator over bits. The most frequently read fields come first."""

    looked_at: int
    """The atoms of the precondition."""
    needed: int
    """The atoms of the precondition that must hold; the others must not."""
    kept: int
    """All atoms except the deleted ones."""
    added: int
    number: int
    """Its index among the operators, sorted by action and arguments."""
    step: Step
    cost: Number


class StripsWorld(World[int]):
    """A plain STRIPS task; see `World`."""

    def __init__(self, task: Task, operators: Sequence[Operator]) -> None:
        self._task = task
        facts = task.facts.facts
        self.fixed = facts - {atom for operator in operators for atom in operator.deleted}
        # Without the atoms that no action deletes, since those hold in every state.
        begin = facts - self.fixed
        added = {atom for operator in operators for atom in operator.added}
        self._atoms = sorted(begin | (added - self.fixed))
        self._bits = {atom: 1 << number for number, atom in enumerate(self._atoms)}
        self.every = (1 << len(self._atoms)) - 1
        """All changeable atoms."""
        # A negated atom that is always true can never be satisfied.
        possible = [operator for operator in operators if not operator.forbidden & self.fixed]
        possible.sort(key=lambda each: each.step[:2])
        self.operators = tuple(self._operator(number, each) for number, each in enumerate(possible))
        """The operators, sorted by action and arguments."""
        self._named = {operator.step[:2]: operator for operator in self.operators}
        self.start = self.mask(begin)
        goal = goal_literals(task) or ()
        self.goals = len(goal)
        wanted = [atom for atom, holds in goal if holds]
        unwanted = [atom for atom, holds in goal if not holds]
        self.goal = self.mask(wanted)
        """The changeable atoms that must hold in the goal."""
        self.unwanted = self.mask(unwanted)
        """The changeable atoms that must not hold in the goal."""
        # Parts that are true in every state: they count as met, and need no bit.
        self._decided = sum(atom in self.fixed for atom in wanted) + sum(
            atom not in self.fixed and atom not in self._bits for atom in unwanted
        )
        self.can_end = self._decided + (self.goal | self.unwanted).bit_count() == self.goals
        """Whether no part of the goal is permanently false."""
        self.index()

    def avoiding(self, atom: Ground) -> StripsWorld:
        """Return the world without some operators; see `World.avoiding`."""
        avoided = self.mask([atom])
        return self.restricted(
            operator for operator in self.operators if not operator.added & avoided
        )

    def relaxed(self) -> int:
        """Return the atoms that become true if atoms that are true stay true."""
        reached, before = self.start, -1
        while reached != before:
            before = reached
            for operator in self.operators:
                if not operator.needed & ~reached:
                    reached |= operator.added
        return reached

    def restricted(self, operators: Iterable[BitOperator]) -> StripsWorld:
        """Return the world with these of its operators only."""
        found = copy(self)
        found.operators = tuple(operators)
        found.index()
        return found

    def relevant(self) -> StripsWorld:
        """Return the world without operators that no shortest plan uses, and what no other reads.

        Such an operator makes nothing true or false that the goal, or another relevant operator,
        needs.
        """
        needed, unwanted, found = self.goal, self.unwanted, dict[int, BitOperator]()
        count = -1
        # An operator that becomes relevant needs atoms, which may make further operators relevant.
        while len(found) > count:
            count = len(found)
            for operator in self.operators:
                if operator.number not in found and (
                    operator.added & needed or ~operator.kept & unwanted
                ):
                    found[operator.number] = operator
                    needed |= operator.needed
                    unwanted |= operator.looked_at & ~operator.needed
        read = needed | unwanted
        kept = (found[number] for number in sorted(found))
        world = self.restricted(each._replace(added=each.added & read) for each in kept)
        return world.starting(self.start & read)

    def mask(self, atoms: Iterable[Ground]) -> int:
        """Return the bits of atoms; atoms that never change have no bit."""
        found = 0
        for atom in atoms:
            found |= self._bits.get(atom, _NO_BIT)
        return found

    def partial(self, literals: Iterable[Literal]) -> Partial | None:
        """Return literals as a partial state; None if one is permanently false."""
        masks = [0, 0]
        for atom, holds in literals:
            bit = self._bits.get(atom, _NO_BIT)
            # An atom without a bit is always true or always false.
            if not bit and (atom in self.fixed) != holds:
                return None
            masks[not holds] |= bit
        return Partial(*masks)

    def _operator(self, number: int, each: Operator) -> BitOperator:
        needed, deleted = self.mask(each.needed), self.mask(each.deleted)
        return BitOperator(
            needed | self.mask(each.forbidden), needed, self.every & ~deleted,
            self.mask(each.added), number, each.step, each.cost,
        )  # fmt: skip

    def index(self) -> None:
        """Store the operators by their rarest needed atom, and the operators that need no atom.

        Operators whose rarest needed atom does not hold need not be tested.
        """
        often = Counter(bit for operator in self.operators for bit in bits_of(operator.needed))
        by_bit: dict[int, list[BitOperator]] = {}
        for each in self.operators:
            bit = min(bits_of(each.needed), key=lambda bit: (often[bit], bit), default=_NO_BIT)
            by_bit.setdefault(bit, []).append(each)
        self._always, self._by_bit = by_bit.pop(_NO_BIT, []), by_bit
        self._watch = sum(by_bit)

    def applicable(self, state: int) -> list[BitOperator]:
        """Return the applicable operators, sorted."""
        found = [each for each in self._always if not state & each[0]]
        left = state & self._watch
        # Only operators whose rarest atom holds are tested.
        while left:
            bit = left & -left
            left ^= bit
            for each in self._by_bit[bit]:
                if state & each[0] == each[1]:
                    found.append(each)  # noqa: PERF401 -- a loop is faster than joining lists
        # By their number, so that searches do not depend on the index.
        found.sort(key=itemgetter(4))
        return found

    def successors(self, state: int) -> list[tuple[Step, int]]:
        """Return the applicable steps with their resulting states; see `World.successors`."""
        return [
            (operator[5], state & operator[2] | operator[3]) for operator in self.applicable(state)
        ]

    def is_goal(self, state: int) -> bool:
        """Return whether the goal holds."""
        return self.can_end and state & self.goal == self.goal and not state & self.unwanted

    def goals_met(self, state: int) -> int:
        """Return how many parts of the goal hold."""
        avoided = self.unwanted & ~state
        return self._decided + (state & self.goal).bit_count() + avoided.bit_count()

    def holds(self, atom: Ground, state: int) -> bool:
        """Return whether an atom holds."""
        return bool(state & self._bits.get(atom, _NO_BIT)) or atom in self.fixed

    def changeable(self, state: int) -> list[Ground]:
        """Return the changeable atoms that hold; see `World.changeable`."""
        return [self._atoms[bit.bit_length() - 1] for bit in bits_of(state)]

    def cost(self, step: Step, state: int) -> Number:
        """Return by how much a step increases the metric; see `World.cost`."""
        return self._found(step, state).cost

    def apply(self, step: Step, state: int) -> int:
        """Return the state after a step; see `World.apply`."""
        operator = self._found(step, state)
        return state & operator.kept | operator.added

    def operator(self, step: Step) -> BitOperator | None:
        """Return the operator of a step; None if it is never applicable."""
        return self._named.get(step[:2])

    def _found(self, step: Step, state: int) -> BitOperator:
        operator = self.operator(step)
        if operator is None or state & operator.looked_at != operator.needed:
            # The validator raises an error with the reason.
            facts, values = set(self.atoms(state)), dict(self._task.facts.values)
            self._task.changes(step, validated.State(facts, values))
            raise StepFails("it is not reachable")
        return operator


def bits_of(mask: int) -> list[int]:
    """Return the bits of an integer as powers of two, the lowest first."""
    found = []
    while mask:
        bit = mask & -mask
        mask ^= bit
        found.append(bit)
    return found
