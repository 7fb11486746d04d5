"""Summaries of marked answers: accuracy and mistakes by kind of question, and by group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from pddl_pipeline.questions.marking import Marked
from pddl_pipeline.questions.question import Question
from pddl_pipeline.scoring.grouping import bin_label, binned
from pddl_pipeline.statistics.intervals import FEW, Interval, marked_few, wilson
from pddl_pipeline.tables.text_table import TextTable, percent_range, rounded


@dataclass(frozen=True, slots=True)
class KindSummary:
    """The answers of one model to the questions of one kind."""

    kind: str
    model: str
    """Empty if the answers do not name a model."""
    answers: int
    correct: int
    unanswered: int
    """The number of questions of the kind that the model did not answer."""
    mistakes: Counter[str]
    """The number of answers with each kind of mistake."""
    by: str | None = None
    """Name of the grouping, if the summary is of a group of questions."""
    group: str | None = None
    """The group, such as the number of actions."""

    @property
    def interval(self) -> Interval | None:
        """The 95 % interval of the accuracy; None without answers."""
        return wilson(self.correct, self.answers) if self.answers else None

    def to_json(self) -> dict[str, Any]:
        """Return the object of a line."""
        group = {} if self.by is None else {"by": self.by, "group": self.group}
        return {
            **group,
            "kind": self.kind,
            "model": self.model or None,
            "answers": self.answers,
            "correct": self.correct,
            "unanswered": self.unanswered,
            "accuracy": self.correct / self.answers if self.answers else None,
            "interval": self.interval and list(self.interval),
            "few": self.answers < FEW,
            "mistakes": dict(sorted(self.mistakes.items())),
        }


def summarise(marked: Iterable[Marked], asked: Counter[str]) -> list[KindSummary]:
    """Return a summary for each kind and model.

    Args:
        marked: the answers; those without a question are left out.
        asked: the number of questions of each kind.
    """
    groups: dict[tuple[str, str], list[Marked]] = {}
    for each in marked:
        if each.kind is not None:
            groups.setdefault((each.model or "", each.kind), []).append(each)
    models = sorted({model for model, _ in groups}) or [""]
    return [
        _summary(kind, model, groups.get((model, kind), []), asked[kind])
        for model in models
        for kind in asked
    ]


Labels = Mapping[str, str]
"""The label of the group of each question, by its id, in the order of groups."""


def _by_number(number: Callable[[Question], int]) -> Callable[[Iterable[Question]], Labels]:
    def labels(questions: Iterable[Question]) -> Labels:
        numbers = {each.id: number(each) for each in questions}
        bins = binned(numbers.values())
        ordered = sorted(numbers, key=numbers.__getitem__)
        return {name: bin_label(bins(numbers[name])) for name in ordered}

    return labels


def _by_domain(questions: Iterable[Question]) -> Labels:
    return {each.id: each.domain for each in sorted(questions, key=lambda each: each.domain)}


GROUPINGS: Final[Mapping[str, Callable[[Iterable[Question]], Labels]]] = {
    "actions": _by_number(lambda question: question.steps),
    "size": _by_number(lambda question: question.size),
    "domain": _by_domain,
}
"""By name: the number of actions (SimPlan, figure 2), the size of the instance, the domain."""


def summarise_groups(
    marked: Iterable[Marked], questions: Mapping[str, Question], by: str
) -> list[KindSummary]:
    """Return a summary for each group, kind and model, without those that have no answer.

    Args:
        marked: the answers; those without a question are left out.
        questions: all questions, by id.
        by: one of the `GROUPINGS`.
    """
    labels = GROUPINGS[by](questions.values())
    members: dict[str, list[Marked]] = {label: [] for label in labels.values()}
    for each in marked:
        if each.kind is not None:
            members[labels[each.id or ""]].append(each)
    found = [
        replace(summary, by=by, group=label)
        for label, of_group in members.items()
        for summary in summarise(
            of_group,
            Counter(question.kind for name, question in questions.items() if labels[name] == label),
        )
        if summary.answers
    ]
    return sorted(found, key=lambda each: (each.model, each.kind))


def _summary(kind: str, model: str, marked: list[Marked], asked: int) -> KindSummary:
    return KindSummary(
        kind,
        model,
        len(marked),
        sum(each.mark.correct for each in marked),
        asked - len({each.id for each in marked}),
        Counter(mistake for each in marked for mistake in each.mark.mistakes),
    )


def accuracy_table(summaries: Iterable[KindSummary], by: str | None = None) -> TextTable:
    """Return the table of accuracies with their 95 % intervals.

    Args:
        summaries: the rows.
        by: name of the grouping of the rows, if they have one.
    """
    names = ("kind", "model", by) if by else ("kind", "model")
    headings = (
        *names, "answers", "unanswered", "correct", "accuracy (%)", "95 % interval",
    )  # fmt: skip
    rows = []
    for each in summaries:
        counts = map(str, (each.answers, each.unanswered, each.correct))
        share = rounded(100 * each.correct / each.answers if each.answers else None, 1)
        interval = percent_range(each.interval)
        rows.append((
            each.kind, each.model or "-", *((each.group or "-",) if by else ()), *counts, share,
            marked_few(interval, each.answers) if each.answers else interval,
        ))  # fmt: skip
    return TextTable(headings, tuple(rows), len(names))


def mistake_table(summaries: Iterable[KindSummary]) -> TextTable:
    """Return the table of mistakes with their numbers of answers, the most frequent first."""
    rows = [
        (each.kind, each.model or "-", mistake, str(count))
        for each in summaries
        for mistake, count in sorted(each.mistakes.items(), key=lambda item: (-item[1], item[0]))
    ]
    return TextTable(("kind", "model", "mistake", "answers"), tuple(rows), names=3)
