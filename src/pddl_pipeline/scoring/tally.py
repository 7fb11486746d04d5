"""Counts scores one by one; stores only counts for each instance and model."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.model.errors import ErrorKind, ErrorStage, InputError
from pddl_pipeline.model.format_version import SCORE
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
from pddl_pipeline.validation.version import FIRST_VERSION, VERDICT_VERSION

_KEPT: Final = 100
"""How many first attempts are stored one by one: k of accuracy@k is at most this by default."""
_MOST_REASONS: Final = 100
_REASON: Final = re.compile(r"[^:']*[^:' ]")
_FEWEST: Final = 5
"""With fewer published verdicts a disagreement says nothing about the dataset."""
_LONGEST: Final = 100_000
"""Characters of an example that are stored; a page of a plan shows about as many."""
_Groups = tuple[Group, ...]


class Trial(NamedTuple):
    """The result of an answer that has a verdict. Few are distinct among a million answers."""

    right: bool
    """See `Score.correct`."""
    agrees: bool | None
    """Whether the verdict is the same as the published one, for the reading that was published.

    None if there is no published verdict."""
    values: tuple[Number | None, ...]
    """The value of each metric of the tally; see `Metric.of_answer`."""
    groups: _Groups = ()
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


class Trials:
    """The trials of one model at one instance.

    The first attempts are stored one by one, since accuracy@k takes them in their order; of the
    others only the number of equal ones, so that the memory does not grow with the answers.
    """

    __slots__ = ("_counts", "_first", "_kept")

    def __init__(self, kept: int) -> None:
        """Start without trials.

        Args:
            kept: how many first attempts to store one by one.
        """
        self._kept = kept
        self._first: list[tuple[int, Trial]] = []
        """By number, in this order."""
        self._counts: dict[Trial, int] = {}
        """The number of all other trials."""

    def __len__(self) -> int:
        return len(self._first) + sum(self._counts.values())

    def add(self, number: int, trial: Trial) -> None:
        """Add the trial of an attempt with this number."""
        first = self._first
        if len(first) < self._kept or number < first[-1][0]:
            at = len(first)
            while at and first[at - 1][0] > number:
                at -= 1
            first.insert(at, (number, trial))
            if len(first) <= self._kept:
                return
            _, trial = first.pop()
        self._counts[trial] = self._counts.get(trial, 0) + 1

    def distinct(self) -> Iterator[tuple[Trial, int]]:
        """Yield trials, each with how many are equal, the first attempts in order.

        A trial may occur twice.
        """
        for _, trial in self._first:
            yield trial, 1
        yield from self._counts.items()

    def values(self, metric: int) -> list[Number]:
        """Return the known values of a metric, given by its index; the first attempts in order."""
        found: list[Number] = []
        for trial, count in self.distinct():
            value = trial.values[metric]
            if value is not None:
                found += [value] * count
        return found

    @classmethod
    def together(cls, parts: Iterable[Self]) -> Self:
        """Return the trials of all parts, which hold different attempts."""
        every = list(parts)
        if len(every) == 1:
            return every[0]
        found = cls(max((part._kept for part in every), default=0))  # noqa: SLF001 -- its own class
        first = chain.from_iterable(part._first for part in every)  # noqa: SLF001
        found._first = sorted(first, key=itemgetter(0))
        for part in every:
            for trial, count in part._counts.items():  # noqa: SLF001
                found._counts[trial] = found._counts.get(trial, 0) + count
        return found


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
            # The kind of a reason stands before its quoted text.
            match = _REASON.match(outcome.unread)
            kind = match[0] if match else outcome.unread
            if kind not in self.unread and len(self.unread) >= _MOST_REASONS:
                kind = "other reasons"
            else:
                self.unread_examples.setdefault(kind, (name, outcome.unread))
            self.unread[kind] += 1
        for error in trial.errors:
            counts.errors[error] += 1
            counts.examples.setdefault(error, name)

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
        for name, trials in model.judged():
            instance = self.instances[name]
            group = group_of(instance) if group_of else field_group(fields_of(instance).get(by))
            yield name, group, trials

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

    @property
    def doubt(self) -> str | None:
        """Why the published verdicts do not fit the dataset, or None if they may fit.

        They do not fit if more than half of five or more answers that were published as correct
        are wrong here, or if more than half of five or more verdicts differ. The first rule sees
        a wrong dataset also where most answers were published as wrong.
        """
        counts = self.published
        right, wrong = counts[True, True], counts[True, False]
        if wrong > right and right + wrong >= _FEWEST:
            return f"{wrong} of {right + wrong} answers published as correct are wrong here"
        differ, total = wrong + counts[False, True], counts.total()
        if 2 * differ > total >= _FEWEST:
            return f"{differ} of {total} published verdicts differ from those here"
        return None


class ErrorExamples:
    """Stores the first answers of each model with each error, each to another instance.

    Its memory does not grow with the answers: it stores at most as many texts as there are models
    and errors, times the number for each, and cuts long texts.
    """

    def __init__(self, most: int) -> None:
        """Start with no examples.

        Args:
            most: the number of examples of each model and error; 0 to store nothing.
        """
        self._most = most
        self._found: dict[tuple[str | None, ErrorKind], list[Score]] = {}

    def wants(self, name: str, model: str | None, outcome: Outcome) -> bool:
        """Return whether an answer would be an example.

        Args:
            name: id of the instance.
            model: name of the model.
            outcome: the outcome of the answer.
        """
        return self._most > 0 and any(self._lacking(name, model, outcome))

    def add(self, score: Score, outcome: Outcome) -> None:
        """Store an answer under each of its errors that lacks examples."""
        text, model = score.answer.text[:_LONGEST], score.answer.model
        stored = replace(score, answer=replace(score.answer, text=text, row={}))
        for error in self._lacking(score.id or "", model, outcome):
            self._found.setdefault((model, error), []).append(stored)

    def __iter__(self) -> Iterator[tuple[ErrorKind, Score]]:
        """Yield the examples by stage, error and model, models in order of occurrence.

        The text of a score's answer is cut, and the answer has no other fields of its row.
        """
        models = dict.fromkeys(model for model, _ in self._found)
        errors = [each for stage in ErrorStage for each in ErrorKind if each.stage is stage]
        for error in errors:
            for model in models:
                yield from ((error, score) for score in self._found.get((model, error), ()))

    def _lacking(self, name: str, model: str | None, outcome: Outcome) -> Iterator[ErrorKind]:
        for error in outcome.trial.errors if outcome.trial else ():
            found = self._found.get((model, error), ())
            if len(found) < self._most and all(score.id != name for score in found):
                yield error


class ScoreChange(NamedTuple):
    """The status of the verdict on an answer, before and now."""

    id: str | None
    attempt: int | None
    model: str | None
    old: str
    new: str


class FormerScores:
    """The verdicts of older versions in a file, compared with those that replace them."""

    def __init__(self, path: Path | None) -> None:
        """Read the file, if there is one that `score -o` wrote; another file has no verdicts.

        Raises:
            InputError: a newer version of this program wrote the file.
        """
        self.versions = Counter[int]()
        """The number of older verdicts by version."""
        self.changes: list[ScoreChange] = []
        """What `compare` found."""
        self._statuses: dict[object, str] = {}
        if path is None or str(path) == STANDARD or not path.is_file():
            return
        with path.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                try:
                    found = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if not isinstance(found, dict) or not {"strict_status", "status"} <= found.keys():
                    continue
                if fault := SCORE.fault(found):
                    raise InputError(fault, file=str(path))
                version = found.get("verdict_version", FIRST_VERSION)
                if isinstance(version, int) and version < VERDICT_VERSION:
                    self.versions[version] += 1
                    key = tuple(json.dumps(found.get(name)) for name in ("id", "attempt", "model"))
                    self._statuses[key] = str(found["status"])

    def compare(self, name: str | None, attempt: int | None, model: str | None, new: str) -> None:
        """Note whether the status of an answer's verdict differs from the older one."""
        if not self._statuses:
            return
        old = self._statuses.get(tuple(map(json.dumps, (name, attempt, model))))
        if old is not None and old != new:
            self.changes.append(ScoreChange(name, attempt, model, old, new))
