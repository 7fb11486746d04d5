"""Answers as folders, with the expected plan and trace. A new case requires no Python.

A case is ``answer.txt``, ``expected.json``, and ``record.json`` or a pair of PDDL files.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.scoring.score import score
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.records import from_record

CASES = Path(__file__).parent / "cases"


def instance_of(case: Path) -> Instance[Any]:
    if (case / "record.json").exists():
        return from_record(json.loads((case / "record.json").read_text()))
    texts = ((case / name).read_text() for name in ("domain.pddl", "problem.pddl"))
    return given_instance("t", *texts, {})


def found(result: Score) -> dict[str, Any]:
    """Return the actual values of the fields in expected.json."""
    return {
        "status": result.verdict.status,
        "strict_status": result.strict.status,
        "correct": result.correct,
        "errors": list(result.errors),
        "reason": result.verdict.reason,
        "plan": None if result.plan is None else [str(step) for step in result.plan],
        "trace": [f"{entry.line} {entry.action} {entry.step or '-'}" for entry in result.trace],
    }


@pytest.mark.parametrize("case", sorted(CASES.iterdir()), ids=lambda case: case.name)
def test_answer(case: Path) -> None:
    instance = instance_of(case)
    text = (case / "answer.txt").read_bytes().decode()
    (result,) = score([instance], [{"id": instance.id, "answer": text}])
    assert found(result) == json.loads((case / "expected.json").read_text())
