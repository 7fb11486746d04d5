"""The system prompt and the initial prompts of AutoToS (step 1).

The texts for the 24 game, blocksworld and Sokoban are a format, in the original wording
(IBM/AutoToS, MIT licence), so that conversations are comparable with the published ones. The text
for countdown is this project's, in the same form.
"""

from __future__ import annotations

from typing import Final, NamedTuple

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
