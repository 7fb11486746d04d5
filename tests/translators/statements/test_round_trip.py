"""A plan in a statement's words is read back as the same plan, for every domain."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from places import TESTS
from plan_walks import is_told_again, walk
from record_strategies import records

from pddl_pipeline.answers.readers import parse_answer
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.prompts.statements.choice import statements_of
from pddl_pipeline.prompts.statements.solved import own_examples
from pddl_pipeline.translators import read_instance
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.task import Task

# Countdown's sentences contain numbers, not their names; its own module tests them.
DOMAINS = [name for name in domain_names() if name != "countdown"]
CASES = (TESTS / "pddl_domains" / "public").iterdir()
PUBLIC = sorted(case for case in CASES if case.name.partition("--")[0] in DOMAINS)


def check_told(plan: Plan, instance: Instance[Any], task: Task) -> None:
    """Check that a plan is read back from every statement, alone and after its opening."""
    steps = [step[:2] for step in plan]
    for name, statement in statements_of(instance, task).items():
        told, opening = statement.write(plan, instance, task), statement.styles["io"].opening
        for answer in (told, f"{opening}\n{told}", f"{told}\n\nI hope that this helps."):
            read = parse_answer(answer, instance, task)
            assert read.plan is not None, (name, answer, read.faults)
            assert [step[:2] for step in read.plan] == steps, (name, answer)
            assert not read.faults


@pytest.mark.parametrize("domain", [*DOMAINS, "mystery"])
def test_solved_examples_are_read_back(domain: str) -> None:
    examples = own_examples(domain)
    assert len(examples) >= 4
    for example in examples:
        check_told(example.plan, example.instance, example.task)


@pytest.mark.parametrize("case", PUBLIC, ids=lambda case: case.name)
def test_plans_of_variants_are_read_back(case: Path) -> None:
    domain, _, variant = case.name.partition("--")
    file = domain_folder(domain) / (f"variants/{variant}.pddl" if variant else "domain.pddl")
    texts = file.read_text(), (case / "problem.pddl").read_text()
    instance = given_instance("t", *texts, {})
    task = read_instance(instance)
    assert next(iter(statements_of(instance, task))) != "pddl", "no words for this variant"
    check_told(task.read_plan((case / "plan").read_text()), instance, task)


@pytest.mark.parametrize("domain", DOMAINS)
@given(data=st.data())
def test_any_walk_is_read_back(domain: str, data: st.DataObject) -> None:
    instance = from_record(data.draw(records(domain)))
    task = read_instance(instance)
    plan = walk(
        task, lambda found: data.draw(st.sampled_from(found)), data.draw(st.integers(1, 12))
    )
    assume(plan and not is_told_again(plan))
    check_told(plan, instance, task)
