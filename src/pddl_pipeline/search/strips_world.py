"""The state space of plain STRIPS: a state is an integer with one bit per changeable atom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from pddl_pipeline.model.atom import atom_text
from pddl_pipeline.model.errors import StepFails
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Step
from pddl_pipeline.search.strips import GroundTask, Operator
from pddl_pipeline.validation import state as validated
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.task import Task

_NO_BIT: Final = 0


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


class StripsWorld:
    """A plain STRIPS task; see `World`."""

    def __init__(self, task: Task, grounded: GroundTask) -> None:
        self._task = task
        self._fixed = grounded.fixed
        self._atoms = grounded.changing
        self._bits = {atom: 1 << number for number, atom in enumerate(grounded.changing)}
        self.every = (1 << len(self._atoms)) - 1
        """All changeable atoms."""
        self.operators = tuple(
            self._operator(number, each) for number, each in enumerate(grounded.operators)
        )
        """The operators, sorted by action and arguments."""
        self._named = {each.step[:2]: each for each in self.operators}
        self.start = self.mask(grounded.start)
        self.goals = len(grounded.goal)
        wanted = [atom for atom, holds in grounded.goal if holds]
        unwanted = [atom for atom, holds in grounded.goal if not holds]
        self.goal = self.mask(wanted)
        """The changeable atoms that must hold in the goal."""
        self.unwanted = self.mask(unwanted)
        """The changeable atoms that must not hold in the goal."""
        self._decided = sum(atom in self._fixed for atom in wanted) + sum(
            atom not in self._fixed and atom not in self._bits for atom in unwanted
        )
        self.can_end = self._decided + (self.goal | self.unwanted).bit_count() == self.goals
        """Whether no part of the goal is permanently false."""
        self._by_bit, self._always = self._watched()
        self._watch = sum(self._by_bit)

    def mask(self, atoms: Iterable[Ground]) -> int:
        """Return the bits of atoms; atoms that never change have no bit."""
        found = 0
        for atom in atoms:
            found |= self._bits.get(atom, _NO_BIT)
        return found

    def _operator(self, number: int, each: Operator) -> BitOperator:
        needed, deleted = self.mask(each.needed), self.mask(each.deleted)
        return BitOperator(
            needed | self.mask(each.forbidden), needed, self.every & ~deleted,
            self.mask(each.added), number, each.step, each.cost,
        )  # fmt: skip

    def _watched(self) -> tuple[dict[int, list[BitOperator]], list[BitOperator]]:
        """Return the operators by their rarest needed atom, and the operators that need no atom.

        Operators whose rarest needed atom does not hold need not be tested.
        """
        often = Counter(bit for each in self.operators for bit in bits_of(each.needed))
        by_bit: dict[int, list[BitOperator]] = {}
        for each in self.operators:
            bit = min(bits_of(each.needed), key=lambda bit: (often[bit], bit), default=_NO_BIT)
            by_bit.setdefault(bit, []).append(each)
        return by_bit, by_bit.pop(_NO_BIT, [])

    def applicable(self, state: int) -> list[BitOperator]:
        """Return the applicable operators, sorted."""
        found = [each for each in self._always if not state & each[0]]
        left = state & self._watch
        while left:
            bit = left & -left
            left ^= bit
            for each in self._by_bit[bit]:
                if state & each[0] == each[1]:
                    found.append(each)  # noqa: PERF401 -- a loop is faster than joining lists
        found.sort(key=_number)
        return found

    def successors(self, state: int) -> list[tuple[Step, int]]:
        """Return the applicable steps with their resulting states; see `World.successors`."""
        return [(each[5], state & each[2] | each[3]) for each in self.applicable(state)]

    def is_goal(self, state: int) -> bool:
        """Return whether the goal holds."""
        return self.can_end and state & self.goal == self.goal and not state & self.unwanted

    def goals_met(self, state: int) -> int:
        """Return how many parts of the goal hold."""
        avoided = self.unwanted & ~state
        return self._decided + (state & self.goal).bit_count() + avoided.bit_count()

    def holds(self, atom: Ground, state: int) -> bool:
        """Return whether an atom holds."""
        return bool(state & self._bits.get(atom, _NO_BIT)) or atom in self._fixed

    def atoms(self, state: int) -> frozenset[Ground]:
        """Return every atom that holds."""
        return self._fixed.union(self._changeable(state))

    def values(self, state: int) -> Mapping[Ground, Number]:
        """Return an empty mapping: no fluent that a state depends on changes."""
        del state
        return {}

    def fact_texts(self, state: int) -> tuple[str, ...]:
        """Return the changeable facts that hold, as sorted PDDL; see `World.fact_texts`."""
        return tuple(sorted(map(atom_text, self._changeable(state))))

    def _changeable(self, state: int) -> list[Ground]:
        return [self._atoms[bit.bit_length() - 1] for bit in bits_of(state)]

    def cost(self, step: Step, state: int) -> Number:
        """Return by how much a step increases the metric; see `World.cost`."""
        return self._found(step, state).cost

    def apply(self, step: Step, state: int) -> int:
        """Return the state after a step; see `World.apply`."""
        operator = self._found(step, state)
        return state & operator.kept | operator.added

    def _found(self, step: Step, state: int) -> BitOperator:
        operator = self._named.get(step[:2])
        if operator is None or state & operator.looked_at != operator.needed:
            # The validator raises an error with the reason.
            facts, values = set(self.atoms(state)), dict(self._task.facts.values)
            self._task.changes(step, validated.State(facts, values))
            raise StepFails("it is not reachable")
        return operator


def _number(operator: BitOperator) -> int:
    return operator[4]


def bits_of(mask: int) -> list[int]:
    """Return the bits of an integer as powers of two, the lowest first."""
    found = []
    while mask:
        bit = mask & -mask
        mask ^= bit
        found.append(bit)
    return found
