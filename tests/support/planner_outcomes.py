"""The outcome that a planner must report of a problem, and one run of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from planner_problems import LIMITS, sample

from pddl_pipeline import translate
from pddl_pipeline.model.attempt import Attempt, Outcome
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.attempting import attempt
from pddl_pipeline.planners.planner import Command, Planner
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.task import task_of


def blocks(goal: str) -> Problem:
    """Return a problem of two blocks."""
    text = f"""(define (problem two-ways) (:domain blocksworld) (:objects b1 b2)
      (:init (clear b1) (clear b2) (ontable b1) (ontable b2) (handempty)) (:goal {goal}))"""
    return Problem(sample("blocksworld").domain_pddl, text)


def countdown(*numbers: int, target: int, encoding: str = "paper") -> Problem:
    record = {"id": "a", "domain": "countdown", "numbers": list(numbers), "target": target}
    return translate(from_record(record), encoding=encoding)


UNSOLVABLE = blocks("(and (on b1 b2) (on b2 b1))")


class Case(NamedTuple):
    """A planner and a problem, and what the attempt must report."""

    planner: Planner | str
    problem: Problem
    outcome: Outcome = Outcome.PLAN_FOUND
    says: str = ""
    """A pattern of the reason, or of the verdict's reason if the plan is invalid."""
    limits: Limits = LIMITS
    cost: Number | None = None
    """The cost of the plan, if it matters."""
    optimal: bool | None = None
    figures: Mapping[str, int] = {}
    status: str = "valid"
    """The verdict on a plan."""

    @property
    def chosen(self) -> Planner:
        return planner_named(self.planner) if isinstance(self.planner, str) else self.planner

    def check(self) -> Attempt:
        """Run the planner, and compare."""
        done = attempt(self.chosen, self.problem, self.limits)
        assert done.outcome is self.outcome, done.reason
        assert "\n" not in (done.reason or "")
        reason = done.reason
        assert (done.plan is not None) == (done.outcome is Outcome.PLAN_FOUND)
        if done.plan is not None:
            verdict = task_of(self.problem).judge(done.plan)
            reason = verdict.reason
            assert verdict.status == self.status, reason
            assert self.cost in (None, verdict.cost)
            assert self.optimal in (None, done.optimal)
        assert re.search(self.says, reason or ""), reason
        assert {name: getattr(done.statistics, name) for name in self.figures} == self.figures
        return done


def altered(problem: Problem, old: str, new: str) -> Problem:
    """Return a problem with another text, which must be in its domain or problem."""
    texts = (problem.domain_pddl, problem.problem_pddl)
    assert old in "".join(texts)
    return Problem(*(text.replace(old, new) for text in texts))


def command_of(planner: Planner) -> Command:
    assert isinstance(planner.start, Command)
    return planner.start


def adapted(planner: str, change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> Planner:
    """Return a planner whose final command line is changed."""
    plain = planner_named(planner)
    start = command_of(plain)
    before = start.adapt

    def adapt(command: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
        return change(before(command, limits) if before else command)

    return replace(plain, command=replace(start, adapt=adapt))
