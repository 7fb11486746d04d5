"""Marking of the answers of models to questions. An invalid line does not stop the marking."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from pddl_pipeline.model.errors import InputError, NotJudged
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.questions.kind import kinds
from pddl_pipeline.questions.question import Mark, NoQuestion, Question
from pddl_pipeline.questions.question_files import exact
from pddl_pipeline.scoring.answer import Answer, answer_from
from pddl_pipeline.scoring.answer_rows import AnswerRow


@dataclass(frozen=True, slots=True)
class Marked:
    """An answer and its mark."""

    id: str | None
    """The id of the question; None if the line does not contain it."""
    kind: str | None
    """The kind of the question; None if the question does not exist."""
    mark: Mark
    model: str | None = None
    """The model that answered, if the line contains it."""
    text: str = ""
    """The answer."""

    def to_json(self) -> dict[str, Any]:
        """Return the object of a line."""
        line = {
            "id": self.id,
            "kind": self.kind,
            "correct": self.mark.correct if self.kind else None,
            "found": self.mark.found,
            "mistakes": list(self.mark.mistakes),
            "reason": self.mark.reason,
        }
        return line | ({"model": self.model} if self.model is not None else {})


def by_id(questions: Iterable[Question]) -> dict[str, Question]:
    """Return questions by their ids.

    An item of ACPBench whose id is taken, by an item of another task, has its group before it.

    Raises:
        InputError: two have the same id.
    """
    found: dict[str, Question] = {}
    for given in questions:
        taken = given.seed is None and given.id in found
        question = replace(given, id=given.instance) if taken else given
        if question.id in found:
            raise InputError(f"two questions have the id '{question.id}'")
        found[question.id] = question
    return found


def mark_answers(questions: dict[str, Question], rows: Iterable[AnswerRow]) -> Iterator[Marked]:
    """Yield the mark of each answer, in the order of the answers.

    Args:
        questions: the questions by id.
        rows: the answers. An answer that is not a text is read as the text of its JSON, because
            ACPBench's answers are numbers, lists and objects.
    """
    for row in rows:
        given = row.value
        if isinstance(given, dict) and not isinstance(given.get("answer"), str | None):
            given = {**given, "answer": json.dumps(given["answer"])}
        answer = answer_from(given) if row.fault is None else Answer(fault=row.fault)
        name, fault = answer.id or "", answer.fault and f"{row.place}: {answer.fault}"
        if fault is None and name not in questions:
            fault = f"unknown id{did_you_mean(name, questions)}"
        mark = Mark(correct=False, reason=fault) if fault else _mark(questions, name, answer.text)
        kind = None if fault else questions[name].kind
        yield Marked(answer.id, kind, mark, answer.model, answer.text)


def _mark(questions: dict[str, Question], name: str, text: str) -> Mark:
    """Return the mark of an answer; if the question has no answer, first compute and store it."""
    try:
        # ACPBench publishes some items without answers.
        if questions[name].answer is None:
            questions[name] = exact(questions[name])
        return kinds()[questions[name].kind].mark(questions[name], text)
    except (NoQuestion, NotJudged) as error:
        return Mark(None, reason=f"undecided: {error}")
