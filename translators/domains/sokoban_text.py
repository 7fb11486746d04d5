"""Sokoban in words: this project's sentences and facts, in the form of SimPlan's statement."""

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
        "move": ("move {0} from {1} to {2} by {3}", "move {0} to {2} from {1} by {3}"),
        "push-to-nongoal": ("push {1} from {3} to {4} with {0} at {2} by {5}",),
        "push-to-goal": ("push {1} from {3} to goal {4} with {0} at {2} by {5}",),
    },
    own_names("player", "stone", "location", "direction"),
)

_TEMPLATES: Final = {
    "at": "{0} is at {1}",
    "at-goal": "{0} is at a goal",
    "clear": "{0} is clear",
    "is-goal": "{0} is a goal",
    "is-nongoal": "{0} is no goal",
    "move-dir": "{2} leads from {0} to {1}",
}


def _state(facts: list[Fact]) -> list[str]:
    apart = [fact for fact in facts if fact[0] in ("at", "at-goal")]
    ways = groupby((fact for fact in facts if fact[0] == "move-dir"), key=lambda fact: fact[1])
    return [
        *(_TEMPLATES[fact[0]].format(*fact[1:]) for fact in apart),
        *together(facts, "clear", "the following locations are clear"),
        *together(facts, "is-goal", "the following locations are goals"),
        *together(facts, "is-nongoal", "the following locations are no goals"),
        *(
            f"from {place} {listed([f'{way[3]} leads to {way[2]}' for way in group])}"
            for place, group in ways
        ),
    ]


_PUSH: Final = (
    "?p - player, ?s - stone, ?ppos - location, ?from - location, ?to - location, ?dir - direction"
)
_BEFORE_PUSH: Final = (
    "The player (?p) must be at the location (?ppos), the stone (?s) must be at (?from), the"
    " direction (?dir) must lead from (?ppos) to (?from) and from there to (?to), and (?to) must be"
    " clear and"
)
_AFTER_PUSH: Final = (
    "the player is at (?from) and the stone at (?to), (?ppos) is clear, and (?to) is not clear."
)
_PUSHED: Final = ("player-01", "stone-01", "pos-1-1", "pos-2-1", "pos-3-1", "dir-right")
_ACTIONS: Final = (
    ActionWords(
        "move",
        "?p - player, ?from - location, ?to - location, ?dir - direction",
        "The player (?p) must be at the location (?from), the direction (?dir) must lead from there"
        " to (?to), and (?to) must be clear.",
        "the player (?p) is at (?to), (?from) is clear, and (?to) is not clear.",
        ("player-01", "pos-1-1", "pos-2-1", "dir-right"),
    ),
    ActionWords(
        "push-to-nongoal",
        _PUSH,
        f"{_BEFORE_PUSH} no goal.",
        f"{_AFTER_PUSH} The stone (?s) is not at a goal.",
        _PUSHED,
    ),
    ActionWords(
        "push-to-goal",
        _PUSH,
        f"{_BEFORE_PUSH} a goal.",
        f"{_AFTER_PUSH} The stone (?s) is at a goal.",
        _PUSHED,
    ),
)
_KINDS: Final = Kinds(("player", "stone", "direction", "location"))

TEXT: Final = Text(
    sentence_reader(WORDS),
    statements={
        "simplan": simplan("Sokoban", _ACTIONS, WORDS, FactWords(_TEMPLATES, _state), _KINDS)
    },
    actions=frozenset(WORDS.sentences),
)
