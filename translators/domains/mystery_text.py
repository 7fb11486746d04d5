"""Mystery Blocksworld in words: blocksworld with meaningless names (PlanBench).

PlanBench's statement uses the words of its configs/mystery_blocksworld.yaml.
"""

from __future__ import annotations

from typing import Final

from pddl_pipeline.translators.answers.names import Names
from pddl_pipeline.translators.answers.planbench_rules import planbench_reader
from pddl_pipeline.translators.answers.sentence_answer import sentence_reader
from pddl_pipeline.translators.answers.sentences import Words
from pddl_pipeline.translators.statements.facts import FactWords
from pddl_pipeline.translators.statements.planbench import always_this, planbench
from pddl_pipeline.translators.statements.simplan import ActionWords, Kinds, simplan
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

_FACTS: Final = FactWords(
    {
        "craves": "{0} craves {1}",
        "harmony": "harmony",
        "pain": "pain {0}",
        "planet": "planet {0}",
        "province": "province {0}",
    }
)
_INTRODUCTION: Final = (
    "I am playing with a set of objects. Here are the actions I can do\n\n"
    "   Attack object\n"
    "   Feast object from another object\n"
    "   Succumb object\n"
    "   Overcome object from another object\n\n"
    "I have the following restrictions on my actions:\n"
    "    To perform Attack action, the following facts need to be true: Province object, Planet"
    " object, Harmony.\n"
    "    Once Attack action is performed the following facts will be true: Pain object.\n"
    "    Once Attack action is performed the following facts will be false: Province object, Planet"
    " object, Harmony.\n"
    "    To perform Succumb action, the following facts need to be true: Pain object.\n"
    "    Once Succumb action is performed the following facts will be true: Province object, Planet"
    " object, Harmony.    \n"
    "    Once Succumb action is performed the following facts will be false: Pain object.\n"
    "    To perform Overcome action, the following needs to be true: Province other object, Pain"
    " object.\n"
    "    Once Overcome action is performed the following will be true: Harmony, Province object,"
    " Object Craves other object.\n"
    "    Once Overcome action is performed the following will be false: Province other object, Pain"
    " object.\n"
    "    To perform Feast action, the following needs to be true: Object Craves other object,"
    " Province object, Harmony.\n"
    "    Once Feast action is performed the following will be true: Pain object, Province other"
    " object.\n"
    "    Once Feast action is performed the following will be false:, Object Craves other object,"
    " Province object, Harmony."
)
_SIMPLAN_ACTIONS: Final = (
    ActionWords(
        "attack",
        "?ob - object",
        "Province (?ob), planet (?ob) and harmony must be true.",
        "pain (?ob) is true, and province (?ob), planet (?ob) and harmony are false.",
        ("a",),
    ),
    ActionWords(
        "succumb",
        "?ob - object",
        "Pain (?ob) must be true.",
        "province (?ob), planet (?ob) and harmony are true, and pain (?ob) is false.",
        ("b",),
    ),
    ActionWords(
        "overcome",
        "?ob - object, ?underob - object",
        "Pain (?ob) and province (?underob) must be true.",
        "harmony is true, province (?ob) is true, and (?ob) craves (?underob). Province (?underob)"
        " and pain (?ob) are false.",
        ("c", "d"),
    ),
    ActionWords(
        "feast",
        "?ob - object, ?underob - object",
        "(?ob) must crave (?underob), and province (?ob) and harmony must be true.",
        "pain (?ob) and province (?underob) are true, and (?ob) craves (?underob) no longer."
        " Province (?ob) and harmony are false.",
        ("c", "d"),
    ),
)

TEXT: Final = Text(
    sentence_reader(WORDS),
    readings={"planbench": planbench_reader(WORDS)},
    statements={
        "planbench": planbench(WORDS, _FACTS, always_this(_INTRODUCTION)),
        "simplan": simplan("Mystery", _SIMPLAN_ACTIONS, WORDS, _FACTS, Kinds()),
    },
    actions=frozenset(WORDS.sentences),
)
