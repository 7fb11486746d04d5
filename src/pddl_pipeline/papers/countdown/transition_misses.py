"""The misses of ENHSP's false claims: tolerance, rounding, or the reading of the target."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from pddl_pipeline.papers.countdown.replay import magnitude
from pddl_pipeline.papers.countdown.transition_protocol import CHECKED, EXACT
from pddl_pipeline.papers.countdown.transition_sample import (
    STRICT_TOLERANCE,
    TOLERANCE,
    Sample,
    Tried,
    fits_single,
)
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable

_QUANTILES: Final = (("least", 0), ("25 %", 1), ("median", 2), ("75 %", 3), ("largest", 4))
_BESIDE: Final = (EXACT, CHECKED)
"""The solvers whose results are shown beside a false claim."""
CAUSES: Final = ("target is not a 32-bit float", "at most 1e-9", "1e-9 to 1e-5", "above 1e-5")
"""The causes of false claims: a target that ENHSP cannot read, else the size of the miss."""


def cause(tried: Tried) -> str | None:
    """Return the cause of a false claim in `CAUSES`; None if the plan leaves no single number."""
    if not fits_single(tried.case.instance.record.target):
        return CAUSES[0]
    miss = tried.miss
    if miss is None:
        return None
    bounds = (STRICT_TOLERANCE, TOLERANCE)
    return CAUSES[1 + sum(miss > bound for bound in bounds)]


def miss_table(sample: Sample) -> TextTable:
    """Return the table of the false claims."""
    rows = []
    for each in sample.tried:
        record = each.case.instance.record
        miss = each.miss
        rows.append((
            each.case.arm, each.case.instance.id, str(each.case.size), str(record.target),
            NO_NUMBER if miss is None else magnitude(miss), cause(each) or NO_NUMBER,
            *(each.ending(solver) for solver in _BESIDE),
        ))  # fmt: skip
    headings = (
        "arm", "instance", "size", "target", "miss", "cause",
        *(solver.label for solver in _BESIDE),
    )  # fmt: skip
    return TextTable(headings, tuple(rows), names=2)


def quantile_table(groups: Sequence[tuple[str, Sample]]) -> TextTable:
    """Return the quantiles of the misses of false claims, and their numbers by cause."""
    rows = []
    for name, sample in groups:
        causes = [cause(each) for each in sample.tried]
        misses = sorted(
            each.miss for each in sample.tried if each.miss is not None and cause(each) != CAUSES[0]
        )
        rows.append((
            name, str(len(sample)), *(str(causes.count(each)) for each in CAUSES),
            *(_quantile(misses, quarter) for _, quarter in _QUANTILES),
        ))  # fmt: skip
    headings = ("sizes", "false claims", *CAUSES, *(name for name, _ in _QUANTILES))
    return TextTable(headings, tuple(rows), names=1)


def _quantile(misses: Sequence[Fraction], quarter: int) -> str:
    """Return a quartile, the value at the rank that is nearest; with three significant digits."""
    if not misses:
        return NO_NUMBER
    return magnitude(misses[round(quarter * (len(misses) - 1) / 4)])
