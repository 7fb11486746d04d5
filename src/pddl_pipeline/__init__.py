"""Translate planning datasets to PDDL, run planners under limits, and judge plans exactly.

    >>> from pddl_pipeline import read_task
    >>> read_task("domain.pddl", "problem.pddl").judge("(move rooma roomb)")
    <Verdict invalid: goal: (at ball1 roomb) does not hold>

Functions: `load_records` and `generate` return instances, `translate` writes one as PDDL, `run` and
`solve` run planners, `read_task`, `validate` and `score` judge plans, `report` summarises runs.
Names are loaded on first use, so that judging a plan does not import the planners.
"""

from __future__ import annotations

from importlib import import_module

# Type checkers know this name. Importing `typing` would take most of the import time.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from pddl_pipeline.generators.dataset import generate
    from pddl_pipeline.model.attempt import Attempt, Outcome
    from pddl_pipeline.model.errors import InputError, PddlError, PipelineError, PlanSyntaxError
    from pddl_pipeline.model.instance import Instance
    from pddl_pipeline.model.limits import Limits
    from pddl_pipeline.model.plan import Plan, Step
    from pddl_pipeline.model.problem import Problem
    from pddl_pipeline.model.result import RunResult
    from pddl_pipeline.model.verdict import Status, Verdict
    from pddl_pipeline.reporting.report import Report, report
    from pddl_pipeline.runs.running import run
    from pddl_pipeline.runs.solving import Solution, solve
    from pddl_pipeline.scoring.judging import Score
    from pddl_pipeline.scoring.reward import Reward, reward, rewards
    from pddl_pipeline.scoring.score import score
    from pddl_pipeline.translators.datasets import load_records
    from pddl_pipeline.translators.translating import translate
    from pddl_pipeline.validation.state import State
    from pddl_pipeline.validation.task import Task, read_task
    from pddl_pipeline.validation.validate import validate

    __version__: str

_HOMES = {
    "Attempt": "model.attempt",
    "InputError": "model.errors",
    "Instance": "model.instance",
    "Limits": "model.limits",
    "Outcome": "model.attempt",
    "PddlError": "model.errors",
    "PipelineError": "model.errors",
    "Plan": "model.plan",
    "PlanSyntaxError": "model.errors",
    "Problem": "model.problem",
    "Report": "reporting.report",
    "Reward": "scoring.reward",
    "RunResult": "model.result",
    "Score": "scoring.judging",
    "Solution": "runs.solving",
    "State": "validation.state",
    "Status": "model.verdict",
    "Step": "model.plan",
    "Task": "validation.task",
    "Verdict": "model.verdict",
    "generate": "generators.dataset",
    "load_records": "translators.datasets",
    "read_task": "validation.task",
    "report": "reporting.report",
    "reward": "scoring.reward",
    "rewards": "scoring.reward",
    "run": "runs.running",
    "score": "scoring.score",
    "solve": "runs.solving",
    "translate": "translators.translating",
    "validate": "validation.validate",
}

__all__ = [
    "Attempt",
    "InputError",
    "Instance",
    "Limits",
    "Outcome",
    "PddlError",
    "PipelineError",
    "Plan",
    "PlanSyntaxError",
    "Problem",
    "Report",
    "Reward",
    "RunResult",
    "Score",
    "Solution",
    "State",
    "Status",
    "Step",
    "Task",
    "Verdict",
    "__version__",
    "generate",
    "load_records",
    "read_task",
    "report",
    "reward",
    "rewards",
    "run",
    "score",
    "solve",
    "translate",
    "validate",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        return import_module("pddl_pipeline.model.package_version").VERSION
    if name not in _HOMES:
        raise AttributeError(f"module 'pddl_pipeline' has no attribute '{name}'")
    return getattr(import_module(f"pddl_pipeline.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
