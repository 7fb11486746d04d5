"""Recomputes with Python everything that the Countdown statement says about a plan."""

from __future__ import annotations

import ast
import re
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plan_walks import walk

from pddl_pipeline.answers.readers import parse_answer
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.prompts.statements.countdown import STATEMENTS
from pddl_pipeline.translators import read_instance
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.task import Task

STATEMENT = STATEMENTS["countdown"]
STEP = re.compile(r"(\S+) ([-+*/]) (\S+) = (\S+) \(left: (.*)\)")


def instance_of(numbers: list[int], target: int, **extras: Any) -> Instance[Any]:
    return from_record(
        {"id": "t", "domain": "countdown", "numbers": numbers, "target": target, **extras}
    )


def task_of(instance: Instance[Any]) -> Task:
    return read_instance(instance)


@st.composite
def solved(draw: st.DrawFn) -> tuple[Instance[Any], Task, Plan]:
    """Draw numbers and a walk that combines all of them, and make its end the target."""
    numbers = draw(st.lists(st.integers(0, 20), min_size=1, max_size=6))
    task = task_of(instance_of(numbers, 10**9))
    plan = walk(task, lambda found: draw(st.sampled_from(found)), len(numbers) - 1)
    state = list(task.trace(plan))[-1]
    (last,) = (fact[1] for fact in state.facts if fact[0] == "active")
    value = Fraction(state.values["value", last])
    instance = instance_of(numbers, int(value) if value.denominator == 1 else 0)
    whole = Plan((*plan, *task_of(instance).read_plan(f"(checkgoal {last})")))
    return instance, task_of(instance), whole


def value_of(node: ast.expr) -> Fraction:
    match node:
        case ast.Constant(value=int(value)):
            return Fraction(value)
        case ast.BinOp(left=left, op=sign, right=right):
            x, y = value_of(left), value_of(right)
            return {
                ast.Add: lambda: x + y, ast.Sub: lambda: x - y,
                ast.Mult: lambda: x * y, ast.Div: lambda: x / y,
            }[type(sign)]()  # fmt: skip
    raise AssertionError(ast.dump(node))


def check_expression(line: str, instance: Instance[Any], plan: Plan) -> Fraction:
    expression, result = line.removeprefix("Answer: ").rsplit(" = ", 1)
    assert value_of(ast.parse(expression, mode="eval").body) == Fraction(result)
    assert Counter(re.findall(r"\d+", expression)) == Counter(map(str, instance.record.numbers))
    assert len(re.findall("[-+*/]", expression)) == len(plan) - 1
    return Fraction(result)


@given(solved())
def test_the_expression_is_what_the_plan_computes(case: tuple[Instance[Any], Task, Plan]) -> None:
    instance, task, plan = case
    result = check_expression(STATEMENT.write(plan, instance, task), instance, plan)
    assert (task.judge(plan).status is Status.VALID) == (result == instance.record.target)


@given(solved())
def test_each_step_is_right_and_says_what_is_left(case: tuple[Instance[Any], Task, Plan]) -> None:
    instance, task, plan = case
    first, *steps, answer = STATEMENT.styles["cot"].write(plan, instance, task).splitlines()
    assert first == "Steps:"
    assert len(steps) == len(plan) - 1
    left = Counter(map(Fraction, instance.record.numbers))
    for line in steps:
        match = STEP.fullmatch(line)
        assert match is not None, line
        x, y = (Fraction(match[i].strip("()")) for i in (1, 3))
        assert value_of(ast.parse(f"{match[1]}{match[2]}{match[3]}", mode="eval").body) == Fraction(
            match[4]
        )
        left.subtract([x, y])
        assert min(left.values()) >= 0, f"{line}: calculates with a number that is not left"
        left[Fraction(match[4])] += 1
        assert [*map(Fraction, match[5].split())] == sorted(left.elements())
    check_expression(answer, instance, plan)


@given(solved())
def test_both_styles_are_read_back(case: tuple[Instance[Any], Task, Plan]) -> None:
    """Read back as an equivalent plan: words do not distinguish two equal numbers."""
    instance, task, plan = case
    if task.judge(plan).status is not Status.VALID:
        return
    for style in STATEMENT.styles.values():
        told = style.write(plan, instance, task)
        read = parse_answer(told, instance, task)
        assert read.plan is not None, (told, read.faults)
        assert task.judge(read.plan).status is Status.VALID, told
        assert STATEMENT.write(read.plan, instance, task) == STATEMENT.write(plan, instance, task)


def test_numbers_target_and_the_paper_s_description_are_told() -> None:
    instance = instance_of([3, 4, 5, 6], 24)
    task = task_of(instance)
    assert STATEMENT.task(instance, task) == "Numbers: 3 4 5 6\nTarget: 24"
    told = STATEMENT.domain(instance, task)
    assert "The player must use all numbers exactly once." in told
    assert "No number on the way may be negative." in told


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"negatives": True}, "Numbers on the way may be negative."),
        ({"fractions": False}, "No number on the way may be a fraction."),
        ({"division": "exact"}, "where a remainder is left."),
        ({"all_used": False}, "need not use all of them."),
    ],
)
def test_rules_of_the_source_are_told(rules: dict[str, Any], sentence: str) -> None:
    plain, other = instance_of([3, 4], 7), instance_of([3, 4], 7, rules=rules)
    assert sentence in STATEMENT.domain(other, task_of(other))
    assert sentence not in STATEMENT.domain(plain, task_of(plain))
