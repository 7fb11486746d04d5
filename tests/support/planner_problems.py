"""Problems for planners: the samples of the domains, and problems that take long."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from pddl_pipeline import translate
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.translators.records import from_record

LIMITS = Limits(time_s=120)
# Far too hard for the planners of these tests.
HARD_COUNTDOWN = {
    "id": "hard",
    "domain": "countdown",
    "numbers": [83, 97, 89, 79, 73, 71, 67, 61, 59, 53, 47, 43],
    "target": 987654321,
}


def sample(name: str) -> Problem:
    folder = domain_folder(name)
    return Problem((folder / "domain.pddl").read_text(), (folder / "p01.pddl").read_text())


def hard_blocksworld() -> Problem:
    blocks = [f"b{number}" for number in range(40)]
    goal = [["on", x, y] for y, x in pairwise(blocks)]
    init = [blocks[start::3] for start in range(3)]
    record = {"id": "hard", "domain": "blocksworld", "init": init, "holding": None, "goal": goal}
    return translate(from_record(record))


def mixed_blocksworld(count: int) -> Problem:
    """Return a problem that is solved at once, but takes long to solve optimally."""
    blocks = [f"b{number}" for number in range(count)]
    mixed = Random(4).sample(blocks, count)
    goal = [["on", x, y] for x, y in pairwise(mixed)]
    record = {"id": "m", "domain": "blocksworld", "init": [blocks], "holding": None, "goal": goal}
    return translate(from_record(record))
