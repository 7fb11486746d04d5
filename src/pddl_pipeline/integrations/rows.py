"""The rows of the tasks of evaluation libraries, and the score of an answer to one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from pddl_pipeline.integrations.instances import instances_of
from pddl_pipeline.prompts.prompting import prompt_for
from pddl_pipeline.prompts.statement import PDDL
from pddl_pipeline.questions.marking import by_id, mark_answers
from pddl_pipeline.questions.question import Mark, Question
from pddl_pipeline.questions.question_files import read_questions
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.answer_rows import AnswerRow
from pddl_pipeline.scoring.judging import OWN, Score
from pddl_pipeline.scoring.score import score
from pddl_pipeline.translators.datasets import instance_of
from pddl_pipeline.translators.records import to_record


def plan_rows(
    domain: str | None = None,
    data: str | None = None,
    style: str = "io",
    limit: int | None = None,
) -> list[dict[str, str]]:
    """Return the instances of a dataset as rows with their prompts.

    See `instances_of` and `prompt_for`. Records are texts, because in a table every record would
    have the fields of all.

    Raises:
        InputError: the dataset cannot be read, or the style is unknown.
    """
    return [
        {
            "id": instance.id,
            "prompt": prompt_for(instance, style=style),
            "style": style,
            "record": json.dumps(to_record(instance)),
        }
        for instance in instances_of(domain, data, limit)
    ]


def score_row(row: Mapping[str, Any], text: str) -> Score:
    """Score an answer to a row with an instance and, maybe, the style of its prompt.

    Raises:
        InputError: the row has no instance.
    """
    instance, style = instance_of(row), row.get("style")
    return next(score([instance], [Answer(instance.id, text)], PDDL if style == PDDL else OWN))


def question_rows(
    data: str, kind: str | None = None, limit: int | None = None
) -> list[dict[str, str]]:
    """Return the questions of a file, or of a file of ACPBench, all or those of one kind.

    Raises:
        InputError: the file cannot be read.
    """
    found = by_id(read_questions(Path(data))).values()
    chosen = (each for each in found if kind in (None, each.kind))
    return [
        {"id": each.id, "prompt": each.prompt, "question": json.dumps(each.to_json())}
        for each in islice(chosen, limit)
    ]


def mark_row(row: Mapping[str, Any], text: str) -> Mark:
    """Mark an answer to a row with a question; `Mark.correct` is None if that is not decided."""
    given = msgspec.json.decode(row["question"], type=Question)
    (marked,) = mark_answers({given.id: given}, [AnswerRow("", {"id": given.id, "answer": text})])
    return marked.mark
