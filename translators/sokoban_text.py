"""Sokoban in words: sentences of our own, read and told."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.translators.answers.sentence_answer import sentence_reader
from pddl_pipeline.translators.answers.sentences import Words, own_names
from pddl_pipeline.translators.text import Text

WORDS: Final = Words(
    {
        "move": ("move {0} from {1} to {2} by {3}",),
        "push-to-nongoal": ("push {1} from {3} to {4} with {0} at {2} by {5}",),
        "push-to-goal": ("push {1} from {3} to goal {4} with {0} at {2} by {5}",),
    },
    own_names("player", "stone", "location", "direction"),
)

TEXT: Final = Text(sentence_reader(WORDS), actions=frozenset(WORDS.sentences))
