"""Ferry in words: this project's sentences, and SimPlan's words for states (Table 4)."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.translators.answers.sentence_answer import sentence_reader
from pddl_pipeline.translators.answers.sentences import Words, own_names
from pddl_pipeline.translators.statements.facts import FactWords
from pddl_pipeline.translators.statements.simplan import ActionWords, Kinds, simplan
from pddl_pipeline.translators.text import Text

WORDS: Final = Words(
    {
        "sail": ("sail from {0} to {1}", "sail to {1} from {0}"),
        "board": ("board {0} at {1}",),
        "debark": ("debark {0} at {1}",),
    },
    own_names("car", "cars", "location", "port"),
    idle=("the ferry",),
)

_FACTS: Final = FactWords(
    {
        "at": "{0} is at {1}",
        "on": "{0} is on the ferry",
        "empty-ferry": "the ferry is empty",
        "at-ferry": "the ferry is at {0}",
    }
)
_ACTIONS: Final = (
    ActionWords(
        "sail",
        "?from - location, ?to - location",
        # The domain allows sailing to the current location, the published variant does not.
        "The ferry must be at the location (?from), and (?to) must be another location.",
        "the ferry is at (?to) and no longer at (?from).",
        ("l0", "l1"),
    ),
    ActionWords(
        "board",
        "?car - car, ?loc - location",
        "The car (?car) and the ferry must be at the location (?loc), and the ferry must be empty.",
        "the car (?car) is on the ferry and no longer at (?loc), and the ferry is not empty.",
        ("c0", "l0"),
    ),
    ActionWords(
        "debark",
        "?car - car, ?loc - location",
        "The car (?car) must be on the ferry, and the ferry must be at the location (?loc).",
        "the car (?car) is at (?loc) and no longer on the ferry, and the ferry is empty.",
        ("c0", "l1"),
    ),
)

TEXT: Final = Text(
    sentence_reader(WORDS),
    statements={"simplan": simplan("Ferry", _ACTIONS, WORDS, _FACTS, Kinds(("car", "location")))},
    actions=frozenset(WORDS.sentences),
)
