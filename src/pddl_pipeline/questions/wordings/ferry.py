"""The wording of Ferry, as in SimPlan's tables 4 and 5, which show no car on the ferry."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.questions.phrases import Agent, Phrase, Slot, Wording

WORDINGS: Final = (
    Wording(
        domains=("ferry",),
        phrases=(
            Phrase(("at",), "{1} is at {2}", denials=("{1} is not at {2}",)),
            Phrase(("on",), "{1} is on the ferry",
                   ("{1} is on board the ferry", "{1} is aboard the ferry", "{1} is on board"),
                   denials=("{1} is not on the ferry",)),
            Phrase(("empty-ferry",), "the ferry is empty",
                   denials=("the ferry is not empty",)),
            Phrase(("at-ferry",), "the ferry is at {1}", denials=("the ferry is not at {1}",)),
        ),
        exclusive=(
            (Slot("at", (1,)), Slot("on", (1,))),
            (Slot("at-ferry"),),
            (Slot("empty-ferry"), Slot("on")),
        ),
        agents=(Agent(Slot("at-ferry", (1,)), Slot("at", (2,))),),
    ),
)  # fmt: skip
