"""Recomputes with Python everything that the Countdown statement says about a plan."""

from __future__ import annotations

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


@st.composite
def solved(draw: st.DrawFn) -> tuple[Instance[Any], Task, Plan]:
    """Draw numbers and a walk that combines all of them, and make its end the target."""
    numbers = draw(st.lists(st.integers(0, 20), min_size=1, max_size=6))
    task = read_instance(instance_of(numbers, 10**9))
    plan = walk(task, lambda found: draw(st.sampled_from(found)), len(numbers) - 1)
    state = list(task.trace(plan))[-1]
    (last,) = (fact[1] for fact in state.facts if fact[0] == "active")
    value = Fraction(state.values["value", last])
    instance = instance_of(numbers, int(value) if value.denominator == 1 else 0)
    whole = Plan((*plan, *read_instance(instance).read_plan(f"(checkgoal {last})")))
    return instance, read_instance(instance), whole


def value_of(expression: str) -> Fraction:
    exact = re.sub(r"\d+", r"Fraction(\g<0>)", expression)
    return Fraction(eval(exact, {"Fraction": Fraction}))  # noqa: S307 -- text of the statement


def check_expression(line: str, instance: Instance[Any], plan: Plan) -> Fraction:
    expression, result = line.removeprefix("Answer: ").rsplit(" = ", 1)
    assert value_of(expression) == Fraction(result)
    assert Counter(re.findall(r"\d+", expression)) == Counter(map(str, instance.record.numbers))
    assert len(re.findall("[-+*/]", expression)) == len(plan) - 1
    return Fraction(result)


@given(solved())
def test_what_is_told_is_what_the_plan_computes(case: tuple[Instance[Any], Task, Plan]) -> None:
    """The expression, and each step with what is left; both are read back.

    They are read back as an equivalent plan: words do not distinguish two equal numbers.
    """
    instance, task, plan = case
    result = check_expression(STATEMENT.write(plan, instance, task), instance, plan)
    is_valid = task.judge(plan).status is Status.VALID
    assert is_valid == (result == instance.record.target)
    first, *steps, answer = STATEMENT.styles["cot"].write(plan, instance, task).splitlines()
    assert (first, len(steps)) == ("Steps:", len(plan) - 1)
    left = Counter(map(Fraction, instance.record.numbers))
    for line in steps:
        match = STEP.fullmatch(line)
        assert match is not None, line
        x, sign, y, made, rest = match.groups()
        assert value_of(f"{x} {sign} {y}") == Fraction(made)
        left.subtract([value_of(x), value_of(y)])
        assert min(left.values()) >= 0, f"{line}: calculates with a number that is not left"
        left[Fraction(made)] += 1
        assert [*map(Fraction, rest.split())] == sorted(left.elements())
    check_expression(answer, instance, plan)
    styles = [style.write for style in STATEMENT.styles.values() if style.write]
    for write in styles if is_valid else ():
        told = write(plan, instance, task)
        read = parse_answer(told, instance, task)
        assert read.plan is not None, (told, read.faults)
        assert task.judge(read.plan).status is Status.VALID, told
        assert STATEMENT.write(read.plan, instance, task) == STATEMENT.write(plan, instance, task)


def test_numbers_target_and_the_paper_s_description_are_told() -> None:
    instance = instance_of([3, 4, 5, 6], 24)
    task = read_instance(instance)
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
    assert sentence in STATEMENT.domain(other, read_instance(other))
    assert sentence not in STATEMENT.domain(plain, read_instance(plain))
