"""Marking of the answers of models to questions. An invalid line does not stop the marking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.questions.kind import kinds
from pddl_pipeline.questions.question import Mark, Question
from pddl_pipeline.questions.reading import list_text
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


class Marker:
    """Marks answers to the questions of a file."""

    def __init__(self, questions: Iterable[tuple[Question, str | None]]) -> None:
        self.questions: dict[str, Question] = {}
        self._other_ids: dict[str, str] = {}
        for question, other in questions:
            if question.id in self.questions:
                raise InputError(f"two questions have the id '{question.id}'")
            self.questions[question.id] = question
            if other is not None:
                self._other_ids[other] = question.id

    def mark(self, rows: Iterable[AnswerRow]) -> Iterator[Marked]:
        """Yield the mark of each answer, in the order of the answers."""
        for row in rows:
            if row.fault is not None:
                yield _no_answer(None, f"{row.place}: {row.fault}")
            else:
                yield self._marked(answer_from(as_text(row.value)), row.place)

    def _marked(self, answer: Answer, place: str) -> Marked:
        if answer.fault is not None:
            return _no_answer(answer.id, f"{place}: {answer.fault}")
        name = answer.id or ""
        question = self.questions.get(self._other_ids.get(name, name))
        if question is None:
            return _no_answer(name, f"unknown id{did_you_mean(name, self.questions)}")
        mark = kinds()[question.kind].mark(question, answer.text)
        return Marked(question.id, question.kind, mark, answer.model)


def _no_answer(name: str | None, reason: str) -> Marked:
    return Marked(name, None, Mark(correct=False, reason=reason))


def as_text(given: Any) -> Any:
    """Return an answer's object with the values that ACPBench writes as JSON converted to text."""
    if not isinstance(given, Mapping):
        return given
    found = dict(given)
    answer = found.get("answer")
    if type(answer) is int:
        found["answer"] = str(answer)
    elif isinstance(answer, list):
        found["answer"] = list_text(map(str, answer))
    elif isinstance(answer, Mapping) and answer.keys() == {"pos", "neg"}:
        lists = (answer[name] for name in ("pos", "neg"))
        found["answer"] = " ".join(
            list_text(map(str, each)) if isinstance(each, list) else "" for each in lists
        )
    return found
