"""Blocksworld instances as in SimPlan: two states, drawn uniformly over all states.

SimPlan, Appendix D and Table 8: 2 to 5 blocks in simple and 11 to 25 in complex instances. The goal
states which block is on which, but not which blocks are on the table.
"""

from __future__ import annotations

from typing import Final

from pddl_pipeline.generators.blocks import random_pair
from pddl_pipeline.generators.generator import METHOD, Draft, Generator, NoSettings, presets
from pddl_pipeline.translators.domains.blocksworld import Blocksworld

_SIMPLE: Final = range(2, 6)


def _make(_: NoSettings, size: int, seed: int) -> tuple[Draft, ...]:
    pair = random_pair(seed, size)
    return () if pair is None else (Draft(Blocksworld(*pair)),)


GENERATORS: Final = (
    Generator(
        domain="blocksworld",
        method=METHOD,
        about="initial state and goal stacks from two states, both uniform over all states",
        settings=NoSettings,
        sizes=_SIMPLE,
        make=_make,
        presets=presets(_SIMPLE, range(11, 26)),
    ),
)
