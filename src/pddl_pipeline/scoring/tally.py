"""Counts scores one by one; stores only counts for each instance and model."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Final

from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.instance import Instance
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
from pddl_pipeline.scoring.outcome import Outcome, Trial, outcome_of
from pddl_pipeline.scoring.trials import Trials

_KEPT: Final = 100
"""How many first attempts are stored one by one: k of accuracy@k is at most this by default."""
_MOST_REASONS: Final = 100
_REASON: Final = re.compile(r"[^:']*[^:' ]")
_Groups = tuple[Group, ...]


@dataclass(slots=True)
class ModelTally:
    """The counts of one model's answers."""

    answers: int = 0
    """Number of answers, including those without a verdict."""
    undecided: int = 0
    """Number of answers without a verdict; accuracy excludes them."""
    right: int = 0
    """Number of correct answers."""
    trials: defaultdict[str, dict[_Groups, Trials]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    """By id of the instance, then by the groups of the answers; an instance without a judged answer
    has no trials."""
    errors: Counter[ErrorKind] = field(default_factory=Counter)
    """Number of answers with each error; an answer may have several."""
    examples: dict[ErrorKind, str] = field(default_factory=dict)
    """Id of the first instance whose answer has the error, by error."""

    def judged(self) -> Iterator[tuple[str, Trials]]:
        """Yield the ids of instances with their judged answers, the first attempts in order."""
        for name, groups in self.trials.items():
            if groups:
                yield name, Trials.together(groups.values())


class Tally:
    """Counts the scores of the answers to a dataset, by model.

    For each instance that a model answered, this stores the first attempts and the number of each
    distinct `Trial` among the others. Its memory therefore does not grow with the answers.
    """

    def __init__(
        self,
        instances: Iterable[Instance[Any]],
        metrics: Sequence[Metric] = METRICS,
        by: Iterable[str] = (),
        kept: int = _KEPT,
    ) -> None:
        """Start with no answers.

        Args:
            instances: the dataset.
            metrics: the metrics to compute.
            by: the names of the groupings that will be asked for. A name that is not one of the
                `GROUPING_NAMES` is a field of the dataset, or else of the answers.
            kept: the largest k for which metrics of the first k attempts will be asked for.
        """
        self.instances = {instance.id: instance for instance in instances}
        self.metrics = metrics
        known = {*GROUPING_NAMES}.union(*map(fields_of, self.instances.values()))
        self.answer_fields = [name for name in by if name not in known]
        """The fields of answers that answers are grouped by."""
        self.kept = kept
        self.published: Counter[tuple[bool, bool]] = Counter()
        """Number of answers by published verdict and by the verdict here on the same reading."""
        self.models: defaultdict[str | None, ModelTally] = defaultdict(ModelTally)
        """In order of occurrence; None stands for answers without a model."""
        self.unread: Counter[str] = Counter()
        """Number of answers that could not be read, by the kind of reason."""
        self.unread_examples: dict[str, tuple[str, str]] = {}
        """The first such instance and its whole reason, by the kind of reason."""
        self.faults = 0
        """Number of rows that are not answers to instances of the dataset."""
        self._seen: dict[Trial, Trial] = {}

    def add(self, score: Score) -> None:
        """Count a score."""
        if score.fault is not None or score.id is None:
            self.faults += 1
            return
        instance = self.instances[score.id]
        outcome = outcome_of(score, instance, self.metrics, self.answer_fields)
        self.count(score.id, score.answer.model, score.attempt or 1, outcome)

    def count(self, name: str, model: str | None, attempt: int, outcome: Outcome) -> None:
        """Count the outcome of an answer.

        Args:
            name: id of the instance.
            model: name of the model.
            attempt: number of the attempt.
            outcome: the outcome, with the metrics and the fields of this tally.
        """
        counts = self.models[model]
        counts.answers += 1
        groups = counts.trials[name]
        trial = outcome.trial
        if trial is None:
            counts.undecided += 1
            return
        counts.right += trial.right
        if outcome.published is not None:
            self.published[outcome.published] += 1
        trials = groups.get(trial.groups)
        if trials is None:
            trials = groups[trial.groups] = Trials(self.kept)
        trials.add(attempt, self._seen.setdefault(trial, trial))
        if outcome.unread:
            self._count_unread(name, outcome.unread)
        for error in trial.errors:
            counts.errors[error] += 1
            counts.examples.setdefault(error, name)

    def _count_unread(self, name: str, reason: str) -> None:
        """Count an answer that was not read; the kind of a reason stands before its quoted text."""
        match = _REASON.match(reason)
        kind = match[0] if match else reason
        if kind in self.unread or len(self.unread) < _MOST_REASONS:
            self.unread_examples.setdefault(kind, (name, reason))
            self.unread[kind] += 1
        else:
            self.unread["other reasons"] += 1

    def grouped(self, by: str, model: ModelTally) -> Iterator[tuple[str, Group, Trials]]:
        """Yield the judged answers of a model by instance and group.

        Args:
            by: name of the grouping.
            model: the model.
        """
        if by in self.answer_fields:
            index = self.answer_fields.index(by)
            for name, groups in model.trials.items():
                parts = defaultdict[Group, list[Trials]](list)
                for each, trials in groups.items():
                    parts[each[index]].append(trials)
                for group, found in parts.items():
                    yield name, group, Trials.together(found)
            return
        group_of = self._by_length if by == LENGTH else GROUPINGS.get(by)
        group_of = group_of or partial(_field_group, by)
        for name, trials in model.judged():
            yield name, group_of(self.instances[name]), trials

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
        return all(model.right == model.answers - model.undecided for model in models)


def _field_group(name: str, instance: Instance[Any]) -> Group:
    return field_group(fields_of(instance).get(name))
