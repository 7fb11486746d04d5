"""Ferry in words: sentences of our own, read and told."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.translators.answers.sentence_answer import sentence_reader
from pddl_pipeline.translators.answers.sentences import Words, own_names
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

TEXT: Final = Text(sentence_reader(WORDS), actions=frozenset(WORDS.sentences))
