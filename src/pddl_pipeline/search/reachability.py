"""What the states that are reachable in a task have in common, decided without listing them all.

In plain STRIPS, a path to a condition is found by best-first search. That there is none is proved
by the delete relaxation, by invariants and regression (see `Invariants`), or by a search that ends.
In other tasks, states are listed breadth first. What is not decided within the limits is an error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property, reduce
from heapq import heappop, heappush
from itertools import chain, count
from operator import and_, or_
from typing import Any, Final

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.plan import Step
from pddl_pipeline.search.effort import Effort
from pddl_pipeline.search.invariants import Invariants
from pddl_pipeline.search.state_graph import StateGraph, way_to
from pddl_pipeline.search.world import Literal, Partial, StripsWorld, World, bits_of
from pddl_pipeline.validation.language import Ground

_FIRST: Final = 200
"""Number of states that best-first search expands before regression is tried."""


class Reachability:
    """The states that are reachable from the initial state of a task."""

    def __init__(
        self, world: World[Any], effort: Effort, invariants: Invariants | None = None
    ) -> None:
        """Store a task.

        Args:
            world: the task.
            effort: the limits of all searches together.
            invariants: those of the task with more actions, if they are known.
        """
        self.world, self.effort, self._invariants = world, effort, invariants
        self._path = [world.start]
        """The path in plain STRIPS that was found last."""

    @cached_property
    def _graph(self) -> StateGraph:
        """The states of a task that is not plain STRIPS, as far as they are known."""
        return StateGraph(self.world, self.effort)

    @cached_property
    def _relaxed(self) -> int:
        return self.world.relaxed() if isinstance(self.world, StripsWorld) else 0

    def proofs(self) -> Invariants | None:
        """Return the invariants of a plain STRIPS task, which are computed once."""
        world, known = self.world, self._invariants
        if isinstance(world, StripsWorld) and (known is None or known.world is not world):
            self._invariants = Invariants(world, self.effort)
        return self._invariants

    def without_effort(self) -> Reachability:
        """Return a search that decides only what follows from the invariants."""
        return Reachability(self.world, Effort(most_states=0), self.proofs())

    def avoiding(self, atom: Ground) -> Reachability:
        """Return a search for paths on which an atom does not become true."""
        return Reachability(self.world.avoiding(atom), self.effort, self._invariants)

    def path_to(self, literals: Iterable[Literal]) -> list[Any] | None:
        """Return the states of a path to a state in which literals hold; None if there is none.

        Raises:
            NotJudged: neither is proved within the limits.
        """
        world, wanted = self.world, list(literals)
        if isinstance(world, StripsWorld):
            return self._best_first(world, world.partial(wanted))
        return self._listed(
            lambda state: all(world.holds(atom, state) is holds for atom, holds in wanted)
        )

    def path_to_goal(self) -> list[Any] | None:
        """Return a path to the goal, as `path_to` does."""
        world = self.world
        if isinstance(world, StripsWorld):
            wanted = Partial(world.goal, world.unwanted) if world.can_end else None
            return self._best_first(world, wanted)
        return self._listed(world.is_goal)

    def path_to_step(self, step: Step) -> list[Any] | None:
        """Return a path to a state in which a step is applicable, as `path_to` does."""
        world = self.world
        if isinstance(world, StripsWorld):
            found = world.operator(step)
            wanted = found and Partial(found.needed, found.looked_at & ~found.needed)
            return self._best_first(world, wanted)
        return self._listed(
            lambda state: any(successor[0] == step for successor in world.successors(state))
        )

    def _listed(self, is_wanted: Callable[[Any], bool]) -> list[Any] | None:
        """Return a path with the fewest steps, from states that are listed once."""
        graph = self._graph
        found = (each for each in graph.explore() if is_wanted(graph.states[each]))
        return next(map(graph.path, found), None)

    def _best_first(self, world: StripsWorld, wanted: Partial | None) -> list[int] | None:
        """Return a path in plain STRIPS; `wanted` is None if no state is wanted.

        States with an atom that no state with as many missing literals had are expanded first, as
        in best-first width search (Lipovetzky and Geffner 2017). The search begins from all states
        of the path that was found last.
        """
        proofs, number = self._invariants, count()
        if wanted is None or (proofs and proofs.consequences(wanted) is None):
            return None
        # Even if actions deleted nothing, an atom could not be reached.
        if wanted.needed & ~self._relaxed:
            return None
        known, expanded = defaultdict[int, int](int), 0
        before: dict[int, int | None] = dict(zip(self._path, [None, *self._path], strict=False))

        def entry(state: int) -> tuple[bool, int, int, int]:
            missing = (wanted.needed & ~state | wanted.unwanted & state).bit_count()
            # False sorts first: states with a new atom are expanded before the others.
            is_known = not state & ~known[missing]
            known[missing] |= state
            return is_known, missing, next(number), state

        queue = sorted(map(entry, before))
        while queue:
            *_, state = heappop(queue)
            if wanted.holds(state):
                self._path = way_to(state, before)
                return self._path
            self.effort.spend()
            expanded += 1
            # Invariants take time, so they are computed only for a search that is not short.
            if expanded == _FIRST and (proofs := self.proofs()) and proofs.exclude(wanted):
                return None
            for operator in world.applicable(state):
                after = state & operator.kept | operator.added
                if after not in before:
                    before[after] = state
                    heappush(queue, entry(after))
        return None

    def consequences(self, literals: Collection[Literal]) -> set[Literal] | None:
        """Return literals with those that follow by invariants; None if no state has them all."""
        world, proofs = self.world, self.proofs()
        if not isinstance(world, StripsWorld) or proofs is None:
            return {*literals}
        partial = world.partial(literals)
        found = partial and proofs.consequences(partial)
        return found and {
            (atom, holds)
            for bits, holds in ((found.needed, True), (found.unwanted, False))
            for atom in world.changeable(bits)
        }

    def implied(
        self, goal: Collection[Literal], compared: Iterable[Literal], *, is_reachable: bool = False
    ) -> set[Literal] | None:
        """Return those literals that hold in all states with the goal; None if there is none.

        Args:
            goal: the goal.
            compared: the literals.
            is_reachable: whether to take it that there is a state with the goal. It is searched
                for only if a literal is not decided otherwise.

        Raises:
            NotJudged: a literal is not decided within the limits.
        """
        closed = self.consequences(goal)
        if closed is None:
            return None
        among = {*compared}
        found = among & closed
        left = [each for each in sorted(among - found) if not self._is_open(goal, closed, each)]
        # Nothing depends on whether the goal can be reached, so no search is needed.
        if is_reachable and not left:
            return found
        path = self.path_to(goal)
        while path is not None:
            # A state with the goal refutes each literal that does not hold in it.
            left = [each for each in left if self.world.holds(each[0], path[-1]) is each[1]]
            path = None
            while left and path is None:
                atom, holds = left.pop()
                # The literal is implied if no state has the goal and its opposite.
                path = self.path_to([*goal, (atom, not holds)])
                if path is None:
                    found.add((atom, holds))
            if path is None:
                return found
        return None

    def _is_open(
        self, goal: Collection[Literal], closed: Collection[Literal], literal: Literal
    ) -> bool:
        """Return whether a state with a goal, if there is one, is proved to lead to one without.

        Args:
            goal: the goal.
            closed: what follows from it.
            literal: what the second state does not have.
        """
        world, proofs, opposite = self.world, self.proofs(), (literal[0], not literal[1])
        if opposite in closed:
            return True
        if not isinstance(world, StripsWorld) or proofs is None:
            return False
        one, other = (world.partial([*goal, each]) for each in (literal, opposite))
        return one is not None and other is not None and proofs.always_reaches(one, other)

    def landmarks(self, trivial: Collection[Ground]) -> tuple[list[Ground], list[Ground]] | None:
        """Return the atoms that hold at some time in every plan, and those that are not decided.

        First come those that the actions of all plans need. Atoms that hold in the state are left
        out. None without a plan.

        Args:
            trivial: further atoms to leave out.

        Raises:
            NotJudged: no plan was found within the limits.
        """
        world, plan = self.world, self.path_to_goal()
        if plan is None:
            return None
        left = [
            atom
            for atom in self._held(plan)
            if not world.holds(atom, world.start) and atom not in trivial
        ]
        found, undecided = list[Ground](), list[Ground]()
        while left:
            atom = left.pop(0)
            try:
                plan = self.avoiding(atom).path_to_goal()
            except NotJudged:
                undecided.append(atom)
                continue
            if plan is None:
                found.append(atom)
            else:
                # A plan that avoids the atom also refutes every other atom that it does not pass.
                passed = self._held(plan)
                left = [atom for atom in left if atom in passed]
        needed = self._needed()
        return sorted(found, key=lambda atom: atom not in needed), undecided

    def must_precede(self, first: Ground, second: Ground) -> bool:
        """Return whether h^2 proves that an atom cannot be achieved while another stays true.

        Then the first one must be achieved before, if both are to hold. Both do not hold now.
        """
        world, proofs = self.world, self.proofs()
        if not isinstance(world, StripsWorld) or proofs is None:
            return False
        early, late = world.mask([second]), world.mask([first])
        if any(operator.added & early and operator.added & late for operator in world.operators):
            return False
        return bool(early and late) and proofs.mutexes.cannot_follow(late, early, world.operators)

    def _needed(self) -> set[Ground]:
        """Return the goals, and the atoms that all actions need that add another such atom."""
        world = self.world
        if not isinstance(world, StripsWorld):
            return set()
        found, queue = world.goal, bits_of(world.goal & ~world.start)
        for bit in queue:  # which grows
            # What all actions that add a landmark need is a landmark, too (Hoffmann et al. 2004).
            adding = [operator.needed for operator in world.operators if operator.added & bit]
            fresh = reduce(and_, adding, world.every) & ~found
            found |= fresh
            queue += bits_of(fresh & ~world.start)
        return {*world.changeable(found)}

    def _held(self, path: Sequence[Any]) -> dict[Ground, None]:
        """Return the atoms that hold in some state of a path, except those that never change."""
        return dict.fromkeys(chain.from_iterable(map(self.world.changeable, path)))

    def first_steps(self) -> tuple[int, list[Step]] | None:
        """Return the fewest steps to the goal, and the steps with which such plans begin.

        None if there is no plan.

        Raises:
            NotJudged: that is not decided within the limits.
        """
        world = self.world
        if isinstance(world, StripsWorld):
            world = world.relevant()
        # Named by their numbers below, as bits.
        firsts = [step for step, _ in world.successors(world.start)]
        layer, seen, depth = {world.start: 0}, {world.start}, 0
        while layer:
            # A bit for each first step from which a path of this length leads to the state.
            found = reduce(or_, (layer[state] for state in layer if world.is_goal(state)), 0)
            if found or world.is_goal(world.start):
                return depth, [step for n, step in enumerate(firsts) if found >> n & 1]
            after: dict[Any, int] = {}
            for state, first in layer.items():
                self.effort.spend()
                for number, (_, other) in enumerate(world.successors(state)):
                    if other not in seen:
                        after[other] = after.get(other, 0) | (first or 1 << number)
            seen.update(after)
            layer, depth = after, depth + 1
        return None
