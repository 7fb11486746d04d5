"""Countdown by the rules of Katz et al. (section 3), exact or over floats; a state is a list.

Two numbers become their sum, their product, their difference if it is not negative, or a quotient
if the divisor is positive. The project's states are sorted; their numbers are integers and
fractions, or floats for a study of the effects of floats.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from math import inf, isclose
from operator import truediv
from typing import Any, Final

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.operations import quotient
from pddl_pipeline.search.black_boxes.domain import Domain, Misstep, fault_of
from pddl_pipeline.search.space import NotAState, Space, State

Divide = Callable[[Any, Any], Any]
"""Return the quotient of two numbers: `quotient`, which is exact, or a float with `truediv`."""

TOLERANCE: Final = 1e-3
"""Numbers within this distance count as equal where floats are compared."""


def _results(x: Any, y: Any, divide: Divide) -> Iterator[Any]:
    """Yield the possible results for two numbers, with x at most y."""
    yield x + y
    yield x * y
    yield y - x
    # A float may overflow if the divisor is the rounding error of a difference of 0.
    if x > 0 and (above := divide(y, x)) < inf:
        yield above
    if y > 0 and x != y:
        yield divide(x, y)


def successors(state: State, divide: Divide, *, zeros: bool = True) -> Iterator[State]:
    """Yield the successors of a sorted state, one by one, each sorted.

    Args:
        state: numbers, sorted.
        divide: computes quotients.
        zeros: whether a result may be 0 while other numbers are left.
    """
    for second, y in enumerate(state):
        for first in range(second):
            x = state[first]
            others = state[:first] + state[first + 1 : second] + state[second + 1 :]
            for result in _results(x, y, divide):
                if result == 0 and others and not zeros:
                    continue
                after = others.copy()
                insort(after, result)
                yield after


def countdown_space(
    numbers: Iterable[int],
    target: int,
    *,
    floats: bool = False,
    zeros: bool = True,
    tolerance: float = 0,
) -> Space:
    """Return the state space of an instance, exact or over floats.

    Args:
        numbers: the numbers of the initial state.
        target: the number that must be left at the end.
        floats: whether to compute with floats.
        zeros: see `successors`.
        tolerance: maximum difference between the last float and the target.

    Raises:
        OverflowError: a number is too large for a float.
    """
    divide: Divide = truediv if floats else quotient
    start = sorted(map(float, numbers)) if floats else sorted(numbers)
    return Space(
        start,
        lambda state: successors(state, divide, zeros=zeros),
        lambda state: len(state) == 1 and abs(state[0] - target) <= tolerance,
        tuple if floats else _own_key,
    )


def _own_key(state: State) -> Hashable:
    # A fraction takes ten times as long to hash as its two numbers.
    return tuple([x if type(x) is int else x.as_integer_ratio() for x in state])


def succ(state: State) -> Iterator[State]:
    """Yield the successors of a state."""
    floats = any(isinstance(number, float) for number in state)
    return successors(sorted(state), truediv if floats else quotient)


def isgoal(state: State, target: Number) -> bool:
    """Return whether only the target is left."""
    return len(state) == 1 and state[0] == target


def key(state: State) -> Hashable:
    """Return a value that does not depend on the order of the numbers."""
    if isinstance(state, list | tuple) and all(
        isinstance(number, int | float | Fraction) for number in state
    ):
        return tuple(sorted(state))
    raise NotAState("found no list of numbers")


def same(one: State, other: State) -> bool:
    """Return whether two states differ only by rounding; see `TOLERANCE`."""
    pairs = zip(sorted(one), sorted(other), strict=False)
    return len(one) == len(other) and all(isclose(x, y, abs_tol=TOLERANCE) for x, y in pairs)


def check_transition(before: State, after: State, setting: Any) -> Misstep | None:
    """Check that there is one number less, and no negative number."""
    if min(after, default=0) < 0:
        return Misstep("a number is negative", fault_of("negative"))
    return length_misstep(before, after, setting)


def length_misstep(before: State, after: State, _setting: Any) -> Misstep | None:
    """Check that there is one number less."""
    if len(before) - len(after) != 1:
        return Misstep(f"{len(before)} numbers became {len(after)}", fault_of("length"))
    return None


DOMAIN: Final = Domain(
    name="countdown",
    succ=succ,
    isgoal=isgoal,
    key=key,
    tidy=lambda value: value,
    check_transition=check_transition,
    setting="target",
    same=same,
)
