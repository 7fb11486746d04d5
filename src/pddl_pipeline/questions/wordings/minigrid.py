"""The wording of Minigrid, as in SimPlan's tables 4 and 5, without open doors (appendix D.1)."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.questions.phrases import Agent, Phrase, Slot, Wording

WORDINGS: Final = (
    Wording(
        domains=("minigrid",),
        phrases=(
            Phrase(("locked",), "the following places are locked:", ("{1} is locked",),
                   denials=("{1} is not locked", "{1} is unlocked"), listed=True),
            Phrase(("at",), "{1} is at {2}", denials=("{1} is not at {2}",)),
            Phrase(("arm-empty",), "the arm of the robot is empty", ("arm is empty",),
                   denials=("the arm of the robot is not empty", "arm is not empty")),
            Phrase(("holding",), "the arm of the robot is holding {1}",
                   ("the robot is holding {1}", "{1} is held")),
            Phrase(("at-robot",), "the robot is at {1}", denials=("the robot is not at {1}",)),
            Phrase(("open",), "{1} is open", denials=("{1} is not open",)),
            Phrase(("key-shape",), "{1} has {2}"),
            Phrase(("lock-shape",), "{1} lock has {2}"),
        ),
        exclusive=(
            (Slot("at", (1,)), Slot("holding", (1,))),
            (Slot("arm-empty"), Slot("holding")),
            (Slot("at-robot"),),
            (Slot("locked", (1,)), Slot("open", (1,))),
        ),
        implied=frozenset({"open"}),
        agents=(Agent(Slot("at-robot", (1,)), Slot("at", (2,))),),
    ),
)  # fmt: skip
