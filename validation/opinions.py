"""Compare other validators' opinions with the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from pddl_pipeline.model.number import Number, number_text
from pddl_pipeline.model.verdict import Opinion, Status, Verdict

_NOT_VALID: Final = (Status.INVALID, Status.MALFORMED)
_COST_PRECISION: Final = Fraction(1, 10**9)
"""Relative precision; other validators print ten digits."""


def with_opinions(verdict: Verdict, opinions: Mapping[str, Opinion]) -> Verdict:
    """Return the verdict with these opinions; ``disputed`` if one of them contradicts it.

    An opinion contradicts the verdict if one is valid and the other invalid or malformed, if both
    are valid but the costs differ, or if the other validator read the problem differently. An
    undecided opinion contradicts nothing. The reason of a disputed verdict includes the reasons of
    both sides.
    """
    every = {**verdict.opinions, **opinions} if verdict.opinions else opinions
    contrary = [name for name, opinion in opinions.items() if _contradicts(verdict, opinion)]
    if not contrary:
        return verdict._replace(opinions=every)
    sides = [f"pddl-pipeline: {verdict.status}{_because(verdict.reason, verdict.cost)}"]
    sides += [f"{n}: {o.status}{_because(o.reason, o.cost)}" for n, o in opinions.items()
              if n in contrary]  # fmt: skip
    return verdict._replace(
        status=Status.DISPUTED,
        reason="; ".join(sides),
        opinions=every,
    )


def _contradicts(verdict: Verdict, opinion: Opinion) -> bool:
    if opinion.status is Status.DISPUTED:
        return True
    if verdict.status is Status.VALID and opinion.status is Status.VALID:
        return _differ(verdict.cost, opinion.cost)
    if verdict.status is Status.VALID:
        return opinion.status in _NOT_VALID
    return verdict.status in _NOT_VALID and opinion.status is Status.VALID


def _differ(ours: Number | None, theirs: Number | None) -> bool:
    if ours is None or theirs is None:
        return False
    mine, other = Fraction(ours), Fraction(theirs)
    return abs(mine - other) > max(abs(mine), Fraction(1)) * _COST_PRECISION


def _because(reason: str | None, cost: Number | None) -> str:
    known = [reason] if reason else []
    known += [f"cost {number_text(cost)}"] if cost is not None else []
    return f" ({', '.join(known)})" if known else ""


def opinions_json(opinions: Mapping[str, Opinion]) -> dict[str, Any]:
    """Return the opinions in the form of ``validate --json``."""
    return {name: {"status": str(o.status), "reason": o.reason} for name, o in opinions.items()}
