"""Random walks of applicable actions, and random inapplicable actions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import Final, NamedTuple

from pddl_pipeline.model.plan import Step
from pddl_pipeline.model.text import counted
from pddl_pipeline.questions.question import NoQuestion
from pddl_pipeline.search.world import JudgedState, JudgedWorld
from pddl_pipeline.validation.vocabulary import Vocabulary

_TRIES: Final = 500


class Walk(NamedTuple):
    """The steps of a walk and the states before and after each."""

    steps: tuple[Step, ...]
    states: tuple[JudgedState, ...]
    """One more than the steps; the first is the initial state."""

    @property
    def texts(self) -> list[str]:
        """The steps as PDDL."""
        return [str(step) for step in self.steps]

    @property
    def end(self) -> JudgedState:
        """The last state."""
        return self.states[-1]


def random_walk(world: JudgedWorld, lengths: range, random: Random) -> Walk:
    """Return a walk from the initial state, with each step drawn from the applicable ones.

    A step to a state that the walk visited is drawn only if there is no other. The walk ends early
    if no action is applicable.

    Args:
        world: the state space.
        lengths: the numbers of steps to draw from.
        random: the random source.

    Raises:
        NoQuestion: the walk ends before the first of the lengths is reached.
        NotJudged: see `JudgedWorld.successors`.
    """
    length = random.choice(lengths)
    steps, states = list[Step](), [world.start]
    seen = {world.start}
    while len(steps) < length:
        found = world.successors(states[-1])
        if not found:
            break
        # Walks that go back and forth would end near the start.
        fresh = [each for each in found if each[1] not in seen]
        step, state = random.choice(fresh or found)
        steps.append(step)
        states.append(state)
        seen.add(state)
    if len(steps) < lengths[0]:
        raise NoQuestion(f"no action is applicable after {counted(len(steps), 'step')}")
    return Walk(tuple(steps), tuple(states))


def inapplicable_step(
    vocabulary: Vocabulary, applicable: Sequence[Step], taken: Collection[Step], random: Random
) -> Step:
    """Return a random step of a task that is not applicable in a state.

    Half of the draws change one object of an applicable step; the others take any action.

    Args:
        vocabulary: the task's actions and objects.
        applicable: all applicable steps; if there are none, every draw takes any action.
        taken: steps that must not be returned.
        random: the random source.

    Raises:
        NoQuestion: 500 draws produced none.
    """
    refused = {*applicable, *taken}
    for _ in range(_TRIES):
        # Steps that are nearly applicable make the question hard.
        near = random.choice(applicable) if applicable and random.random() < 0.5 else None
        name = near.action if near else random.choice([*vocabulary.actions])
        pools = [
            [*vocabulary.candidates(parameter.types)]
            for parameter in vocabulary.actions[name].parameters
        ]
        names = [*near.arguments] if near else [""] * len(pools)
        if all(pools) and (pools or not near):
            changed = [random.randrange(len(pools))] if near else range(len(pools))
            for position in changed:
                names[position] = random.choice(pools[position])
            drawn = Step(name, tuple(names))
            if drawn not in refused:
                return drawn
    raise NoQuestion("no inapplicable action was found")
