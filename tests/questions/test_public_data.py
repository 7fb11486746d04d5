"""Tests on ACPBench's published items and answers, if the public data are available."""

from __future__ import annotations

import pytest
from places import DATA as PUBLIC_DATA

from pddl_pipeline.questions.kind import kinds
from pddl_pipeline.questions.marking import by_id, mark_answers
from pddl_pipeline.questions.question_files import read_questions
from pddl_pipeline.scoring.answer_rows import answer_rows

DATA = PUBLIC_DATA / "acpbench"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the public datasets are not here")


@pytest.mark.parametrize("name", [
    "val/dev.gen", "app/dev.gen", "prog/dev.gen", "reach/dev.bool", "just/dev.mcq",
])  # fmt: skip
def test_published_answers_are_marked_correct(name: str) -> None:
    file = DATA / f"{name}.json"
    questions = by_id(read_questions(file))
    assert len(questions) == 40
    marked = list(mark_answers(questions, answer_rows(file)))
    assert [each.mark.correct for each in marked] == [True] * 40
    for question in questions.values():
        assert not kinds()[question.kind].mark(question, "").correct
