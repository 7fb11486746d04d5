"""verl: ``compute_score`` for ``custom_reward_function.path``. It does not require verl."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pddl_pipeline.scoring.reward import reward
from pddl_pipeline.translators.datasets import instance_of
from pddl_pipeline.translators.formats.rows import structure


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: object,
    extra_info: Mapping[str, Any] | None = None,
    **others: object,
) -> float:
    """Return `Reward.value` of a solution: a number from 0 to 1.

    Args:
        data_source: the name of the dataset, which does not matter.
        solution_str: the model's text.
        ground_truth: the fields of the problem, as an object or as JSON; see `instance_of`.
        extra_info: if its fields hold a problem, it counts instead.
        others: further arguments of verl, which do not matter.

    Raises:
        InputError: there is no instance, or an invalid one.
    """
    del data_source, others
    return reward(instance_of(extra_info, structure(ground_truth)), solution_str).value
