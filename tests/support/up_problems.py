"""Problems of Unified Planning."""
# ruff: noqa: FBT003 -- Unified Planning's interface

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from unified_planning.shortcuts import (
    And,
    BoolType,
    InstantaneousAction,
    Not,
    Problem,
    RealType,
    UserType,
)


def rooms(names: list[str], actions: list[str], fluents: list[str], types: list[str]) -> Problem:
    """Return a problem of walking from the first object through all the others."""
    problem = Problem(names[0])
    kind = UserType(f"{types[0]} is a type")
    UserType(f"{types[0]}_is_a_type", kind)
    at = problem.add_fluent(fluents[0], BoolType(), default_initial_value=False, x=kind)
    for name in names:
        problem.add_object(name, kind)
    for name in actions:
        walk = InstantaneousAction(name, **{"from": kind, "FROM": kind})
        walk.add_precondition(at(walk.parameters[0]))
        walk.add_effect(at(walk.parameters[0]), False)
        walk.add_effect(at(walk.parameters[1]), True)
        problem.add_action(walk)
    problem.set_initial_value(at(problem.object(names[0])), True)
    problem.add_goal(at(problem.object(names[-1])))
    return problem


def two_switches() -> tuple[Any, dict[str, Any]]:
    """Return a problem whose goal is that b and c hold.

    Actions: on-b and on-c have no precondition, c-after-b needs b, b-before-c needs c to be false.
    """
    problem = Problem("switches")
    b, c = (problem.add_fluent(name, BoolType(), default_initial_value=False) for name in "bc")
    for name, condition, effect in (
        ("on-b", None, b), ("on-c", None, c), ("c-after-b", b, c), ("b-before-c", Not(c), b),
    ):  # fmt: skip
        action = InstantaneousAction(name)
        if condition is not None:
            action.add_precondition(condition)
        action.add_effect(effect, True)
        problem.add_action(action)
    problem.add_goal(And(b, c))
    return problem, {each.name: each for each in problem.actions}


def one_step(change: Callable[..., object], goal: Callable[..., Any] | None = None) -> Any:
    """Return a problem with one action, of the numbers x = 1, y = 0, u undefined, b false, c true.

    An action changes y and u, so that they are not constants.
    """
    problem = Problem("one-step")
    x, y, u = (problem.add_fluent(name, RealType()) for name in "xyu")
    b = problem.add_fluent("b", BoolType(), default_initial_value=False)
    c = problem.add_fluent("c", BoolType(), default_initial_value=True)
    problem.set_initial_value(x, 1)
    problem.set_initial_value(y, 0)
    step, other = InstantaneousAction("step"), InstantaneousAction("other")
    change(step, x=x, y=y, u=u, b=b, c=c)
    other.add_effect(y, 1)
    other.add_effect(u, 1)
    problem.add_actions([step, other])
    if goal is not None:
        problem.add_goal(goal(x=x, y=y, u=u, b=b, c=c))
    return problem
