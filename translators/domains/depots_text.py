"""Depots in words: PlanBench's sentences (Valmeekam et al. 2023).

PlanBench's statement uses the words of its configs/depots.yaml, including one sentence that is
incomplete there.
"""

from __future__ import annotations

from typing import Final

from pddl_pipeline.translators.answers.sentence_answer import sentence_reader
from pddl_pipeline.translators.answers.sentences import Words, own_names
from pddl_pipeline.translators.statements.facts import FactWords
from pddl_pipeline.translators.statements.planbench import always_this, planbench
from pddl_pipeline.translators.statements.simplan import ActionWords, Kinds, simplan
from pddl_pipeline.translators.text import Text

_NOUNS: Final = (
    "crate", "depot", "distributor", "hoist", "pallet", "place", "surface", "truck",
)  # fmt: skip


WORDS: Final = Words(
    {
        "drive": ("drive {0} from {1} to {2}", "drive {0} to {2} from {1}"),
        "lift": ("Use {0} to lift {1} from {2} at {3}",),
        "drop": ("Use {0} to drop {1} to {2} at {3}",),
        "load": ("Use {0} to load {1} into {2} at {3}",),
        "unload": ("Use {0} to unload {1} from {2} at {3}",),
    },
    own_names(*_NOUNS),
)

_FACTS: Final = FactWords(
    {
        "at": "{0} is at {1}",
        "available": "{0} is available",
        "clear": "{0} is clear",
        "in": "{0} is in {1}",
        "lifting": "{0} is lifting {1}",
        "on": "{0} is on {1}",
    }
)
_INTRODUCTION: Final = (
    "I have to plan the logistics of transporting crates between a number of depots and"
    " distributors via trucks that are loaded by hoists. Depots and distributors are directly"
    " connected by roads (trucks can drive between any two depots or distributors).\n\n"
    "A depot is a type of place.\n"
    "A distributor is a type of place.\n"
    "A pallet is a type of surface.\n"
    "A crate is a type of surface.\n\n"
    "Here are the actions that can be performed:\n\n"
    "Drive a truck from one place to another place.\n"
    "Use a hoist to lift a crate from a surface at a place.\n"
    "Use a hoist to drop a crate to a surface at a place.\n"
    "Use a hoist to load a crate into a truck at a place.\n"
    "Use a hoist to unload a crate from a truck at a place.\n\n"
    "The following are the restrictions on the actions:\n"
    "A truck can be driven from one place to another place only if the truck is at the origin"
    " place.\n"
    "Once a truck has been driven from one place to another, it is not at the origin place and is"
    " at the destination place.\n"
    "A crate can be lifted by a hoist only if the hoist is at the same place as the crate, the"
    " hoist is available, and the crate is clear.\n"
    "Once a crate has been lifted by a hoist from a surface at a place, the crate is not at the"
    " place, the hoist is lifting the crate, the hoist is not available, the surface is clear, and"
    " the crate is not on the surface.\n"
    "A crate can be dropped by a hoist to a surface only if the hoist and surface are both at the"
    " place, the surface is clear, and the hoist is lifting the crate.\n"
    "Once a crate has been dropped by a hoist to a surface at a place, the hoist is available, the"
    " hoist is not lifting the crate, the crate is at the place, the surface is not clear, the"
    " crate is clear, and the crate is on the surface.\n"
    "A crate can be loaded by a hoist onto a truck at a place only if the hoist is at the same"
    " place, the truck is at the same place, and the hoist is lifting the crate.\n"
    "Once a crate has been loaded by a hoist onto a truck at a place, \n"
    "A crate can be unloaded by a hoist from a truck at a place only if the hoist is at the same"
    " place as the truck, the hoist is available, and the crate is in the truck.\n"
    "Once a crate has been unloaded by a hoist from a truck at a place, the crate is not in the"
    " truck, the hoist is not available, and the hoist is lifting the crate."
)
_HOIST: Final = "?x - hoist, ?y - crate, "
_SIMPLAN_ACTIONS: Final = (
    ActionWords(
        "drive",
        "?x - truck, ?y - place, ?z - place",
        "The truck (?x) must be at the place (?y).",
        "the truck (?x) is at the other place (?z) and no longer at (?y).",
        ("truck0", "depot0", "distributor0"),
    ),
    ActionWords(
        "lift",
        f"{_HOIST}?z - surface, ?p - place",
        "The hoist (?x) and the crate (?y) must be at the place (?p), the hoist must be available,"
        " and the crate must be clear and on the surface (?z).",
        "the hoist (?x) is lifting the crate (?y) and is not available, and the surface (?z) is"
        " clear. The crate is no longer at the place, on the surface, or clear.",
        ("hoist0", "crate0", "pallet0", "depot0"),
    ),
    ActionWords(
        "drop",
        f"{_HOIST}?z - surface, ?p - place",
        "The hoist (?x) and the surface (?z) must be at the place (?p), the surface must be clear,"
        " and the hoist must be lifting the crate (?y).",
        "the hoist (?x) is available and no longer lifting the crate, and the crate (?y) is at the"
        " place (?p), clear, and on the surface (?z), which is no longer clear.",
        ("hoist0", "crate0", "pallet0", "depot0"),
    ),
    ActionWords(
        "load",
        f"{_HOIST}?z - truck, ?p - place",
        "The hoist (?x) and the truck (?z) must be at the place (?p), and the hoist must be lifting"
        " the crate (?y).",
        "the crate (?y) is in the truck (?z), and the hoist (?x) is available and no longer lifting"
        " the crate.",
        ("hoist0", "crate0", "truck0", "depot0"),
    ),
    ActionWords(
        "unload",
        f"{_HOIST}?z - truck, ?p - place",
        "The hoist (?x) and the truck (?z) must be at the place (?p), the hoist must be available,"
        " and the crate (?y) must be in the truck.",
        "the hoist (?x) is lifting the crate (?y) and is not available, and the crate is no longer"
        " in the truck (?z).",
        ("hoist0", "crate0", "truck0", "depot0"),
    ),
)
_KINDS: Final = Kinds(("depot", "distributor", "truck", "hoist", "pallet", "crate"))

TEXT: Final = Text(
    sentence_reader(WORDS),
    statements={
        "planbench": planbench(WORDS, _FACTS, always_this(_INTRODUCTION)),
        "simplan": simplan("Depots", _SIMPLAN_ACTIONS, WORDS, _FACTS, _KINDS),
    },
    actions=frozenset(WORDS.sentences),
)
