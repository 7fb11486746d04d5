"""The wording of Blocksworld, as in SimPlan's tables 4 and 5."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.questions.phrases import Phrase, Slot, Wording

_BELOW: Final = tuple(
    Slot(name, (1,)) for name in ("ontable", "on-table", "on", "holding")
)  # fmt: skip
_ABOVE: Final = (Slot("clear", (1,)), Slot("on", (2,)), Slot("holding", (1,)))
_HAND: Final = (Slot("handempty"), Slot("arm-empty"), Slot("holding"))

WORDINGS: Final = (
    Wording(
        domains=("blocksworld", "budget-blocksworld"),
        phrases=(
            Phrase(("ontable", "on-table"), "{1} on-table",
                   ("{1} is on-table", "{1} is on table", "{1} is on the table")),
            Phrase(("on",), "{1} is on {2}", ("{1} on {2}", "{1} is on top of {2}")),
            Phrase(("holding",), "{1} is held",
                   ("arm is holding {1}", "hand is holding {1}", "arm holds {1}"),
                   denials=("{1} is not held",)),
            Phrase(("clear",), "{1} is clear", denials=("{1} is not clear",), joined=True),
            Phrase(("handempty", "arm-empty"), "arm is empty",
                   ("hand is empty", "robotic arm is empty"),
                   denials=("arm is not empty", "hand is not empty")),
        ),
        exclusive=(_BELOW, _ABOVE, _HAND),
    ),
)  # fmt: skip
