"""The numbers that CATS publishes on Budget-BlocksWorld: section 3, Table 1 and Appendix A."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

Costs = tuple[int, int, int, int]
"""The costs of picking up, unstacking, putting down and stacking, in the order of Table 1."""

UNIFORM: Final[Costs] = (1, 1, 1, 1)
CHOSEN: Final[Costs] = (1, 1, 20, 1)
"""The schedule of costs of the benchmark."""
TASKS: Final = 1008
BLOCKS: Final = 6
HORIZONS: Final = ("short", "mid", "long")
TOTAL: Final = "total"
_LAST_STEPS: Final = {"short": 8, "mid": 14}


class ShiftRates(NamedTuple):
    """A row of Table 1, in percent."""

    short: int
    mid: int
    long: int
    total: int


TABLE1: Final[Mapping[Costs, ShiftRates]] = {
    (20, 1, 1, 1): ShiftRates(80, 79, 95, 84),
    (1, 20, 1, 1): ShiftRates(81, 68, 76, 71),
    (1, 1, 20, 1): ShiftRates(86, 86, 96, 90),
    (1, 1, 1, 20): ShiftRates(74, 62, 75, 67),
    (20, 1, 20, 1): ShiftRates(62, 83, 97, 87),
    (1, 20, 1, 20): ShiftRates(21, 58, 79, 58),
    (20, 20, 1, 1): ShiftRates(48, 67, 85, 69),
    (1, 1, 20, 20): ShiftRates(44, 66, 83, 67),
    (20, 1, 1, 20): ShiftRates(26, 58, 80, 59),
    (1, 20, 20, 1): ShiftRates(53, 71, 75, 69),
}

LENGTHS: Final[Mapping[int, int]] = {
    2: 5, 4: 12, 6: 29, 8: 67, 10: 108, 12: 177, 14: 191, 16: 163, 18: 109, 20: 78, 22: 33,
    24: 20, 26: 7, 28: 6, 30: 2, 32: 1,
}  # fmt: skip
"""Appendix A: the number of tasks by the length of the plan."""


def horizon(steps: int) -> str:
    """Return short (2 to 8 steps), mid (10 to 14) or long."""
    return next((name for name, last in _LAST_STEPS.items() if steps <= last), HORIZONS[-1])


def costs_text(costs: Costs) -> str:
    """Return a schedule as the paper writes it, without the brackets."""
    return ",".join(map(str, costs))
