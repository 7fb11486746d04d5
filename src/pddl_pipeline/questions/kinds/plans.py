"""The questions about plans: ACPBench's ``just``, ``land`` and ``nexta``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Final

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.questions.kind import Kind, Scene
from pddl_pipeline.questions.question import Mark, NoQuestion, Question, right_if, unreadable
from pddl_pipeline.questions.reading import NONE, action_list, named
from pddl_pipeline.questions.situation import Situation, situation_of
from pddl_pipeline.questions.templates import LANDMARK, NEXT_ACTION, SIMPLIFY
from pddl_pipeline.search.effort import Effort
from pddl_pipeline.translators.problems import only_atoms

_INSERTIONS: Final = 50
_PAIR: Final = "-1"
"""ACPBench's mark of two consecutive actions to remove."""


def _landmarks(situation: Situation, details: Mapping[str, Any], effort: Effort) -> dict[str, Any]:
    """Return the landmarks that neither hold in the state nor belong to the goal."""
    del details
    goals = only_atoms(situation.task.facts.goal) or ()
    found = situation.search(effort).landmarks(goals)
    if found is None:
        raise NoQuestion("the goal cannot be reached")
    yes, undecided = ([*map(atom_text, atoms)] for atoms in found)
    if undecided and not yes:
        raise NotJudged(f"not decided whether {undecided[0]} is a landmark")
    return {"yes": yes, "undecided": undecided}


def _mark_landmark(question: Question, text: str) -> Mark:
    found, yes = named(text), [str(atom).lower() for atom in question.answer["yes"]]
    if found is None:
        return unreadable(f"proposition, and not {NONE}")
    if found in question.answer.get("undecided", ()):
        raise NotJudged("not decided whether it is a landmark")
    correct = found in yes or (found == NONE and not yes)
    return right_if(correct, found, f"expected {yes[0] if yes else NONE}")


def _next(situation: Situation, details: Mapping[str, Any], effort: Effort) -> dict[str, Any]:
    """Return the applicable actions by whether a shortest plan begins with them."""
    del details
    found = situation.search(effort).first_steps()
    if found is None:
        raise NoQuestion("the goal cannot be reached")
    if not found[1]:
        raise NoQuestion("the goal holds already")
    yes = [str(step) for step in found[1]]
    every = [str(step) for step, _ in situation.world.successors(situation.state)]
    others = [text for text in every if text not in yes]
    return {"yes": yes, "no": others, "maybe": [], "opt": found[0]}


def _mark_next(question: Question, text: str) -> Mark:
    found, known = named(text), question.answer
    if found is None:
        return unreadable("action")
    yes, maybe = ([str(each).lower() for each in known[name]] for name in ("yes", "maybe"))
    if found in maybe:
        yes = _next(situation_of(question.details), {}, Effort())["yes"]
    return right_if(found in yes, found, f"expected {yes[0]}")


def _removals(
    situation: Situation, actions: Sequence[str]
) -> Iterator[tuple[list[str], list[str]]]:
    """Yield what can be removed of a plan, in ACPBench's form, and the actions that remain.

    That is one action, with its number among its repetitions, or two consecutive ones.
    """
    for size in (1, 2):
        for at in range(len(actions) - size + 1):
            removed, rest = [*actions[at : at + size]], [*actions[:at], *actions[at + size :]]
            if rest and _is_plan(situation, rest):
                number = str(actions[: at + 1].count(removed[0])) if size == 1 else _PAIR
                yield [*removed, number], rest


def _is_plan(situation: Situation, actions: Sequence[str]) -> bool:
    whole = [*map(str, situation.walk), *actions]
    return situation.task.judge("\n".join(whole)).status is Status.VALID


def _shorter(situation: Situation, details: Mapping[str, Any], effort: Effort) -> list[list[str]]:
    del effort
    found = [removed for removed, _ in _removals(situation, details["actions"])]
    if not found:
        raise NoQuestion("no action and no two consecutive ones can be removed")
    return found


def _mark_shorter(question: Question, text: str) -> Mark:
    given, actions = action_list(text), [str(each).lower() for each in question.details["actions"]]
    if given is None:
        return unreadable("list of actions")
    left = iter(actions)
    reason = ""
    if len(given) >= len(actions) or not all(action in left for action in given):
        reason = "it is not the plan without some of its actions"
    elif not given or not _is_plan(situation_of(question.details), given):
        reason = "it is not a valid plan"
    return right_if(not reason, given, reason)


def _shorter_text(question: Question) -> str:
    """Return the plan of a question without the first of the actions that can be removed."""
    *removed, number = question.answer[0]
    actions = list(question.details["actions"])
    places = [at for at in range(len(actions)) if actions[at : at + len(removed)] == removed]
    at = places[0 if number == _PAIR else int(number) - 1]
    return " ".join(actions[:at] + actions[at + len(removed) :])


def _longer_plan(scene: Scene, situation: Situation, effort: Effort) -> list[str]:
    """Return a plan with one or two actions too many."""
    search, world, random = situation.search(effort), situation.world, scene.random
    states = search.path_to_goal()
    if states is None or len(states) < 2:
        raise NoQuestion("the goal holds already" if states else "the goal cannot be reached")
    steps = [
        next(str(step) for step, after in world.successors(one) if after == other)
        for one, other in pairwise(states)
    ]
    for _ in range(_INSERTIONS):
        at = random.randrange(len(steps))
        step, state = random.choice(world.successors(states[at]))
        back = [[str(each)] for each, after in world.successors(state) if after == states[at]]
        for more in back or [[]]:
            longer = [*steps[:at], str(step), *more, *steps[at:]]
            if _is_plan(situation, longer):
                return longer
    raise NoQuestion("no superfluous action was found")


KINDS: Final = (
    Kind(
        "shorter-plan", "a plan without its superfluous actions",
        lambda scene: scene.situated(SIMPLIFY, _shorter, partial(_longer_plan, scene), goal=True),
        _mark_shorter, _shorter_text, 10, _shorter,
    ),
    Kind(
        "landmark", "an atom that every plan achieves",
        lambda scene: scene.situated(LANDMARK, _landmarks, goal=True), _mark_landmark,
        lambda question: (question.answer["yes"] or [NONE])[0], 11, _landmarks,
    ),
    Kind(
        "next-action", "the action with which a shortest plan begins",
        lambda scene: scene.situated(NEXT_ACTION, _next, goal=True), _mark_next,
        lambda question: str(question.answer["yes"][0]), 12, _next,
    ),
)  # fmt: skip
