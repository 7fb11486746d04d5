"""A scripted model, and functions that a model could write, right and wrong."""

from __future__ import annotations

from collections.abc import Sequence

from failing_code import GOAL_24, SUCC_24

from pddl_pipeline.endpoints.settings import Message, Reply


def fenced(code: str) -> str:
    return f"Here it is:\n```python\n{code}\n```\n"


SUCC = fenced(SUCC_24)
GOAL = fenced(GOAL_24)
WRONG_GOAL = fenced("def isgoal(state):\n    return 24 in state")
INCOMPLETE = fenced(SUCC_24.replace("if y else", "if False else"))
UNSOUND = fenced(SUCC_24.replace("rest + [z]", "[z]"))

# The states and problems of `pddl_pipeline.papers.autotos.pddl_domain`.
_ISGOAL = """def isgoal(state, problem):
    goal = problem['goal']
    atoms = goal[1:] if goal[0] == 'and' else (goal,)
    return all(atom in state['facts'] for atom in atoms)
"""
GRIPPER = (
    """def succ(state, problem):
    facts, fixed, found = set(state['facts']), set(problem['facts']), []
    def add(new, gone):
        found.append({'facts': sorted((facts - gone) | new)})
    rooms = [f[1] for f in fixed if f[0] == 'room']
    balls = [f[1] for f in fixed if f[0] == 'ball']
    hands = [f[1] for f in fixed if f[0] == 'gripper']
    (here,) = [f[1] for f in facts if f[0] == 'at-robby']
    for room in rooms:
        add({('at-robby', room)}, {('at-robby', here)} if room != here else set())
    for ball in balls:
        for hand in hands:
            if ('at', ball, here) in facts and ('free', hand) in facts:
                add({('carry', ball, hand)}, {('at', ball, here), ('free', hand)})
            if ('carry', ball, hand) in facts:
                add({('at', ball, here), ('free', hand)}, {('carry', ball, hand)})
    return found
""",
    _ISGOAL,
)
BLOCKS = (
    """def succ(state, problem):
    facts, found = set(state['facts']), []
    def add(new, gone):
        found.append({'facts': sorted((facts - gone) | new)})
    clear = [f[1] for f in facts if f[0] == 'clear']
    if ('handempty',) in facts:
        for block in clear:
            if ('ontable', block) in facts:
                add({('holding', block)},
                    {('ontable', block), ('clear', block), ('handempty',)})
            for _, top, below in [f for f in facts if f[:2] == ('on', block)]:
                add({('holding', top), ('clear', below)},
                    {('on', top, below), ('clear', top), ('handempty',)})
        return found
    (held,) = [f[1] for f in facts if f[0] == 'holding']
    free = {('clear', held), ('handempty',)}
    add(free | {('ontable', held)}, {('holding', held)})
    for block in clear:
        add(free | {('on', held, block)}, {('holding', held), ('clear', block)})
    return found
""",
    _ISGOAL,
)


class Stopped(BaseException):
    """The process ends here."""


class ScriptedModel:
    """A `ChatModel` whose replies are given; it counts what it is asked, and may stop then."""

    def __init__(self, replies: Sequence[str], most: int = 100) -> None:
        self._replies = replies
        self._most = most
        self.asked = list[tuple[Message, ...]]()

    def reply(self, messages: Sequence[Message]) -> Reply:
        if len(self.asked) == self._most:
            raise Stopped
        self.asked.append(tuple(messages))
        number = sum(message.role == "assistant" for message in messages)
        return Reply(self._replies[number], "stop", 7, 3, 0.5)
