"""The rows of the tables of scores: what a model does on a group of instances."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
from typing import Final

from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.scoring.grouping import GROUPINGS, Group
from pddl_pipeline.scoring.intervals import Estimate, estimate
from pddl_pipeline.scoring.metrics import (
    Trials,
    accuracy,
    accuracy_at,
    known,
    mean_of,
    pass_at,
    strict_accuracy,
)
from pddl_pipeline.scoring.tally import ModelTally, Tally
from pddl_pipeline.scoring.trials import Trial

_LONGEST_NAME: Final = 80


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A model on a group of instances, those without a judged answer left out."""

    model: str | None
    """None where the file does not name it."""
    domain: str | None
    """None where it is not told apart."""
    group: str | None
    """None where the row is about all instances."""
    instances: int
    answers: int
    """Judged ones."""
    most: int
    """Most judged answers to one instance."""
    strict: Estimate | None
    """See `strict_accuracy`. None where nothing was judged, here and below."""
    accuracy: Estimate | None
    """See `accuracy`; of budgeted tasks, the success rate of CATS."""
    accuracy_at: Estimate | None
    """See `accuracy_at`."""
    pass_at: Estimate | None
    """See `pass_at`; over the instances that have as many attempts."""
    optimality: Estimate | None
    """See `optimality`; over the instances whose cheapest plan is known."""
    efficiency: Estimate | None
    """See `efficiency`; over the instances that were solved and tell what was expanded."""
    published: Estimate | None
    """Accuracy by the published verdicts, where there are some."""
    published_answers: int
    """Answers with a published verdict."""
    agreed: int
    """Those among them whose verdict here is the same."""
    undecided: int = 0
    """Answers without a verdict; of the rows over all instances only."""
    unanswered: int = 0
    """Instances without an answer; of the rows over all instances only."""

    @property
    def name(self) -> str:
        """The model's name as it can be shown; files of others may hold anything there."""
        return shown_name(self.model)


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """How often a model makes a mistake."""

    model: str | None
    error: ErrorKind
    answers: int
    share: Fraction
    """Of all judged answers of the model. An answer may have several errors."""
    example: str
    """Id of an instance."""

    @property
    def name(self) -> str:
        """As `ScoreRow.name`."""
        return shown_name(self.model)


def shown_name(model: str | None) -> str:
    """Return a model's name without signs that cannot be shown, cut where it is long."""
    name = "not named" if model is None else model[:_LONGEST_NAME]
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in name)


def model_rows(tally: Tally, k: int) -> list[ScoreRow]:
    """Return a row a model."""
    return [_model_row(tally, name, model, k) for name, model in tally.models.items()]


def group_rows(tally: Tally, by: str, k: int) -> list[ScoreRow]:
    """Return a row for each model and group of a grouping of `GROUPINGS`.

    Where there are several domains, groups are of one domain each: sizes of two do not compare.
    """
    return [
        _row(trials, k, name, domain, group.label)
        for name, model in tally.models.items()
        for (domain, group), trials in sorted(_groups(tally, model, by).items(), key=_order)
    ]


def error_rows(tally: Tally) -> list[ErrorRow]:
    """Return a row for each model and error, the most frequent first."""
    return [
        ErrorRow(name, error, count, Fraction(count, judged), model.examples[error])
        for name, model in tally.models.items()
        for judged in [model.answers - model.undecided]
        for error, count in sorted(model.errors.items(), key=lambda item: (-item[1], item[0]))
    ]


def _model_row(tally: Tally, name: str | None, model: ModelTally, k: int) -> ScoreRow:
    tried = [trials for _, trials in model.judged()]
    unanswered = len(tally.instances) - len(model.trials)
    return _row(tried, k, name, undecided=model.undecided, unanswered=unanswered)


def _groups(
    tally: Tally, model: ModelTally, by: str
) -> dict[tuple[str | None, Group], list[Trials]]:
    several = len({instance.domain for instance in tally.instances.values()}) > 1
    found: defaultdict[tuple[str | None, Group], list[Trials]] = defaultdict(list)
    for name, trials in model.judged():
        instance = tally.instances[name]
        domain = instance.domain if several and by != "domain" else None
        found[domain, GROUPINGS[by](instance)].append(trials)
    return found


def _order(item: tuple[tuple[str | None, Group], object]) -> tuple[str, Group]:
    (domain, group), _ = item
    return domain or "", group


def _row(  # noqa: PLR0913 -- what a row is about
    tried: Sequence[Trials],
    k: int,
    model: str | None,
    domain: str | None = None,
    group: str | None = None,
    *,
    undecided: int = 0,
    unanswered: int = 0,
) -> ScoreRow:
    trials = [trial for each in tried for trial in each]
    published = [trial for trial in trials if trial.published is not None]
    return ScoreRow(
        model=model,
        domain=domain,
        group=group,
        instances=len(tried),
        answers=len(trials),
        most=max(map(len, tried), default=0),
        strict=estimate(list(map(strict_accuracy, tried))),
        accuracy=estimate(list(map(accuracy, tried))),
        accuracy_at=estimate([accuracy_at(each, k) for each in tried]),
        pass_at=estimate(known(pass_at(each, k) for each in tried)),
        optimality=_mean(tried, attrgetter("optimality")),
        efficiency=_mean(tried, attrgetter("efficiency")),
        published=_mean(tried, _published),
        published_answers=len(published),
        agreed=sum(trial.agrees is True for trial in published),
        undecided=undecided,
        unanswered=unanswered,
    )


def _mean(tried: Sequence[Trials], value: Callable[[Trial], Fraction | None]) -> Estimate | None:
    return estimate(known(mean_of(trials, value) for trials in tried))


def _published(trial: Trial) -> Fraction | None:
    return None if trial.published is None else Fraction(trial.published)
