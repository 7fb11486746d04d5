"""TRL: a reward function for its trainers, such as ``GRPOTrainer``. It does not require TRL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pddl_pipeline.integrations.sample_instances import instance_in
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.scoring.reward import rewards

Completion = str | Sequence[Mapping[str, Any]]
"""A text, or the messages of a chat."""
_COLUMNS: Final = ("record", "domain_pddl", "problem_pddl")


def plan_reward(
    prompts: Sequence[object], completions: Sequence[Completion], **columns: Any
) -> list[float]:
    """Return `Reward.value` for each completion: a number from 0 to 1.

    Args:
        prompts: the prompts, which do not matter.
        completions: the completions: texts or messages, of which the last one counts.
        columns: the columns of the dataset, with a value for each completion; see `instance_in`.
            Other arguments of a trainer do not matter.

    Raises:
        InputError: the columns hold no instance for a completion, or an invalid one.
    """
    del prompts
    known = {name: columns[name] for name in _COLUMNS if columns.get(name) is not None}
    if not known:
        raise InputError("the dataset has no column 'record', nor 'domain_pddl', 'problem_pddl'")
    for name, values in known.items():
        if len(values) != len(completions):
            found = f"found {len(values)} values for {len(completions)} completions"
            raise InputError(f"column '{name}': {found}")
    rows = (dict(zip(known, row, strict=True)) for row in zip(*known.values(), strict=True))
    return [each.value for each in rewards(map(instance_in, rows), map(text_of, completions))]


def text_of(completion: Completion) -> str:
    """Return the text of a completion; of messages, that of the last one."""
    if isinstance(completion, str):
        return completion
    content = completion[-1].get("content") if completion else None
    if isinstance(content, str) or content is None:
        return content or ""
    # The parts of a message: texts, pictures, calls of tools.
    parts = (part.get("text") for part in content if isinstance(part, Mapping))
    return "\n".join(part for part in parts if isinstance(part, str))
