"""The difference of two samples, with its test, its interval and the sizes that would decide."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

from pddl_pipeline.statistics.intervals import SEED, Interval, bootstrap, wilson

LEVEL: Final = 0.05
"""The level of significance."""
POWER: Final = 0.8
"""The probability with which a sample of a needed size decides."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between two samples: the first one's number minus the second one's."""

    test: str
    """The name of the test."""
    n: tuple[int, ...]
    """The number of instances of each sample, or of pairs."""
    value: float
    p: float
    """The two-sided p of the hypothesis that there is no difference."""
    variance: float
    """The variance of the difference, times the size of each sample; if the second sample is fixed,
    the variance that the first one adds, times its size."""
    interval: Callable[[float], Interval | None] = field(compare=False)
    """Returns the interval for a confidence such as 0.95; None if there is no such method."""
    at: Callable[[int], Difference] | None = field(default=None, compare=False)
    """Returns the same numbers with samples of another size; None if p needs no correction."""
    fixed: float = 0.0
    """The variance that a second sample of a fixed size, such as a paper's, adds; 0 without one."""
    shares: tuple[float, float] | None = None
    """Both shares, if the difference is one of shares of independent samples."""


def size_for_equality(difference: Difference, margin: float) -> int | None:
    """Return the size of each sample that shows equality within a margin, with power `POWER`.

    The true difference is assumed to be 0. If the second sample is fixed, the size is that of the
    first one; None if no size suffices.
    """
    return _size(difference, margin, (1 + POWER) / 2, 1 - LEVEL)


def size_for_order(difference: Difference, least: float) -> int | None:
    """Return the size of each sample that shows a difference of the observed size.

    If the second sample is fixed, see `size_for_equality`.

    Args:
        difference: the difference.
        least: the difference to show if the observed one is smaller.
    """
    size = _size(difference, max(abs(difference.value), least), POWER, 1 - LEVEL / 2)
    if size is None or difference.at is None or abs(difference.value) < least:
        return size
    # The formula is of the normal distribution, and too small for the exact tests of few cases.
    while difference.at(size).p >= LEVEL:
        size += 1
    return size


def _size(difference: Difference, reach: float, power: float, level: float) -> int | None:
    from scipy.stats import norm  # extra

    quantiles = float(norm.ppf(level) + norm.ppf(power))
    rest = (reach / quantiles) ** 2 - difference.fixed
    return max(2, math.ceil(difference.variance / rest)) if rest > 0 else None


def share_difference(
    count: int, number: int, other_count: int, other_number: int, *, is_fixed: bool = False
) -> Difference:
    """Return the difference of the shares of two independent samples.

    The interval is Newcombe's. For the variance p (1 - p) + q (1 - q), each sample has one more
    success and one more failure.

    Args:
        count: the number of successes of the first sample.
        number: the size of the first sample.
        other_count: likewise, of the second sample.
        other_number: likewise.
        is_fixed: whether the second sample cannot grow, such as a paper's.
    """
    from scipy.stats import fisher_exact  # extra

    pairs = (count, number), (other_count, other_number)
    found: Any = fisher_exact([[part, whole - part] for part, whole in pairs])
    share, other_share = (part / whole for part, whole in pairs)
    value = share - other_share

    def at(size: int) -> Difference:
        one, other = (round(size * part / whole) for part, whole in pairs)
        return share_difference(one, size, other, size)

    wider = [(part + 1) / (whole + 2) for part, whole in pairs]
    ours, theirs = (each * (1 - each) for each in wider)
    p = min(1.0, float(found.pvalue))
    return Difference(
        "Fisher's exact test", (number, other_number), value, p,
        ours if is_fixed else ours + theirs, partial(newcombe, *pairs), None if is_fixed else at,
        theirs / other_number if is_fixed else 0.0, (share, other_share),
    )  # fmt: skip


def newcombe(one: tuple[float, int], other: tuple[float, int], confidence: float) -> Interval:
    """Return Newcombe's interval of the difference of two shares, from Wilson's of each.

    Args:
        one: the number of successes of the first sample, and its size.
        other: likewise, of the second sample.
        confidence: such as 0.95.

    Source: Newcombe 1998, Interval estimation for the difference between independent proportions,
    method 10.
    """
    from scipy.stats import norm  # extra

    z = float(norm.ppf((1 + confidence) / 2))
    (share, first), (other_share, second) = (
        (part / whole, wilson(part, whole, z)) for part, whole in (one, other)
    )
    below = math.hypot(share - first.low, second.high - other_share)
    above = math.hypot(first.high - share, other_share - second.low)
    return Interval(share - other_share - below, share - other_share + above)


def odds_ratio(
    count: int, number: int, other_count: int, other_number: int
) -> tuple[float, Interval]:
    """Return the conditional odds ratio of two shares, and its exact 95 % interval.

    The ratio is not a number if all cases of both samples are equal. For the arguments, see
    `share_difference`.
    """
    from scipy.stats import contingency  # extra

    pairs = (count, number), (other_count, other_number)
    found: Any = contingency.odds_ratio([[part, whole - part] for part, whole in pairs])
    low, high = found.confidence_interval(1 - LEVEL)
    return float(found.statistic), Interval(float(low), float(high))


def exact_interval(count: int, number: int, confidence: float) -> Interval:
    """Return Clopper and Pearson's interval of a share.

    Args:
        count: the number of successes.
        number: the size of the sample, at least 1.
        confidence: such as 0.95.
    """
    from scipy.stats import binomtest  # extra

    found: Any = binomtest(count, number).proportion_ci(confidence)
    return Interval(float(found.low), float(found.high))


def sign_test(first_only: int, second_only: int) -> float:
    """Return the two-sided p of the sign test; for shares it is the exact McNemar test."""
    differing = first_only + second_only
    # The term is the binomial coefficient of the count, exact as a whole number.
    term = tail = 1
    for count in range(min(first_only, second_only)):
        term = term * (differing - count) // (count + 1)
        tail += term
    return min(1.0, 2 * tail / (1 << differing))


def paired_difference(first_only: int, second_only: int, number: int) -> Difference:
    """Return the difference of two shares of the same instances.

    The interval is conservative: from Clopper and Pearson's of both counts. For the variance,
    there is one more instance each way.

    Args:
        first_only: the number of instances that only the first method solves.
        second_only: likewise, of the second method.
        number: the number of instances.
    """
    counts = first_only, second_only

    def interval(confidence: float) -> Interval:
        each = (1 + confidence) / 2  # both must hold
        first, second = (exact_interval(count, number, each) for count in counts)
        return Interval(first.low - second.high, first.high - second.low)

    def at(size: int) -> Difference:
        first, second = (round(size * count / number) for count in counts)
        return paired_difference(first, second, size)

    value, total = first_only - second_only, number + 2
    variance = (first_only + second_only + 2) / total - (value / total) ** 2
    return Difference(
        "exact McNemar test", (number,), value / number, sign_test(*counts), variance, interval, at
    )


@dataclass(frozen=True, slots=True)
class MeanSample:
    """The numbers of a sample that the t test needs."""

    mean: float
    deviation: float
    number: int | None
    """The size of the sample; None for a mean that counts as a known number."""


def mean_difference(
    one: MeanSample, other: MeanSample, remark: str = "", *, is_fixed: bool = False
) -> Difference:
    """Return the difference of the means of two independent samples, by Welch's t test.

    Args:
        one: the first sample, whose size is known.
        other: the second sample.
        remark: what follows the name of Welch's test, such as an assumption.
        is_fixed: whether the second sample cannot grow, such as a paper's.
    """
    from scipy.stats import t  # extra

    parts = [(each.deviation**2, each.number) for each in (one, other) if each.number]
    errors = [(variance / number, number) for variance, number in parts]
    total = sum(part for part, _ in errors)
    # The degrees of freedom by Welch and Satterthwaite.
    degrees = total**2 / sum(part**2 / (number - 1) for part, number in errors)
    error, value = math.sqrt(total), one.mean - other.mean

    def interval(confidence: float) -> Interval:
        reach = float(t.ppf((1 + confidence) / 2, degrees)) * error
        return Interval(value - reach, value + reach)

    growing = parts[: 1 if is_fixed else 2]
    return Difference(
        f"Welch's t test{remark}" if other.number else "one-sample t test",
        tuple(number for _, number in parts),
        value,
        float(2 * t.sf(abs(value) / error, degrees)),
        sum(variance for variance, _ in growing),
        interval,
        fixed=total - sum(variance / number for variance, number in growing),
    )


def difference_of_means(values: Sequence[float], others: Sequence[float]) -> Difference | None:
    """Return the difference of the means of two samples; None if a spread is not known."""
    if min(len(values), len(others)) < 2 or len({*values}) == len({*others}) == 1:
        return None
    one, other = (MeanSample(fmean(each), stdev(each), len(each)) for each in (values, others))
    return mean_difference(one, other)


def difference_from_published_mean(
    values: Sequence[float], mean: float, number: int | None
) -> Difference | None:
    """Return the difference between the mean of a sample and a mean without published spread.

    If the size of the published sample is known, its deviation is assumed to be that of `values`;
    else the published mean counts as a known number. Return None if all values are equal.
    """
    if len({*values}) < 2:
        return None
    ours = MeanSample(fmean(values), stdev(values), len(values))
    other = MeanSample(mean, ours.deviation, number)
    return mean_difference(ours, other, ", our deviation for both", is_fixed=True)


def mean_of_differences(differences: Sequence[float]) -> Difference | None:
    """Return the mean difference of pairs, compared with 0; None if all are equal."""
    return difference_from_published_mean(differences, 0.0, None)


def rank_difference(values: Sequence[float], others: Sequence[float]) -> Difference:
    """Return how often a value of the first sample is above one of the second, minus 1/2.

    Ties count half. The test is the rank sum test (Mann, Whitney 1947), the variance that of
    samples that are alike (Noether 1987). There is no interval: ranks decide only an order.
    """
    from scipy.stats import mannwhitneyu  # extra

    value, p = 0.0, 1.0
    if len({*values, *others}) > 1:
        found: Any = mannwhitneyu(values, others)
        value, p = float(found.statistic) / (len(values) * len(others)) - 0.5, float(found.pvalue)
    return Difference("rank sum test", (len(values), len(others)), value, p, 1 / 6, lambda _: None)


FLIPS: Final = 9_999
"""The number of random sign flips if there are too many sums to compute the chance of each."""
_MOST_SUMS: Final = 20_000


class PairedMeans(NamedTuple):
    """The comparison of two values of each instance."""

    test: str
    """The name of the test."""
    p: float
    """Its two-sided p."""
    interval: Interval
    """The 95 % interval of the mean difference."""

    @property
    def agree(self) -> bool:
        """Whether 0 is outside of the interval if and only if p is below `LEVEL`.

        Of few instances, resamples vary too little, and the interval is too narrow.
        """
        return (self.interval.low <= 0 <= self.interval.high) == (self.p >= LEVEL)


def paired_means(counts: Counter[Fraction], seed: int = SEED) -> PairedMeans:
    """Compare two values of the same instances, each from 0 to 1.

    The test is McNemar's if the values are 0 or 1, else the sign-flip test (Fisher, The Design of
    Experiments, 1935, section 21): if the values are alike, each difference has either sign with
    probability 1/2. The interval is the percentile bootstrap. Resamples of equal differences have
    no spread; then the interval assumes that as large a share of all instances as Clopper and
    Pearson's bound of 0 of n allows differs from these, with differences of -1 or of 1.

    Args:
        counts: the number of instances with each difference of the values.
        seed: the seed of the resamples.
    """
    if counts.keys() <= {-1, 0, 1}:
        test, p = "exact McNemar test", sign_test(counts[Fraction(1)], counts[Fraction(-1)])
    else:
        test, p = _flip_test(counts, seed)
    if len(counts) > 1:
        return PairedMeans(test, p, bootstrap(counts, seed=seed))
    share, value = 1 - 0.025 ** (1 / counts.total()), float(next(iter(counts)))
    return PairedMeans(test, p, Interval(value - share * (value + 1), value + share * (1 - value)))


def _flip_test(counts: Counter[Fraction], seed: int) -> tuple[str, float]:
    """Return the name of the sign-flip test, and p.

    p is the chance that random signs give a sum at least as far from 0 as that of the differences.
    It is computed exactly, by convolution, or is the upper end of its one-sided 99 % interval from
    random signs. Differences are scaled to whole numbers, since sums of other floats are not exact.
    """
    import numpy as np  # takes 0.1 s, and most commands do not need it

    scale = math.lcm(*(each.denominator for each in counts))
    sizes = Counter[int]()
    for each, count in counts.items():
        sizes[int(abs(each * scale))] += count
    del sizes[0]
    least = abs(sum(int(each * scale) * count for each, count in counts.items()))
    most = sum(size * count for size, count in sizes.items())
    if most <= _MOST_SUMS:
        # At index i: the chance that the differences with a positive sign have the sum i.
        chances = np.ones(1)
        for size, count in sizes.items():
            own = np.zeros(size * count + 1)
            # The sums of equal differences are the multiples of their size.
            own[::size] = _half_and_half(count)
            chances = np.convolve(chances, own)
        is_as_far = np.abs(2 * np.arange(most + 1) - most) >= least
        return "sign-flip test", min(1.0, float(chances[is_as_far].sum()))
    generator = np.random.default_rng(seed)
    sums = np.zeros(FLIPS, dtype=np.int64)
    for size, count in sorted(sizes.items()):
        sums += size * (2 * generator.binomial(count, 0.5, FLIPS) - count)
    reached = int((np.abs(sums) >= least).sum())
    # 98 % between both ends leaves 1 % above the upper one.
    p = exact_interval(reached, FLIPS, 0.98).high
    return f"sign-flip test, bound of {FLIPS:,} draws", p


def _half_and_half(count: int) -> list[float]:
    """Return the chance of each number of heads of so many coins."""
    found, ways, all_ways = list[float](), 1, 1 << count
    for heads in range(count + 1):
        found.append(ways / all_ways)
        ways = ways * (count - heads) // (heads + 1)
    return found
