"""Translate planning datasets to PDDL, run planners under limits, and judge plans exactly.

The library in six names: `read_task`, `load_records`, `translate`, `solve`, `score`, `report`.
They are loaded when first used, so that judging a plan does not pay for the planners.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pddl_pipeline.reporting.report import report
    from pddl_pipeline.runs.solving import solve
    from pddl_pipeline.scoring.score import score
    from pddl_pipeline.translators import translate
    from pddl_pipeline.translators.datasets import load_records
    from pddl_pipeline.validation.task import read_task

_HOMES = {
    "load_records": "pddl_pipeline.translators.datasets",
    "read_task": "pddl_pipeline.validation.task",
    "report": "pddl_pipeline.reporting.report",
    "score": "pddl_pipeline.scoring.score",
    "solve": "pddl_pipeline.runs.solving",
    "translate": "pddl_pipeline.translators",
}

__all__ = ["load_records", "read_task", "report", "score", "solve", "translate"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'pddl_pipeline' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)
