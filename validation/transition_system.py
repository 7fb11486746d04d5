"""The state space of a task: its initial state, the changes of its actions, its goal states.

Judging a plan without derived predicates does not need the modules that are imported in functions;
their import would take a tenth of the time of a small `validate`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from pddl_pipeline.model.errors import ErrorKind, StepFails
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.validation.arithmetic import CannotEvaluate, updated
from pddl_pipeline.validation.language import (
    SPONTANEOUS,
    TOTAL_COST,
    TOTAL_TIME,
    Atom,
    Binding,
    Condition,
    Ground,
    ProblemFacts,
    Quantified,
    conjuncts,
)
from pddl_pipeline.validation.schema import (
    Conjunction,
    GroundConjunction,
    GroundStep,
    GroundSteps,
    Schemas,
)
from pddl_pipeline.validation.semantics import Frame, Semantics, WorkLimit
from pddl_pipeline.validation.state import Changes, State
from pddl_pipeline.validation.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pddl_pipeline.validation.axioms import Axioms
    from pddl_pipeline.validation.explanation import Unsatisfied
    from pddl_pipeline.validation.interference import Clash, Dependencies, Footprint, Simultaneous
    from pddl_pipeline.validation.successors import Successor, SuccessorGenerator
    from pddl_pipeline.validation.val.repair_advice import RepairAdvisor


def step_words(step: Ground) -> Ground:
    """Return the words of a step or of a part of a durative one, as in the plan."""
    name, _, moment = step[0].partition(" ")
    # The last word of `load start` is the occurrence, which plans do not have.
    return (name, *step[1:-1]) if moment else step


def step_text(step: Ground, position: int) -> str:
    """Return a step, a part of a durative one, or a timed literal in words, for messages."""
    name, _, moment = step[0].partition(" ")
    # A timed literal is named by a blank, its time and places, such as ` 5 1`.
    if not name:
        return f"the timed literal at {moment.partition(' ')[0]}"
    if not moment:
        return f"step {position} {atom_text(step)}"
    if moment in SPONTANEOUS:
        return f"the {moment} {atom_text((name, *step[1:]))}"
    return f"step {position} {atom_text(step_words(step))} at its {moment}"


def _interference(
    clash: Clash, group: Sequence[Ground], positions: Sequence[int], place: int
) -> StepFails:
    """Return the failure of the step at a place in a group, which interferes with one before."""
    first, second = (step_text(group[each], positions[each]) for each in (clash.other, place))
    reason = (
        f"{first} {clash.theirs} {atom_text(clash.shared)} and {second} {clash.mine} it at the "
        "same time: they interfere"
    )
    return StepFails(reason, step=positions[place], code=ErrorKind.INTERFERENCE)


class TransitionSystem:
    """A task, compiled for simulation."""

    def __init__(self, vocabulary: Vocabulary, facts: ProblemFacts, tolerance: Number = 0) -> None:
        self.semantics = Semantics(vocabulary, tolerance)
        self.vocabulary = vocabulary
        self.facts = facts
        self.schemas = Schemas(vocabulary, self.semantics)
        self.steps = GroundSteps(vocabulary, self.schemas)
        self._derives = bool(vocabulary.derived)
        frame = Frame()
        goal = Conjunction(self.semantics, facts.goal, frame)
        self._goal = GroundConjunction(goal, frame.words)

    @cached_property
    def axioms(self) -> Axioms:
        """The rules of the derived predicates."""
        from pddl_pipeline.validation.axioms import Axioms  # see above

        return Axioms(self.vocabulary, self.semantics)

    @cached_property
    def _generator(self) -> SuccessorGenerator:
        from pddl_pipeline.validation.matching import StaticFacts
        from pddl_pipeline.validation.successors import SuccessorGenerator

        static = StaticFacts(self.vocabulary, self.facts.facts)
        return SuccessorGenerator(
            self.vocabulary, self.semantics, self.schemas, self.axioms, static
        )

    def initial_state(self) -> State:
        """Return the initial state.

        Raises:
            NotJudged: an axiom cannot be evaluated in it.
        """
        return State(set(self._initial_facts), dict(self.facts.values))

    @cached_property
    def _initial_facts(self) -> frozenset[Ground]:
        if not self._derives:
            return self.facts.facts
        state = State(set(self.facts.facts), dict(self.facts.values))
        self.axioms.complete(state)
        return frozenset(state.facts)

    def changes(self, step: Ground, state: State, *, explain: bool = True) -> Changes:
        """Return the changes that a step makes in a state; the state itself does not change.

        Args:
            step: the action's name and the arguments.
            state: the state before the step.
            explain: whether a failure has a reason, which takes longer to find than the failure.

        Raises:
            StepFails: a condition does not hold, or an effect cannot be computed.
            NotJudged: a number or quantifier exceeds the limits of the validator.
        """
        fault = ""
        try:
            changes = self.steps[step].changes(state)
            if changes is not None:
                return changes
        except CannotEvaluate as error:
            fault = str(error)
        missing = self.missing_conditions(step, state) if explain else []
        reason = "; ".join(found.why for found in missing) or fault
        code = ErrorKind.PRECONDITION if missing else ErrorKind.EFFECT
        raise StepFails(reason, tuple(found.condition for found in missing), code=code)

    def happen(
        self,
        group: Sequence[Ground],
        state: State,
        positions: Sequence[int],
        *,
        explain: bool = True,
        force: bool = False,
    ) -> list[Changes]:
        """Let steps happen at the same time in a state, in place; return the changes of each.

        Args:
            group: the steps, as words.
            state: the state before the steps.
            positions: the 1-based position of each step in its plan.
            explain: as for `changes`.
            force: whether to ignore preconditions.

        Raises:
            StepFails: a step is not applicable, or two steps interfere; the state is unchanged.
                The reason names the steps.
            CannotEvaluate: with `force`, an effect cannot be evaluated; the state is unchanged.
            NotJudged: as for `changes`, or an axiom cannot be evaluated in the new state.
        """
        made = None if force else self._quick_changes(group, state)
        if made is None:
            made = self._checked_changes(group, state, positions, explain=explain, force=force)
        self.apply(made, state)
        return made

    def _quick_changes(self, group: Sequence[Ground], state: State) -> list[Changes] | None:
        """Return the changes of steps that certainly happen; None if one may fail or interfere.

        Nearly all steps of plans happen, and what explains a failure takes longer than they do.
        """
        if len(group) != 1:
            return self._apart(group, state)
        try:
            changes = self.steps[group[0]].changes(state)
        except CannotEvaluate:
            return None
        return None if changes is None else [changes]

    def _apart(self, group: Sequence[Ground], state: State) -> list[Changes] | None:
        """Return the changes of steps each of which changes what no other reads or changes.

        None if there are other steps, or if a step fails.
        """
        try:
            made = [self.changes(step, state, explain=False) for step in group]
        except StepFails:
            return None
        changed = [{*each.adds, *each.deletes, *each.values} for each in made]
        every = set[Ground]().union(*changed)
        reads = [self.footprint(self.steps[step], state) for step in group]
        # The sizes add up only if no two steps change the same.
        shared = len(every) < sum(map(len, changed)) or any(
            each.patterns or not every.isdisjoint(each.every - own)
            for each, own in zip(reads, changed, strict=True)
        )
        return None if shared else made

    def _checked_changes(
        self,
        group: Sequence[Ground],
        state: State,
        positions: Sequence[int],
        *,
        explain: bool,
        force: bool,
    ) -> list[Changes]:
        """Return the changes of steps, checked one by one; the arguments are those of `happen`.

        Raises:
            StepFails: with the step that fails, or the first two that interfere.
        """
        made: list[Changes] = []
        together = self._together() if len(group) > 1 else None
        for index, step in enumerate(group):
            try:
                changes = (
                    self.steps[step].effects(state)
                    if force
                    else self.changes(step, state, explain=explain)
                )
            except StepFails as error:
                reason = f"{step_text(step, positions[index])}: {error.reason}"
                raise StepFails(reason, error.conditions, positions[index], error.code) from None
            made.append(changes)
            if together is not None:
                clash = together.add(index, self.footprint(self.steps[step], state), changes)
                if clash is not None:
                    raise _interference(clash, group, positions, index)
        return made

    def apply(self, made: Sequence[Changes], state: State) -> None:
        """Apply the changes of simultaneous steps in place, and recompute the derived atoms.

        Raises:
            NotJudged: an axiom cannot be evaluated in the new state.
        """
        changed = self.axioms.changed(made, state) if self._derives else None
        if len(made) == 1:
            made[0].apply(state)
        else:
            # Over all steps: increases of one fluent by several steps add up.
            updates = [update for changes in made for update in changes.updates]
            state.values.update(updated(updates, state.values))
            for changes in made:
                state.facts.difference_update(changes.deletes)
            for changes in made:
                state.facts.update(changes.adds)
        if changed is not None:
            self.axioms.update(state, changed)

    def footprint(self, step: GroundStep, state: State) -> Footprint:
        """Return what a step reads in a state.

        Raises:
            NotJudged: a quantifier ranges over too many objects.
        """
        if step.footprint is not None:
            return step.footprint
        from pddl_pipeline.validation.interference import Footprint

        action, found = step.schema.action, Footprint(self.semantics, self._dependencies)
        # An environment is the action's name, its objects, then the words of the formulas.
        binding = action.binding(step.environment[1 : len(action.parameters) + 1])
        read = [*(bound.value for bound in action.bounds), action.precondition, *action.effects]
        read += (Quantified(universal=True, variables=v, part=p) for _, v, p in action.preferences)
        for formula in read:
            found.read(formula, binding, state)
        found.every = found.atoms | found.fluents
        if step.schema.plain:
            step.footprint = found
        return found

    def failing_footprint(self, step: GroundStep, state: State) -> Footprint:
        """Return what the parts of a step's precondition that do not hold read in a state."""
        words = step.environment[: len(step.schema.action.parameters) + 1]
        failing = step.schema.failing(words, state)
        return self.reading(failing, step.schema.action.binding(words[1:]), state)

    def reading(self, condition: Condition, binding: Binding, state: State) -> Footprint:
        """Return what a condition reads for certain objects.

        Raises:
            NotJudged: as for `footprint`.
        """
        from pddl_pipeline.validation.interference import Footprint  # see above

        found = Footprint(self.semantics, self._dependencies)
        found.read(condition, binding, state)
        return found

    def _together(self) -> Simultaneous:
        # Few plans have simultaneous steps, and a ground domain has thousands of rules.
        from pddl_pipeline.validation.interference import Simultaneous

        return Simultaneous(self._dependencies)

    @cached_property
    def _dependencies(self) -> Dependencies:
        from pddl_pipeline.validation.interference import Dependencies

        return Dependencies(self.vocabulary)

    def missing_conditions(self, step: Ground, state: State) -> list[Unsatisfied]:
        """Return the conditions of a step that do not hold in a state.

        Raises:
            NotJudged: as for `changes`.
        """
        schema = self.steps[step].schema
        binding = schema.action.binding(step[1:])
        return self._unsatisfied(schema.failing(step, state), binding, state)

    def successors(self, state: State, limit: WorkLimit | None = None) -> Iterator[Successor]:
        """Yield every applicable step with the state that it leads to.

        Raises:
            NotJudged: as for `changes`, or the work limit is exceeded; None means no limit.
        """
        return self._generator.successors(state, limit)

    def missing_goals(self, state: State) -> list[Unsatisfied]:
        """Return the parts of the goal that do not hold; empty in a goal state.

        Raises:
            NotJudged: as for `changes`.
        """
        try:
            if self._goal.holds(state):
                return []
        except CannotEvaluate:
            pass  # the explanation below says which part, and why
        return self._unsatisfied(self.facts.goal, {}, state)

    @cached_property
    def _goal_parts(self) -> tuple[frozenset[Ground], list[GroundConjunction]]:
        """The atoms of the goal's conjunction, and its other parts."""
        atoms, others = set[Ground](), list[GroundConjunction]()
        for part in conjuncts(self.facts.goal):
            if isinstance(part, Atom):
                atoms.add((part.predicate, *part.terms))
            else:
                frame = Frame()
                conjunction = Conjunction(self.semantics, part, frame)
                others.append(GroundConjunction(conjunction, frame.words))
        return frozenset(atoms), others

    def missing_parts(self, state: State) -> int:
        """Return how many parts of the goal's conjunction do not hold.

        Raises:
            NotJudged: as for `changes`.
        """
        atoms, others = self._goal_parts
        missing = len(atoms.difference(state.facts))
        for part in others:
            try:
                missing += not part.holds(state)
            except CannotEvaluate:
                missing += 1
        return missing

    def _unsatisfied(
        self, condition: Condition, binding: Binding, state: State
    ) -> list[Unsatisfied]:
        from pddl_pipeline.validation.explanation import unsatisfied

        return unsatisfied(self.semantics, condition, binding, state)

    def advisor(self, state: State) -> RepairAdvisor:
        """Return an advisor that writes repair advice for a state."""
        from pddl_pipeline.validation.val.repair_advice import RepairAdvisor  # rare

        return RepairAdvisor(self.semantics, self.vocabulary.derived, state)

    def cost(self, state: State, steps: int, further: Mapping[Ground, Number] = {}) -> Number:
        """Return the value of the metric, or the number of steps if there is no metric.

        Args:
            state: the last state.
            steps: the number of steps.
            further: values that the state does not have, such as another total-time than the
                number of steps.

        Raises:
            CannotEvaluate: the metric reads an undefined fluent or divides by zero.
        """
        if self.facts.metric is None:
            return steps
        values: dict[Ground, Number] = {(TOTAL_COST.function,): 0}
        # `further` comes last, since a makespan replaces the number of steps.
        values |= {**state.values, (TOTAL_TIME.function,): steps, **further}
        timed = State(state.facts, values)
        return self.semantics.value(self.facts.metric.value, {}, timed)
