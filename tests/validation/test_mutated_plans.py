"""Verdicts on mutated plans, compared with Unified Planning's, on all domains."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from plan_walks import walk

from pddl_pipeline import load_records
from pddl_pipeline.integrations.up_opinion import UnifiedPlanning
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.translators import translate
from pddl_pipeline.validation.opinions import with_opinions
from pddl_pipeline.validation.task import Task, task_of

Steps = list[Step]


def mutated(steps: Steps, task: Task, rng: random.Random) -> Steps:
    """Return the steps with a fault that may leave them a plan."""
    at, other = (rng.randrange(len(steps) or 1) for _ in range(2))
    action = rng.choice([*task.vocabulary.actions, "nop"])
    name = rng.choice([*task.vocabulary.objects, "no-such-object"])
    step = steps[at] if steps else Step(action)
    before, behind = steps[:at], steps[at + 1 :]
    place = rng.randrange(len(step.arguments) or 1)
    arguments = (*step.arguments[:place], name, *step.arguments[place + 1 :])
    rest = before + behind
    return rng.choice([
        rest, [*before, step, step, *behind], [*rest[:other], step, *rest[other:]],
        [*before, Step(step.action, arguments), *behind],
        [*before, Step(action, step.arguments), *behind],
        [*before, Step(step.action, (*step.arguments, name)), *behind],
        before, steps[::-1], steps,
    ])  # fmt: skip


def compare(task: Task, other: UnifiedPlanning, text: str) -> Status:
    verdict, opinion = task.judge(text), other.judge(text)
    message = f"{text}\nours: {verdict}\nup: {opinion}"
    if opinion.status is Status.UNDECIDED:
        # Unified Planning raises an exception if a step does not exist.
        assert verdict.status is Status.MALFORMED, message
    else:
        together = with_opinions(verdict, {"up": opinion})
        assert verdict.status is opinion.status is together.status, message
    return verdict.status


@pytest.mark.parametrize("domain", domain_names())
@pytest.mark.parametrize("count", [10, pytest.param(600, marks=pytest.mark.long)])
def test_verdicts_agree(domain: str, count: int) -> None:
    """On the sample, the bad plans, and mutated plans for it and other examples."""
    folder, rng = domain_folder(domain), random.Random(f"{domain}/{count}")
    tasks = []
    for each in islice(load_records(folder / "examples.jsonl"), 2 if count == 10 else None):
        texts = translate(each)
        task = task_of(texts)
        tasks.append((task, UnifiedPlanning(texts.domain_pddl, texts.problem_pddl, task)))
    sample = folder / "p01.plan"
    plans = [path.read_text() for path in (sample, *folder.glob("bad/*.plan"))]
    assert {compare(*tasks[0], text) for text in plans} == {"valid", "invalid", "malformed"}
    for _ in range(count):
        task, other = rng.choice(tasks)
        known = [task.read_plan(plans[0])] if task is tasks[0][0] else []
        steps = list(rng.choice([*known, walk(task, rng.choice, 12)]))
        for _ in range(rng.randint(1, 2)):
            steps = mutated(steps, task, rng)
        compare(task, other, str(Plan(tuple(steps))))
