"""The draws of random walks, bit for bit those of `pddl_pipeline.countdown.walks.Draws`.

They must never change: every dataset generated from a seed would change, too.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pddl_pipeline.countdown.compiling import compiled
from pddl_pipeline.countdown.walks import GAMMA, MIX_1, MIX_2

_GAMMA: Final = np.uint64(GAMMA)
_MIX_1: Final = np.uint64(MIX_1)
_MIX_2: Final = np.uint64(MIX_2)
_LOW: Final = np.uint64(0xFFFFFFFF)
_LIMB: Final = np.uint64(32)
_RANGE: Final = np.uint64(1 << 32)


@compiled
def mix(state: np.uint64) -> Any:
    """Return the output function of splitmix64."""
    state = (state ^ (state >> np.uint64(30))) * _MIX_1
    state = (state ^ (state >> np.uint64(27))) * _MIX_2
    return state ^ (state >> np.uint64(31))


@compiled
def draw(state: npt.NDArray[np.uint64], operators: int, count: int) -> Any:
    """Return an operator and two positions; all triples are equally likely (Lemire 2019).

    32 random bits are a fraction. It is multiplied by each of the three bounds in turn; the integer
    part of each product is a digit, and the fraction continues.
    """
    total = np.uint64(count * (count - 1) * operators)
    while True:
        state[0] += _GAMMA
        first = (mix(state[0]) >> _LIMB) * np.uint64(count)
        second = (first & _LOW) * np.uint64(count - 1)
        operator = (second & _LOW) * np.uint64(operators)
        low = operator & _LOW
        if low >= total or low >= _RANGE % total:
            break
    one, other = np.int64(first >> _LIMB), np.int64(second >> _LIMB)
    return np.int64(operator >> _LIMB), one, other + (other >= one)
