"""Problems with known outcomes, and one run of a planner on them."""

from __future__ import annotations

from dataclasses import replace

from planner_problems import LIMITS, sample

from pddl_pipeline.model.attempt import Attempt
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.attempt import attempt
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.registry import planner_named

COSTS = sample("budget-blocksworld")


UNSOLVABLE = Problem(
    sample("blocksworld").domain_pddl,
    """(define (problem two-ways) (:domain blocksworld) (:objects b1 b2)
      (:init (clear b1) (clear b2) (ontable b1) (ontable b2) (handempty))
      (:goal (and (on b1 b2) (on b2 b1))))""",
)


def run(planner: Planner | str, problem: Problem, limits: Limits = LIMITS) -> Attempt:
    chosen = planner_named(planner) if isinstance(planner, str) else planner
    return attempt(chosen, problem, limits)


def altered(problem: Problem, old: str, new: str) -> Problem:
    """Return a problem with another text in one place."""
    assert old in problem.problem_pddl
    return replace(problem, problem_pddl=problem.problem_pddl.replace(old, new))
