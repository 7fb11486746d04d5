"""The templates of SimPlan (figures 8 to 11) and ACPBench, and those of its kinds without one."""

from __future__ import annotations

from typing import Final

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
