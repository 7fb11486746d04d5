"""Random walks of applicable actions, and random inapplicable actions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import Final, NamedTuple

from pddl_pipeline.model.plan import Step
from pddl_pipeline.questions.question import NoQuestion
from pddl_pipeline.questions.world import Key, World
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.successors import Successor

_TRIES: Final = 500


class Walk(NamedTuple):
    """The steps of a walk and the states before and after each."""

    steps: tuple[Step, ...]
    states: tuple[State, ...]
    """One more than the steps; the first is the initial state."""

    @property
    def end(self) -> State:
        """The last state."""
        return self.states[-1]


def random_walk(world: World, lengths: range, random: Random) -> Walk:
    """Return a walk from the initial state, with each step drawn from the applicable ones.

    A step to a state that the walk visited is drawn only if there is no other. The walk ends early
    if no action is applicable.

    Args:
        world: the task.
        lengths: the numbers of steps to draw from.
        random: the random source.

    Raises:
        NoQuestion: the walk ends before the first of the lengths is reached.
    """
    length = random.choice(lengths)
    steps, states = list[Step](), [world.start]
    seen = {world.key(world.start)}
    while len(steps) < length:
        chosen = _drawn(world, states[-1], seen, random)
        if chosen is None:
            break
        steps.append(chosen.step)
        states.append(chosen.state)
        seen.add(world.key(chosen.state))
    if len(steps) < lengths[0]:
        raise NoQuestion(f"no action is applicable after {len(steps)} steps")
    return Walk(tuple(steps), tuple(states))


def _drawn(world: World, state: State, seen: Collection[Key], random: Random) -> Successor | None:
    found = world.successors(state)
    fresh = [each for each in found if world.key(each.state) not in seen]
    return random.choice(fresh or found) if found else None


def inapplicable_step(
    world: World, state: State, near: Sequence[Step], taken: Collection[Step], random: Random
) -> Step:
    """Return a random step of the task that is not applicable in a state.

    Half of the draws change one object of a step of `near`; the others take any action.

    Args:
        world: the task.
        state: the state in which the step is not applicable.
        near: steps to change one object of; if empty, every draw takes any action.
        taken: steps that must not be returned.
        random: the random source.

    Raises:
        NoQuestion: 500 draws produced none.
    """
    for _ in range(_TRIES):
        drawn = _changed(world, random.choice(near), random) if near and random.random() < 0.5 \
            else _any(world, random)  # fmt: skip
        if drawn is not None and drawn not in taken and not world.is_applicable(drawn, state):
            return drawn
    raise NoQuestion("no inapplicable action was found")


def _changed(world: World, step: Step, random: Random) -> Step | None:
    if not step.arguments:
        return None
    position = random.randrange(len(step.arguments))
    variable = world.task.vocabulary.actions[step.action].parameters[position]
    arguments = list(step.arguments)
    arguments[position] = random.choice(list(world.task.vocabulary.candidates(variable.types)))
    return Step(step.action, tuple(arguments))


def _any(world: World, random: Random) -> Step | None:
    action = random.choice(list(world.task.vocabulary.actions.values()))
    choices = [list(world.task.vocabulary.candidates(v.types)) for v in action.parameters]
    if not all(choices):
        return None
    return Step(action.name, tuple(random.choice(names) for names in choices))
