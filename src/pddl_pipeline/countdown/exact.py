"""Solves countdown: finds a plan or proves that there is none; for many numbers, incompletely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from pddl_pipeline.countdown.compiling import has_numba
from pddl_pipeline.countdown.counts import check_numbers, out_of_range
from pddl_pipeline.countdown.reach import why_beyond_reach, with_sweep
from pddl_pipeline.countdown.reduction import Board, reduced
from pddl_pipeline.countdown.sweep import Sweep
from pddl_pipeline.countdown.trace import Expression, expression_of
from pddl_pipeline.model.plan import Plan, Step

# For instances that are too large to be solved completely: the sizes to which they are reduced, and
# the number of tries for each size. All tries together take about a minute, with or without numba.
_COMPILED_TRIES: Final = ((8, 20), (9, 10), (10, 5))
_PLAIN_TRIES: Final = ((7, 40), (8, 20))


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to an instance."""

    plan: Plan | None
    proof: bool = False
    """Whether it is proved that there is no plan."""
    reason: str = ""
    """Why there is no plan; empty if there is one."""
    values: int = 0
    """Number of computed values of sets of numbers."""


def solve_exact(numbers: Sequence[int], target: int, *, seed: int = 0) -> Answer:
    """Find a plan with the objects n1, n2 … in the order of the numbers, or prove there is none.

    The search is complete if `why_beyond_reach` returns None or the target is out of range. For
    other instances, numbers are combined pseudo-randomly and large targets are decomposed until the
    remaining instance can be decided.

    Raises:
        InputError: a number is negative, or there are no numbers.
        EngineError: numba is not installed but required, for more than nine numbers.
    """
    check_numbers(numbers, target)
    board = Board(tuple((f"n{at}", (x, 1)) for at, x in enumerate(numbers, start=1)), target)
    if out_of_range(numbers, target):
        return Answer(None, proof=True, reason="the numbers make only values below the target")
    beyond = why_beyond_reach(board.values, (target, 1))
    if beyond is None:
        return _decided(board)
    answer = _attempted(board, Random(seed))  # noqa: S311 -- no secret
    if answer.plan is not None:
        return answer
    return replace(answer, reason=f"{answer.reason}; {beyond}")


def _attempted(board: Board, random: Random) -> Answer:
    """Return a plan, or an answer without proof that none was found."""
    tries = _COMPILED_TRIES if has_numba() else _PLAIN_TRIES
    sizes = [size for size, times in tries for _ in range(times) if size < len(board.numbers)]
    values = 0
    for size in sizes:
        before, small, after = reduced(board, size, random)
        if why_beyond_reach(small.values, (small.target, 1)) is None:
            answer = _decided(small)
            values += answer.values
            if answer.plan is not None:
                return Answer(_joined(before, answer.plan, after), values=values)
    reason = f"no plan in {len(sizes)} reductions to at most {sizes[-1]} numbers"
    return Answer(None, reason=reason, values=values)


def _joined(before: list[Step], plan: Plan, after: list[tuple[str, str]]) -> Plan:
    """Return the reducing steps, the reduced board's plan and the final steps as one plan."""
    *steps, check = plan
    result = check.arguments[0]
    return Plan((*before, *steps, *(Step(action, (result, name)) for action, name in after), check))


def _decided(board: Board) -> Answer:
    """Return a plan, or a proof that there is none."""
    target = (board.target, 1)
    if len(board.values) > 1:
        found, values = with_sweep(board.values, target, _first)
    else:
        found, values = (0 if board.values[0] == target else None), 1
    if found is None:
        reason = "no sequence of operations leaves the target"
        return Answer(None, proof=True, reason=reason, values=values)
    steps: list[Step] = []
    result = _add_steps(found, board.names, steps)
    return Answer(Plan((*steps, Step("checkgoal", (result,)))), values=values)


def _first(sweep: Sweep[Any]) -> tuple[Expression | None, int]:
    """Return the expression of a solution, or None, and the number of computed values."""
    for meeting in sweep.meetings():
        if meeting.ways:
            return expression_of(sweep, meeting), sweep.values
    return None, sweep.values


def _add_steps(expression: Expression, names: Sequence[str], steps: list[Step]) -> str:
    """Add the steps that compute an expression; return the object that holds its value."""
    if isinstance(expression, int):
        return names[expression]
    first = _add_steps(expression.first, names, steps)
    second = _add_steps(expression.second, names, steps)
    steps.append(Step(expression.action, (first, second)))
    return first
