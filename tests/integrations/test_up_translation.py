"""Problems and plans of Unified Planning in PDDL and back: names, numbers, rules, refusals."""
# ruff: noqa: FBT003 -- Unified Planning's interface

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import TESTS
from planner_problems import sample
from unified_planning.plans import ActionInstance, SequentialPlan
from unified_planning.shortcuts import (
    FALSE,
    GT,
    And,
    BoolType,
    Div,
    Equals,
    Exists,
    Forall,
    InstantaneousAction,
    IntType,
    MaximizeExpressionOnFinalState,
    MinimizeActionCosts,
    MinimizeMakespan,
    MinimizeSequentialPlanLength,
    Not,
    Or,
    Problem,
    RealType,
    Times,
    UserType,
    Variable,
    get_environment,
)
from up_plans import up_verdict
from up_problems import one_step, rooms, two_switches

import pddl_pipeline
from pddl_pipeline import InputError, Status
from pddl_pipeline.integrations.unified_planning import from_up, to_up, validate
from pddl_pipeline.model.errors import PddlError
from pddl_pipeline.pddl_domains import domain_folder

AWKWARD = (
    "a b", "A b", "a.b", "a_b", "a_b_0", "And", "and", "at", "At", "object", "Object", "total-cost",
    "1st", "größe", "-", "_", "?x", "(x)", ";", "", "x", "X", "define", "pddl", "move", "a\nb", "İ",
)  # fmt: skip
NAMES = st.one_of(st.sampled_from(AWKWARD), st.text(max_size=6))


@given(st.lists(NAMES, min_size=8, max_size=8, unique=True))
def test_any_names_go_both_ways(names: list[str]) -> None:
    problem = rooms(names[:4], names[4:6], names[6:7], names[7:])
    translation = from_up(problem)
    walks = [problem.action(names[4 + number % 2]) for number in range(3)]
    objects = [problem.object(name) for name in names[:4]]
    steps = [walk(*pair) for walk, pair in zip(walks, pairwise(objects), strict=True)]
    plan = SequentialPlan(steps)
    ours = str(translation.plan(plan))
    assert translation.judge(plan).status is translation.task.judge(ours).status is Status.VALID
    assert translation.up_plan(ours) == plan
    assert translation.judge(SequentialPlan(steps[1:])).failed_step == 1


def test_awkward_names_are_pddl_for_other_readers() -> None:
    translation = from_up(rooms([*AWKWARD], ["wälk", "over"], ["over all"], ["Type"]))
    assert len(set(translation.objects.values())) == len(AWKWARD)
    back = to_up(translation.problem)
    assert {each.name for each in back.up_problem.all_objects} == {*translation.objects.values()}


def test_names_that_pddl_allows_are_kept() -> None:
    translation = from_up(rooms(["pddl", "a_b", "A_B", "a b"], ["move-to"], ["at"], ["room"]))
    assert translation.objects == {"pddl": "pddl", "a_b": "a_b", "A_B": "a_b_0", "a b": "a_b_1"}
    assert translation.actions == {"move-to": "move-to"}
    assert "(at_ " in translation.problem.domain_pddl


def both_switches() -> tuple[Any, SequentialPlan]:
    problem, actions = two_switches()
    return problem, SequentialPlan([actions["on-b"](), actions["on-c"]()])


THIRD = Fraction(1, 3)
TINY = Fraction(1, 10**9) + 10**9
SAME: dict[str, tuple[Any, Any]] = {
    "increase twice": (
        lambda a, x, c, **_: (a.add_increase_effect(x, 2), a.add_decrease_effect(x, THIRD, c)),
        lambda x, **_: Equals(x, Fraction(8, 3)),
    ),
    "a third": (
        lambda a, x, **_: a.add_effect(x, Div(x, 3)), lambda x, **_: Equals(Times(x, 3), 1),
    ),
    "many digits": (lambda a, x, **_: a.add_effect(x, TINY), lambda x, **_: Equals(x, TINY)),
    "one digit missing": (
        lambda a, x, **_: a.add_effect(x, TINY), lambda x, **_: Equals(x, 10**9),
    ),
    "a float": (lambda a, x, **_: a.add_effect(x, 0.1), lambda x, **_: Equals(x, 0.1)),
    "assigned expressions": (
        lambda a, b, c, **_: (a.add_effect(b, c), a.add_effect(c, And(b, c))),
        lambda b, c, **_: And(b, Not(c)),
    ),
    "assigned not true": (lambda a, b, **_: a.add_effect(b, Not(Not(FALSE()))), lambda b, **_: b),
    "add after delete": (
        lambda a, b, c, **_: (a.add_effect(b, True), a.add_effect(b, False, c)),
        lambda b, **_: b,
    ),
    "two values": (lambda a, x, c, **_: (a.add_effect(x, 2), a.add_effect(x, 3, c)), None),
    "assign and increase": (
        lambda a, x, c, **_: (a.add_effect(x, 2), a.add_increase_effect(x, 3, c)), None,
    ),
    "undefined value": (lambda a, u, **_: a.add_increase_effect(u, 1), None),
    "a precondition that is false": (lambda a, **_: a.add_precondition(FALSE()), None),
    "a goal that is false": (lambda a, b, **_: a.add_effect(b, True), lambda **_: FALSE()),
}  # fmt: skip


# The status and the failing step here, where Unified Planning differs: docs/integrations.md.
DIFFERENT = {
    "one value twice": (
        lambda a, x, c, **_: (a.add_effect(x, 2), a.add_effect(x, 2, c)), ("invalid", 1), "valid",
    ),
    "undefined after true": (
        lambda a, c, u, **_: a.add_precondition(Or(c, GT(u, 1))), ("valid", None), "invalid",
    ),
    "a division by zero": (
        lambda a, x, y, **_: a.add_precondition(GT(Div(x, y), 1)), ("invalid", 1), None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", [*SAME, *DIFFERENT])
def test_rules_of_unified_planning(case: str) -> None:
    change, ours, theirs = DIFFERENT.get(case, (SAME.get(case), None, None))
    problem = one_step(change) if ours else one_step(*change)
    plan = SequentialPlan([problem.action("step")()])
    verdict = validate(problem, plan)
    if ours and theirs is None:
        with pytest.raises(ZeroDivisionError):
            up_verdict(problem, plan)
    else:
        status, step, _ = up_verdict(problem, plan)
        assert theirs in {None, status}
        ours = ours or (status, step)
    assert (verdict.status, verdict.failed_step) == ours


def test_bounds_are_part_of_the_problem() -> None:
    problem = Problem("bounds")
    kind = UserType("counter")
    value = problem.add_fluent("value", IntType(0, 3), default_initial_value=2, which=kind)
    a, _ = (problem.add_object(name, kind) for name in ("a", "b"))
    up, down = (InstantaneousAction(name, which=kind) for name in ("up", "down"))
    up.add_increase_effect(value(up.parameters[0]), 1)
    down.add_decrease_effect(value(down.parameters[0]), 1)
    problem.add_actions([up, down])
    problem.add_goal(Equals(value(a), 2))
    problem.add_quality_metric(MaximizeExpressionOnFinalState(value(a)))
    translation = from_up(problem)
    for steps in set(permutations([up, up, down, down])):
        plan = SequentialPlan([each(a) for each in steps])
        verdict = translation.judge(plan)
        assert (verdict.status, verdict.cost) == up_verdict(problem, plan)[::2]
    verdict = translation.judge(SequentialPlan([up(a), up(a), down(a)]))
    assert verdict.failed_step == 3  # the step after the one that leaves the bounds
    assert "(<= (value a) 3) does not hold" in (verdict.reason or "")


EMPTY = UserType("nothing")


@pytest.mark.parametrize(
    ("quantifier", "kind", "status"),
    [
        (Forall, EMPTY, "valid"),
        (Exists, EMPTY, "invalid"),
        # A type that only a variable has.
        (Forall, UserType("nothing at all", EMPTY), "valid"),
        (Exists, UserType("nothing at all", EMPTY), "invalid"),
    ],
)
def test_quantifiers_over_an_empty_type(quantifier: Any, kind: Any, status: str) -> None:
    """Without an object there is none for which the rest could hold."""
    problem, plan = both_switches()
    c = problem.fluent("c")()
    inner = c if quantifier is Exists else And(c, Not(c))
    problem.add_fluent("seen", BoolType(), default_initial_value=False, thing=EMPTY)
    problem.add_goal(quantifier(inner, Variable("thing", kind)))
    assert validate(problem, plan).status == up_verdict(problem, plan)[0] == status


def test_problems_whose_features_unified_planning_cannot_find() -> None:
    problem, actions = two_switches()
    zero = problem.add_fluent("zero", RealType(), default_initial_value=0)
    actions["on-b"].add_precondition(GT(Div(1, zero), 1))
    with pytest.raises(InputError, match=r"^Unified Planning cannot find .* 'switches': ZeroDiv"):
        from_up(problem)


def test_metrics() -> None:
    problem, plan = both_switches()
    first = problem.action("on-b")
    costs = MinimizeActionCosts({first: Fraction(5, 3)}, default=1)
    for metric, value in (
        (costs, Fraction(8, 3)),
        (MinimizeSequentialPlanLength(), 2),
        (MinimizeMakespan(), 2),
    ):
        problem.clear_quality_metrics()
        problem.add_quality_metric(metric)
        assert validate(problem, plan).cost == value
        assert metric.is_minimize_makespan() or up_verdict(problem, plan)[2] == value
    problem.add_quality_metric(costs)
    with pytest.raises(InputError, match="found 2 metrics, expected at most one"):
        from_up(problem)
    problem.clear_quality_metrics()
    problem.add_quality_metric(MinimizeActionCosts({first: 1}))
    with pytest.raises(InputError, match=r"^the problem 'switches': .* no cost for .* 'on-c'$"):
        from_up(problem)


def test_numbers_of_pddl_and_those_that_it_cannot_write() -> None:
    problem = one_step(lambda a, b, **_: a.add_effect(b, True))
    problem.set_initial_value(problem.fluent("x"), Fraction(-1, 1024))
    assert "(= (x) -0.0009765625)" in from_up(problem).problem.problem_pddl
    for value, message in (
        (THIRD, "the initial value of x is 1/3, which has no finite decimal"),
        (10**5000, "digits"),
    ):
        problem.set_initial_value(problem.fluent("x"), value)
        with pytest.raises(InputError, match=message):
            from_up(problem)


@pytest.mark.parametrize(
    "domain", ["blocksworld", "countdown", "ferry", "budget-blocksworld", "depots"]
)
def test_problems_of_this_project_become_problems_of_unified_planning(domain: str) -> None:
    before = get_environment().error_used_name
    translation = to_up(sample(domain))
    assert get_environment().error_used_name is before
    plan = translation.up_plan(domain_folder(domain) / "p01.plan")
    verdict = translation.judge(plan)
    assert verdict.status == up_verdict(translation.up_problem, plan)[0] == "valid"
    assert validate(translation.up_problem, plan) == verdict
    short = [ActionInstance(each.action, each.actual_parameters) for each in plan.actions[:-1]]
    assert translation.judge(SequentialPlan(short)).status is Status.INVALID


def test_what_unified_planning_does_not_read() -> None:
    folder = TESTS / "validation" / "cases" / "derived_recursive_true"
    domain, problem = [(folder / name).read_text() for name in ("domain.pddl", "problem.pddl")]
    with pytest.raises(InputError, match=r"^Unified Planning cannot read the problem: "):
        to_up(pddl_pipeline.Problem(domain, problem))
    with pytest.raises(PddlError, match=r"^<problem>:1:"):
        to_up(pddl_pipeline.Problem(domain, "(define"))
