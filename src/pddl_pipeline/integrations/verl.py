"""verl: ``compute_score`` for ``custom_reward_function.path``. It does not require verl."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pddl_pipeline.integrations.sample_instances import instance_in
from pddl_pipeline.scoring.reward import reward


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
        ground_truth: this project's record, as an object or as JSON.
        extra_info: if it has ``record``, or ``domain_pddl`` and ``problem_pddl``, these count
            instead; see `instance_in`.
        others: further arguments of verl, which do not matter.

    Raises:
        InputError: there is no instance, or an invalid one.
    """
    del data_source, others
    info = extra_info or {}
    has_own = "record" in info or "problem_pddl" in info
    return reward(instance_in(info if has_own else {"record": ground_truth}), solution_str).value
