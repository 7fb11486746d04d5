"""Summaries of marked answers: accuracy and mistakes by kind of question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pddl_pipeline.questions.marking import Marked
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

    @property
    def interval(self) -> Interval | None:
        """The 95 % interval of the accuracy; None without answers."""
        return wilson(self.correct, self.answers) if self.answers else None

    def to_json(self) -> dict[str, Any]:
        """Return the object of a line."""
        return {
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
    found = []
    for model in sorted({model for model, _ in groups}) or [""]:
        for kind, number in asked.items():
            here = groups.get((model, kind), [])
            correct = sum(each.mark.correct for each in here)
            unanswered = number - len({each.id for each in here})
            mistakes = Counter(name for each in here for name in each.mark.mistakes)
            found.append(KindSummary(kind, model, len(here), correct, unanswered, mistakes))
    return found


def accuracy_table(summaries: Iterable[KindSummary]) -> TextTable:
    """Return the table of accuracies with their 95 % intervals."""
    headings = (
        "kind", "model", "answers", "unanswered", "correct", "accuracy (%)", "95 % interval",
    )  # fmt: skip
    rows = []
    for each in summaries:
        counts = map(str, (each.answers, each.unanswered, each.correct))
        share = rounded(100 * each.correct / each.answers if each.answers else None, 1)
        interval = percent_range(each.interval)
        interval = marked_few(interval, each.answers) if each.answers else interval
        rows.append((each.kind, each.model or "-", *counts, share, interval))
    return TextTable(headings, tuple(rows), names=2)


def mistake_table(summaries: Iterable[KindSummary]) -> TextTable:
    """Return the table of mistakes with their numbers of answers, the most frequent first."""
    rows = [
        (each.kind, each.model or "-", mistake, str(count))
        for each in summaries
        for mistake, count in sorted(each.mistakes.items(), key=lambda item: (-item[1], item[0]))
    ]
    return TextTable(("kind", "model", "mistake", "answers"), tuple(rows), names=3)
