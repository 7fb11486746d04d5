"""The rows of the tables of scores: the results of a model on a group of instances."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pddl_pipeline.model.answer import Unread
from pddl_pipeline.model.errors import ErrorKind, ErrorStage
from pddl_pipeline.model.text import printable
from pddl_pipeline.scoring.grouping import AnswerGroup
from pddl_pipeline.scoring.metrics import METRICS, known
from pddl_pipeline.scoring.tally import Tally, Trial
from pddl_pipeline.statistics.intervals import Estimate, estimate
from pddl_pipeline.tables.text_table import NO_NUMBER

_LONGEST_NAME: Final = 80
_REASONS: Final = 3
"""Number of reasons of answers that were not understood."""


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """The results of a model on a group of instances, without instances that have no verdict."""

    model: str | None
    """None if the file does not name it."""
    domain: str | None
    """None if the row is not about a single domain."""
    group: str | None
    """None if the row is about all instances."""
    instances: int
    answers: int
    """Number of judged answers."""
    most: int
    """Maximum number of judged answers to one instance."""
    published_answers: int
    """Number of answers with a published verdict."""
    agreed: int
    """Number of answers whose published verdict is the same as the verdict here."""
    estimates: Mapping[str, Estimate | None]
    """By name of the metric: the mean over the instances that have a value; None if none has."""
    reading_errors: int = 0
    """Number of wrong answers whose first error is of reading; see `ErrorStage`."""
    step_errors: int = 0
    """Likewise, of steps that the task does not have."""
    planning_errors: int = 0
    """Likewise, of planning."""
    undecided: int = 0
    """Number of answers without a verdict; only in rows over all instances."""
    unanswered: int = 0
    """Number of instances without an answer; only in rows over all instances."""

    @property
    def name(self) -> str:
        """The model's name with safe characters; an external file may contain any name."""
        return shown_name(self.model)


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """How often a model makes a mistake."""

    model: str | None
    error: ErrorKind
    answers: int
    share: Fraction
    """Share of all judged answers of the model. An answer may have several errors."""
    example: str
    """Id of an instance whose answer has the error."""

    @property
    def name(self) -> str:
        """See `ScoreRow.name`."""
        return shown_name(self.model)


@dataclass(frozen=True, slots=True)
class UnreadRow:
    """A class of answers that could not be read, with one of its most frequent reasons."""

    kind: Unread
    answers: int
    """Number of answers of the class."""
    reason: str
    """The whole reason of the example."""
    alike: int
    """Number of answers with a reason of this meaning."""
    example: str
    """Id of an instance."""


def shown_name(model: str | None) -> str:
    """Return the name of a model or group, unprintable characters escaped and long names cut."""
    return printable(NO_NUMBER if model is None else model[:_LONGEST_NAME])


def model_rows(tally: Tally, k: int) -> list[ScoreRow]:
    """Return one row per model."""
    return [
        _row(
            [trials for _, trials in model.judged()],
            k,
            name,
            undecided=model.undecided,
            unanswered=len(tally.instances) - len(model.attempts),
        )
        for name, model in tally.models.items()
    ]


def group_rows(tally: Tally, by: str, k: int) -> list[ScoreRow]:
    """Return a row for each model and group of a grouping; see `Tally`.

    With several domains, each group has instances of one domain: sizes of two domains are not
    comparable.
    """
    several = len({instance.domain for instance in tally.instances.values()}) > 1
    rows = []
    for model, counts in tally.models.items():
        found: defaultdict[tuple[str, AnswerGroup], list[list[Trial]]] = defaultdict(list)
        for name, group, trials in tally.grouped(by, counts):
            domain = tally.instances[name].domain if several and by != "domain" else ""
            found[domain, group].append(trials)
        rows += [
            _row(found[domain, group], k, model, domain=domain or None, group=group.label)
            for domain, group in sorted(found)
        ]
    return rows


def error_rows(tally: Tally) -> list[ErrorRow]:
    """Return a row for each model and error, the most frequent first."""
    rows = []
    for model, counts in tally.models.items():
        errors, examples = Counter[ErrorKind](), dict[ErrorKind, str]()
        for name, trial in counts.trials():
            for error in trial.errors:
                errors[error] += 1
                examples.setdefault(error, name)
        rows += [
            ErrorRow(model, error, count, Fraction(count, counts.answers), examples[error])
            for error, count in sorted(errors.items(), key=lambda item: (-item[1], item[0]))
        ]
    return rows


def unread_rows(tally: Tally) -> list[UnreadRow]:
    """Return the most frequent reasons of each class of unread answers, the largest class first."""
    rows = []
    for kind, reasons in sorted(tally.unread.items(), key=lambda item: -item[1].total()):
        for reason, alike in reasons.most_common(_REASONS if kind is Unread.UNKNOWN else 1):
            example, whole = tally.unread_examples[kind, reason]
            rows.append(UnreadRow(kind, reasons.total(), whole, alike, example))
    return rows


def _row(  # noqa: PLR0913 -- the identifying fields of a row
    tried: Sequence[Sequence[Trial]],
    k: int,
    model: str | None,
    *,
    domain: str | None = None,
    group: str | None = None,
    undecided: int = 0,
    unanswered: int = 0,
) -> ScoreRow:
    every = [trial for trials in tried for trial in trials]
    stages = Counter(trial.stage for trial in every)
    published = [trial.published for trial in every if trial.published is not None]
    return ScoreRow(
        model=model,
        domain=domain,
        group=group,
        instances=len(tried),
        answers=len(every),
        most=max(map(len, tried), default=0),
        published_answers=len(published),
        agreed=sum(said == here for said, here in published),
        estimates=_estimates(tried, k),
        reading_errors=stages[ErrorStage.READING],
        step_errors=stages[ErrorStage.STEP],
        planning_errors=stages[ErrorStage.PLANNING],
        undecided=undecided,
        unanswered=unanswered,
    )


def _estimates(tried: Sequence[Sequence[Trial]], k: int) -> dict[str, Estimate | None]:
    found: dict[str, Estimate | None] = {}
    most = max(map(len, tried), default=0)
    for index, metric in enumerate(METRICS):
        by_instance = (known(trial.values[index] for trial in trials) for trials in tried)
        values = [metric.of_attempts(each, k) for each in by_instance if each]
        # Pass@k of instances with fewer attempts would be another measure under the same name.
        kept = (
            [] if metric.needs_k and most < k else [value for value in values if value is not None]
        )
        found[metric.name] = estimate(kept)
    return found
