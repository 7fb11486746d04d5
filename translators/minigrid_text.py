"""Minigrid in words: sentences of our own, read and told."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.translators.answers.sentence_answer import sentence_reader
from pddl_pipeline.translators.answers.sentences import Words, own_names
from pddl_pipeline.translators.text import Text

WORDS: Final = Words(
    {
        "move": ("move from {0} to {1}", "move to {1} from {0}"),
        "unlock": ("unlock {1} from {0} with {2} of {3}",),
        "pickup": ("pick up {1} at {0}",),
        "pickup-and-loose": (
            "swap {2} for {1} at {0}", "pick up {1} at {0} and put down {2}",
        ),
        "putdown": ("put down {1} at {0}",),
    },
    own_names("place", "key", "shape", "lock", "door"),
    idle=("the robot",),
)  # fmt: skip

TEXT: Final = Text(sentence_reader(WORDS), actions=frozenset(WORDS.sentences))
