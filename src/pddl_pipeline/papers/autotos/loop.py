"""The steps of AutoToS (Cao et al. 2024, section 4) as a state machine, with prompts and checks.

Step 1 asks for `succ`, then for `isgoal`. Each reply is checked (steps 2 to 4), and a failure is
returned as feedback to the model, with a request for the function that is to blame. The next
request follows from the replies so far and the outcomes of their checks alone.

The prompts for the 24 game, blocksworld and Sokoban are a format, in the original wording
(IBM/AutoToS, MIT licence), so that conversations are comparable with the published ones. Those for
countdown and for other PDDL domains are this project's, in the same form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from pddl_pipeline.endpoints.settings import Message
from pddl_pipeline.model.package_version import VERSION
from pddl_pipeline.papers.autotos.checks import Checked, Checks, Stage, UnitTests
from pddl_pipeline.papers.autotos.feedback import feedback
from pddl_pipeline.planners.functions.guarded import (
    ISGOAL,
    SUCC,
    Category,
    CodeFails,
    Failure,
    Guarded,
    function_in,
)
from pddl_pipeline.planners.functions.process import CALL_S, CodeSource, Functions
from pddl_pipeline.search.black_boxes.domain import Domain, Puzzle, fault_of
from pddl_pipeline.search.space import Bounds
from pddl_pipeline.tables.text_table import NO_NUMBER

SYSTEM: Final = (
    "You are Python coding assistant. Help me generate my Python functions based on the task "
    "descriptions. Please always generate only a single function and keep all imports in it. If "
    "you need to define any additional functions, define them as inner functions. Do not generate "
    "examples of how to invoke the function. Please do not add any print statements outside the "
    "function. Provide the complete function and do not include any ellipsis notation."
)
"""The system message of the authors' code; the paper prints "a Python coding assistant"."""


class Opening(NamedTuple):
    """The initial prompts of a domain."""

    succ: str
    isgoal: str


_GAME24: Final = Opening(
    """
The 24 Game is a mathematical card game in which the objective is to find a way to manipulate four \
integers so that the end result is 24. The game is played with a list of four numbers, and the \
player must use all four numbers exactly once, using any combination of addition, subtraction, \
multiplication, or division, to arrive at the number 24. If a state is defined by a list of \
numbers \
(4 or less), how are successor states defined? Please think step by step. Then, provide only the \
Python function that returns a list of successor states for an input state.

Here is an example of an initial state:
[6, 6, 2, 1]
""",
    """
Provide only the python code that tests whether a state is a goal state.\x20
Example goal state: [24]
Example non-goal state: [24,1]
""",
)

_BLOCKSWORLD: Final = Opening(
    """
I am playing with a set of blocks where I need to arrange the blocks into stacks. Here are the \
actions I can do
   Pick up a block from the table
   Put down a block on the table
   Unstack a block from on top of another block
   Stack a block on top of another block

   I have the following restrictions on my actions:
   I can only pick up or unstack one block at a time.
   I can only pick up or unstack a block if my hand is empty.
   I can only pick up a block if the block is on the table and the block is clear. A block is \
clear \
if the block has no other blocks on top of it and if the block is not picked up.
   I can only unstack a block from on top of another block if the block I am unstacking was really \
on top of the other block.
   I can only unstack a block from on top of another block if the block I am unstacking is clear.
   Once I pick up a block, I am holding the block and it is no longer clear and no longer on the \
table.\x20
   Once I unstack from on top of another block, I am holding the block and it is no longer clear. \
Instead, the other block becomes clear.  \x20

   I can only put down a block that I am holding.
   I can only stack a block on top of another block if I am holding the block being stacked.
   I can only stack a block on top of another block if the block onto which I am stacking the \
block \
is clear.
   Once I put down a block, my hand becomes empty, the block becomes clear, and it is now on the \
table.
   Once I stack a block on top of another block, the block on top becomes clear and the block \
under \
it is no longer clear.
If a state is defined by a dictionary of following predicates "clear block", "on-table block", \
"arm-empty", "holding block", and "on block1 block2", how are successor states defined?\x20
Here is an example of the initial state:
Init: {'clear': ['b'], 'on-table': ['d'], 'arm-empty': True, 'holding': None, 'on': [('a', 'c'), \
('b', 'a'), ('c', 'd')]}
Please provide only the Python code for the successor function that returns a list of successor \
states.
""",
    """
Provide only the python code that tests whether a state is a goal state. The goal specifies a \
partial state, the facts that must be true in any full goal state. Assume that the goal \
configuration is provided in the same dictionary format.\x20
Here's an example goal specification:
Goal: {'clear': [], 'on-table': [], 'on': [('b', 'c'), ('d', 'b')]}
""",
)

_SOKOBAN: Final = Opening(
    """
This domain models the classic Sokoban game, where the robot needs to move around and push stones \
to specific locations while adhering to the constraints defined by the walls in the maze.\x20
The maze is defined by a grid of values 0,1, and 2, where 2 means it is a goal location for a \
stone, 1 means the cell is blocked, and either 0 or 2 means that the cell can be occupied. A cell \
is clear if it can be occupied, but is not occupied by either the player or any stone.

The actions are:

move: This action moves the player in a specified direction. To perform this action, the target \
location must be clear and adjacent to player's location. Performing this action will result in \
the \
player being at the target location and no longer at the starting location, meaning the starting \
location is now clear, while the target location is now not clear.

push: This action allows the player to push a stone in a specified direction. To perform this \
action, the player's location, the stone location, and the target location must line up in the \
same \
direction, and the target location must be clear. Performing the action results in player being at \
the stone's initial location and the stone is at the target location. Further, the player's \
previous location is clear, while the target location is not clear.

Assume that states are defined by a dictionary with keys at-player and at-stone.\x20
Here is an example of a state
{'at-player': (4, 4), 'at-stone': [(2, 2), (3, 3)]}
Here is an example of the grid:
[[1, 1, 1, 1, 0, 0, 0, 0], [1, 0, 0, 1, 1, 0, 0, 0], [1, 0, 0, 0, 1, 1, 1, 1], [1, 0, 0, 0, 1, 0, \
0, 1], [1, 1, 0, 0, 0, 0, 0, 1], [0, 1, 1, 1, 2, 2, 0, 1], [0, 0, 0, 1, 0, 1, 0, 1], [0, 0, 0, 1, \
0, 0, 0, 1], [0, 0, 0, 1, 1, 1, 1, 1]]

Provide a Python implementation of successor states function, receiving a state and a grid and \
returning a list of immediate successor states.
""",
    """
Provide only the python code that tests whether a state is a goal state for a given goal \
configuration. Assume that the goal configuration is provided by the 2-dimensional array as \
before. \
The function should receive a state and the 2-dimensional array and return True if the state is a \
goal state and False otherwise.
""",
)

_COUNTDOWN: Final = Opening(
    """
Countdown is a game in which a list of positive integers is combined into a target number. A step \
takes two numbers of the list and replaces them by one: their sum, their product, their difference \
if it is not negative, or their quotient if the divisor is positive. The quotient may be a \
fraction; use fractions.Fraction for it. Every number must be used exactly once. If a state is \
defined by the list of the remaining numbers, how are successor states defined? Please think step \
by step. Then, provide only the Python function that returns a list of successor states for an \
input state.

Here is an example of an initial state:
[6, 6, 2, 1]
""",
    """
Provide only the python code that tests whether a state is a goal state. The function should \
receive a state and the target number, and return True if the target is the only number that is \
left.
For the target 24:
Example goal state: [24]
Example non-goal state: [24, 1]
""",
)

OPENINGS: Final = {
    "24game": _GAME24,
    "blocksworld": _BLOCKSWORLD,
    "countdown": _COUNTDOWN,
    "sokoban": _SOKOBAN,
}
"""The initial prompts by the name of the domain."""


_VALUES: Final = (
    "Its key 'values' is a dictionary of the numeric fluents that actions change: the keys are "
    "tuples of the function and its objects. "
)
_SUCC: Final = """
Here is a planning domain in PDDL:

{description}

A state is a dictionary. Its key 'facts' is a list of the atoms that hold and that actions can \
change, each a tuple of the predicate and its objects. {values}Derived predicates are not listed. \
What no action changes is in a second dictionary, the problem: 'objects' has the type of each \
object, 'facts' lists the atoms that always hold, 'values' has the constant fluents if there are \
any, and 'goal' is the goal of the PDDL problem as nested tuples. All names are in lower case.

Here is an example of a state:
{state}
Here is an example of a problem:
{problem}

Provide a Python implementation of the successor function, receiving a state and a problem and \
returning a list of the states that result from each applicable action, in the same form. The \
input state must not change.
"""
_ISGOAL: Final = """
Provide only the python code that tests whether a state is a goal state of a problem. The function \
should receive a state and a problem as before, and return True if the goal of the problem holds \
in the state and False otherwise.
Here is an example of a goal:
{goal}
"""


def pddl_opening(description: str, example: Puzzle) -> Opening:
    """Return the initial prompts of a PDDL domain.

    Args:
        description: the text of the domain.
        example: a problem of the domain, as `PddlDomain.add` returns it.
    """
    state, problem = example
    values = _VALUES if "values" in state else ""
    return Opening(
        _SUCC.format(description=description.strip(), values=values, state=state, problem=problem),
        _ISGOAL.format(goal=problem["goal"]),
    )


class CheckOutcome(NamedTuple):
    """The result of the checks after one reply."""

    stage: Stage
    """The last stage that began."""
    source: CodeSource | None = None
    """The function of the reply; None if it has none."""
    failure: Failure | None = None
    """The first failure, or None."""
    version: str = VERSION
    """The version of this package that made the checks; ``-`` if it did not store it."""

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as the fields of a stored line."""
        failure, source = self.failure, self.source
        return {
            "stage": self.stage,
            "code": None if source is None else source.code,
            "name": None if source is None else next(iter(source.names.values())),
            "category": None if failure is None else failure.category,
            "blamed": None if failure is None else failure.function,
            "reason": None if failure is None else failure.reason,
            "feedback": None if failure is None else feedback(failure.fault),
            "version": self.version,
        }


def outcome_from_json(fields: Mapping[str, Any], function: str) -> CheckOutcome:
    """Return an outcome from the fields of a stored line.

    Args:
        fields: what `Outcome.to_json` returned.
        function: the function that the reply was to contain, ``succ`` or ``isgoal``.

    Raises:
        KeyError, ValueError, TypeError: the fields have another form.
    """
    source = failure = None
    if fields["code"] is not None:
        source = CodeSource(str(fields["code"]), {function: str(fields["name"])})
    if fields["category"] is not None:
        failure = Failure(
            Category(fields["category"]),
            str(fields["blamed"]),
            str(fields["reason"]),
            fault_of("stored", text=str(fields["feedback"])),
        )
    version = str(fields.get("version", NO_NUMBER))
    return CheckOutcome(Stage(fields["stage"]), source, failure, version)


MAX_CALLS: Final = 10
"""The maximum number of calls of the model for a function (section 5)."""


class End(StrEnum):
    """How a conversation ends."""

    ACCEPTED = "accepted"
    """Both functions passed all checks."""
    CALLS_USED = "calls-used"
    """A function failed a check after the last call that is allowed for it."""


class Request(NamedTuple):
    """What the model is asked next."""

    function: str
    """``succ`` or ``isgoal``."""
    prompt: str


class Loop:
    """One conversation, up to its end."""

    def __init__(self, opening: Opening, max_calls: int = MAX_CALLS) -> None:
        self._opening = opening
        self._max_calls = max_calls
        self.messages = [Message("system", SYSTEM)]
        """The conversation so far, without the next request."""
        self.request: Request | None = Request(SUCC, opening.succ)
        """The next request; None at the end."""
        self.end: End | None = None
        """How the conversation ended; None before its end."""
        self.calls = {SUCC: 0, ISGOAL: 0}
        """The number of calls of the model by function."""
        self.sources = dict[str, CodeSource]()
        """The last functions by role."""

    def receive(self, text: str, outcome: CheckOutcome) -> None:
        """Advance by the model's reply to the request, and the outcome of its checks.

        Raises:
            ValueError: the conversation has ended.
        """
        if self.request is None:
            raise ValueError("the conversation has ended")
        function, prompt = self.request
        self.messages += [Message("user", prompt), Message("assistant", text)]
        self.calls[function] += 1
        if outcome.source is not None:
            self.sources[function] = outcome.source
        if outcome.failure is not None:
            self._ask(outcome.failure.function, feedback(outcome.failure.fault))
        elif ISGOAL not in self.sources:
            self._ask(ISGOAL, self._opening.isgoal)
        else:
            self.request, self.end = None, End.ACCEPTED

    def _ask(self, function: str, prompt: str) -> None:
        if self.calls[function] < self._max_calls:
            self.request = Request(function, prompt)
        else:
            self.request, self.end = None, End.CALLS_USED


@dataclass(frozen=True, slots=True)
class Checker:
    """The checks of one domain."""

    domain: Domain
    tests: UnitTests
    bounds: Bounds
    """The limits of each search."""
    call_s: float = CALL_S
    """The time limit of each call of a function, in seconds."""
    soundness: bool = True
    """Whether to apply the partial soundness test of transitions (in step 3)."""
    completeness: bool = True
    """Whether to look for the known successors (step 4)."""

    def check(self, reply: str, function: str, others: Mapping[str, CodeSource]) -> CheckOutcome:
        """Check the function of a reply.

        The goal tests need `isgoal` only; the stages after them need both functions. They are
        skipped as long as one is missing.

        Args:
            reply: the model's text.
            function: the function that it was asked for, ``succ`` or ``isgoal``.
            others: the last functions by role; that of the reply replaces one.
        """
        try:
            source = function_in(reply, function)
        except CodeFails as error:
            return CheckOutcome(Stage.RESPONSE, None, error.failure)
        sources = {**others, function: source}
        if ISGOAL not in sources:
            return CheckOutcome(Stage.RESPONSE, source)
        checked = Checked()
        try:
            if function == ISGOAL:
                self._goal_tests(sources[ISGOAL], checked)
            if SUCC in sources:
                self._with_both((sources[SUCC], sources[ISGOAL]), checked)
        except CodeFails as error:
            checked.failure = error.failure
        return CheckOutcome(checked.stage, source, checked.failure)

    def _goal_tests(self, isgoal: CodeSource, checked: Checked) -> None:
        # A fault of `succ`, such as an endless loop at its import, does not concern these tests.
        with Functions((isgoal,), self.call_s) as functions:
            self._checks(functions, checked).goal_tests(self.tests)

    def _with_both(self, sources: tuple[CodeSource, ...], checked: Checked) -> None:
        with Functions(sources, self.call_s) as functions:
            checks = self._checks(functions, checked)
            checks.soundness(self.tests)
            if self.completeness:
                checks.completeness(self.tests)

    def _checks(self, functions: Functions, checked: Checked) -> Checks:
        guarded = Guarded(functions, self.domain, partial_soundness=self.soundness)
        return Checks(guarded, self.domain, self.bounds, checked)
