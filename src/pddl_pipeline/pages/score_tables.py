"""The tables of scores, as text cells and as lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.number import number_fields
from pddl_pipeline.model.text import counted, shortened
from pddl_pipeline.pages.html_page import visible
from pddl_pipeline.scoring.metrics import METRICS, OF_READ, PUBLISHED, Metric
from pddl_pipeline.scoring.score_rows import (
    ErrorRow,
    ScoreRow,
    UnreadRow,
    error_rows,
    group_rows,
    model_rows,
    shown_name,
    unread_rows,
)
from pddl_pipeline.scoring.tally import Tally
from pddl_pipeline.statistics.intervals import marked_few
from pddl_pipeline.tables.linked_text import Link, LinkedText
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, percent_range, rounded

ExampleLinks = Mapping[tuple[str | None, ErrorKind], Sequence[Link]]
"""By model and error, the links to the pages of examples."""
_Column = Callable[[ScoreRow], str]
_COUNTS: Final = tuple(name for name in ScoreRow.__slots__ if name != "estimates")


@dataclass(frozen=True, slots=True)
class ScoreTables:
    """All tables of one scoring."""

    k: int
    """The k of accuracy@k and pass@k."""
    models: list[ScoreRow]
    groups: dict[str, list[ScoreRow]]
    """By name of the grouping."""
    errors: list[ErrorRow]
    unread: list[UnreadRow]
    faults: int
    """See `Tally.faults`."""


def score_tables(tally: Tally, by: Sequence[str], k: int) -> ScoreTables:
    """Return the tables, with one for each grouping in `by`."""
    groups = {name: group_rows(tally, name, k) for name in by}
    errors, unread = error_rows(tally), unread_rows(tally)
    return ScoreTables(k, model_rows(tally, k), groups, errors, unread, tally.faults)


def model_table(tables: ScoreTables) -> TextTable:
    """Return the table with one row per model."""
    rows = tables.models
    columns: dict[str, _Column] = {
        "model": lambda row: row.name,
        "answers": lambda row: str(row.answers + row.undecided),
        "instances": lambda row: str(row.instances),
        "not answered": lambda row: str(row.unanswered),
    }
    if any(row.undecided for row in rows):
        columns["without verdict"] = lambda row: str(row.undecided)
    columns |= _metric_columns(tables, rows, by_model=True)
    if any(row.published_answers for row in rows):
        columns["agrees on"] = lambda row: f"{row.agreed} of {row.published_answers}"
    return _table(columns, rows, 1)


def too_few_attempts(tables: ScoreTables, *, is_asked: bool = False) -> str | None:
    """Return why the tables have no metric of k attempts; None if they have, or have no rows.

    Args:
        tables: the tables.
        is_asked: whether the user chose k. Else, nothing is said of single answers.
    """
    most = max((row.most for row in tables.models), default=0)
    if most >= tables.k or most < (1 if is_asked else 2):
        return None
    omitted = " and ".join(
        metric.heading.format(k=tables.k).removesuffix(" (%)")
        for metric in METRICS
        if metric.needs_k
    )
    attempts = counted(most, "judged attempt")
    return f"Not shown: {omitted}, because no instance has more than {attempts}; --k sets k."


def group_table(tables: ScoreTables, by: str) -> TextTable:
    """Return the table of a grouping."""
    rows = tables.groups[by]
    columns: dict[str, _Column] = {"model": lambda row: row.name}
    if any(row.domain for row in rows):
        columns["domain"] = lambda row: row.domain or NO_NUMBER
    columns[by] = lambda row: NO_NUMBER if row.group is None else shown_name(row.group)
    names = len(columns)
    columns["instances"] = lambda row: str(row.instances)
    columns["answers"] = lambda row: str(row.answers)
    return _table(columns | _metric_columns(tables, rows), rows, names)


def stage_table(tables: ScoreTables) -> TextTable:
    """Return the table of wrong answers by the stage of their first error, one row per model."""
    columns: dict[str, _Column] = {
        "model": lambda row: row.name,
        "answers": lambda row: str(row.answers),
        "wrong": lambda row: str(row.reading_errors + row.step_errors + row.planning_errors),
        "reading": lambda row: str(row.reading_errors),
        "step": lambda row: str(row.step_errors),
        "planning": lambda row: str(row.planning_errors),
    }
    return _table(columns, tables.models if tables.errors else (), 1)


def error_table(tables: ScoreTables, examples: ExampleLinks = MappingProxyType({})) -> TextTable:
    """Return the table of errors, with the links to the pages of examples."""
    return TextTable(
        ("model", "stage", "error", "example", "answers", "share (%)"),
        tuple(
            (
                row.name,
                str(row.error.stage),
                str(row.error),
                LinkedText(visible(row.example), examples.get((row.model, row.error), ())),
                str(row.answers),
                rounded(100 * row.share),
            )
            for row in tables.errors
        ),
        names=4,
    )


def unread_table(tables: ScoreTables) -> TextTable:
    """Return the table of answers that could not be read, by class."""
    return TextTable(
        ("class", "example", "reason", "alike", "answers"),
        tuple(
            (str(row.kind), visible(row.example), visible(shortened(row.reason)), str(row.alike),
             str(row.answers))
            for row in tables.unread
        ),
        names=3,
    )  # fmt: skip


def all_rows_table(tables: ScoreTables) -> TextTable:
    """Return the rows of all models and groups in one table, for programs that read CSV files."""
    rows = [("", row) for row in tables.models]
    rows += [(by, row) for by, found in tables.groups.items() for row in found]
    texts = [(by, _flat(row)) for by, row in rows]
    headings = ("by", *texts[0][1]) if texts else ("by",)
    return TextTable(headings, tuple((by, *text.values()) for by, text in texts), names=4)


def tables_json(tables: ScoreTables) -> str:
    """Return the rows as lines of JSON: ``table`` is the table, intervals are ``[low, high]``."""
    return "".join(f"{json.dumps(line)}\n" for line in _lines(tables))


def _lines(tables: ScoreTables) -> Iterator[dict[str, Any]]:
    for row in tables.models:
        yield {"table": "models", **_object(row, tables.k)}
    for by, rows in tables.groups.items():
        for row in rows:
            yield {"table": by, **_object(row, tables.k)}
    for error in tables.errors:
        yield {
            "table": "errors",
            "model": error.model,
            "error": error.error,
            "of": error.error.stage,
            "answers": error.answers,
            **number_fields("share", error.share),
            "example": error.example,
        }
    for unread in tables.unread:
        yield {"table": "unread", **asdict(unread)}
    yield {"table": "faults", "rows": tables.faults}


def _object(row: ScoreRow, k: int) -> dict[str, Any]:
    found: dict[str, Any] = {name: getattr(row, name) for name in _COUNTS}
    for name, value in row.estimates.items():
        found |= number_fields(name, None if value is None else value.value) | {
            f"{name}_interval": None if value is None else list(value.interval),
            f"{name}_instances": 0 if value is None else value.instances,
            f"{name}_few": value is None or value.is_few,
        }
    return {**found, "k": k}


def _flat(row: ScoreRow) -> dict[str, str]:
    counts = {name: getattr(row, name) for name in _COUNTS}
    found = {name: "" if value is None else str(value) for name, value in counts.items()}
    found["model"] = row.name if row.model is not None else ""
    for name, value in row.estimates.items():
        low, high = (None, None) if value is None else value.interval
        found |= {
            name: rounded(None if value is None else value.value, 6),
            f"{name}_low": rounded(low, 6),
            f"{name}_high": rounded(high, 6),
            f"{name}_few": "" if value is None else str(value.is_few).lower(),
        }
    return found


def _metric_columns(
    tables: ScoreTables, rows: Sequence[ScoreRow], *, by_model: bool = False
) -> dict[str, _Column]:
    """Return the columns with metrics, without those that have no information."""
    columns: dict[str, _Column] = {}
    for metric in METRICS:
        found = [row for row in rows if row.most > 1 or not metric.needs_k]
        if metric.name == OF_READ:
            found = [row for row in found if row.reading_errors]
        is_known = any(row.estimates[metric.name] for row in found)
        if (is_known or not metric.is_rare) and (by_model or metric.name != PUBLISHED):
            columns[metric.heading.format(k=tables.k)] = partial(_value, metric)
            if metric.has_interval:
                columns["95 % interval"] = partial(_interval, metric)
    return columns


def _value(metric: Metric, row: ScoreRow) -> str:
    found = row.estimates[metric.name]
    if found is None:
        return NO_NUMBER
    text = rounded(100 * found.value) if metric.is_share else rounded(found.value, 3)
    few = metric.has_count and found.instances < row.instances
    return f"{text} (n={found.instances})" if few else text


def _interval(metric: Metric, row: ScoreRow) -> str:
    found = row.estimates[metric.name]
    return (
        NO_NUMBER if found is None else marked_few(percent_range(found.interval), found.instances)
    )


def _table(columns: dict[str, _Column], rows: Sequence[ScoreRow], names: int) -> TextTable:
    cells = tuple(tuple(text(row) for text in columns.values()) for row in rows)
    return TextTable(tuple(columns), cells, names)
