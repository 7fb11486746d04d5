"""Tests on ACPBench's published items and answers, if the public data are available."""

from __future__ import annotations

import json
from typing import Any

import pytest
from places import DATA as PUBLIC_DATA

from pddl_pipeline.questions.acpbench import answer_acpbench, question_of
from pddl_pipeline.questions.kind import kinds
from pddl_pipeline.questions.marking import as_text

DATA = PUBLIC_DATA / "acpbench"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the public datasets are not here")


def items(group: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((DATA / group / "dev.gen.json").read_text())
    return found


def plain(answer: Any) -> Any:
    if isinstance(answer, dict):
        return {name: plain(each) for name, each in answer.items()}
    return sorted(map(str.lower, answer)) if isinstance(answer, list) else int(answer)


@pytest.mark.parametrize("group", ["val", "app", "prog"])
def test_all_40_items_are_answered_as_published(group: str) -> None:
    agree = [plain(answer_acpbench(each)) == plain(each["answer"]) for each in items(group)]
    assert agree == [True] * 40


@pytest.mark.parametrize("group", ["val", "app", "prog"])
def test_published_answers_are_marked_correct(group: str) -> None:
    for each in items(group):
        question = question_of(each)
        mark = kinds()[question.kind].mark
        assert mark(question, as_text(each)["answer"]).correct
        assert not mark(question, "").correct
