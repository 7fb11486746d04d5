"""Functions that all integrations use: the instances of a task, the score of one answer."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.prompts.prompting import PDDL
from pddl_pipeline.questions.marking import by_id, mark_answers
from pddl_pipeline.questions.question import Mark, Question
from pddl_pipeline.questions.question_files import read_questions
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.answer_rows import AnswerRow
from pddl_pipeline.scoring.judging import OWN, Score
from pddl_pipeline.scoring.score import score
from pddl_pipeline.translators.datasets import load_records


def instances_of(
    domain: str | None = None, data: str | Path | None = None, limit: int | None = None
) -> list[Instance[Any]]:
    """Return the first instances of a dataset.

    Args:
        domain: the domain of all instances; None accepts any domain.
        data: a dataset in any supported format; None selects the examples of the domain.
        limit: maximum number of instances; None returns all.

    Raises:
        InputError: the dataset cannot be read, or has an instance of another domain.
    """
    folders = map(domain_folder, domain_names() if domain is None else (domain,))
    paths = [folder / "examples.jsonl" for folder in folders] if data is None else [Path(data)]
    found = list(islice(load_records(*paths), limit))
    for instance in found:
        if domain not in (None, instance.domain):
            message = f"'{instance.id}' is of {instance.domain}, expected {domain}"
            raise InputError(message, file=str(data))
    return found


def score_text(instance: Instance[Any], text: str, style: str = "io") -> Score:
    """Score one answer to an instance, which was asked for in this style."""
    return next(score([instance], [Answer(instance.id, text)], PDDL if style == PDDL else OWN))


def questions_in(data: str | Path) -> list[Question]:
    """Return the questions in a file, or the items of a file of ACPBench."""
    return list(by_id(read_questions(Path(data))).values())


def mark_text(question: Mapping[str, Any], text: str) -> Mark:
    """Mark one answer to a question; `Mark.correct` is None if that is not decided."""
    given = msgspec.convert(question, Question)
    (marked,) = mark_answers({given.id: given}, [AnswerRow("", {"id": given.id, "answer": text})])
    return marked.mark
