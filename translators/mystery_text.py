"""Mystery Blocksworld in words: blocksworld with names that mean nothing (PlanBench)."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.translators.answers.names import Names
from pddl_pipeline.translators.answers.planbench_rules import planbench_reader
from pddl_pipeline.translators.answers.sentence_answer import sentence_reader
from pddl_pipeline.translators.answers.sentences import Words
from pddl_pipeline.translators.text import Text
from pddl_pipeline.validation.task import Task


def _names(task: Task) -> Names:
    objects = task.vocabulary.objects
    return Names({name: f"object {name}" for name in objects}, {"object", "objects"})


WORDS: Final = Words(
    {
        "attack": ("attack {0}",),
        "succumb": ("succumb {0}",),
        "overcome": ("overcome {0} from {1}",),
        "feast": ("feast {0} from {1}",),
    },
    _names,
)

TEXT: Final = Text(
    sentence_reader(WORDS),
    actions=frozenset(WORDS.sentences),
    readings={"planbench": planbench_reader(WORDS)},
)
