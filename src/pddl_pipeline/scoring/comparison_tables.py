"""Tables of comparisons of models, as text cells and as lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from pddl_pipeline.scoring.comparison import PairComparison, PairResult
from pddl_pipeline.statistics.intervals import marked_few
from pddl_pipeline.tables.text_table import TextTable, percent_range, rounded

_LEAST_P: Final = 0.0001
_LISTED: Final = 20


def comparison_tables(rows: Sequence[PairComparison]) -> dict[str, TextTable]:
    """Return the table of all instances and that by domain, by title; only tables with rows."""
    titles = {
        "Models compared on the instances that both answered": _table(rows, by_domain=False),
        "The same by domain": _table(rows, by_domain=True),
    }
    return {title: table for title, table in titles.items() if table.rows}


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


def comparison_json(rows: Sequence[PairComparison]) -> str:
    """Return the rows as lines of JSON, in which all numbers are JSON numbers."""
    return "".join(f"{json.dumps(_object(row))}\n" for row in rows)


def _table(rows: Sequence[PairComparison], *, by_domain: bool) -> TextTable:
    names = ("first", "second", "domain") if by_domain else ("first", "second")
    headings = (
        *names, "shared", "first (%)", "second (%)", "difference", "95 % interval", "test", "p",
        "p (Holm)",
    )  # fmt: skip
    cells = (
        _cells(row, row.result)
        for row in rows
        if row.result is not None and (row.domain is not None) == by_domain
    )
    return TextTable(headings, tuple(cells), len(names))


def _cells(row: PairComparison, found: PairResult) -> tuple[str, ...]:
    either = sum(row.answered) - row.shared
    return (
        *row.names,
        *([row.domain] if row.domain else ()),
        str(row.shared) if row.shared == either else f"{row.shared} of {either}",
        *(rounded(100 * share) for share in found.shares),
        rounded(100 * found.difference),
        marked_few(percent_range(found.interval), row.shared),
        found.test.removesuffix(" test"),
        _p(found.p),
        _p(found.p_holm),
    )


def _p(value: float | None) -> str:
    return f"<{_LEAST_P}" if value is not None and value < _LEAST_P else rounded(value, 4)


def _object(row: PairComparison) -> dict[str, Any]:
    first, second = row.models
    found = row.result
    line: dict[str, Any] = {
        "table": "compare",
        "first": first,
        "second": second,
        "domain": row.domain,
        "first_instances": row.answered[0],
        "second_instances": row.answered[1],
        "shared": row.shared,
        "few": row.is_few,
    }
    return line | {
        "first_accuracy": found and float(found.shares[0]),
        "second_accuracy": found and float(found.shares[1]),
        "first_better": found and found.only[0],
        "second_better": found and found.only[1],
        "difference": found and float(found.difference),
        "difference_interval": found and list(found.interval),
        "test": found and found.test,
        "p": found and found.p,
        "p_holm": found and found.p_holm,
    }
