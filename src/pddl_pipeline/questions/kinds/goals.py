"""The questions about two goals: SimPlan, C.2, figures 10 and 11.

Which goal needs fewer actions, and which must be achieved first?
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, islice, permutations
from typing import Any, Final

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.questions.goal_orders import GoalOrder, goal_orders, searched_orders
from pddl_pipeline.questions.kind import Draft, Kind, Scene
from pddl_pipeline.questions.question import NoQuestion, Question
from pddl_pipeline.questions.reading import mark_choice
from pddl_pipeline.questions.situation import Situation
from pddl_pipeline.questions.templates import asked
from pddl_pipeline.questions.walk import Walk
from pddl_pipeline.questions.wording import render_atom
from pddl_pipeline.search.state_graph import distances
from pddl_pipeline.validation.language import Ground

_UNPROVED: Final = "and no order of goals is proved"


def _nearer(scene: Scene) -> Draft:
    stage, walk = scene.stage, scene.walk()
    open_goals = [goal for goal in stage.goals if not stage.world.holds(goal, walk.end)]
    if len(open_goals) < 2:
        raise NoQuestion("fewer than two atoms of the goal are false at the end of the walk")
    start = stage.situation(walk)
    found = distances(start.world, start.state, open_goals, stage.most_states)
    if len(found) < 2:
        raise NoQuestion(
            f"fewer than two goals were found in {stage.most_states:,} states", final=True
        )
    pairs = [
        (one, other) if found[one] < found[other] else (other, one)
        for one, other in combinations(sorted(found), 2)
        if found[one] != found[other]
    ]
    if not pairs:
        raise NoQuestion("no two atoms of the goal have different distances")
    first, second = scene.random.choice(pairs)
    return goal_draft(
        scene,
        walk,
        "nearer-goal",
        (first, second),
        {"actions_needed": {atom_text(goal): found[goal] for goal in (first, second)}},
    )


def _first(scene: Scene) -> Draft:
    stage, walk, found = scene.stage, scene.walk(), list[GoalOrder]()
    reason = "no two goals have an order at the end of the walk"
    if len(stage.goals) > 1:
        start, graph = stage.situation(walk), stage.graph
        # Exact orders need all states; without them, only what h^2 proves is asked.
        if graph is not None:
            found = goal_orders(graph, graph.number(start.state), stage.goals)
        else:
            found = _proved(scene, start)
            reason = f"it takes more than {stage.most_states:,} states, {_UNPROVED}"
    if not found:
        raise NoQuestion(reason)
    chosen = scene.random.choice(found)
    return goal_draft(scene, walk, "first-goal", chosen[:2], {"order": chosen.kind})


def _proved(scene: Scene, start: Situation) -> list[GoalOrder]:
    """Return one order of goals that is found without all states; an empty list without one."""
    stage, holds = scene.stage, start.world.holds
    pairs = [*permutations([goal for goal in stage.goals if not holds(goal, start.state)], 2)]
    scene.random.shuffle(pairs)
    try:
        return [*islice(searched_orders(start.search, pairs), 1)]
    except NotJudged as error:
        raise NoQuestion(f"{error}, {_UNPROVED}", final=True) from error


def goal_draft(
    scene: Scene, walk: Walk, kind: str, pair: Sequence[Ground], more: dict[str, Any]
) -> Draft:
    """Return the question about two goals; the first of the pair is the answer."""
    wording, answer = scene.stage.wording, atom_text(pair[0])
    options = [[text, render_atom(wording, text)] for text in map(atom_text, pair)]
    scene.random.shuffle(options)
    goals = ", ".join(option[1] for option in options)
    question = asked(kind, state=scene.stage.describe(walk.end), goals=goals)
    names = [list(dict.fromkeys(option)) for option in options]
    details = {"options": names, **more, "walk": walk.texts}
    return Draft(question, answer, len(walk.steps), details)


def _answer_text(question: Question) -> str:
    options = question.details["options"]
    return next(str(option[-1]) for option in options if option[0] == question.answer)


KINDS: Final = (
    Kind(
        "nearer-goal", "which of two goals needs fewer actions", _nearer, mark_choice, _answer_text
    ),
    Kind(
        "first-goal", "which of two goals must be achieved first", _first, mark_choice, _answer_text
    ),
)
