"""The prompts of SimPlan (figures 8 to 11) and ACPBench, and the preamble about the domain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.prompts.texts import described_by
from pddl_pipeline.translators import translate
from pddl_pipeline.validation.vocabulary import OBJECT

if TYPE_CHECKING:
    from pddl_pipeline.questions.kind import Stage

EFFECTS_OF_ACTIONS: Final = (
    "Given this initial state: {state}\nand the following actions: {actions}\n\n"
    "What is the new state?\nAnswer:"
)
APPLICABLE: Final = (
    "Given this state: {state}\n\n"
    "Which one of the following actions can be performed from the above state?\n"
    "The possible actions are: {actions}\n\nAnswer:"
)
FEWER_ACTIONS: Final = (
    "Given this state: {state}\n\n"
    "Which one of the following goals can be achieved with fewer actions?\n"
    "The goals are: {goals}\n\nAnswer:"
)
GOAL_FIRST: Final = (
    "Given this state: {state}\n\n"
    "In order to complete the task both goals must be accomplished simultaneously.\n"
    "Which one of the following goals needs to be achieved first?\n"
    "The goals are: {goals}\n\nAnswer:"
)
FIRST_INAPPLICABLE: Final = (
    'What is the first inapplicable action in the next sequence of actions: "{actions}"?'
)
ALL_APPLICABLE: Final = "Generate the list of all ground actions that are applicable in this state."
BREAK_DOWN: Final = (
    'Break down the outcomes of performing the action "{action}" into two lists, positive effects'
    " and negative effects. Positive effects are the propositions that are false in the current"
    " state but will become true after performing the action. Negative effects are the propositions"
    " that are true in the current state and will become false after performing the action."
)
NEVER_HOLDS: Final = (
    "Which proposition can never hold in any state that is reachable from the current state? "
    "Answer with one proposition, or None."
)
NEVER_APPLICABLE: Final = (
    "Which action can never be applied in any state that is reachable from the current state? "
    "Answer with one action, or None."
)
SIMPLIFY: Final = (
    'Remove one action, or two consecutive actions, from the plan "{actions}" so that it remains '
    "a valid plan. Answer with the resulting plan."
)
LANDMARK: Final = (
    "Which proposition must hold at some time in every plan, but holds neither now nor in the "
    "goal? Answer with one proposition, or None."
)
NEXT_ACTION: Final = "Which action does a shortest plan begin with? Answer with one action."
THE_GOAL: Final = "The goal: {goal}"
CURRENTLY: Final = "The current state: {state}"


def preamble(instance: Instance[object], stage: Stage) -> str:
    """Return the text that precedes a question: the actions, the objects, the constant atoms.

    The actions are explained in SimPlan's words if the domain has them and states are described in
    words, else by the domain's PDDL.
    """
    task, worded = stage.task, stage.wording is not None
    text = described_by(instance, task).get("simplan") if worded else None
    parts = [
        text.domain(instance, task) if text else
        f"The domain in PDDL:\n{translate(instance).domain_pddl.strip()}"
    ]  # fmt: skip
    types = stage.fluents.types
    typed = {name for kind, names in types.items() if kind != OBJECT for name in names}
    lines = [
        f"{kind}: {', '.join(names)}"
        for kind, names in types.items()
        if kind != OBJECT or not typed.issuperset(names)
    ]
    parts.append("The objects by type:\n" + "\n".join(lines))
    if stage.constant:
        parts.append(f"What never changes: {', '.join(stage.constant)}")
    return "\n\n".join(parts)
