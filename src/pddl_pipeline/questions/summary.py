"""Summaries of marked answers: accuracy and mistakes by kind of question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pddl_pipeline.questions.marking import Marked
from pddl_pipeline.questions.question import Question
from pddl_pipeline.statistics.intervals import FEW, marked_few, wilson
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, percent_range, rounded

Summary = dict[str, Any]
"""The answers of one model to the questions of one kind, as the object of a line."""


def summarise(marked: Iterable[Marked], questions: Iterable[Question]) -> list[Summary]:
    """Return a summary for each kind and model, with the 95 % interval of the accuracy.

    Args:
        marked: the answers; those without a question are left out.
        questions: all questions.
    """
    asked, known = (
        Counter(question.kind for question in questions),
        [each for each in marked if each.kind],
    )
    models = sorted({each.model or "" for each in known}) or [""]
    return [
        _summary(
            kind,
            model,
            number,
            [each for each in known if (each.kind, each.model or "") == (kind, model)],
        )
        for model in models
        for kind, number in asked.items()
    ]


def _summary(kind: str, model: str, asked: int, given: Sequence[Marked]) -> Summary:
    judged = [each.mark for each in given if each.mark.correct is not None]
    count, correct = len(judged), sum(mark.correct is True for mark in judged)
    mistakes = Counter(name for mark in judged for name in mark.mistakes)
    return {
        "kind": kind,
        "model": model or None,
        "answers": count,
        "correct": correct,
        "undecided": len(given) - count,
        "unanswered": asked - len({each.id for each in given}),
        "accuracy": correct / count if count else None,
        "interval": list(wilson(correct, count)) if count else None,
        "few": count < FEW,
        "mistakes": dict(sorted(mistakes.items())),
    }


def task_table(questions: Mapping[str, Question], marked: Iterable[Marked]) -> TextTable:
    """Return the table with a row for each domain and model, and a column for each task.

    A task is a kind of question. ACPBench's items with choices are columns of their own.
    """
    found: dict[tuple[str, str, str], list[bool]] = {}
    for each in marked:
        question = questions.get(each.id or "")
        if question is not None and each.mark.correct is not None:
            task, kind = question.details.get("asks", question.kind), question.kind
            name = task if task == kind else f"{task} ({kind})"
            key = (question.domain or NO_NUMBER, each.model or NO_NUMBER, name)
            found.setdefault(key, []).append(each.mark.correct)
    tasks = dict.fromkeys(name for _, _, name in found)
    rows = (
        (*names, *(_share(found.get((*names, task), [])) for task in tasks))
        for names in sorted({(domain, model) for domain, model, _ in found})
    )
    return TextTable(("domain", "model", *tasks), tuple(rows), names=2)


def _share(marks: Sequence[bool]) -> str:
    number = len(marks)
    return marked_few(rounded(100 * sum(marks) / number, 1), number) if marks else NO_NUMBER


def accuracy_table(summaries: Iterable[Summary]) -> TextTable:
    """Return the table of accuracies with their 95 % intervals."""
    headings = (
        "kind", "model", "answers", "undecided", "unanswered", "correct", "accuracy (%)",
        "95 % interval",
    )  # fmt: skip
    rows = []
    for summary in summaries:
        names, counts = (
            (summary["kind"], summary["model"] or "-"),
            map(str, map(summary.get, headings[2:6])),
        )
        interval = marked_few(percent_range(summary["interval"]), summary["answers"] or FEW)
        share = summary["accuracy"]
        rows.append((*names, *counts, rounded(None if share is None else 100 * share, 1), interval))
    return TextTable(headings, tuple(rows), names=2)


def mistake_table(summaries: Iterable[Summary]) -> TextTable:
    """Return the table of mistakes with their numbers of answers, the most frequent first."""
    rows = [
        (summary["kind"], summary["model"] or "-", mistake, str(count))
        for summary in summaries
        for mistake, count in sorted(summary["mistakes"].items(), key=lambda item: -item[1])
    ]
    return TextTable(("kind", "model", "mistake", "answers"), tuple(rows), names=3)
