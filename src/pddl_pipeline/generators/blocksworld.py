"""Blocksworld instances as SimPlan draws them: two states, uniformly over all there are.

SimPlan, Appendix D and Table 8: 2 to 5 blocks in simple and 11 to 25 in complex ones. The goal says
which block is to be on which, and not what is to be on the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pddl_pipeline.generators.blocks import random_pair
from pddl_pipeline.generators.generator import Draft, Generator
from pddl_pipeline.generators.simplan import METHOD, presets
from pddl_pipeline.translators.domains.blocksworld import Blocksworld

_SIMPLE: Final = range(2, 6)


@dataclass(frozen=True, slots=True)
class BlocksworldSettings:
    """Nothing but the number of blocks can be chosen."""


def _make(_: BlocksworldSettings, size: int, seed: int) -> tuple[Draft, ...]:
    pair = random_pair(seed, size)
    return () if pair is None else (Draft(Blocksworld(pair[0], None, pair[1])),)


GENERATORS: Final = (
    Generator(
        domain="blocksworld",
        method=METHOD,
        about="from one state to the stacks of another, both uniform over all states",
        settings=BlocksworldSettings,
        sizes=_SIMPLE,
        make=_make,
        presets=presets(_SIMPLE, range(11, 26)),
    ),
)
