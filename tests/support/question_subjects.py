"""Helpers of the tests of questions: small instances of every domain, and questions about them."""

from __future__ import annotations

from functools import cache
from typing import Any

from pddl_pipeline import load_records
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.questions.making import QuestionSpec, make_questions
from pddl_pipeline.questions.question import Question
from pddl_pipeline.translators import read_instance
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.task import Task

# Sokoban instances whose state spaces take long to explore.
SLOW = {"sokoban-2-1", "sokoban-2-2", "sokoban-3-3", "sokoban-3-5"}
MOST_STATES = 500


@cache
def instances(domain: str) -> dict[str, Instance[Any]]:
    found = load_records(domain_folder(domain) / "examples.jsonl")
    return {each.id: each for each in found if each.id not in SLOW}


@cache
def task_of(domain: str, name: str) -> Task:
    return read_instance(instances(domain)[name])


@cache
def questions(domain: str, *, words: bool = True) -> tuple[Question, ...]:
    wishes = QuestionSpec(count=2, words=words, most_states=MOST_STATES)
    return tuple(make_questions(instances(domain).values(), wishes))


def questions_of(kind: str) -> list[tuple[Question, Task]]:
    """Return the questions of a kind about all domains, each with its task."""
    return [
        (question, task_of(domain, question.instance))
        for domain in domain_names()
        for question in questions(domain)
        if question.kind == kind
    ]


def task_from_record(record: dict[str, Any]) -> tuple[Instance[Any], Task]:
    instance = from_record({"id": "example", **record})
    return instance, read_instance(instance)
