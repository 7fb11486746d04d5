"""The functions that the tasks of lm-evaluation-harness call; extra ``lm-eval``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pddl_pipeline.integrations.extras import missing
from pddl_pipeline.integrations.instances import instances_of, mark_text, questions_in, score_text
from pddl_pipeline.prompts.prompting import prompt_for
from pddl_pipeline.translators.datasets import instance_of
from pddl_pipeline.translators.records import to_record

try:
    from datasets import Dataset
except ImportError as error:
    raise missing(error, "lm-eval") from None


def plan_dataset(
    domain: str | None = None, data: str | None = None, style: str = "io", **_: object
) -> dict[str, Dataset]:
    """Return the instances and their prompts; see `instances_of` and `prompt_for`.

    ``--metadata`` sets ``data`` and ``style``; the model's arguments are passed too and ignored.

    Raises:
        InputError: the dataset cannot be read, or the style is unknown.
    """
    rows = [
        {
            "id": instance.id,
            "prompt": prompt_for(instance, style=style),
            "style": style,
            # As text: in a table, every record would have the fields of all records.
            "record": json.dumps(to_record(instance)),
        }
        for instance in instances_of(domain, data)
    ]
    return {"test": Dataset.from_list(rows)}


def plan_metrics(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Return the metrics of an answer. An undecided answer is excluded from the accuracies."""
    judged = score_text(instance_of(doc), results[0], doc.get("style", "io"))
    if not judged.judged:
        return {"judged": 0.0}
    return {
        "accuracy": float(judged.correct),
        "strict_accuracy": float(judged.strictly_correct),
        "judged": 1.0,
    }


def question_dataset(data: str, kind: str | None = None, **_: object) -> dict[str, Dataset]:
    """Return the questions of a file, or of a file of ACPBench, all or those of one kind."""
    rows = [
        {"id": each.id, "prompt": each.prompt, "question": json.dumps(each.to_json())}
        for each in questions_in(data)
        if kind in (None, each.kind)
    ]
    return {"test": Dataset.from_list(rows)}


def question_metrics(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Return the metrics of an answer. An undecided answer is excluded from the accuracy."""
    correct = mark_text(json.loads(doc["question"]), results[0]).correct
    return {"judged": 0.0} if correct is None else {"accuracy": float(correct), "judged": 1.0}
