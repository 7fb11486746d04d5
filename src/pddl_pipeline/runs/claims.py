"""Check claims that there is no plan, in domains with a known complete solver."""

from __future__ import annotations

from dataclasses import replace

from pddl_pipeline.model.attempt import Attempt, Outcome
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.verdict import Opinion, Status, Verdict
from pddl_pipeline.planners.attempt import Stop, attempt
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.registry import decider_of
from pddl_pipeline.translators import has_referee
from pddl_pipeline.translators.given_pddl import recognise
from pddl_pipeline.validation.task import Task


def check_claim(  # noqa: PLR0913 -- what an attempt needs
    planner: Planner,
    claim: Attempt,
    task: Task,
    texts: Problem,
    limits: Limits,
    *,
    instance: Instance[object] | None,
    stop: Stop | None,
) -> tuple[Attempt, Verdict | None]:
    """Check a claim that there is no plan with a solver that is complete for the domain.

    The check has the same limits as the claim's attempt, and is not counted in its time.

    Returns:
        The attempt, with the solver's result in its reason, and None. If the solver finds a plan,
        the attempt unchanged and a ``disputed`` verdict. If no such solver is known, the attempt
        unchanged and None.

    Raises:
        EngineError, Stopped: as for `attempt`.
    """
    decider = decider_of(_domain_of(task, texts, instance))
    if decider is None or decider == planner:
        return claim, None
    check = attempt(decider, texts, limits, stop=stop)
    if check.outcome is Outcome.CLAIMS_UNSOLVABLE:
        says = "proves it"
    elif check.plan is None:
        says = f"does not decide it: {check.reason or check.outcome}"
    elif (verdict := task.judge(check.plan)).status is not Status.VALID:
        says = f"finds a plan that is {verdict.status}"
    else:
        steps = " ".join(map(str, task.read_plan(check.plan)))
        reason = f"{claim.reason}; but {decider.name} finds {steps}"
        opinions = {decider.name: Opinion(Status.VALID)}
        return claim, Verdict(Status.DISPUTED, reason=reason, opinions=opinions)
    return replace(claim, reason=f"{claim.reason}; {decider.name} {says}"), None


def _domain_of(task: Task, texts: Problem, instance: Instance[object] | None) -> str:
    """Return the name of a task's domain; empty if it is not a domain of this project."""
    if instance is not None:
        return instance.domain if has_referee(instance) else ""
    known = recognise(task, texts.domain_pddl, texts.problem_pddl)
    return known.domain if known else ""
