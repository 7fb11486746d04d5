"""The functions that the tasks of lm-evaluation-harness call; extra ``lm-eval``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pddl_pipeline.integrations.extras import missing
from pddl_pipeline.integrations.rows import mark_row, plan_rows, question_rows, score_row

try:
    from datasets import Dataset
except ImportError as error:
    raise missing(error, "lm-eval") from None


def plan_dataset(
    domain: str | None = None, data: str | None = None, style: str = "io", **_: object
) -> dict[str, Dataset]:
    """Return the instances and their prompts; see `plan_rows`.

    ``--metadata`` sets ``data`` and ``style``; the model's arguments are passed too and ignored.
    """
    return {"test": Dataset.from_list(plan_rows(domain, data, style))}


def plan_metrics(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Return the metrics of an answer. An undecided answer is excluded from the accuracies."""
    judged = score_row(doc, results[0])
    if judged.correct is None:
        return {"judged": 0.0}
    return {
        "accuracy": float(judged.correct),
        "strict_accuracy": float(judged.strictly_correct),
        "judged": 1.0,
    }


def question_dataset(data: str, kind: str | None = None, **_: object) -> dict[str, Dataset]:
    """Return the questions of a file; see `question_rows`."""
    return {"test": Dataset.from_list(question_rows(data, kind))}


def question_metrics(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Return the metrics of an answer. An undecided answer is excluded from the accuracy."""
    correct = mark_row(doc, results[0]).correct
    return {"judged": 0.0} if correct is None else {"accuracy": float(correct), "judged": 1.0}
