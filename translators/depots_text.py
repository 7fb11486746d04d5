"""Depots in words: PlanBench's sentences (Valmeekam et al. 2023)."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.translators.answers.names import Names
from pddl_pipeline.translators.answers.sentence_answer import sentence_reader
from pddl_pipeline.translators.answers.sentences import Words
from pddl_pipeline.translators.text import Text
from pddl_pipeline.validation.task import Task

_NOUNS: Final = (
    "crate", "depot", "distributor", "hoist", "pallet", "place", "surface", "truck",
)  # fmt: skip


def _names(task: Task) -> Names:
    return Names({name: name for name in task.vocabulary.objects}, _NOUNS)


WORDS: Final = Words(
    {
        "drive": ("drive {0} from {1} to {2}", "drive {0} to {2} from {1}"),
        "lift": ("Use {0} to lift {1} from {2} at {3}",),
        "drop": ("Use {0} to drop {1} to {2} at {3}",),
        "load": ("Use {0} to load {1} into {2} at {3}",),
        "unload": ("Use {0} to unload {1} from {2} at {3}",),
    },
    _names,
)

TEXT: Final = Text(sentence_reader(WORDS), actions=frozenset(WORDS.sentences))
