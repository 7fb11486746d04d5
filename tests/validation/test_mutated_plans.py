"""Verdicts on mutated plans, compared with Unified Planning's, on all domains."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import islice

import pytest

from pddl_pipeline import load_records, read_task
from pddl_pipeline.integrations.up_opinion import UnifiedPlanning
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder, domain_names, domain_text
from pddl_pipeline.translators.translator import translator
from pddl_pipeline.validation.opinions import with_opinions
from pddl_pipeline.validation.task import Task

PER_DOMAIN, PER_DOMAIN_LONG = 25, 15_000
Steps = list[Step]


@cache
def problems(domain: str) -> list[tuple[Task, UnifiedPlanning, list[Steps]]]:
    """Return the domain's samples: the task, Unified Planning's reading, and plans to mutate."""
    folder = domain_folder(domain)
    texts = [(folder / "p01.pddl").read_text()]
    plans = [(folder / "p01.plan").read_text()]
    for instance in islice(load_records(folder / "examples.jsonl"), 3):
        texts.append(translator(domain).problem(instance))
        plans.append("")
    found = []
    for text, plan in zip(texts, plans, strict=True):
        task = read_task(domain_text(domain), text)
        other = UnifiedPlanning(domain_text(domain), text, task)
        known = [list(task.read_plan(plan).steps)] if plan else []
        found.append((task, other, known))
    return found


def walk(task: Task, rng: random.Random) -> Steps:
    """Return random applicable steps, up to a goal and at most twelve."""
    state, steps = task.initial_state(), Steps()
    while len(steps) < 12 and not task.goal_holds(state):
        following = list(task.successors(state))
        if not following:
            break
        step, state = rng.choice(following)
        steps.append(step)
    return steps


def with_argument(step: Step, rng: random.Random, name: str) -> Step:
    if not step.arguments:
        return step
    position = rng.randrange(len(step.arguments))
    before, after = step.arguments[:position], step.arguments[position + 1 :]
    return Step(step.action, (*before, name, *after))


def mutated(steps: Steps, task: Task, rng: random.Random) -> Steps:
    if not steps:
        return [Step(rng.choice(list(task.vocabulary.actions)))]
    steps, at = list(steps), rng.randrange(len(steps))
    objects = [*task.vocabulary.objects, "no-such-object"]
    step = steps[at]
    faults: list[Callable[[], None]] = [
        lambda: steps.pop(at) and None,
        lambda: steps.insert(at, step),
        lambda: steps.insert(at, steps.pop(rng.randrange(len(steps)))),
        lambda: steps.__setitem__(at, with_argument(step, rng, rng.choice(objects))),
        lambda: steps.__setitem__(at, with_argument(step, rng, rng.choice(objects[:-1]))),
        lambda: steps.__setitem__(
            at, Step(rng.choice([*task.vocabulary.actions, "nop"]), step.arguments)
        ),
        lambda: steps.__setitem__(at, Step(step.action, (*step.arguments, rng.choice(objects)))),
        lambda: steps.__delitem__(slice(at, None)),
        steps.reverse,
        lambda: None,
    ]
    rng.choice(faults)()
    return steps


def compare(domain: str, count: int, seed: int) -> Counter[tuple[Status, Status]]:
    seen: Counter[tuple[Status, Status]] = Counter()
    rng = random.Random(f"{domain}/{seed}")
    for number in range(count):
        task, other, known = rng.choice(problems(domain)) if number else problems(domain)[0]
        steps = rng.choice([*known, walk(task, rng)] if number else known)
        for _ in range(rng.randint(1, 2) if number else 0):  # the first plan is the known one
            steps = mutated(steps, task, rng)
        text = str(Plan(tuple(steps)))
        verdict = task.judge(text)
        opinion = other.judge(text)
        message = f"{text}\nours: {verdict}\nup: {opinion}"
        if opinion.status is Status.UNDECIDED:
            # Unified Planning raises an exception if a step does not exist.
            assert verdict.status is Status.MALFORMED, message
        else:
            assert verdict.status is opinion.status, message
            assert with_opinions(verdict, {"up": opinion}).status is verdict.status, message
        seen[verdict.status, opinion.status] += 1
    return seen


@pytest.mark.parametrize("domain", domain_names())
def test_verdicts_agree(domain: str) -> None:
    seen = compare(domain, PER_DOMAIN, 0)
    assert {status for status, _ in seen} == {Status.VALID, Status.INVALID, Status.MALFORMED}


@pytest.mark.long
@pytest.mark.parametrize("domain", domain_names())
def test_verdicts_agree_on_very_many(domain: str) -> None:
    seen = compare(domain, PER_DOMAIN_LONG, 1)
    assert sum(seen.values()) == PER_DOMAIN_LONG
