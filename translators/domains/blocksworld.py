"""Blocksworld with four actions: blocks in stacks on a table, and a hand that holds one block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.translators.field_checks import FieldFault, check_atoms, check_names, natural
from pddl_pipeline.translators.problems import facts_named, goal_atoms, only, problem_text
from pddl_pipeline.translators.referee import Board, Fact, Move
from pddl_pipeline.translators.translator import Translator
from pddl_pipeline.validation.task import Task

_ARITY: Final = {"on": 2, "ontable": 1, "clear": 1, "holding": 1, "handempty": 0}


@dataclass(frozen=True, slots=True)
class Blocksworld:
    """The positions of the blocks, and the goal."""

    init: tuple[tuple[str, ...], ...]
    """Stacks, each from the bottom up. Their order has no meaning; they are kept sorted."""
    holding: str | None = field(default=None, kw_only=True)
    """The block in the hand; None, as without this field, for an empty hand."""
    goal: tuple[tuple[str, ...], ...]
    """Atoms: a predicate and its blocks. Kept sorted."""

    def __post_init__(self) -> None:
        if () in self.init:
            raise FieldFault("init", "found an empty stack")
        check_names("blocksworld", "init", (block for stack in self.init for block in stack))
        if self.holding is not None:
            check_names("blocksworld", "holding", [self.holding])
            if any(self.holding in stack for stack in self.init):
                raise FieldFault("holding", f"'{self.holding}' is also in a stack")
        if not self.blocks:
            raise FieldFault("init", "found no block")
        blocks = self.blocks
        check_atoms("goal", self.goal, {name: (blocks,) * arity for name, arity in _ARITY.items()})
        order = sorted(self.init, key=lambda stack: natural(stack[0]))
        object.__setattr__(self, "init", tuple(order))
        object.__setattr__(self, "goal", tuple(sorted(self.goal)))

    @property
    def blocks(self) -> list[str]:
        """All blocks, sorted."""
        held = () if self.holding is None else (self.holding,)
        return sorted([*held, *(block for stack in self.init for block in stack)], key=natural)


def facts_of(task: Blocksworld) -> Iterator[Fact]:
    """Yield the facts of the initial state."""
    for stack in task.init:
        yield ("ontable", stack[0])
        yield ("clear", stack[-1])
        for below, above in pairwise(stack):
            yield ("on", above, below)
    yield ("handempty",) if task.holding is None else ("holding", task.holding)


def _problem(instance: Instance[Blocksworld]) -> str:
    task = instance.record
    objects = dict.fromkeys(task.blocks)
    return problem_text(instance.id, "blocksworld", objects, facts_of(task), task.goal)


def recover(task: Task, _: str) -> Blocksworld:
    """Return the record of a parsed problem."""
    on = [(block, below) for _, block, below in facts_named(task, "on")]
    stacks = stacks_of(on, [bottom for _, bottom in facts_named(task, "ontable")])
    held = only([block for _, block in facts_named(task, "holding")])
    return Blocksworld(stacks, goal_atoms(task), holding=held)


def stacks_of(on: Iterable[tuple[str, str]], bottoms: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return the stacks on the given bottom blocks, in that order, each from the bottom up.

    Args:
        on: pairs of a block and the block below it.
        bottoms: the lowest blocks. Blocks above none of them are left out.
    """
    above = {below: block for block, below in on}
    stacks = []
    for bottom in bottoms:
        stack = [bottom]
        while stack[-1] in above:
            # Each block is used once, so that a cycle of blocks ends.
            stack.append(above.pop(stack[-1]))
        stacks.append(tuple(stack))
    return tuple(stacks)


_MOVES: Final = {
    "pick-up": Move(("block",), {"block": "TABLE"}, {"block": "HAND"}, ("HAND", "block")),
    "put-down": Move(("block",), {"block": "HAND"}, {"block": "TABLE"}),
    "stack": Move(("block", "below"), {"block": "HAND"}, {"block": "below"}, ("below",)),
    "unstack": Move(("block", "below"), {"block": "below"}, {"block": "HAND"}, ("HAND", "block")),
}


class _Table(Board):
    """The blocks on the table and in the hand."""

    def __init__(self, task: Blocksworld) -> None:
        where = {} if task.holding is None else {task.holding: "HAND"}
        for stack in task.init:
            # Each block is on the one before it, and the first is on the table.
            where.update(zip(stack, ("TABLE", *stack), strict=False))
        super().__init__(_MOVES, where, ["HAND"])

    def satisfies(self, atom: Fact) -> bool:
        match atom:
            case ("on", block, below):
                return self.where[block] == below
            case ("ontable", block):
                return self.where[block] == "TABLE"
            case ("holding", block):
                return self.where[block] == "HAND"
        return self.is_clear(atom[1] if len(atom) > 1 else "HAND")


def referee(instance: Instance[Blocksworld], plan: Plan) -> str | None:
    """Play the plan with blocks on a table; return the first fault, or None."""
    return _Table(instance.record).fault(plan, instance.record.goal)


TRANSLATOR = Translator(
    record_type=Blocksworld,
    size=lambda task: len(task.blocks),
    unit="blocks",
    problem=_problem,
    recover=recover,
    referee=referee,
)
