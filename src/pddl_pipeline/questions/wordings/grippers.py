"""The wording of Grippers, in SimPlan's style; SimPlan prints no state of this domain."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.questions.phrases import Agent, Phrase, Slot, Wording

WORDINGS: Final = (
    Wording(
        domains=("grippers",),
        phrases=(
            Phrase(("at",), "{1} is at {2}", ("{1} is in {2}",),
                   denials=("{1} is not at {2}", "{1} is not in {2}")),
            Phrase(("at-robby",), "{1} is at {2}", ("{1} is in {2}",),
                   denials=("{1} is not at {2}", "{1} is not in {2}")),
            Phrase(("free",), "{2} of {1} is free", ("{2} of {1} is empty",),
                   denials=("{2} of {1} is not free", "{2} of {1} is not empty")),
            Phrase(("carry",), "{1} is holding {2} with {3}",
                   ("{1} is carrying {2} with {3}", "{1} holds {2} with {3}",
                    "{1} carries {2} with {3}", "{2} is held by {3} of {1}")),
        ),
        exclusive=(
            (Slot("at", (1,)), Slot("carry", (2,))),
            (Slot("at-robby", (1,)),),
            (Slot("free", (1, 2)), Slot("carry", (1, 3))),
        ),
        agents=(Agent(Slot("at-robby", (2,)), Slot("at", (2,))),),
    ),
)  # fmt: skip
