"""SimPlan's questions about the order of two goals, as its appendix D.2 defines them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations
from random import Random
from typing import Final, NamedTuple

from pddl_pipeline.model.atom import atom_text
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.papers.simplan.landmark_graph import REASONABLE, SOUND, LandmarkGraph
from pddl_pipeline.questions.kind import Draft, Scene, Stage
from pddl_pipeline.questions.kinds.goals import goal_draft
from pddl_pipeline.questions.making import ask
from pddl_pipeline.questions.question import Question
from pddl_pipeline.questions.templates import FEWER_ACTIONS, GOAL_FIRST
from pddl_pipeline.questions.walk import Walk
from pddl_pipeline.search.state_graph import distances
from pddl_pipeline.validation.language import Ground

MOST_A_TASK: Final = 5
"""The largest number of pairs per instance; if there are more, this many are drawn."""
_EDGES: Final = 2
_DOOR: Final = "open"
_STEPS: Final = range(1)


class Pair(NamedTuple):
    """Two goals, of which the first must be achieved first or is nearer."""

    first: Ground
    second: Ground
    detail: dict[str, object]
    """Data about the pair: the number of orders that link it, or the numbers of actions needed."""


def goals_to_achieve(stage: Stage) -> list[Ground]:
    """Return the goals that do not hold in the initial state."""
    world = stage.world
    return [goal for goal in stage.goals if not world.holds(goal, world.start)]


def reasonable_pairs(graph: LandmarkGraph, goals: Sequence[Ground]) -> Iterator[Pair]:
    """Yield the pairs of goals that reasonable orders link in one direction."""
    return _pairs(graph, goals, frozenset({REASONABLE}), "reasonable")


def door_pairs(graph: LandmarkGraph) -> Iterator[Pair]:
    """Yield the pairs of doors of which every plan must open one before the other."""
    doors = sorted(fact for fact in graph.facts() if fact[0] == _DOOR)
    return _pairs(graph, doors, SOUND, "necessary")


def _pairs(
    graph: LandmarkGraph, facts: Sequence[Ground], kinds: frozenset[str], order: str
) -> Iterator[Pair]:
    numbers = graph.facts()
    known = [fact for fact in facts if fact in numbers]
    edges = {
        (one, other): graph.distance(numbers[one], numbers[other], kinds)
        for one, other in permutations(known, 2)
    }
    for (one, other), number in edges.items():
        if number is not None and edges[other, one] is None:
            yield Pair(one, other, {"order": order, "edges": number})


def is_selected(pair: Pair) -> bool:
    """Return whether D.2 selects two goals of Blocksworld: at least two edges, no common block.

    "Linked by a minimum of two edges" is read as: the shortest path from one to the other has at
    least two edges.
    """
    edges = pair.detail["edges"]
    return isinstance(edges, int) and edges >= _EDGES and not share_an_object(pair)


def share_an_object(pair: Pair) -> bool:
    """Return whether the two goals share an object."""
    return not set(pair.first[1:]).isdisjoint(pair.second[1:])


def nearer_pairs(stage: Stage) -> Iterator[Pair]:
    """Yield the pairs of goals of which one needs fewer actions from the initial state."""
    world = stage.prepared_world
    found = distances(world, world.start, goals_to_achieve(stage), stage.most_states)
    for one, other in combinations(sorted(found), 2):
        if found[one] != found[other]:
            near, far = sorted((one, other), key=found.__getitem__)
            needed = {atom_text(goal): found[goal] for goal in (near, far)}
            yield Pair(near, far, {"actions_needed": needed})


def questions(instance: Instance[object], pairs: Iterable[Pair], *, nearer: bool) -> list[Question]:
    """Return a question about the initial state for each pair, at most `MOST_A_TASK`.

    Raises:
        NoQuestion: the instance allows no question.
        NotJudged: the task exceeds the limits of the computation.
    """
    template = FEWER_ACTIONS if nearer else GOAL_FIRST

    def drafts(stage: Stage, random: Random) -> Iterator[Draft]:
        scene, walk = Scene(stage, _STEPS, random), Walk((), (stage.world.start,))
        known = list(pairs)
        for pair in random.sample(known, min(MOST_A_TASK, len(known))):
            yield goal_draft(scene, walk, template, pair[:2], pair.detail)

    return ask(instance, "nearer-goal" if nearer else "first-goal", drafts, seed=0)


def answer_stands_first(question: Question) -> bool:
    """Return whether the right answer is the first of the two options."""
    return bool(question.details["options"][0][0] == question.answer)
