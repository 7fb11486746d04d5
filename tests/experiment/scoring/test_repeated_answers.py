"""Answers in the same words are judged once."""

from __future__ import annotations

from pddl_pipeline import score
from pddl_pipeline.translators.records import from_record


def test_answers_in_the_same_words_have_their_own_attempts_and_models() -> None:
    tasks = {"a": {"numbers": [3, 8], "target": 24}, "b": {"numbers": [3, 8], "target": 11}}
    instances = [from_record({"id": n, "domain": "countdown", **f}) for n, f in tasks.items()]
    answers = [
        {"id": name, "answer": "3 * 8", "model": model}
        for name, model in (("a", "x"), ("a", "x"), ("b", "x"), ("a", "y"))
    ]
    found = list(score(instances, answers))
    assert [(each.id, each.attempt, each.answer.model, each.correct) for each in found] == [
        ("a", 1, "x", True), ("a", 2, "x", True), ("b", 1, "x", False), ("a", 1, "y", True),
    ]  # fmt: skip
