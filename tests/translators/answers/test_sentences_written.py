"""Plans in the forms in which models write them; the truth is known."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from answer_table import rows
from hypothesis import given, settings
from hypothesis import strategies as st
from sentence_writers import PHRASES, doubtful, remarked, taken_back, told

from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.scoring.answer import answer_from
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.validation.task import Task

PLANS = {
    "blocksworld": "unstack b c, put-down b, pick-up c, stack c a",
    "ferry": "sail l0 l1, board c0 l1, sail l1 l2, debark c0 l2",
    "grippers": "move robot1 room1 room2, pick robot1 ball1 room2 lgripper1, "
    "move robot1 room2 room3, drop robot1 ball1 room3 lgripper1",
    "depots": "lift hoist0 crate1 crate0 depot0, load hoist0 crate1 truck0 depot0, "
    "drive truck0 depot0 distributor0, unload hoist1 crate1 truck0 distributor0, "
    "drop hoist1 crate1 pallet1 distributor0",
}


@cache
def subject(domain: str) -> tuple[Judge, Task, tuple[Step, ...]]:
    """Return the judge of an instance, its task, and a plan for it."""
    judge = Judge([rows()[0][domain]])
    words = [each.split() for each in PLANS[domain].split(", ")]
    return judge, judge.task("t"), tuple(Step(name, tuple(rest)) for name, *rest in words)


def other_steps(task: Task, steps: tuple[Step, ...], random: Random) -> list[Step]:
    """Return changed steps, which may still be a plan."""
    found = list(steps)
    at, form = random.randrange(len(found)), random.randrange(4)
    if form == 0:
        del found[at]
    elif form == 1:
        found.insert(at, random.choice(steps))
    elif form == 2:
        found[at], found[at - 1] = found[at - 1], found[at]
    else:
        found[at] = other_objects(task, found[at], random)
    return found


def other_objects(task: Task, step: Step, random: Random) -> Step:
    """Return a step with other objects of the right types."""
    parameters = task.vocabulary.actions[step.action].parameters
    names = [random.choice(sorted(task.vocabulary.candidates(p.types))) for p in parameters]
    return Step(step.action, tuple(names))


def check(random: Random) -> None:
    """Check that no wrong plan and no doubtful text is accepted, and that right plans are."""
    domain = random.choice(sorted(PHRASES))
    judge, task, plan = subject(domain)
    wrong = other_steps(task, plan, random)
    reaches = str(task.judge(Plan(wrong)).status) == "valid"
    truth = {
        told(domain, plan, random): True,
        told(domain, wrong, random): reaches,
        taken_back(domain, wrong, plan, random): True,
        taken_back(domain, plan, wrong, random): reaches,
        remarked(domain, plan, other_objects(task, plan[0], random), random): True,
        remarked(domain, wrong, other_objects(task, plan[0], random), random): reaches,
        doubtful(domain, plan, other_objects(task, plan[0], random), random): False,
    }
    for text, right in truth.items():
        each = judge.score(answer_from({"id": "t", "answer": text}))
        assert each.correct == right, (domain, text, each.errors, each.verdict.reason)


@given(st.integers(0, 2**32))
def test_texts_whose_truth_is_known(seed: int) -> None:
    check(Random(seed))


@pytest.mark.long
@settings(max_examples=700)
@given(st.integers(0, 2**32))
def test_many_texts_whose_truth_is_known(seed: int) -> None:
    check(Random(seed))
