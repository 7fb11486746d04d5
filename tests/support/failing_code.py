"""Right and wrong functions as models write them, with the findings of AutoToS's checks."""

from __future__ import annotations

from typing import NamedTuple

SUCC_24 = """def succ(state):
    found = []
    for i in range(len(state)):
        for j in range(len(state)):
            if i != j:
                rest = [state[k] for k in range(len(state)) if k not in (i, j)]
                x, y = state[i], state[j]
                found += [rest + [z] for z in (x + y, x * y, x - y)]
                found += [rest + [x / y]] if y else []
    return found
"""
GOAL_24 = """def isgoal(state):
    return len(state) == 1 and abs(state[0] - 24) < 1e-6
"""
MOVES = """
def succ(state, grid):
    x, y = state['at-player']
    found = []
    for a, b in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
        if grid[a][b] != 1:
            found.append({'at-player': (a, b), 'at-stone': state['at-stone']})
    return found
def isgoal(state, grid):
    return all(grid[x][y] == 2 for x, y in state['at-stone'])
"""
BLOCKS = """
from copy import deepcopy
def succ(state):
    found = []
    for block in state['clear']:
        after = deepcopy(state)
        after['clear'].remove(block)
        after['holding'], after['arm-empty'] = block, False
        found.append(after)
    return found
def isgoal(state, goal):
    return all(x in state[k] for k in goal for x in goal[k])
"""
_ENDLESS = MOVES.replace("if grid[a][b] != 1", "if (a, b) not in state['at-stone']")
_RANDOM = """import random
def succ(state):
    return [state[1:-1] + [random.random()]]
def isgoal(state):
    return state == [24] or bool(state) and 0 < state[-1] < 1
"""
_POPPING = """def succ(state):
    if len(state) < 2: return []
    state[0] += state.pop()
    return [state[:]]
"""


def goal(answer: str) -> str:
    """Return the code of a goal test of the 24 game."""
    return f"def isgoal(state):\n    return {answer}\n"


class Case(NamedTuple):
    category: str
    function: str
    stage: str
    code: str
    domain: str = "24game"


CASES = {
    "too short": Case(
        "succ-soundness", "succ", "soundness", SUCC_24.replace("rest + [z]", "[z]") + GOAL_24
    ),
    "with actions": Case(
        "succ-soundness", "succ", "soundness",
        SUCC_24.replace("rest + [z]", "(rest + [z], 'add')") + GOAL_24,
    ),
    "nested": Case(
        "succ-soundness", "succ", "soundness",
        SUCC_24.replace("rest + [z]", "[[z]] * len(state[1:])") + GOAL_24,
    ),
    "negative": Case(
        "succ-soundness", "succ", "soundness",
        SUCC_24 + "def isgoal(state, target):\n    return state == [target]", "countdown",
    ),
    "lists of lists": Case(
        "succ-soundness", "succ", "soundness",
        BLOCKS.replace("after['clear'].remove(block)", "after['clear'] = [[block]]"), "blocksworld",
    ),
    "towers": Case("succ-soundness", "succ", "soundness", BLOCKS, "blocksworld"),
    "through stones": Case("succ-soundness", "succ", "soundness", MOVES, "sokoban"),
    "random": Case("succ-soundness", "succ", "soundness", _RANDOM),
    "changing": Case("input-changed", "succ", "soundness", _POPPING + GOAL_24),
    "goal test that changes": Case(
        "input-changed", "isgoal", "goal-tests",
        SUCC_24 + goal("bool(state) and state.pop() == 24 and not state"),
    ),
    "no division": Case(
        "succ-completeness", "succ", "completeness",
        SUCC_24.replace("if y else", "if False else") + GOAL_24,
    ),
    "nothing": Case(
        "succ-completeness", "succ", "completeness", "def succ(state):\n    return []\n" + GOAL_24
    ),
    "24 and more": Case("isgoal-soundness", "isgoal", "goal-tests", SUCC_24 + goal("24 in state")),
    "never": Case("isgoal-soundness", "isgoal", "goal-tests", SUCC_24 + goal("state == 24")),
    "goal on the way": Case(
        "isgoal-soundness", "isgoal", "soundness", SUCC_24 + goal("state in ([24], [5, 5])")
    ),
    "by zero": Case(
        "succ-exception", "succ", "soundness", SUCC_24.replace("if y else []", "") + GOAL_24
    ),
    "none": Case("succ-exception", "succ", "soundness", "def succ(state): pass\n" + GOAL_24),
    "exit": Case(
        "succ-exception", "succ", "soundness",
        "import os\ndef succ(state): os._exit(0)\n" + GOAL_24,
    ),
    "later": Case(
        "succ-exception", "succ", "completeness",
        SUCC_24.replace("found = []", "found = [][:1 // (state != [2, 3, 4, 24])]") + GOAL_24,
    ),
    "empty": Case("isgoal-exception", "isgoal", "goal-tests", SUCC_24 + goal("state[0] == 24")),
    "five": Case(
        "isgoal-exception", "isgoal", "soundness",
        SUCC_24 + goal("1 // (5 not in state) and state == [24]"),
    ),
    "out of the map": Case(
        "search-timeout", "succ", "soundness", _ENDLESS.replace("grid[a][b]", "0"), "sokoban"
    ),
    "no list": Case(
        "succ-exception", "succ", "soundness", MOVES.replace("found = []", "found = [][0]"),
        "sokoban",
    ),
    "by zero at the goal": Case(
        "isgoal-exception", "isgoal", "goal-tests", MOVES.replace("return all", "1 / 0"), "sokoban"
    ),
    "always": Case(
        "isgoal-soundness", "isgoal", "goal-tests",
        BLOCKS[: BLOCKS.index("def isgoal")] + "def isgoal(state, goal):\n    return True",
        "blocksworld",
    ),
    "endless": Case(
        "succ-timeout", "succ", "soundness", "def succ(state):\n    while True: pass\n" + GOAL_24
    ),
    "endless goal test": Case(
        "isgoal-timeout", "isgoal", "goal-tests",
        SUCC_24 + "def isgoal(state):\n    while state != [24]: pass\n    return True",
    ),
    "no code": Case("unparsable-response", "succ", "response", "I am sorry."),
    "no goal test": Case("unparsable-response", "isgoal", "response", SUCC_24),
    "no colon": Case("unparsable-response", "succ", "response", "def succ(state)\n" + GOAL_24),
}  # fmt: skip
