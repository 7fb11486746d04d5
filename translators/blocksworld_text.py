"""Blocksworld in words: PlanBench's sentences, blocks by colour (Valmeekam et al. 2023)."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.translators.answers.names import Names
from pddl_pipeline.translators.answers.planbench_rules import planbench_reader
from pddl_pipeline.translators.answers.sentence_answer import sentence_reader
from pddl_pipeline.translators.answers.sentences import Words
from pddl_pipeline.translators.field_checks import natural
from pddl_pipeline.translators.text import Text
from pddl_pipeline.validation.task import Task

_COLOURS: Final = (
    "red", "blue", "orange", "yellow", "white", "magenta",
    "black", "cyan", "green", "violet", "silver", "gold",
)  # fmt: skip
_LETTERS: Final = dict(zip("abcdefghijkl", _COLOURS, strict=True))


def block_names(task: Task) -> Names:
    """Return the blocks by colour: the letters a to l have PlanBench's.

    Blocks with other names have the colours in their order; where there are more than twelve they
    keep their names.
    """
    blocks = sorted(task.vocabulary.objects, key=natural)
    if set(blocks) <= set(_LETTERS):
        told = {block: f"{_LETTERS[block]} block" for block in blocks}
    elif len(blocks) <= len(_COLOURS):
        told = {b: f"{colour} block" for b, colour in zip(blocks, _COLOURS, strict=False)}
    else:
        told = {block: f"block {block}" for block in blocks}
    return Names(told, {"block", "blocks", "object", "objects"})


WORDS: Final = Words(
    {
        "pick-up": ("pick up {0}",),
        "put-down": ("put down the {0}", "put the {0} down"),
        "stack": ("stack the {0} on top of the {1}",),
        "unstack": ("unstack the {0} from on top of the {1}",),
    },
    block_names,
    {"pickup": "pick-up", "putdown": "put-down"},
)

TEXT: Final = Text(
    sentence_reader(WORDS),
    actions=frozenset(WORDS.sentences),
    readings={"planbench": planbench_reader(WORDS)},
)
