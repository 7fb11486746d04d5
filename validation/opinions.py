"""Compare other validators' opinions with the verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from pddl_pipeline.model.errors import ErrorKind, InputError
from pddl_pipeline.model.number import Number, number_text
from pddl_pipeline.model.suggestion import check_name
from pddl_pipeline.model.verdict import Opinion, Opinions, Status, Verdict

if TYPE_CHECKING:
    from pddl_pipeline.validation.task import Task

_GROUP: Final = "pddl_pipeline.validators"
_COST_PRECISION: Final = Fraction(1, 10**9)
"""Relative precision; other validators print ten digits."""


class Judge(Protocol):
    """Another validator, which has read one problem independently and judges its plans."""

    def judge(self, plan: str) -> Opinion:
        """Return the validator's opinion on the text of a plan."""


class Validator(NamedTuple):
    """Another validator. A distribution adds one by an entry point with the validator's name."""

    name: str
    open: Callable[[str, str, Task], Judge]
    """Reads a domain and a problem, given as texts and as this project's task.

    Raises `EngineError` if the validator is not installed."""


def open_validators(
    names: Sequence[str], domain: str, problem: str, task: Task
) -> dict[str, Judge]:
    """Return other validators by name, for a domain and problem given as text.

    Raises:
        InputError: a name is unknown.
        EngineError: a validator is not installed.
    """
    return {name: _validator(name).open(domain, problem, task) for name in names}


def _validator(name: str) -> Validator:
    # Only requested validators are imported: importing Unified Planning takes a second.
    from pddl_pipeline.model.discovery import plugin_named, plugin_names  # rare

    check_name(name, plugin_names(_GROUP), "unknown validator")
    found = plugin_named(_GROUP, name)
    if found.fault:
        raise InputError(f"validator '{name}' of {found.distribution}: {found.fault}")
    validators: tuple[Validator, ...] = found.module.VALIDATORS
    return next(validator for validator in validators if validator.name == name)


def with_opinions(verdict: Verdict, opinions: Mapping[str, Opinion]) -> Verdict:
    """Return the verdict with these opinions; ``disputed`` if one of them contradicts it.

    An opinion contradicts the verdict if one is valid and the other invalid or malformed, if both
    are valid but the costs differ, or if the other validator read the problem differently. An
    undecided opinion contradicts nothing. The reason of a disputed verdict includes the reasons of
    both sides.
    """
    every = Opinions({**verdict.opinions, **opinions})
    contrary = [name for name, opinion in opinions.items() if contradicts(verdict, opinion)]
    if not contrary:
        return verdict.replace(opinions=every)
    sides = [f"pddl-pipeline: {verdict.status}{_because(verdict.reason, verdict.cost)}"]
    sides += [
        f"{n}: {o.status}{_because(o.reason, o.cost)}" for n, o in opinions.items() if n in contrary
    ]
    return verdict.replace(
        status=Status.DISPUTED,
        reason="; ".join(sides),
        opinions=every,
        code=ErrorKind.DISPUTED,
    )


def contradicts(verdict: Verdict, opinion: Opinion) -> bool:
    """Return whether an opinion contradicts a verdict; see `with_opinions`."""
    if opinion.status is Status.DISPUTED:
        return True
    if verdict.status is Status.VALID and opinion.status is Status.VALID:
        if verdict.cost is None or opinion.cost is None:
            return False
        mine, other = Fraction(verdict.cost), Fraction(opinion.cost)
        return abs(mine - other) > max(abs(mine), Fraction(1)) * _COST_PRECISION
    return {verdict.status.is_valid, opinion.status.is_valid} == {True, False}


def _because(reason: str | None, cost: Number | None) -> str:
    known = [reason] if reason else []
    known += [f"cost {number_text(cost)}"] if cost is not None else []
    return f" ({', '.join(known)})" if known else ""
