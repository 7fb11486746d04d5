"""Comparison of two models on the instances that both of them answered."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from pddl_pipeline.scoring.score_rows import shown_name
from pddl_pipeline.scoring.tally import ModelTally, Tally
from pddl_pipeline.statistics.holm import holm
from pddl_pipeline.statistics.intervals import FEW, SEED, Interval
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


class _Mark(NamedTuple):
    """The judged answers of a model to an instance."""

    right: int
    answers: int


_Marks = dict[str, dict[str, _Mark]]
"""The marks of a model by domain and id of the instance."""


class _Both(NamedTuple):
    """The marks of two models in one domain, or in several."""

    answered: tuple[int, int]
    shared: Counter[tuple[_Mark, _Mark]]
    """The number of instances with each pair of marks: few pairs differ, of many instances."""


def comparisons(tally: Tally, seed: int = SEED) -> list[PairComparison]:
    """Return a row for each pair of models, and one for each pair and domain if there are several.

    Holm's correction covers the rows about all instances, and in turn the rows about domains:
    these are two tables. Rows without shared instances have no test and do not count.

    Args:
        tally: the scored answers.
        seed: the seed of the resamples.
    """
    marks = {name: _marks(tally, model) for name, model in tally.models.items()}
    several = len({each.domain for each in tally.instances.values()}) > 1
    overall, by_domain = list[PairComparison](), list[PairComparison]()
    for pair in combinations(marks, 2):
        first, second = (marks[name] for name in pair)
        found = {
            domain: _both(first.get(domain, {}), second.get(domain, {}))
            for domain in sorted({*first, *second})
        }
        overall.append(_compared(pair, None, _together(found.values()), seed))
        if several:
            by_domain += [_compared(pair, name, both, seed) for name, both in found.items()]
    return [*_corrected(overall), *_corrected(by_domain)]


def _marks(tally: Tally, model: ModelTally) -> _Marks:
    found: defaultdict[str, dict[str, _Mark]] = defaultdict(dict)
    for name, trials in model.judged():
        right = sum(count for trial, count in trials.distinct() if trial.right)
        mark = _Mark(right, len(trials))
        found[tally.instances[name].domain][name] = mark
    return dict(found)


def _both(first: Mapping[str, _Mark], second: Mapping[str, _Mark]) -> _Both:
    shared = Counter((mark, second[name]) for name, mark in first.items() if name in second)
    return _Both((len(first), len(second)), shared)


def _together(found: Iterable[_Both]) -> _Both:
    answered, shared = (0, 0), Counter[tuple[_Mark, _Mark]]()
    for each in found:
        answered = answered[0] + each.answered[0], answered[1] + each.answered[1]
        shared += each.shared
    return _Both(answered, shared)


def _compared(
    models: tuple[str | None, str | None], domain: str | None, both: _Both, seed: int
) -> PairComparison:
    result = _result(both.shared, seed) if both.shared else None
    return PairComparison(models, domain, both.answered, both.shared.total(), result)


def _result(shared: Counter[tuple[_Mark, _Mark]], seed: int) -> PairResult:
    number = shared.total()
    sums, differences = [Fraction(), Fraction()], Counter[Fraction]()
    for pair, count in shared.items():
        shares = [Fraction(mark.right, mark.answers) for mark in pair]
        sums = [total + count * share for total, share in zip(sums, shares, strict=True)]
        differences[shares[0] - shares[1]] += count
    only = (
        sum(count for each, count in differences.items() if each > 0),
        sum(count for each, count in differences.items() if each < 0),
    )
    means = PairedMeans(differences, seed)
    is_single = all(mark.answers == 1 for pair in shared for mark in pair)
    test = PairedDifference(*only, number) if is_single else means
    first, second = (total / number for total in sums)
    return PairResult((first, second), only, means.value, means.interval(), test.test, test.p)


def _corrected(rows: Sequence[PairComparison]) -> Iterator[PairComparison]:
    """Yield the rows with Holm's correction over those that have a test."""
    tested = [row.result.p for row in rows if row.result is not None]
    adjusted = iter(holm(tested))
    for row in rows:
        if row.result is None:
            yield row
        else:
            yield replace(row, result=replace(row.result, p_holm=next(adjusted)))
