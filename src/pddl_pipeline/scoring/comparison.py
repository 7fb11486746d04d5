"""Comparison of two models on the instances that both of them answered."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any, Final

from pddl_pipeline.scoring.score_rows import shown_name
from pddl_pipeline.scoring.tally import ModelTally, Tally
from pddl_pipeline.statistics.differences import PairedMeans, paired_means
from pddl_pipeline.statistics.intervals import FEW, SEED, marked_few
from pddl_pipeline.statistics.significance import holm
from pddl_pipeline.tables.text_table import TextTable, p_text, percent_range, rounded

_LISTED: Final = 20
_TITLES: Final = {
    "Models compared on the instances that both answered": ("first", "second"),
    "The same by domain": ("first", "second", "domain"),
}


@dataclass(frozen=True, slots=True)
class PairResult:
    """The result of a comparison; all numbers are over the shared instances."""

    shares: tuple[Fraction, Fraction]
    """Each model's share of right answers, averaged over instances."""
    only: tuple[int, int]
    """The number of instances at which each model has the larger share."""
    difference: Fraction
    """The first share minus the second one."""
    means: PairedMeans
    """The test of the hypothesis that the models are alike, and the interval of the difference."""
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


_Shares = Mapping[str, Fraction]
"""The share of right answers of a model, by id of the instance."""


def comparisons(tally: Tally, seed: int = SEED) -> list[PairComparison]:
    """Return a row for each pair of models, and one for each pair and domain if there are several.

    Holm's correction covers the rows about all instances, and in turn the rows about domains:
    these are two tables. Rows without shared instances have no test and do not count.

    Args:
        tally: the scored answers.
        seed: the seed of the resamples.
    """
    shares = {name: _shares(tally, model) for name, model in tally.models.items()}
    several = len({instance.domain for instance in tally.instances.values()}) > 1
    overall, by_domain = list[PairComparison](), list[PairComparison]()
    for pair in combinations(shares, 2):
        first, second = (shares[name] for name in pair)
        # None stands for all domains together.
        for domain in sorted({*first, *second}, key=lambda name: name or ""):
            rows = overall if domain is None else by_domain
            if domain is None or several:
                both = first.get(domain, {}), second.get(domain, {})
                rows.append(_compared(pair, domain, *both, seed))
    return [*_corrected(overall), *_corrected(by_domain)]


def _shares(tally: Tally, model: ModelTally) -> dict[str | None, dict[str, Fraction]]:
    """Return the shares in each domain, and under None in all of them."""
    found: dict[str | None, dict[str, Fraction]] = {None: {}}
    for name, trials in model.judged():
        found[None][name] = Fraction(sum(trial.right for trial in trials), len(trials))
        found.setdefault(tally.instances[name].domain, {})[name] = found[None][name]
    return found


def _compared(
    models: tuple[str | None, str | None],
    domain: str | None,
    first: _Shares,
    second: _Shares,
    seed: int,
) -> PairComparison:
    # Few pairs of shares differ, of many instances.
    shared = Counter((share, second[name]) for name, share in first.items() if name in second)
    result = _result(shared, seed) if shared else None
    return PairComparison(models, domain, (len(first), len(second)), shared.total(), result)


def _result(shared: Counter[tuple[Fraction, Fraction]], seed: int) -> PairResult:
    number = shared.total()
    first, second, differences = Fraction(), Fraction(), Counter[Fraction]()
    for (one, other), count in shared.items():
        first, second = first + count * one / number, second + count * other / number
        differences[one - other] += count
    only = (
        sum(count for each, count in differences.items() if each > 0),
        sum(count for each, count in differences.items() if each < 0),
    )
    return PairResult((first, second), only, first - second, paired_means(differences, seed))


def _corrected(rows: Sequence[PairComparison]) -> Iterator[PairComparison]:
    """Yield the rows with Holm's correction over those that have a test."""
    adjusted = iter(holm([row.result.means.p for row in rows if row.result is not None]))
    for row in rows:
        result = row.result and replace(row.result, p_holm=next(adjusted))
        yield replace(row, result=result)


def comparison_tables(rows: Sequence[PairComparison]) -> dict[str, TextTable]:
    """Return the table of all instances and that by domain, by title; only tables with rows."""
    tables = {}
    for title, names in _TITLES.items():
        headings = (
            *names, "shared", "first (%)", "second (%)", "difference", "95 % interval", "test", "p",
            "p (Holm)",
        )  # fmt: skip
        cells = tuple(
            _cells(row, row.result)
            for row in rows
            if row.result is not None and (row.domain is not None) == ("domain" in names)
        )
        if cells:
            tables[title] = TextTable(headings, cells, len(names))
    return tables


def _cells(row: PairComparison, found: PairResult) -> tuple[str, ...]:
    either = sum(row.answered) - row.shared
    return (
        *row.names,
        *([row.domain] if row.domain else ()),
        str(row.shared) if row.shared == either else f"{row.shared} of {either}",
        *(rounded(100 * share) for share in found.shares),
        rounded(100 * found.difference),
        marked_few(percent_range(found.means.interval), row.shared)
        + ("" if found.means.agree else " (p decides)"),
        found.means.test.removesuffix(" test"),
        p_text(found.means.p),
        p_text(found.p_holm),
    )


def not_compared(rows: Sequence[PairComparison]) -> Iterator[str]:
    """Yield a line for each pair of models, or pair and domain, without shared instances."""
    apart = [row for row in rows if row.result is None]
    for row in apart[:_LISTED]:
        first, second = row.names
        where = f" in {row.domain}" if row.domain else ""
        counts = " and ".join(map(str, row.answered))
        yield (
            f"{first} and {second}{where}: not compared, they share no answered instance "
            f"({counts} answered)"
        )
    if len(apart) > _LISTED:
        yield f"and {len(apart) - _LISTED} more that share no answered instance"


def comparison_json(rows: Iterable[PairComparison]) -> str:
    """Return the rows as lines of JSON, in which all numbers are JSON numbers."""
    return "".join(f"{json.dumps(_object(row))}\n" for row in rows)


def _object(row: PairComparison) -> dict[str, Any]:
    found = row.result
    return {
        "table": "compare",
        "first": row.models[0],
        "second": row.models[1],
        "domain": row.domain,
        "first_instances": row.answered[0],
        "second_instances": row.answered[1],
        "shared": row.shared,
        "few": row.shared < FEW,
        "first_accuracy": found and float(found.shares[0]),
        "second_accuracy": found and float(found.shares[1]),
        "first_better": found and found.only[0],
        "second_better": found and found.only[1],
        "difference": found and float(found.difference),
        "difference_interval": found and list(found.means.interval),
        "interval_agrees": found and found.means.agree,
        "test": found and found.means.test,
        "p": found and found.means.p,
        "p_holm": found and found.p_holm,
    }
