"""TRL: a reward function for its trainers, such as ``GRPOTrainer``. It does not require TRL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from pddl_pipeline.model.errors import InputError, check_type
from pddl_pipeline.scoring.answer import completion_text
from pddl_pipeline.scoring.reward import rewards
from pddl_pipeline.translators.field_checks import FieldFault

Completion = str | Sequence[Mapping[str, Any]]
"""A text, or the messages of a chat."""


def plan_reward(
    prompts: Sequence[object],
    completions: Sequence[Completion],
    completion_ids: object = None,
    **columns: Any,
) -> list[float]:
    """Return `Reward.value` for each completion: a number from 0 to 1.

    Args:
        prompts: the prompts, which do not matter.
        completions: the completions: texts, messages or choices, of which the last one counts.
        completion_ids: the tokens, which do not matter.
        columns: the columns of the dataset, with a value for each completion, whose rows hold the
            problems; see `instance_of`. Other arguments of a trainer do not matter.

    Raises:
        InputError: the columns hold no instance for a completion, or an invalid one; or a
            completion is neither a text nor messages.
    """
    del prompts, completion_ids
    check_type("completions", completions, list | tuple, "a list of texts, messages or choices")
    known = {
        name: values
        for name, values in columns.items()
        if isinstance(values, Sequence) and not isinstance(values, str)
    }
    for name, values in known.items():
        if len(values) != len(completions):
            found = f"found {len(values)} values for {len(completions)} completions"
            raise InputError(f"column '{name}': {found}")
    rows = [{name: known[name][index] for name in known} for index in range(len(completions))]
    return [each.value for each in rewards(rows, map(_text, count(1), completions))]


def _text(number: int, completion: Completion) -> str:
    try:
        return completion_text(completion)
    except FieldFault as fault:
        raise InputError(f"row {number}: {fault}") from None
