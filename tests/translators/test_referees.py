"""Each referee plays without PDDL and must agree with the validator on every plan."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plan_walks import walk
from record_strategies import records

from pddl_pipeline import load_records, read_task, translate
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.translators import read_instance
from pddl_pipeline.translators.judging import judge_plan
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.translators.translator import translator
from pddl_pipeline.validation.task import Task, task_of


def any_step(task: Task) -> st.SearchStrategy[Step]:
    """Return the steps with objects of the right types, applicable or not."""
    return st.one_of(
        st.tuples(st.just(name), st.tuples(*map(st.sampled_from, lists))).map(lambda s: Step(*s))
        for name, lists in choices_of(task).items()
        if all(lists)
    )


def choices_of(task: Task) -> dict[str, list[list[str]]]:
    """Return the possible objects of each parameter, by action."""
    return {
        action.name: [list(task.vocabulary.candidates(kinds)) for _, kinds in action.parameters]
        for action in task.vocabulary.actions.values()
    }


@pytest.mark.parametrize("domain", domain_names())
@given(data=st.data())
def test_referee_and_validator_agree(domain: str, data: st.DataObject) -> None:
    instance = from_record(data.draw(records(domain)))
    task = read_instance(instance)
    plan = walk(task, lambda found: data.draw(st.sampled_from(found)), data.draw(st.integers(0, 8)))
    if data.draw(st.booleans()):
        plan = Plan((*plan, data.draw(any_step(task))))
    verdict = task.judge(plan)
    fault = translator(domain).referee(instance, plan)
    assert (fault is None) == (verdict.status is Status.VALID), (fault, verdict.reason)
    failed = re.match(r"step (\d+)", fault or "")
    assert (int(failed[1]) if failed else None) == verdict.failed_step


@pytest.mark.parametrize("tries", [4_000, pytest.param(20_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("domain", domain_names())
def test_referee_and_validator_agree_on_every_step_near_the_start(domain: str, tries: int) -> None:
    """Play every step in each of the first states, breadth-first from the first example.

    If there are too many, play those that differ from an applicable step in one argument.
    """
    instance = next(load_records(domain_folder(domain) / "examples.jsonl"))
    texts = translate(instance)
    task, referee = task_of(texts), translator(domain).referee
    choices = choices_of(task)
    few = sum(prod(map(len, lists)) for lists in choices.values()) < 20_000
    steps = [
        Step(name, arguments)
        for name, lists in choices.items()
        for arguments in (product(*lists) if few else ())
    ]
    queue, known = deque([(task.initial_state(), Plan(()))]), set()
    for _ in range(3 + tries // (len(steps) or 2_000)):
        if not queue:
            break
        state, plan = queue.popleft()
        following = dict(task.successors(state))
        near = {other for step in following for other in changed(step, choices)}
        for step in steps or near:
            longer = Plan((*plan.steps, step))
            fault = referee(instance, longer) or ""
            refused = fault.startswith(f"step {len(longer)} ")
            assert refused == (step not in following), (str(longer), fault)
        for step, after in following.items():
            key = (frozenset(after.facts), frozenset(after.values.items()))
            if key not in known:
                known.add(key)
                queue.append((after, Plan((*plan.steps, step))))
    assert len(known) > 3


def changed(step: Step, choices: dict[str, list[list[str]]]) -> Iterator[Step]:
    """Yield the step and all steps that differ in one argument or in the action."""
    for name, lists in choices.items():
        if len(lists) == len(step.arguments):
            yield Step(name, step.arguments)
    for position, names in enumerate(choices[step.action]):
        for name in names:
            before, after = step.arguments[:position], step.arguments[position + 1 :]
            yield Step(step.action, (*before, name, *after))


def test_a_wrong_translation_is_disputed() -> None:
    """A referee that plays another instance simulates a wrong translation."""
    folder = domain_folder("countdown")
    instance = from_record(
        {"id": "x", "domain": "countdown", "numbers": [3, 4, 5, 7], "target": 24}
    )
    task = read_task(folder / "domain.pddl", folder / "p01.pddl")
    verdict = judge_plan((folder / "p01.plan").read_text(), task, instance)
    assert verdict.status is Status.DISPUTED
    assert "28 is left, not 24" in (verdict.reason or "")
