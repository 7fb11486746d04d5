"""Comparison of two models on the instances that both of them answered."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from pddl_pipeline.scoring.intervals import FEW, SEED, Interval
from pddl_pipeline.scoring.score_rows import shown_name
from pddl_pipeline.scoring.tally import Tally
from pddl_pipeline.scoring.trials import Trials
from pddl_pipeline.statistics.holm import holm
from pddl_pipeline.statistics.paired_means import PairedMeans
from pddl_pipeline.statistics.share_differences import PairedDifference


@dataclass(frozen=True, slots=True)
class PairResult:
    """The result of a comparison; all numbers are over the shared instances."""

    shares: tuple[Fraction, Fraction]
    """Each model's share of right answers, averaged over instances."""
    only: tuple[int, int]
    """The number of instances at which each model has the larger share."""
    difference: Fraction
    """The first share minus the second one."""
    interval: Interval
    """The 95 % interval of the difference."""
    test: str
    p: float
    """The two-sided p of the hypothesis that the models are alike."""
    p_holm: float | None = None
    """Corrected for all pairs of the table."""


@dataclass(frozen=True, slots=True)
class PairComparison:
    """Two models, on the instances of all domains or of one."""

    models: tuple[str | None, str | None]
    domain: str | None
    """None if the row is about all instances."""
    answered: tuple[int, int]
    """The number of instances with a verdict on an answer, by model."""
    shared: int
    """The number of instances at which both have one."""
    result: PairResult | None
    """None without shared instances."""

    @property
    def names(self) -> tuple[str, str]:
        """The models' names with safe characters."""
        first, second = self.models
        return shown_name(first), shown_name(second)

    @property
    def is_few(self) -> bool:
        """Whether the interval is of fewer than `FEW` instances."""
        return self.shared < FEW


class _Answered(NamedTuple):
    """The judged answers of two models to the instances of a domain."""

    first: dict[str, Trials]
    second: dict[str, Trials]


def comparisons(tally: Tally, seed: int = SEED) -> list[PairComparison]:
    """Return a row for each pair of models, and one for each pair and domain if there are several.

    Holm's correction covers the rows about all instances, and in turn the rows about domains:
    these are two tables. Rows without shared instances have no test and do not count.

    Args:
        tally: the scored answers.
        seed: the seed of the resamples.
    """
    judged = {name: dict(model.judged()) for name, model in tally.models.items()}
    pairs = [
        (pair, _Answered(judged[pair[0]], judged[pair[1]])) for pair in combinations(judged, 2)
    ]
    domains = sorted({each.domain for each in tally.instances.values()})
    overall = [_compared(pair, None, answered, seed) for pair, answered in pairs]
    by_domain = [
        _compared(pair, domain, _restricted(tally, answered, domain), seed)
        for pair, answered in pairs
        for domain in (domains if len(domains) > 1 else ())
    ]
    by_domain = [row for row in by_domain if any(row.answered)]
    return [*_corrected(overall), *_corrected(by_domain)]


def _restricted(tally: Tally, answered: _Answered, domain: str) -> _Answered:
    return _Answered(*(
        {name: each for name, each in found.items() if tally.instances[name].domain == domain}
        for found in answered
    ))  # fmt: skip


def _compared(
    models: tuple[str | None, str | None], domain: str | None, answered: _Answered, seed: int
) -> PairComparison:
    shared = [name for name in answered.first if name in answered.second]
    return PairComparison(
        models,
        domain,
        (len(answered.first), len(answered.second)),
        len(shared),
        _result(answered, shared, seed) if shared else None,
    )


def _result(answered: _Answered, shared: Collection[str], seed: int) -> PairResult:
    first, second = ([_share(found[name]) for name in shared] for found in answered)
    differences = [one - other for one, other in zip(first, second, strict=True)]
    only = sum(each > 0 for each in differences), sum(each < 0 for each in differences)
    means = PairedMeans(differences, seed)
    single = all(len(found[name]) == 1 for found in answered for name in shared)
    test = PairedDifference(*only, len(shared)) if single else means
    return PairResult(
        (sum(first, Fraction()) / len(first), sum(second, Fraction()) / len(second)),
        only,
        means.value,
        means.interval(),
        test.test,
        test.p,
    )


def _share(trials: Trials) -> Fraction:
    right = sum(count for trial, count in trials.distinct() if trial.right)
    return Fraction(right, len(trials))


def _corrected(rows: Sequence[PairComparison]) -> Iterator[PairComparison]:
    """Yield the rows with Holm's correction over those that have a test."""
    tested = [row.result.p for row in rows if row.result is not None]
    adjusted = iter(holm(tested))
    for row in rows:
        if row.result is None:
            yield row
        else:
            yield replace(row, result=replace(row.result, p_holm=next(adjusted)))
