"""Encodings of an instance have different functions, but the same plans and verdicts."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline import load_records, read_task, translate
from pddl_pipeline.countdown.recognition import countdown_of
from pddl_pipeline.model.errors import InputError, StepFails
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.translators.export import export
from pddl_pipeline.translators.judging import judge_plan
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.task import Task, task_of

SOLUTION = "(divide n3 n1)(subtract n2 n3)(divide n4 n2)(checkgoal n4)"
OPERATIONS = ("add", "subtract", "multiply", "divide")


def countdown(numbers: list[int], target: int) -> Instance[Any]:
    return from_record({"id": "a", "domain": "countdown", "numbers": numbers, "target": target})


def tasks(instance: Instance[Any]) -> tuple[Task, Task]:
    paper, rational = (translate(instance, encoding=name) for name in ("paper", "rational"))
    return task_of(paper), task_of(rational)


@st.composite
def games(draw: st.DrawFn) -> tuple[Instance[Any], Plan]:
    """Draw an instance and steps on the numbers left; a quarter of the plans has one random step.

    Half of the targets are the result of the steps, if it exists and is a whole number.
    """
    numbers = draw(st.lists(st.integers(0, 30), min_size=1, max_size=7))
    names = [f"n{position}" for position in range(1, len(numbers) + 1)]
    left, steps = list(names), []
    while len(left) > 1 and draw(st.integers(0, 9)):
        first, second = draw(st.permutations(left))[:2]
        steps.append(Step(draw(st.sampled_from(OPERATIONS)), (first, second)))
        left.remove(second)
    steps.append(Step("checkgoal", (left[0],)))
    if len(names) > 1 and not draw(st.integers(0, 3)):
        other = Step(draw(st.sampled_from(OPERATIONS)), tuple(draw(st.permutations(names))[:2]))
        steps[draw(st.integers(0, len(steps) - 1))] = other
    target = Fraction(draw(st.integers(0, 30)))
    if draw(st.booleans()):
        with suppress(StepFails):
            *_, state = tasks(countdown(numbers, 10**9))[0].trace(str(Plan(tuple(steps[:-1]))))
            target = Fraction(state.values["value", left[0]])
    return countdown(numbers, int(target)), Plan(tuple(steps))


@given(games())
def test_plans_of_one_encoding_are_plans_of_the_other(game: tuple[Instance[Any], Plan]) -> None:
    instance, plan = game
    paper, rational = (task.judge(plan) for task in tasks(instance))
    one, other = ((each.status, each.failed_step, each.cost) for each in (paper, rational))
    assert one == other, (paper.reason, rational.reason)
    made = plan[: paper.failed_step - 1 if paper.failed_step else len(plan)]
    states = zip(*(task.trace(str(Plan(tuple(made)))) for task in tasks(instance)), strict=True)
    for left, right in states:
        assert left.facts == right.facts
        for _, name in (fact for fact in left.facts if fact[0] == "active"):
            quotient = Fraction(right.values["numerator", name], right.values["denominator", name])
            assert left.values["value", name] == quotient


@pytest.mark.parametrize(
    ("numbers", "target", "plan", "failed"),
    [
        # 1/3 and 2/6 are equal, so either may be subtracted from the other.
        ([1, 3, 2, 6], 0, "(divide n1 n2)(divide n3 n4)(subtract n1 n3)(checkgoal n1)", None),
        ([1, 3, 2, 6], 0, "(divide n1 n2)(divide n3 n4)(subtract n3 n1)(checkgoal n3)", None),
        ([1, 3, 2, 7], 0, "(divide n1 n2)(divide n3 n4)(subtract n3 n1)(checkgoal n3)", 3),
        # 0/5 is 0: division by it is invalid, and it equals another 0.
        ([0, 5, 7], 0, "(divide n1 n2)(divide n3 n1)(checkgoal n3)", 2),
        ([0, 5, 0], 0, "(divide n1 n2)(subtract n3 n1)(checkgoal n3)", None),
        # 6/4 is not 1 and not 6; 8/4 is 2.
        ([6, 4], 1, "(divide n1 n2)(checkgoal n1)", 2),
        ([6, 4], 6, "(divide n1 n2)(checkgoal n1)", 2),
        ([8, 4], 2, "(divide n1 n2)(checkgoal n1)", None),
        # (1/3) / 2 * 6 and 6 / (2 / (1/3)).
        ([1, 3, 2, 6], 1, "(divide n1 n2)(divide n1 n3)(multiply n1 n4)(checkgoal n1)", None),
        ([1, 3, 2, 6], 1, "(divide n1 n2)(divide n3 n1)(divide n4 n3)(checkgoal n4)", None),
    ],
)
def test_fractions_by_hand(numbers: list[int], target: int, plan: str, failed: int | None) -> None:
    for task in tasks(countdown(numbers, target)):
        verdict = task.judge(plan)
        assert (verdict.status is Status.VALID, verdict.failed_step) == (failed is None, failed)


def test_a_folder_is_read_back_as_countdown(tmp_path: Path) -> None:
    data = domain_folder("countdown") / "examples.jsonl"
    instances = list(load_records(data))
    export(instances, tmp_path, encoding="rational")
    again = {instance.id: instance for instance in load_records(tmp_path / "problems")}
    for instance in instances:
        found = again[instance.id]
        assert (found.domain, found.size) == ("countdown", instance.size)
        assert found.record.known.form == instance.record
        expected = translate(instance, encoding="rational").problem_pddl
        assert translate(found).problem_pddl == expected


def test_what_is_given_in_an_encoding_is_recognised(tmp_path: Path) -> None:
    instance = countdown([3, 3, 8, 8], 24)
    for folder in ("paper", "rational"):
        export([instance], tmp_path / folder, encoding=folder)
        (found,) = load_records(tmp_path / folder / "problems")
        assert translate(found, encoding="rational") == translate(instance, encoding="rational")
        problem = tmp_path / folder / "problems" / "a.pddl"
        task = read_task(tmp_path / folder / "domain.pddl", problem)
        numbers = countdown_of(task)
        assert (numbers.numbers, numbers.target) == ((3, 3, 8, 8), 24)
        for plan, status in ((SOLUTION, Status.VALID), ("(checkgoal n1)", Status.INVALID)):
            verdict = judge_plan(plan, task, found)
            assert (verdict.status, verdict.opinions["referee"].status) == (status, status)
    # A denominator that is not 1 is none of the project's instances.
    problem.write_text(problem.read_text().replace("(denominator n1) 1", "(denominator n1) 2"))
    (found,) = load_records(tmp_path / "rational" / "problems")
    assert (found.domain, found.record.known) == ("countdown-rational", None)
    assert countdown_of(read_task(tmp_path / "rational" / "domain.pddl", problem)) is None


@pytest.mark.parametrize("domain", [name for name in domain_names() if name != "countdown"])
def test_other_domains_have_only_the_papers(domain: str) -> None:
    instance = next(load_records(domain_folder(domain) / "examples.jsonl"))
    assert translate(instance, encoding="paper") == translate(instance)
    message = f"{instance.id}: {domain} has no encoding 'rational', expected paper"
    with pytest.raises(InputError, match=message):
        translate(instance, encoding="rational")
