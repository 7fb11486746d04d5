"""Grippers in words: this project's sentences and facts, in the form of SimPlan's statement."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.translators.answers.sentence_answer import sentence_reader
from pddl_pipeline.translators.answers.sentences import Words, own_names
from pddl_pipeline.translators.statements.facts import FactWords
from pddl_pipeline.translators.statements.simplan import ActionWords, Kinds, simplan
from pddl_pipeline.translators.text import Text

WORDS: Final = Words(
    {
        "move": ("move {0} from {1} to {2}", "move {0} to {2} from {1}"),
        "pick": ("use {0} to pick up {1} in {2} with {3}",),
        "drop": ("use {0} to drop {1} in {2} with {3}",),
    },
    own_names("robot", "room", "ball", "gripper"),
)

_FACTS: Final = FactWords(
    {
        "at": "{0} is at {1}",
        "carry": "{0} is holding {1} with {2}",
        "at-robby": "{0} is at {1}",
        "free": "{1} of {0} is free",
    }
)
_BALL: Final = "?r - robot, ?o - ball, ?x - room, ?g - gripper"
_ACTIONS: Final = (
    ActionWords(
        "move",
        "?r - robot, ?from - room, ?to - room",
        "The robot (?r) must be at the room (?from).",
        "the robot (?r) is at the room (?to) and no longer at (?from).",
        ("robot1", "room1", "room2"),
    ),
    ActionWords(
        "pick",
        _BALL,
        "The ball (?o) and the robot (?r) must be at the room (?x), and the gripper (?g) of the"
        " robot must be free.",
        "the robot (?r) carries the ball (?o) with the gripper (?g), which is no longer free, and"
        " the ball is no longer at the room (?x).",
        ("robot1", "ball1", "room1", "lgripper1"),
    ),
    ActionWords(
        "drop",
        _BALL,
        "The robot (?r) must carry the ball (?o) with the gripper (?g), and it must be at the room"
        " (?x).",
        "the ball (?o) is at the room (?x), the robot no longer carries it, and the gripper (?g) of"
        " the robot is free.",
        ("robot1", "ball1", "room2", "lgripper1"),
    ),
)
# In one variant, balls have only the type object.
_KINDS: Final = Kinds(("robot", "gripper", "room", "ball"))

TEXT: Final = Text(
    sentence_reader(WORDS),
    statements={"simplan": simplan("Grippers", _ACTIONS, WORDS, _FACTS, _KINDS)},
    actions=frozenset(WORDS.sentences),
)
