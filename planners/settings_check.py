"""Finds out before the first run whether an engine accepts its settings."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.attempt import attempt
from pddl_pipeline.planners.planner import Planner

_LIMITS: Final = Limits(time_s=20)
_SAMPLE: Final = Problem(
    "(define (domain lamp) (:requirements :strips) (:predicates (on) (off))"
    " (:action switch :parameters () :precondition (off) :effect (and (on) (not (off)))))",
    "(define (problem lamp-1) (:domain lamp) (:init (off)) (:goal (on)))",
)
_REFUSALS: Final = (Outcome.INPUT_ERROR, Outcome.CRASH)


def check_settings(planner: Planner) -> None:
    """Run a planner whose settings only its engine can check on a task of one step.

    Raises:
        InputError: the engine does not accept the settings.
        EngineError: the engine cannot be started.
    """
    if not planner.checks_settings:
        return
    done = attempt(planner, _SAMPLE, _LIMITS)
    if done.outcome in _REFUSALS:
        raise InputError(f"{planner.name}: {done.reason}")
