"""Summaries of marked answers: accuracy and mistakes by kind of question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
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
    asked = Counter(each.kind for each in questions)
    groups: dict[tuple[str, str], list[Marked]] = {}
    for each in marked:
        if each.kind is not None:
            groups.setdefault((each.model or "", each.kind), []).append(each)
    found = []
    for model in sorted({model for model, _ in groups}) or [""]:
        for kind, number in asked.items():
            given = groups.get((model, kind), [])
            here = [each for each in given if each.mark.correct is not None]
            count, correct = len(here), sum(each.mark.correct is True for each in here)
            mistakes = Counter(name for each in here for name in each.mark.mistakes)
            found.append(
                {
                    "kind": kind,
                    "model": model or None,
                    "answers": count,
                    "correct": correct,
                    "undecided": len(given) - count,
                    "unanswered": number - len({each.id for each in given}),
                    "accuracy": correct / count if count else None,
                    "interval": list(wilson(correct, count)) if count else None,
                    "few": count < FEW,
                    "mistakes": dict(sorted(mistakes.items())),
                }
            )
    return found


def task_table(questions: Mapping[str, Question], marked: Iterable[Marked]) -> TextTable:
    """Return the table with a row for each domain and model, and a column for each task.

    A task is a kind of question. ACPBench's items with choices are columns of their own.
    """
    cells: dict[tuple[str, str], dict[str, list[bool]]] = {}
    tasks: dict[str, None] = {}
    for each in marked:
        question = questions.get(each.id or "")
        if question is not None and each.mark.correct is not None:
            task, kind = question.details.get("asks", question.kind), question.kind
            name = task if task == kind else f"{task} ({kind})"
            tasks[name] = None
            row = cells.setdefault((question.domain or NO_NUMBER, each.model or NO_NUMBER), {})
            row.setdefault(name, []).append(each.mark.correct)
    rows = (
        (*names, *(_share(found[task]) if task in found else NO_NUMBER for task in tasks))
        for names, found in sorted(cells.items())
    )
    return TextTable(("domain", "model", *tasks), tuple(rows), names=2)


def _share(marks: list[bool]) -> str:
    return marked_few(rounded(100 * sum(marks) / len(marks), 1), len(marks))


def accuracy_table(summaries: Iterable[Summary]) -> TextTable:
    """Return the table of accuracies with their 95 % intervals."""
    headings = (
        "kind", "model", "answers", "undecided", "unanswered", "correct", "accuracy (%)",
        "95 % interval",
    )  # fmt: skip
    rows = []
    for each in summaries:
        names, counts = (each["kind"], each["model"] or "-"), map(str, map(each.get, headings[2:6]))
        interval = percent_range(each["interval"])
        if each["answers"]:
            interval = marked_few(interval, each["answers"])
        share = each["accuracy"]
        rows.append((*names, *counts, rounded(None if share is None else 100 * share, 1), interval))
    return TextTable(headings, tuple(rows), names=2)


def mistake_table(summaries: Iterable[Summary]) -> TextTable:
    """Return the table of mistakes with their numbers of answers, the most frequent first."""
    rows = [
        (each["kind"], each["model"] or "-", mistake, str(count))
        for each in summaries
        for mistake, count in sorted(each["mistakes"].items(), key=lambda item: -item[1])
    ]
    return TextTable(("kind", "model", "mistake", "answers"), tuple(rows), names=3)
