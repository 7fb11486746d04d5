"""What each command returns on each kind of data."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from pddl_pipeline.model.number import Number


class Row(NamedTuple):
    """The expected result of each command on a kind of data, or the reason why it is rejected."""

    translate: int
    """Number of problems."""
    run: str
    """The planner that solves all of them."""
    solve: Number | str
    """Cost of the plan that the planner finds."""
    validate: Number | str
    """Cost of the valid plan; an invalid plan is validated with it."""
    score: str
    """Accuracy of a right and a wrong answer to one instance."""
    prompt: str
    """The statement of the prompts, one for each instance."""
    questions: int | str
    """Number of questions; if there are none, there are no prompts either."""
    report: tuple[str, float | str]
    """Domain of the runs, and mean cost of the plans."""
    show: str
    """Domain of the picture on the plans' pages."""
    equivalent: str = "equivalent"
    """The data compared with their translation."""


NO_PDDL = "expected (define …)"


READING = (
    ": (read as|no ids|rows without|column|extra fields|countdown rules|ids are in)"
    "|needs the requirement"
)


BINARY = "error: mine.parquet:"


NOT_CLASSICAL = "domain.pddl:18: a durative action is not classical"


NO_SUCCESSORS = "domain.pddl:7: a process is not classical"


TABLE: dict[str, Row] = {
    "own-blocksworld": Row(
        2, "lama-first", NO_PDDL, NO_PDDL, "1/2", "planbench", 22, ("blocksworld", 5), "blocksworld"
    ),
    "own-budget-blocksworld": Row(
        2,
        "seq-opt-lmcut",
        NO_PDDL,
        NO_PDDL,
        "1/2",
        "cats",
        20,
        ("budget-blocksworld", "27/2"),
        "blocksworld",
    ),
    "own-countdown": Row(
        2, "enhsp", NO_PDDL, NO_PDDL, "1/2", "countdown", 11, ("countdown", 4), "countdown"
    ),
    "own-depots": Row(
        2, "lama-first", NO_PDDL, NO_PDDL, "1/2", "planbench", 15, ("depots", "25/2"), "depots"
    ),
    "own-ferry": Row(
        2, "lama-first", NO_PDDL, NO_PDDL, "1/2", "simplan", 19, ("ferry", 8), "ferry"
    ),
    "own-grippers": Row(
        2, "lama-first", NO_PDDL, NO_PDDL, "1/2", "simplan", 18, ("grippers", 7), "grippers"
    ),
    "own-minigrid": Row(
        2, "lama-first", NO_PDDL, NO_PDDL, "1/2", "simplan", 19, ("minigrid", 8), "minigrid"
    ),
    "own-sokoban": Row(
        2, "lama-first", NO_PDDL, NO_PDDL, "1/2", "simplan", 18, ("sokoban", "3/2"), "sokoban"
    ),
    "translated-ferry": Row(2, "lama-first", 9, 9, "1/2", "simplan", 19, ("ferry", 8), "ferry"),
    "translated-gripper": Row(
        2, "lama-first", 5, 5, "1/2", "pddl", 21, ("gripper-strips", "9/2"), "gripper"
    ),
    "foreign-gripper-folder": Row(
        2, "lama-first", 5, 5, "1/2", "pddl", 21, ("gripper-strips", "9/2"), "gripper"
    ),
    "foreign-gripper-problem": Row(
        1, "lama-first", 5, 5, "1/2", "pddl", 11, ("gripper-strips", 5), "gripper"
    ),
    "foreign-mystery-folder": Row(
        2, "lama-first", 4, 4, "1/2", "planbench", 22, ("mystery-4ops", 4), "mystery"
    ),
    "foreign-numeric-folder": Row(2, "enhsp", 3, 3, "1/2", "pddl", 14, ("van", "5/2"), "general"),
    "foreign-derived-folder": Row(
        2, "lama-first", 3, 3, "1/2", "pddl", 20, ("grid", "5/2"), "general"
    ),
    "foreign-costs-folder": Row(
        2, "seq-opt-lmcut", 4, 4, "1/2", "pddl", 20, ("errand", "11/2"), "general"
    ),
    "foreign-temporal-folder": Row(
        2,
        "kairos",
        Fraction(20501, 500),
        Fraction(206, 5),
        "1/2",
        "",
        NOT_CLASSICAL,
        ("satellite", "26501/500"),
        "general",
    ),
    "foreign-plus-folder": Row(2, "enhsp", 2, 2, "1/2", "", NO_SUCCESSORS, ("tank", 2), "general"),
    "generated-3-partition": Row(
        2, "dfs", NO_PDDL, NO_PDDL, "1/2", "countdown", 11, ("countdown", 6), "countdown"
    ),
    "24game": Row(
        2, "enhsp", NO_PDDL, NO_PDDL, "1/2", "countdown", 13, ("countdown", 4), "countdown"
    ),
    "reasoning-gym": Row(
        1, "enhsp", NO_PDDL, NO_PDDL, "1/2", "countdown", 6, ("countdown", 4), "countdown"
    ),
    "stream-of-search": Row(
        1, "enhsp", NO_PDDL, NO_PDDL, "1/2", "countdown", 6, ("countdown", 4), "countdown"
    ),
    "llm-reasoners": Row(
        1, "lama-first", NO_PDDL, NO_PDDL, "1/2", "planbench", 10, ("blocksworld", 4), "blocksworld"
    ),
    "rap": Row(
        1, "lama-first", NO_PDDL, NO_PDDL, "1/2", "planbench", 10, ("blocksworld", 4), "blocksworld"
    ),
    "autotos-folder": Row(
        1, "lama-first", 4, 4, "1/2", "planbench", 10, ("blocksworld", 4), "blocksworld"
    ),
    "autotos-states": Row(
        1, "lama-first", NO_PDDL, NO_PDDL, "1/2", "planbench", 10, ("blocksworld", 4), "blocksworld"
    ),
    "acpbench": Row(
        1, "lama-first", NO_PDDL, NO_PDDL, "1/2", "pddl", 11, ("gripper-strips", 5), "gripper"
    ),
    "user-csv": Row(
        2, "enhsp", NO_PDDL, NO_PDDL, "1/2", "countdown", 12, ("countdown", 4), "countdown"
    ),
    "user-pddl-table": Row(
        2, "lama-first", NO_PDDL, NO_PDDL, "1/2", "pddl", 21, ("gripper-strips", "9/2"), "gripper"
    ),
    "user-json-list": Row(
        2, "lama-first", NO_PDDL, NO_PDDL, "1/2", "simplan", 19, ("ferry", 8), "ferry"
    ),
    "user-parquet": Row(
        2, "enhsp", BINARY, BINARY, "1/2", "countdown", 12, ("countdown", 4), "countdown"
    ),
}
