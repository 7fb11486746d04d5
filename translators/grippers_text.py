"""Grippers in words: sentences of our own, read and told."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.translators.answers.sentence_answer import sentence_reader
from pddl_pipeline.translators.answers.sentences import Words, own_names
from pddl_pipeline.translators.text import Text

WORDS: Final = Words(
    {
        "move": ("move {0} from {1} to {2}", "move {0} to {2} from {1}"),
        "pick": ("use {0} to pick up {1} in {2} with {3}",),
        "drop": ("use {0} to drop {1} in {2} with {3}",),
    },
    own_names("robot", "room", "ball", "gripper"),
)

TEXT: Final = Text(sentence_reader(WORDS), actions=frozenset(WORDS.sentences))
