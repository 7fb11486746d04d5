"""The wording of Depots, in SimPlan's style; SimPlan prints no state of this domain."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.questions.phrases import Agent, Phrase, Slot, Wording

_LOCATED: Final = (Slot("in", (1,)), Slot("lifting", (2,)))

WORDINGS: Final = (
    Wording(
        domains=("depots",),
        phrases=(
            Phrase(("at",), "{1} is at {2}", denials=("{1} is not at {2}",)),
            Phrase(("on",), "{1} is on {2}", ("{1} is on top of {2}",),
                   denials=("{1} is not on {2}",)),
            Phrase(("in",), "{1} is in {2}", denials=("{1} is not in {2}",)),
            Phrase(("lifting",), "{1} is lifting {2}", ("{2} is lifted by {1}",)),
            Phrase(("available",), "{1} is available", denials=("{1} is not available",)),
            Phrase(("clear",), "{1} is clear", denials=("{1} is not clear",)),
        ),
        exclusive=(
            (Slot("at", (1,)), *_LOCATED),
            (Slot("on", (1,)), *_LOCATED),
            (Slot("clear", (1,)), Slot("on", (2,)), *_LOCATED),
            (Slot("available", (1,)), Slot("lifting", (1,))),
        ),
        agents=(Agent(Slot("at", (2,)), Slot("at", (2,)), "truck"),),
    ),
)  # fmt: skip
