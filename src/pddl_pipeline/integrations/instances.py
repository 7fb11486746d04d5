"""Functions that all integrations use: the rows of a task, the score of one answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.prompts.prompting import prompt_for
from pddl_pipeline.prompts.statement import PDDL
from pddl_pipeline.questions.marking import by_id, mark_answers
from pddl_pipeline.questions.question import Mark, Question
from pddl_pipeline.questions.question_files import read_questions
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.answer_rows import AnswerRow
from pddl_pipeline.scoring.judging import OWN, Score
from pddl_pipeline.scoring.score import score
from pddl_pipeline.translators.datasets import instance_of, load_records
from pddl_pipeline.translators.records import to_record


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
