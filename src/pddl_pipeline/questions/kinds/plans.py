"""The questions about plans: ACPBench's ``just``, ``land`` and ``nexta``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise, product
from typing import Any, Final

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.questions.kind import Kind, Scene
from pddl_pipeline.questions.question import Mark, NoQuestion, Question, right_if, unreadable
from pddl_pipeline.questions.reading import NONE, first_of, lists_in, mark_one
from pddl_pipeline.questions.situation import Situation, situation_of
from pddl_pipeline.translators.problems import only_atoms

_INSERTIONS: Final = 50
_PAIR: Final = "-1"
"""ACPBench's mark of two consecutive actions to remove."""


def _landmarks(situation: Situation) -> dict[str, Any]:
    """Return the landmarks that neither hold in the state nor belong to the goal."""
    goals = only_atoms(situation.task.facts.goal) or ()
    found = situation.search.landmarks(goals)
    if found is None:
        raise NoQuestion("the goal cannot be reached")
    yes, undecided = ([*map(atom_text, atoms)] for atoms in found)
    if undecided and not yes:
        raise NotJudged(f"not decided whether {undecided[0]} is a landmark")
    return {"yes": yes, "undecided": undecided}


def _mark_landmark(question: Question, text: str) -> Mark:
    yes = question.answer["yes"]

    def fault(found: str) -> str:
        if found in question.answer.get("undecided", ()):
            raise NotJudged("not decided whether it is a landmark")
        return f"expected {first_of(yes)}"

    return mark_one(text, f"proposition, and not {NONE}", yes, fault)


def _next(situation: Situation) -> dict[str, Any]:
    """Return the applicable actions by whether a shortest plan begins with them."""
    found = situation.search.first_steps()
    if found is None:
        raise NoQuestion("the goal cannot be reached")
    if not found[1]:
        raise NoQuestion("the goal holds already")
    yes = [str(step) for step in found[1]]
    others = [text for step, _ in situation.successors if (text := str(step)) not in yes]
    return {"yes": yes, "no": others, "maybe": [], "opt": found[0]}


def _mark_next(question: Question, text: str) -> Mark:
    yes, maybe = question.answer["yes"], [each.lower() for each in question.answer["maybe"]]

    def fault(found: str) -> str | None:
        if found in maybe and found in _next(situation_of(question.details))["yes"]:
            return None
        return f"expected {first_of(yes)}"

    return mark_one(text, "action", yes, fault)


def _is_plan(situation: Situation, actions: Sequence[str]) -> bool:
    whole = [*map(str, situation.walk), *actions]
    return situation.task.judge("\n".join(whole)).status is Status.VALID


def _shorter(situation: Situation) -> list[list[str]]:
    """Return what can be removed of a plan, in ACPBench's form.

    That is one action, with its number among its repetitions, or two consecutive ones.
    """
    actions, found = situation.details["actions"], list[list[str]]()
    for size, at in product((1, 2), range(len(actions))):
        removed, rest = actions[at : at + size], actions[:at] + actions[at + size :]
        if len(removed) == size and rest and _is_plan(situation, rest):
            number = _PAIR if size == 2 else str(actions[: at + 1].count(removed[0]))
            found.append([*removed, number])
    if not found:
        raise NoQuestion("no action and no two consecutive ones can be removed")
    return found


def _mark_shorter(question: Question, text: str) -> Mark:
    lists = lists_in(text.lower().rpartition("simplified plan:")[2], 1)
    if lists is None:
        return unreadable("list of actions")
    given, actions = lists[0], [str(each).lower() for each in question.details["actions"]]
    # `in` consumes the iterator: the actions must be in their order.
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


def _longer_plan(scene: Scene, situation: Situation) -> dict[str, list[str]]:
    """Return a plan with one or two actions too many."""
    search, world, random = situation.search, situation.world, scene.random
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
        # With a step that leads back, both can be removed as a pair.
        back = [[str(each)] for each, after in world.successors(state) if after == states[at]]
        for more in back or [[]]:
            longer = [*steps[:at], str(step), *more, *steps[at:]]
            if _is_plan(situation, longer):
                return {"actions": longer}
    raise NoQuestion("no superfluous action was found")


KINDS: Final = (
    Kind(
        "shorter-plan", "a plan without its superfluous actions",
        lambda scene: scene.situated(
            "shorter-plan", _shorter, partial(_longer_plan, scene), goal=True
        ),
        _mark_shorter, _shorter_text, _shorter,
    ),
    Kind(
        "landmark", "an atom that every plan achieves",
        lambda scene: scene.situated("landmark", _landmarks, goal=True), _mark_landmark,
        lambda question: first_of(question.answer["yes"]), _landmarks,
    ),
    Kind(
        "next-action", "the action with which a shortest plan begins",
        lambda scene: scene.situated("next-action", _next, goal=True), _mark_next,
        lambda question: first_of(question.answer["yes"]), _next,
    ),
)  # fmt: skip
