"""Judge one plan, from files or texts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from numbers import Real
from typing import TYPE_CHECKING

from pddl_pipeline.model.errors import check_type
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.model.verdict import Verdict
from pddl_pipeline.validation.given_objects import Given
from pddl_pipeline.validation.opinions import open_validators, with_opinions
from pddl_pipeline.validation.plan_formats import IPC, judge_output
from pddl_pipeline.validation.plan_reader import given_plan, plan_file
from pddl_pipeline.validation.task import given_texts, task_from_texts

if TYPE_CHECKING:
    from pddl_pipeline.validation.plan_reader import PlanSource


def validate(  # noqa: PLR0913 -- one parameter per option
    domain: Given,
    problem: Given = None,
    plan: PlanSource | None = None,
    *,
    budget: Number | None = None,
    tolerance: Number = 0,
    delta: Number | None = None,
    cross_check: Sequence[str] = (),
    plan_format: str = IPC,
    lenient: bool = False,
) -> Verdict:
    """Judge one plan. To judge many plans of one problem, read the task once with `read_task`.

        >>> validate("domain.pddl", "problem.pddl", Path("plan.txt")).status
        <Status.VALID: 'valid'>

    Args:
        domain: path, text or object, as for `read_task`.
        problem: path, text or object; left out if the object before has both.
        plan: text, a `Path`, a `Plan`, or a sequence of steps; a string is always text, as for
            `Task.judge`.
        budget: maximum cost of the plan.
        tolerance: absolute tolerance of every numeric comparison.
        delta: the length of the steps of time in which plans of PDDL+ are judged; None if time is
            continuous.
        cross_check: names of other validators to run, such as ``up`` or ``val``. If one of them
            disagrees, the verdict is ``disputed``.
        plan_format: the format of a plan that is text; see `plan_formats`.
        lenient: whether to read the problem leniently, as `read_task` does.

    Raises:
        PddlError: the domain or problem is not valid PDDL; with file, line and column.
        InputError: a file cannot be read, PDDL cannot express a part of an object, or the name of a
            validator is unknown.
        EngineError: a validator is not installed.
        TypeError: an argument has a different type.
    """
    check_type("budget", budget, Real | None, "a number, or None")
    check_type("plan_format", plan_format, str, "the name of a format")
    if plan is None and not isinstance(domain, (str, os.PathLike)):
        # Two arguments: an object that has domain and problem, and the plan.
        problem, plan = None, problem
    domain_text, problem_text = given_texts(domain, problem, lenient=lenient)
    task = task_from_texts(domain_text, problem_text)
    others = open_validators(cross_check, domain_text[0], problem_text[0], task)

    def judge(given: str | Plan) -> Verdict:
        verdict = task.judge(given, budget, tolerance, delta)
        text = given if isinstance(given, str) else plan_file(given)
        return with_opinions(verdict, {name: other.judge(text) for name, other in others.items()})

    given = given_plan(plan)
    return (
        judge_output(given, plan_format, task, judge)[1] if isinstance(given, str) else judge(given)
    )
