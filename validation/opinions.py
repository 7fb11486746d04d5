"""Other validators' opinions beside our own verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pddl_pipeline.model.verdict import Opinion, Status, Verdict

_NOT_VALID = (Status.INVALID, Status.MALFORMED)


def with_opinions(verdict: Verdict, opinions: Mapping[str, Opinion]) -> Verdict:
    """Return the verdict with these opinions; ``disputed`` where one of them contradicts it.

    An opinion contradicts where one side says valid and the other invalid or malformed; an
    undecided one contradicts nobody. The reason of a dispute holds both sides' reasons.
    """
    contrary = [name for name, opinion in opinions.items() if _contradicts(verdict, opinion)]
    if not contrary:
        return replace(verdict, opinions={**verdict.opinions, **opinions})
    sides = [f"ours: {verdict.status}{_because(verdict.reason)}"]
    sides += [f"{n}: {opinions[n].status}{_because(opinions[n].reason)}" for n in contrary]
    return replace(
        verdict,
        status=Status.DISPUTED,
        reason="; ".join(sides),
        opinions={**verdict.opinions, **opinions},
    )


def _contradicts(verdict: Verdict, opinion: Opinion) -> bool:
    if verdict.status is Status.VALID:
        return opinion.status in _NOT_VALID
    return verdict.status in _NOT_VALID and opinion.status is Status.VALID


def _because(reason: str | None) -> str:
    return f" ({reason})" if reason else ""


def opinions_json(opinions: Mapping[str, Opinion]) -> dict[str, Any]:
    """Return the opinions in the form of ``validate --json``."""
    return {name: {"status": str(o.status), "reason": o.reason} for name, o in opinions.items()}
