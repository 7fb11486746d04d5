"""The domains of AutoToS, and the 24 game by its rules.

In the 24 game, numbers may be negative, division produces floats, and 24 is reached within 0.001.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pddl_pipeline.search.black_boxes.domain import Domain
from pddl_pipeline.search.black_boxes.domains import blocksworld, countdown, sokoban
from pddl_pipeline.search.black_boxes.domains.countdown import TOLERANCE, key, length_misstep, same
from pddl_pipeline.search.space import State

TARGET: Final = 24


def succ(state: State) -> Iterator[State]:
    """Yield the successors of a state."""
    for second, y in enumerate(state):
        for first, x in enumerate(state[:second]):
            others = [*state[:first], *state[first + 1 : second], *state[second + 1 :]]
            for result in _results(x, y):
                yield sorted([*others, result])


def _results(x: float, y: float) -> Iterator[float]:
    yield x + y
    yield x * y
    yield x - y
    yield y - x
    if y:
        yield x / y
    if x:
        yield y / x


def isgoal(state: State) -> bool:
    """Return whether one number is left, and it is 24 except for rounding."""
    return len(state) == 1 and abs(state[0] - TARGET) <= TOLERANCE


DOMAIN: Final = Domain(
    name="24game",
    succ=succ,
    isgoal=isgoal,
    key=key,
    tidy=lambda value: value,
    check_transition=length_misstep,
    same=same,
)
DOMAINS: Final = {
    each.name: each for each in (blocksworld.DOMAIN, countdown.DOMAIN, DOMAIN, sokoban.DOMAIN)
}
"""All domains, by name."""
