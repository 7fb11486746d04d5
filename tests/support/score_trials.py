"""Scores and instances for tests of metrics and tables."""

from __future__ import annotations

from typing import Any

from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.translators.records import from_record

VALID = Verdict(Status.VALID, 4, 4)
INVALID = Verdict(Status.INVALID, 4, None, 1, "no")


def scored(name: str, right: int, attempt: int = 1, **of_answer: Any) -> Score:
    """Return the score of an answer whose strict and tolerant readings agree."""
    verdict = VALID if right else INVALID
    errors = () if right else (ErrorKind.GOAL,)
    return Score(name, attempt, verdict, verdict, errors, answer=Answer(name, **of_answer))


def countdown(name: str, size: int = 4, **extras: Any) -> Instance[Any]:
    """Return a countdown instance of `size` numbers."""
    record = {"numbers": list(range(1, size + 1)), "target": 24, **extras}
    return from_record({"id": name, "domain": "countdown", **record})


def budgeted(name: str, budget: int | None, **extras: Any) -> Instance[Any]:
    """Return a budget-blocksworld instance of two blocks."""
    return from_record({
        "id": name, "domain": "budget-blocksworld", "init": [["a", "b"]], "holding": None,
        "goal": [["on", "a", "b"]], "budget": budget,
        "costs": {"pick-up": 1, "unstack": 1, "put-down": 20, "stack": 1}, **extras,
    })  # fmt: skip
