"""Minigrid in words: this project's sentences, and SimPlan's words for states (Table 4).

SimPlan omits which places are open and which are connected. Planning requires both, so they are
added.
"""

from __future__ import annotations

from itertools import groupby
from typing import Final

from pddl_pipeline.translators.answers.sentence_answer import sentence_reader
from pddl_pipeline.translators.answers.sentences import Words, own_names
from pddl_pipeline.translators.pddl_printing import Fact
from pddl_pipeline.translators.statements.facts import FactWords, listed
from pddl_pipeline.translators.statements.simplan import ActionWords, Kinds, simplan, together
from pddl_pipeline.translators.text import Text

WORDS: Final = Words(
    {
        "move": ("move from {0} to {1}", "move to {1} from {0}"),
        "unlock": ("unlock {1} from {0} with {2} of {3}",),
        "pickup": ("pick up {1} at {0}",),
        "pickup-and-loose": ("swap {2} for {1} at {0}", "pick up {1} at {0} and put down {2}"),
        "putdown": ("put down {1} at {0}",),
    },
    own_names("place", "key", "shape", "lock", "door"),
    idle=("the robot",),
)

_TEMPLATES: Final = {
    "locked": "{0} is locked",
    "at": "{0} is at {1}",
    "holding": "the arm of the robot is holding {0}",
    "arm-empty": "the arm of the robot is empty",
    "at-robot": "the robot is at {0}",
    "key-shape": "{0} has {1}",
    "lock-shape": "{0} lock has {1}",
    "open": "{0} is open",
    "conn": "{0} is connected to {1}",
}


def _state(facts: list[Fact]) -> list[str]:
    """Return a state in SimPlan's words, locked places together, then the facts that it omits."""
    apart = [fact for fact in facts if fact[0] not in ("locked", "open", "conn")]
    ways = groupby((fact for fact in facts if fact[0] == "conn"), key=lambda fact: fact[1])
    return [
        *together(facts, "locked", "the following places are locked"),
        *(_TEMPLATES[fact[0]].format(*fact[1:]) for fact in apart),
        *together(facts, "open", "the following places are open"),
        *(f"{place} is connected to {listed([way[2] for way in group])}" for place, group in ways),
    ]


_ACTIONS: Final = (
    ActionWords(
        "unlock",
        "?cur - place, ?lock - place, ?key - key, ?shape - shape",
        "The robot must be at the place (?cur) and hold the key (?key), the place (?lock) must be"
        " locked and connected to (?cur), and the key and the lock must both have the shape"
        " (?shape).",
        "the place (?lock) is open and no longer locked.",
        ("p0", "p1", "key0", "shape0"),
    ),
    ActionWords(
        "move",
        "?cur - place, ?next - place",
        "The robot must be at the place (?cur), and the place (?next) must be open and connected"
        " to (?cur).",
        "the robot is at (?next) and no longer at (?cur).",
        ("p0", "p1"),
    ),
    ActionWords(
        "pickup",
        "?cur - place, ?key - key",
        "The robot and the key (?key) must be at the place (?cur), and the arm of the robot must be"
        " empty.",
        "the robot is holding the key (?key), which is no longer at (?cur), and the arm is not"
        " empty.",
        ("p0", "key0"),
    ),
    ActionWords(
        "pickup-and-loose",
        "?cur - place, ?new - key, ?old - key",
        "The robot must be at the place (?cur) and hold the key (?old), and the key (?new) must be"
        " at that place.",
        "the robot is holding the key (?new), which is no longer at (?cur), and the key (?old) is"
        " at (?cur) and no longer held.",
        ("p0", "key1", "key0"),
    ),
    ActionWords(
        "putdown",
        "?cur - place, ?key - key",
        "The robot must be at the place (?cur) and hold the key (?key).",
        "the key (?key) is at (?cur) and no longer held, and the arm is empty.",
        ("p0", "key0"),
    ),
)
_KINDS: Final = Kinds(("place", "key", "shape"))

TEXT: Final = Text(
    sentence_reader(WORDS),
    statements={
        "simplan": simplan("Minigrid", _ACTIONS, WORDS, FactWords(_TEMPLATES, _state), _KINDS)
    },
    actions=frozenset(WORDS.sentences),
)
