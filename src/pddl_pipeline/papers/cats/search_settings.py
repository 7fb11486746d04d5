"""The settings of CATS."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.rewards.reward import RewardSettings
from pddl_pipeline.planners.planner import ADDED_LATER
from pddl_pipeline.translators.domains.budget_blocksworld import NODE_LIMIT


@dataclass(frozen=True)
class CatsSettings(RewardSettings):
    """The weight of the two rewards, the limit of the search, and the source of confidence."""

    omega: float = field(
        default=0.5,
        metadata={
            "help": "weight of confidence; that of distance is 1 - omega",
            "idle": {"reward": ("none",)},
        },
    )
    nodes: int = field(
        default=NODE_LIMIT,
        metadata={"help": "maximum number of expanded nodes of both trees together"},
    )
    meet: Literal["exhaustive", "first"] = field(
        default="exhaustive",
        metadata={
            "help": "when to end: at the first plan within the budget (exhaustive), or when the"
            " trees first meet (first)",
            **ADDED_LATER,
        },
    )
    goal: Literal["partial", "complete"] = field(
        default="partial",
        metadata={
            "help": "root of the backward tree: the goal as it is given (partial), or one complete"
            " state (complete)",
            **ADDED_LATER,
        },
    )
    mutexes: Literal["on", "off"] = field(
        default="on",
        metadata={
            "help": "whether the backward tree excludes states with pairs of atoms that never hold"
            " together",
            **ADDED_LATER,
        },
    )
    distance: Literal["jaccard", "printed"] = field(
        default="jaccard",
        metadata={
            "help": "J of equation 2: the Jaccard distance, or the formula as printed, which is the"
            " similarity",
            "idle": {"omega": (1.0,)},
            **ADDED_LATER,
        },
    )

    def __post_init__(self) -> None:
        RewardSettings.__post_init__(self)
        if not 0 <= self.omega <= 1:
            raise InputError(f"omega={self.omega:g}: expected 0 to 1")
        if self.nodes < 1:
            raise InputError(f"nodes={self.nodes}: expected 1 or more")
