"""AutoToS's feedback to a model, in the original wording (IBM/AutoToS, MIT licence).

The texts are a format: the behaviour of models is comparable only with identical texts. Feedback
that AutoToS does not have (on countdown, a value that is not a state, a process that died) is this
project's.
"""

from __future__ import annotations

from typing import Any, Final

_KEEP: Final = "Keep the same function signature.\n"
_AGAIN: Final = f"Remember how you fixed the previous mistakes, if any. {_KEEP}"
_ARM_RULES: Final = (
    "Once I pick up a block, I am holding the block and it is no longer clear and no longer on "
    "the table.\n"
    "Once I unstack from on top of another block, I am holding the block and it is no longer "
    "clear. Instead, the other block becomes clear.\n"
    "Once I put down a block, my hand becomes empty, the block becomes clear, and it is now on "
    "the table.\n"
    "Once I stack a block on top of another block, the block on top becomes clear and the block "
    "under it is no longer clear.\n"
)


def _stepwise(produced: str, ensured: str) -> str:
    return (
        "Let's think step by step. First think through in words why the successor function "
        f"produced a successor that {produced}. Then provide the complete Python code for the "
        f"revised successor function that ensures {ensured}.\n{_AGAIN}"
    )


LENGTH: Final = (
    "Invalid transformation: length mismatch - the length of a successor must be one less than "
    "the parent.\n"
) + _stepwise(
    "had a length that was not exactly one less than the parent",
    "the length of a successor is exactly one less than the parent",
)
NEGATIVE: Final = "Invalid transformation: a number in the successor is negative.\n" + _stepwise(
    "has a negative number", "that in all successors no number is negative"
)
TWO_STONES: Final = "Invalid transition: multiple stones at the same location.\n" + _stepwise(
    "has two stones at the same location",
    "that in all successors all stones are at different locations",
)
STONE_AND_PLAYER: Final = (
    "Invalid transition: a stone and the player are at the same location.\n"
) + _stepwise(
    "has a stone and the player at the same location",
    "that in all successors the player and the stones are at different locations",
)
NO_ACTION: Final = (
    "Invalid transition: no action of the domain leads from the input state to the successor.\n"
) + _stepwise(
    "no action leads to",
    "that every successor is the result of applying one applicable action to the input state",
)
HOLDING: Final = "If holding a block then the arm cannot be empty\n"
NOT_HOLDING: Final = "If not holding a block then the arm must be empty.\n"
TOWERS: Final = (
    "Each tower has the bottom block on the table and the top block clear.\n"
    "Therefore, the number of clear blocks should be the same as the number of blocks on the "
    "table.\n"
    "The number of elements in the clear list is not the same as the number of elements in the "
    "on-table list.\n"
    f"Reminder: {_ARM_RULES}"
    "Let's think step by step. First, think of how applying each action changes which blocks are "
    "clear.\n"
    "Then, think of how applying each action changes which blocks are on the table.\n"
    "Then, provide the complete Python code for the revised successor function that returns a "
    f"list of successor states.\n{_AGAIN}"
)


def wrong_successor(misstep: str, before: Any, after: Any) -> str:
    """Return the feedback on a transition that the partial soundness check rejects."""
    return f"{misstep}\nInput state: {before}\nExample wrong successor state: {after}\n"


def no_state(why: str) -> str:
    """Return the feedback on a successor that does not have the form of a state."""
    return (
        f"Invalid transition: {why} in a successor.\n"
        f"{_stepwise('is no state', 'that all successors have the form of the input state')}"
    )


def input_changed(before: Any, after: Any) -> str:
    """Return the feedback on a successor function that changed its input state."""
    return (
        "Input state should not change as a result of applying the successor function.\n"
        f"State before successor function applied: {before}\n"
        f"State after successor function applied: {after}\n"
        "Let's think step by step. First, think of the possible reasons why the input state may "
        "change as a result of applying the successor function, such as the use of shallow copy.\n"
        "Then, provide the complete Python code for the revised successor function that returns a "
        f"list of successor states and ensure it does not change the input state.\n{_AGAIN}"
    )


def goal_changes_input(before: Any, after: Any) -> str:
    """Return the feedback on a goal test that changed its input state."""
    return (
        "Input state should not change as a result of applying the goal test function.\n"
        f"State before goal test function applied: {before}\n"
        f"State after goal test function applied: {after}\n"
        f"Please fix the goal test function.\n{_AGAIN}"
    )


def too_long(function: str) -> str:
    """Return the feedback on a call that exceeded its time limit."""
    return (
        f"{function.capitalize()} function execution took too long.\n"
        f"Please provide a different implementation of the {function} function.\n{_KEEP}"
    )


SEARCH_TIMEOUT: Final = (
    "Timeout occurred during search with the successor function.\n"
    f"Please provide a different implementation of the successor function.\n{_KEEP}"
)


UNSTEADY: Final = (
    "Successor function when run twice on the same state produced different successors.\n"
    f"Please provide a different implementation of the successor function.\n{_KEEP}"
)


def missing(state: Any, successors: list[Any]) -> str:
    """Return the feedback on a successor function that did not return known successors."""
    return (
        f"Successor function when run on the state {state} failed to produce all successors.\n"
        f"Missing successors are: {successors}\n"
        "First think step by step why the successor function failed to produce all successors of "
        f"the state.\nThen, fix the successor function.\n{_AGAIN}"
    )


def wrong_goal(state: Any, *, is_goal: bool) -> str:
    """Return the feedback on a goal test that is wrong about a state of the unit tests."""
    reported = "a non-goal state" if is_goal else "a goal state"
    answer = "true" if is_goal else "false"
    return (
        f"The goal test function failed on the following input state {state}, incorrectly "
        f"reporting it as {reported}.\n"
        "First think step by step what it means for a state to be a goal state in this domain. "
        f"Then think through in words why the goal test function incorrectly reported input "
        f"state: {state} as {reported}. Now, revise the goal test function and ensure it returns "
        f"{answer} for the input state.\n{_AGAIN}"
    )


def reached_no_goal(state: Any) -> str:
    """Return the feedback on a search that ended at a state that is not a goal."""
    return (
        f"The goal test function failed on the following input state {state}, incorrectly "
        "reporting it as a goal state.\nPlease fix the goal test function.\n"
    )


def goal_exception(state: Any, trace: str) -> str:
    """Return the feedback on a goal test that raised an exception in a unit test."""
    return (
        f"The goal test function failed to execute on the following input state {state}.\n"
        f"The follow exception occurred: {trace}.\n"
        f"Please rewrite the goal function entirely.\n{_AGAIN}"
    )


def exception(function: str, trace: str) -> str:
    """Return the feedback on an exception in a search or in a completeness test."""
    return (
        f"The following exception was produced when testing the {function} function: \n"
        f"{trace}. Please fix this exception in the {function} function."
    )


_WANTED: Final = {
    "successor": "that returns a list of successor states for a state",
    "goal": "that tests whether a given state is already a goal state",
}


def no_function(function: str) -> str:
    """Return the feedback on an answer without the function."""
    return (
        "Could not extract the function from your response. Please provide only the complete "
        f"Python function {_WANTED[function]}."
    )


def syntax_error(function: str, error: str) -> str:
    """Return the feedback on an answer whose code is not Python."""
    return (
        f"The code contains syntax error: {error}\nPlease fix the error. Please provide only the "
        f"complete Python function {_WANTED[function]}."
    )


def in_setting(name: str, setting: Any, feedback: str) -> str:
    """Return feedback on a function that gets the setting, preceded by the setting."""
    what = "grid configuration" if name == "grid" else name
    return f"Error occurred for {what}: {setting}\n{feedback}"


def with_setting(name: str, setting: Any, feedback: str) -> str:
    """Return feedback on a goal test, followed by the goal or the target."""
    return f"{feedback}{name.capitalize()}: {setting}\n"
