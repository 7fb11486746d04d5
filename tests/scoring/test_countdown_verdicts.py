"""Countdown plans that are judged without PDDL have the verdicts of the validator."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest
from countdown_writers import PLAIN, expression, random_way
from hypothesis import given
from hypothesis import strategies as st
from places import TESTS

from pddl_pipeline import score
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.translators import read_instance, referee_fault
from pddl_pipeline.translators.judging import countdown_verdict, judge_plan
from pddl_pipeline.translators.records import from_record

ONE = from_record({"id": "one", "domain": "countdown", "numbers": [3, 4, 5, 6], "target": 24})
TASK = read_instance(ONE)
NAMES = st.sampled_from(["n1", "n2", "n3", "n4"])
STEPS = st.builds(
    Step, st.sampled_from(["add", "subtract", "multiply", "divide"]), st.tuples(NAMES, NAMES)
) | st.builds(Step, st.just("checkgoal"), st.tuples(NAMES))


@given(st.lists(STEPS, max_size=4).map(Plan))
def test_a_plan_judged_by_its_record_has_the_verdict_of_the_validator(plan: Plan) -> None:
    if all(step.time is None for step in plan):
        assert countdown_verdict(plan, ONE) in (judge_plan(plan, TASK, ONE), None)


@pytest.mark.parametrize("count", [500, pytest.param(5_000, marks=pytest.mark.long)])
def test_countdown_without_its_pddl_has_the_verdicts_of_the_validator(count: int) -> None:
    random = Random(count)
    seen = Counter[Status]()
    for _ in range(count):
        numbers = [random.randint(0, 30) for _ in range(random.randint(2, 5))]
        way = random_way(random, numbers)
        target = int(way.value) + random.choice([0, 0, 1])
        rules = random.choice(({}, {"rules": {"negatives": True, "division": "nonzero"}}))
        fields = {"numbers": numbers, "target": max(target, 0), **rules}
        instance = from_record({"id": "a", "domain": "countdown", **fields})
        answer = Answer("a", expression(way, random, PLAIN))
        found = Judge([instance]).score(answer)
        assert found.plan is not None
        verdict = countdown_verdict(found.plan, instance)
        assert verdict == judge_plan(found.plan, read_instance(instance), instance)
        assert (referee_fault(instance, found.plan) is None) == (way.value == max(target, 0))
        seen[found.verdict.status] += 1
    assert set(seen) == {Status.VALID, Status.INVALID}


def test_a_formula_over_a_line_end_is_read() -> None:
    text = "```answer\n\\frac{3 \\times ```answer \\times 2}\n`\x0f`\nOops.\nAnswer: [4 + 3 + 2]"
    for answer in (text, "```answer\n\\dfrac{18 - )) + 20}\n```\nnswer\n{18 - )) + 20}\n```\n"):
        (found,) = score([ONE], [{"id": "one", "answer": answer}])
        assert not found.correct


def test_the_objects_that_a_step_may_leave_out_are_named_in_order() -> None:
    text = (TESTS / "answers" / "sentences.jsonl").read_text()
    records = [row["record"] for row in map(json.loads, text.splitlines()) if "record" in row]
    instance = next(from_record(each) for each in records if each["domain"] == "grippers")
    text = "1. robot1 moves from room1 to room2\n2. robot1 picks up ball1"
    (found,) = score([instance], [{"id": instance.id, "answer": text}])
    one, other = (f"(pick robot1 ball1 room2 {gripper})" for gripper in ("lgripper1", "rgripper1"))
    assert f"it may be {one} or {other}" in (found.verdict.reason or "")
