"""What the tables need from a judged answer, without its text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from pddl_pipeline.model.errors import ErrorKind, ErrorStage
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import Number
from pddl_pipeline.scoring.grouping import Group, field_group
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.scoring.metrics import Metric


class Trial(NamedTuple):
    """The result of an answer that has a verdict. Few are distinct among a million answers."""

    right: bool
    """See `Score.correct`."""
    agrees: bool | None
    """Whether the verdict is the same as the published one, for the reading that was published.

    None if there is no published verdict."""
    values: tuple[Number | None, ...]
    """The value of each metric of the tally; see `Metric.of_answer`."""
    groups: tuple[Group, ...] = ()
    """The group of the answer for each field of answers that answers are grouped by."""
    errors: tuple[ErrorKind, ...] = ()
    """See `Score.errors`."""

    @property
    def stage(self) -> ErrorStage | None:
        """The first stage that an error of a wrong answer is of; None for a right answer."""
        stages = {error.stage for error in self.errors}
        return next((s for s in ErrorStage if s in stages), None) if not self.right else None


class Outcome(NamedTuple):
    """The result of an answer, with what only the whole file's counts need."""

    trial: Trial | None
    """None if the answer has no verdict."""
    published: tuple[bool, bool] | None = None
    """The published verdict, and the one here on the same reading; None if none was published."""
    status: str = ""
    """See `Verdict.status`."""
    unread: str = ""
    """Why no plan could be read; empty if one was."""


def outcome_of(
    score: Score, instance: Instance[Any], metrics: Sequence[Metric], fields: Sequence[str]
) -> Outcome:
    """Return the outcome of an answer to an instance.

    Args:
        score: the score of an answer, without a fault.
        instance: the instance.
        metrics: the metrics to compute.
        fields: the fields of answers that answers are grouped by.
    """
    answer, status = score.answer, str(score.verdict.status)
    if not score.judged:
        return Outcome(None, status=status)
    judged = score.strictly_correct if answer.published_strict else score.correct
    published = None if answer.published is None else (answer.published, judged)
    trial = Trial(
        score.correct,
        None if published is None else published[0] == published[1],
        tuple([metric.of_answer(score, instance) for metric in metrics]),
        tuple([field_group(answer.row.get(name)) for name in fields]),
        score.errors,
    )
    unread = (score.verdict.reason or "") if trial.stage is ErrorStage.READING else ""
    return Outcome(trial, published, status, unread)
