"""Reduces a large countdown instance to a small one whose plans extend to the large one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random
from typing import Final, NamedTuple

from pddl_pipeline.countdown.arithmetic import Ratio
from pddl_pipeline.model.plan import Step

# Eight numbers of this size make almost all numbers below it.
_EASY_TARGET: Final = 10_000
# Upper limits for the results of sums and products.
_CAPS: Final = (20, 100, 1000)


class Part(NamedTuple):
    """An object with its value, and the steps that make it."""

    name: str
    value: Ratio
    steps: tuple[Step, ...] = ()


Operand = tuple[str, Part]
"""An action, and its second argument."""


def combined(action: str, first: Part, second: Part, value: Ratio) -> Part:
    """Return the result of an action on two parts."""
    step = Step(action, (first.name, second.name))
    return Part(first.name, value, (*first.steps, *second.steps, step))


def reduced(
    parts: Sequence[Part], target: int, size: int, random: Random
) -> tuple[list[Part], int, list[Operand]]:
    """Reduce an instance of whole numbers to an instance of `size` numbers.

    Returns:
        The parts and the target of the smaller instance, and the actions to apply to its result.
    """
    parts, after = list(parts), list[Operand]()
    # A product with one of the numbers brings the target within reach of the others.
    while target > _EASY_TARGET and len(parts) > size + 1:
        found = list(_quotients(parts, target))
        if not found:
            break
        target, operands = random.choice(found)
        used = {part.name for _, part in operands}
        parts = [part for part in parts if part.name not in used]
        after[:0] = operands
    cap = random.choice(_CAPS)
    while len(parts) > size:
        one, other = random.sample(parts, 2)
        merged = _merged(one, other, cap, random)
        parts = [*(part for part in parts if part not in (one, other)), merged]
    return parts, target, after


def _quotients(parts: Sequence[Part], target: int) -> Iterator[tuple[int, list[Operand]]]:
    """Yield each q for which q*x, q*x + y or q*x - y is the target, with these operations."""
    for part in parts:
        x, _ = part.value
        if x > 1 and target % x == 0:
            yield target // x, [("multiply", part)]
    for part, other in permutations(parts, 2):
        (x, _), (y, _) = part.value, other.value
        if x > 1 and y % x:
            if target > y and (target - y) % x == 0:
                yield (target - y) // x, [("multiply", part), ("add", other)]
            if (target + y) % x == 0:
                yield (target + y) // x, [("multiply", part), ("subtract", other)]


def _merged(one: Part, other: Part, cap: int, random: Random) -> Part:
    """Return two parts combined to a whole number."""
    one, other = sorted((one, other), key=lambda part: part.value[0], reverse=True)
    x, y = one.value[0], other.value[0]
    ways = [("subtract", x - y)]
    if x + y <= cap:
        ways.append(("add", x + y))
    if x * y <= cap:
        ways.append(("multiply", x * y))
    if y and x % y == 0:
        ways.append(("divide", x // y))
    # Avoid zeros, which are of little use.
    action, value = random.choice([way for way in ways if way[1]] or ways)
    return combined(action, one, other, (value, 1))
