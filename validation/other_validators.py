"""Other validators by name. Each is imported only when it is requested."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.model.verdict import Opinion
from pddl_pipeline.validation.task import Task

VALIDATORS: Final = ("up", "val")


class OtherValidator(Protocol):
    """A validator that reads one problem independently and judges its plans."""

    name: str

    def judge(self, plan: str) -> Opinion:
        """Return the validator's opinion on the text of a plan."""


def open_validators(
    names: Sequence[str], domain: str, problem: str, task: Task
) -> list[OtherValidator]:
    """Return the validators with these names for a domain and problem given as text.

    Raises:
        InputError: a name is unknown.
        EngineError: a validator is not installed.
    """
    return [_open(name, domain, problem, task) for name in names]


def _open(name: str, domain: str, problem: str, task: Task) -> OtherValidator:
    if name == "up":
        from pddl_pipeline.validation.up_opinion import UnifiedPlanning  # noqa: PLC0415

        return UnifiedPlanning(domain, problem, task)
    if name == "val":
        from pddl_pipeline.validation.val.opinion import Val  # noqa: PLC0415

        return Val(domain, problem, task)
    raise InputError(f"unknown validator '{name}'{hint(name, VALIDATORS)}")
