"""Exit statuses of the commands; scripts depend on them."""

from __future__ import annotations

from typing import Final

DONE: Final = 0
"""Done; of `validate`, all plans valid; of `solve`, a validated plan."""
NOT_VALID: Final = 1
"""Of `validate`, some plan is invalid; of `solve`, no plan within the limits."""
BAD_INPUT: Final = 2
"""Bad input or usage, a plan that cannot be read included."""
UNEXPLAINED: Final = 3
"""A crash, or a plan on which there is no verdict."""
INTERRUPTED: Final = 130
NOT_READ: Final = 141
"""Whoever read the output has ended, as after ``| head``; what shells show of other programs."""

WORST_FIRST: Final = (BAD_INPUT, UNEXPLAINED, NOT_VALID, DONE)
"""The order in which mixed results win."""
