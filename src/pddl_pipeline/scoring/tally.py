"""Counts scores one by one; stores only a `Trial` for each answer."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple

from pddl_pipeline.model.error_kind import ErrorKind, ErrorStage
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import Number
from pddl_pipeline.scoring.grouping import (
    GROUPING_NAMES,
    GROUPINGS,
    LENGTH,
    Group,
    Grouping,
    by_length,
    field_group,
    fields_of,
)
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.scoring.metrics import METRICS, Metric


class Trial(NamedTuple):
    """The result of a judged answer, without its text."""

    attempt: int
    """See `Score.attempt`."""
    right: bool
    """See `Score.correct`."""
    agrees: bool | None
    """Whether the verdict is the same as the published one, for the reading that was published.

    None if there is no published verdict."""
    values: tuple[Number | None, ...]
    """The value of each metric of the tally; see `Metric.of_answer`."""
    groups: tuple[Group, ...] = ()
    """The group of the answer for each of `Tally.answer_fields`."""
    errors: tuple[ErrorKind, ...] = ()
    """See `Score.errors`."""

    @property
    def stage(self) -> ErrorStage | None:
        """The first stage that an error of a wrong answer is of; None for a right answer."""
        stages = {error.stage for error in self.errors}
        return next((s for s in ErrorStage if s in stages), None) if not self.right else None


Trials = Sequence[Trial]
"""The answers of one model to one instance, in the order of the attempts; at least one."""


@dataclass(slots=True)
class ModelTally:
    """The counts of one model's answers."""

    answers: int = 0
    """Number of answers, including those without a verdict."""
    undecided: int = 0
    """Number of answers without a verdict; accuracy excludes them."""
    trials: defaultdict[str, list[Trial]] = field(default_factory=lambda: defaultdict(list))
    """By id of the instance; empty if no answer to it has a verdict."""
    errors: Counter[ErrorKind] = field(default_factory=Counter)
    """Number of answers with each error; an answer may have several."""
    examples: dict[ErrorKind, str] = field(default_factory=dict)
    """Id of the first instance whose answer has the error, by error."""

    def judged(self) -> Iterator[tuple[str, Trials]]:
        """Yield the ids of instances with their judged answers, in the order of the attempts."""
        for name, trials in self.trials.items():
            if trials:
                yield name, sorted(trials, key=attrgetter("attempt"))


class Tally:
    """Counts the scores of the answers to a dataset, by model."""

    def __init__(
        self,
        instances: Iterable[Instance[Any]],
        metrics: Sequence[Metric] = METRICS,
        by: Iterable[str] = (),
    ) -> None:
        """Start with no answers.

        Args:
            instances: the dataset.
            metrics: the metrics to compute.
            by: the names of the groupings that will be asked for. A name that is not one of the
                `GROUPING_NAMES` is a field of the dataset, or else of the answers.
        """
        self.instances = {instance.id: instance for instance in instances}
        self.metrics = metrics
        known = {*GROUPING_NAMES}.union(*map(fields_of, self.instances.values()))
        self.answer_fields = [name for name in by if name not in known]
        """The fields of answers that answers are grouped by."""
        self.published: Counter[tuple[bool, bool]] = Counter()
        """Number of answers by published verdict and by the verdict here on the same reading."""
        self.models: defaultdict[str | None, ModelTally] = defaultdict(ModelTally)
        """In order of occurrence; None stands for answers without a model."""
        self.faults = 0
        """Number of rows that are not answers to instances of the dataset."""
        self._seen: dict[Trial, Trial] = {}

    def add(self, score: Score) -> None:
        """Count a score."""
        if score.fault is not None or score.id is None:
            self.faults += 1
            return
        model = self.models[score.answer.model]
        model.answers += 1
        trials = model.trials[score.id]
        if not score.judged:
            model.undecided += 1
            return
        trial = self._trial(score, self.instances[score.id])
        # Few trials are distinct: a million answers need little memory.
        trials.append(self._seen.setdefault(trial, trial))
        for error in score.errors:
            model.errors[error] += 1
            model.examples.setdefault(error, score.id)

    def _trial(self, score: Score, instance: Instance[Any]) -> Trial:
        answer = score.answer
        judged = score.strictly_correct if answer.published_strict else score.correct
        if answer.published is not None:
            self.published[answer.published, judged] += 1
        return Trial(
            score.attempt or 1,
            score.correct,
            None if answer.published is None else judged == answer.published,
            tuple(metric.of_answer(score, instance) for metric in self.metrics),
            tuple(field_group(answer.row.get(name)) for name in self.answer_fields),
            score.errors,
        )

    def grouped(self, by: str, name: str, trials: Trials) -> Iterator[tuple[Group, Trials]]:
        """Yield the groups of the answers to an instance, each with its answers.

        Args:
            by: name of the grouping.
            name: id of the instance.
            trials: the answers.
        """
        instance = self.instances[name]
        if by in GROUPINGS:
            yield GROUPINGS[by](instance), trials
        elif by == LENGTH:
            yield self._by_length(instance), trials
        elif by in self.answer_fields:
            index = self.answer_fields.index(by)
            for group in dict.fromkeys(trial.groups[index] for trial in trials):
                yield group, [trial for trial in trials if trial.groups[index] == group]
        else:
            yield field_group(fields_of(instance).get(by)), trials

    @cached_property
    def _by_length(self) -> Grouping:
        return by_length(self.instances.values())

    @property
    def undecided(self) -> int:
        """Number of answers without a verdict."""
        return sum(model.undecided for model in self.models.values())

    @property
    def all_right(self) -> bool:
        """Whether all judged answers are correct."""
        models = self.models.values()
        return all(t.right for model in models for trials in model.trials.values() for t in trials)
