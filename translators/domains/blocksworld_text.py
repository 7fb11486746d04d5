"""Blocksworld in words: PlanBench's sentences, blocks by colour (Valmeekam et al. 2023).

PlanBench's statement uses the words of its configs/blocksworld.yaml. SimPlan's uses those of its
Figure 7 and Tables 4 and 5 (Hirsch et al.).
"""

from __future__ import annotations

from itertools import groupby
from typing import Final

from pddl_pipeline.translators.answers.names import Names
from pddl_pipeline.translators.answers.planbench_rules import planbench_reader
from pddl_pipeline.translators.answers.sentence_answer import sentence_reader
from pddl_pipeline.translators.answers.sentences import Words
from pddl_pipeline.translators.field_checks import natural
from pddl_pipeline.translators.pddl_printing import Fact
from pddl_pipeline.translators.statements.facts import FactWords
from pddl_pipeline.translators.statements.planbench import always_this, planbench
from pddl_pipeline.translators.statements.simplan import ActionWords, Kinds, simplan
from pddl_pipeline.translators.text import Text
from pddl_pipeline.validation.task import Task

_COLOURS: Final = (
    "red", "blue", "orange", "yellow", "white", "magenta",
    "black", "cyan", "green", "violet", "silver", "gold",
)  # fmt: skip
_LETTERS: Final = dict(zip("abcdefghijkl", _COLOURS, strict=True))


def block_names(task: Task) -> Names:
    """Return names of the blocks by colour. The letters a to l have PlanBench's colours.

    Blocks with other names get the colours in natural order. If there are more than twelve blocks,
    they keep their own names.
    """
    blocks = sorted(task.vocabulary.objects, key=natural)
    if set(blocks) <= set(_LETTERS):
        names = {block: f"{_LETTERS[block]} block" for block in blocks}
    elif len(blocks) <= len(_COLOURS):
        names = {b: f"{colour} block" for b, colour in zip(blocks, _COLOURS, strict=False)}
    else:
        names = {block: f"block {block}" for block in blocks}
    return Names(names, {"block", "blocks", "object", "objects"})


WORDS: Final = Words(
    {
        "pick-up": ("pick up the {0}",),
        "put-down": ("put down the {0}", "put the {0} down"),
        "stack": ("stack the {0} on top of the {1}",),
        "unstack": ("unstack the {0} from on top of the {1}",),
    },
    block_names,
    {"pickup": "pick-up", "putdown": "put-down"},
)

FACTS: Final = FactWords(
    {
        "clear": "the {0} is clear",
        "handempty": "the hand is empty",
        "holding": "the hand is currently holding {0}",
        "on": "the {0} is on top of the {1}",
        "ontable": "the {0} is on the table",
    }
)
_ACTIONS: Final = (
    "I am playing with a set of blocks where I need to arrange the blocks into stacks. Here are the"
    " actions I can do\n\n"
    "Pick up a block\n"
    "Unstack a block from on top of another block\n"
    "Put down a block\n"
    "Stack a block on top of another block"
)
RESTRICTIONS: Final = (
    "I have the following restrictions on my actions:\n"
    "I can only pick up or unstack one block at a time.\n"
    "I can only pick up or unstack a block if my hand is empty.\n"
    "I can only pick up a block if the block is on the table and the block is clear. A block is"
    " clear if the block has no other blocks on top of it and if the block is not picked up.\n"
    "I can only unstack a block from on top of another block if the block I am unstacking was"
    " really on top of the other block.\n"
    "I can only unstack a block from on top of another block if the block I am unstacking is"
    " clear.\n"
    "Once I pick up or unstack a block, I am holding the block.\n"
    "I can only put down a block that I am holding.\n"
    "I can only stack a block on top of another block if I am holding the block being stacked.\n"
    "I can only stack a block on top of another block if the block onto which I am stacking the"
    " block is clear.\n"
    "Once I put down or stack a block, my hand becomes empty."
)
LAST_RESTRICTION: Final = (
    "Once you stack a block on top of a second block, the second block is no longer clear."
)
"""CATS omits this restriction."""
_INTRODUCTION: Final = f"{_ACTIONS}\n\n{RESTRICTIONS}\n{LAST_RESTRICTION}"

_SIMPLAN_FACTS: Final = {
    "ontable": "{0} is on-table",
    "on": "{0} is on {1}",
    "holding": "{0} is held",
    "clear": "{0} is clear",
    "handempty": "arm is empty",
}


def _by_block(facts: list[Fact]) -> list[str]:
    """Return a state in SimPlan's words, block by block: ``b5 is on b1 and is clear``."""
    of_blocks = [fact for fact in facts if len(fact) > 1]
    of_blocks.sort(key=lambda fact: natural(fact[1]))
    phrases = []
    for block, group in groupby(of_blocks, key=lambda fact: fact[1]):
        first, *others = (_SIMPLAN_FACTS[fact[0]].format(*fact[1:]) for fact in group)
        phrases.append(" and ".join([first, *(each.removeprefix(f"{block} ") for each in others)]))
    return [*phrases, "arm is empty" if ("handempty",) in facts else "arm is not empty"]


_SIMPLAN_ACTIONS: Final = (
    ActionWords(
        "pick-up",
        "?ob - object",
        "The object (?ob) must be clear, on the table, and the arm must be empty.",
        "the object is now held, not clear, and not on the table.",
        ("blockA",),
        'pick up "blockA" from the table',
    ),
    ActionWords(
        "put-down",
        "?ob - object",
        "The object (?ob) must be currently held.",
        "the object is now clear, the arm is empty, and the object is on the table.",
        ("blockB",),
        'put down "blockB" on the table',
    ),
    ActionWords(
        "stack",
        "?ob - object, ?underob - object",
        "The object that you want to stack (?ob) must be held, and the object underneath (?underob)"
        " must be clear.",
        "the arm is empty, the stacked object (?ob) is clear, and it is now on top of the"
        " underneath object (?underob). The underneath object is no longer clear.",
        ("blockC", "blockD"),
        'stack "blockC" on top of "blockD"',
    ),
    ActionWords(
        "unstack",
        "?ob - object, ?underob - object",
        "The object that you want to unstack (?ob) must be on top of another object (?underob), and"
        " it (?ob) must be clear. Additionally, the arm must be empty.",
        "the object (?ob) is now held, the underneath object (?underob) is clear, and the"
        ' relationship "on" between (?ob) and (?underob) is broken. Also, (?ob) is no longer clear,'
        " and the arm is not empty.",
        ("blockC", "blockD"),
        'unstack "blockC" from on top of "blockD"',
    ),
)

TEXT: Final = Text(
    sentence_reader(WORDS),
    readings={"planbench": planbench_reader(WORDS)},
    statements={
        "planbench": planbench(WORDS, FACTS, always_this(_INTRODUCTION)),
        "simplan": simplan(
            "Blocksworld", _SIMPLAN_ACTIONS, WORDS, FactWords(_SIMPLAN_FACTS, _by_block), Kinds()
        ),
    },
    actions=frozenset(WORDS.sentences),
)
