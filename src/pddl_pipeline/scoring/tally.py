"""Counts the scores of the answers to a dataset."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.answer import Unread
from pddl_pipeline.model.errors import ErrorKind, ErrorStage
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import Number
from pddl_pipeline.scoring.grouping import (
    GROUPING_NAMES,
    GROUPINGS,
    AnswerGroup,
    field_group,
    fields_of,
)
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.scoring.metrics import METRICS

# Single letters and words with a digit, such as `a` and `b12`, are names of objects.
_NAMES: Final = re.compile(r"\b(?:[^\W\d]|\w*\d\w*)\b")
_WORDS: Final = 3
_FEWEST: Final = 5
"""With fewer published verdicts a disagreement says nothing about the dataset."""


class Trial(NamedTuple):
    """The result of an answer that has a verdict. Few are distinct among a million answers."""

    right: bool
    """See `Score.correct`."""
    published: tuple[bool, bool] | None
    """The published verdict, and the one here on the same reading; None if none was published."""
    values: tuple[Number | None, ...]
    """The value of each metric; see `Metric.of_answer`."""
    groups: tuple[AnswerGroup, ...]
    """The group of the answer for each field of answers that answers are grouped by."""
    errors: tuple[ErrorKind, ...]
    """See `Score.errors`."""
    stage: ErrorStage | None
    """The first stage that an error of a wrong answer is of; None for a right answer."""


class TrialOutcome(NamedTuple):
    """The result of an answer, with what only the whole file's counts need."""

    trial: Trial | None
    """None if the answer has no verdict."""
    unread: Unread | None = None
    """See `Score.unread`."""
    reason: str = ""
    """Why no plan could be read; empty if one was."""


def outcome_of(score: Score, instance: Instance[Any], fields: Sequence[str]) -> TrialOutcome:
    """Return the outcome of an answer to an instance.

    Args:
        score: the score of an answer, without a fault.
        instance: the instance.
        fields: the fields of answers that answers are grouped by.
    """
    answer = score.answer
    right = score.correct
    if right is None:
        return TrialOutcome(None)
    judged = score.strictly_correct if answer.published_strict else right
    stages = () if right else {error.stage for error in score.errors}
    trial = Trial(
        right,
        None if answer.published is None else (answer.published, judged),
        tuple([metric.of_answer(score, instance) for metric in METRICS]),
        tuple([field_group(answer.row.get(name)) for name in fields]),
        score.errors,
        # The stages are defined in the order in which an answer passes them.
        next((stage for stage in ErrorStage if stage in stages), None),
    )
    reason = score.verdict.reason or "" if answer.text.strip() else "the answer is empty"
    return TrialOutcome(trial, score.unread, reason if score.unread else "")


@dataclass(slots=True)
class ModelTally:
    """The answers of one model."""

    attempts: defaultdict[str, dict[int, Trial]] = field(default_factory=lambda: defaultdict(dict))
    """The judged answers by number, by id of the instance; empty for an instance without one."""
    undecided: int = 0
    """Number of answers without a verdict; accuracy excludes them."""

    def judged(self) -> Iterator[tuple[str, list[Trial]]]:
        """Yield the ids of instances with their judged answers, the first attempts first."""
        for name, found in self.attempts.items():
            if found:
                yield name, [found[number] for number in sorted(found)]

    def trials(self) -> Iterator[tuple[str, Trial]]:
        """Yield all judged answers, each with the id of its instance."""
        for name, found in self.attempts.items():
            yield from ((name, trial) for trial in found.values())

    @property
    def answers(self) -> int:
        """Number of judged answers."""
        return sum(map(len, self.attempts.values()))


class Tally:
    """Counts the scores of the answers to a dataset, by model.

    It stores a reference to the `Trial` of each answer, and no texts.
    """

    def __init__(
        self,
        instances: Iterable[Instance[Any]],
        by: Iterable[str] = (),
    ) -> None:
        """Start with no answers.

        Args:
            instances: the dataset.
            by: the names of the groupings that will be asked for. A name that is not one of the
                `GROUPING_NAMES` is a field of the dataset, or else of the answers.
        """
        self.instances = {instance.id: instance for instance in instances}
        known = {*GROUPING_NAMES}.union(*map(fields_of, self.instances.values()))
        self.answer_fields = [name for name in by if name not in known]
        """The fields of answers that answers are grouped by."""
        self.models: defaultdict[str | None, ModelTally] = defaultdict(ModelTally)
        """In order of occurrence; None stands for answers without a model."""
        self.unread: defaultdict[Unread, Counter[str]] = defaultdict(Counter)
        """Number of answers that could not be read, by class and meaning of the reason."""
        self.unread_examples: dict[tuple[Unread, str], tuple[str, str]] = {}
        """The first such instance and its whole reason, by the same."""
        self.faults = 0
        """Number of rows that are not answers to instances of the dataset."""
        self._seen: dict[Trial, Trial] = {}

    def add(self, score: Score) -> None:
        """Count a score."""
        if score.fault is not None or score.id is None:
            self.faults += 1
            return
        outcome = outcome_of(score, self.instances[score.id], self.answer_fields)
        self.count(score.id, score.answer.model, score.attempt or 1, outcome)

    def count(self, name: str, model: str | None, attempt: int, outcome: TrialOutcome) -> None:
        """Count the outcome of an answer.

        Args:
            name: id of the instance.
            model: name of the model.
            attempt: number of the attempt.
            outcome: the outcome, with the fields of this tally.
        """
        counts, trial = self.models[model], outcome.trial
        # Also without a verdict, the instance counts as answered.
        attempts = counts.attempts[name]
        if trial is None:
            counts.undecided += 1
            return
        attempts[attempt] = self._seen.setdefault(trial, trial)
        if outcome.unread is not None:
            # Without the names in the quoted text: `Now b1 is free` is like `Now c is free`.
            kind, _, quoted = outcome.reason.partition("'")
            words = _NAMES.sub("#", quoted.lower()).split()
            meaning = " ".join([kind, *words[:_WORDS]])
            self.unread[outcome.unread][meaning] += 1
            self.unread_examples.setdefault((outcome.unread, meaning), (name, outcome.reason))

    def grouped(self, by: str, model: ModelTally) -> Iterator[tuple[str, AnswerGroup, list[Trial]]]:
        """Yield the judged answers of a model by instance and group.

        Args:
            by: name of the grouping.
            model: the model.
        """
        for name, trials in model.judged():
            instance = self.instances[name]
            if by in self.answer_fields:
                index = self.answer_fields.index(by)
                for group in dict.fromkeys(trial.groups[index] for trial in trials):
                    yield name, group, [each for each in trials if each.groups[index] == group]
            elif by in GROUPINGS:
                yield name, GROUPINGS[by](instance), trials
            else:
                yield name, field_group(fields_of(instance).get(by)), trials

    @property
    def undecided(self) -> int:
        """Number of answers without a verdict."""
        return sum(model.undecided for model in self.models.values())

    @property
    def all_right(self) -> bool:
        """Whether all judged answers are correct."""
        models = self.models.values()
        return all(trial.right for model in models for _, trial in model.trials())

    @property
    def doubt(self) -> str | None:
        """Why the published verdicts do not fit the dataset, or None if they may fit.

        They do not fit if more than half of five or more answers that were published as correct
        are wrong here, or if more than half of five or more verdicts differ. The first rule sees
        a wrong dataset also where most answers were published as wrong.
        """
        models = self.models.values()
        counts = Counter(trial.published for model in models for _, trial in model.trials())
        right, wrong = counts[True, True], counts[True, False]
        # Then the ids are probably those of another dataset.
        if wrong > right and right + wrong >= _FEWEST:
            return f"{wrong} of {right + wrong} answers published as correct are wrong here"
        differ, total = wrong + counts[False, True], counts.total() - counts[None]
        if 2 * differ > total >= _FEWEST:
            return f"{differ} of {total} published verdicts differ from those here"
        return None


class ErrorExamples:
    """Stores the first answers of each model with each error, each to another instance."""

    def __init__(self, most: int) -> None:
        """Start with no examples.

        Args:
            most: the number of examples of each model and error; 0 to store nothing.
        """
        self._most = most
        self._found: defaultdict[tuple[ErrorKind, str | None], dict[str, Score]] = defaultdict(dict)

    def lacking(self, name: str, model: str | None, errors: Iterable[ErrorKind]) -> list[ErrorKind]:
        """Return those of an answer's errors of which the answer would be an example.

        Args:
            name: id of the instance.
            model: name of the model.
            errors: the errors.
        """
        found = ((error, self._found[error, model]) for error in errors)
        return [error for error, each in found if len(each) < self._most and name not in each]

    def add(self, errors: Iterable[ErrorKind], score: Score) -> None:
        """Store an answer as an example of errors."""
        for error in errors:
            self._found[error, score.answer.model][score.id or ""] = score

    def __iter__(self) -> Iterator[tuple[ErrorKind, Score]]:
        """Yield the examples by error and model, in order of occurrence."""
        for (error, _), found in self._found.items():
            yield from ((error, score) for score in found.values())
