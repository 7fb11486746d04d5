"""The action that a text in natural language describes, as ACPBench's ``prog`` does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Final

from pddl_pipeline.model.plan import Step
from pddl_pipeline.model.text import counted
from pddl_pipeline.questions.question import NoQuestion
from pddl_pipeline.questions.situation import Situation

_WORD: Final = re.compile(r"[\w-]+")
_QUOTED: Final = re.compile(r'"(.*)"', re.DOTALL)
_SYNONYMS: Final = (
    {"move", "go", "travel", "navigate", "drive", "sail", "fly", "walk"},
    {"pick", "pickup", "take", "get", "collect", "grasp", "grab", "retrieve", "lift", "load"},
    {"put", "putdown", "place", "drop", "release", "lower", "unload", "offload", "loose"},
)
_LITERAL: Final = 10
"""A word of the action's name counts as so many synonyms."""


def described_step(situation: Situation, question: str) -> Step:
    """Return the applicable step that a question describes between quotation marks.

    Its objects are those that the text mentions, each as often as it is mentioned. Of several, the
    text has most words of its name, or synonyms, or mentions the objects in their order.

    Raises:
        NoQuestion: no step matches, or several do.
    """
    words = _WORD.findall("".join(_QUOTED.findall(question.lower())))
    objects = situation.task.vocabulary.objects
    mentioned = [word for word in words if word in objects]
    others = {word for word in words if word not in objects}
    found = [
        step for step, _ in situation.successors if words and {*step.arguments} == {*mentioned}
    ]
    keys: tuple[Callable[[Step], int], ...] = (
        lambda step: Counter(step.arguments) == Counter(mentioned),
        lambda step: _likeness(step.action, others),
        lambda step: list(dict.fromkeys(step.arguments)) == list(dict.fromkeys(mentioned)),
    )
    # Each criterion decides only among those that are equal by the ones before.
    for key in keys:
        best = max(map(key, found), default=0)
        found = [step for step in found if key(step) == best]
    if len(found) != 1:
        names = ", ".join(dict.fromkeys(mentioned)) or "no objects"
        raise NoQuestion(f"{counted(len(found), 'applicable action')} with the objects {names}")
    return found[0]


def _likeness(action: str, words: set[str]) -> int:
    parts = set(re.split(r"[-_]", action))
    alike = sum(bool(group & parts and group & words) for group in _SYNONYMS)
    return _LITERAL * len(parts & words) + alike
