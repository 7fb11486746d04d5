"""Tables of scores: what they count, what they exclude, and their columns."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from score_trials import VALID, budgeted, countdown, scored

from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.pages.score_tables import (
    all_rows_table,
    group_table,
    model_table,
    score_tables,
    stage_table,
    tables_json,
    too_few_attempts,
)
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.scoring.score_rows import group_rows, model_rows
from pddl_pipeline.scoring.tally import Tally

TWO = [countdown("a", 4), countdown("b", 5)]
UNDECIDED = Verdict(Status.UNDECIDED, reason="not judged")


def tally(scores: list[Score], instances: list[Instance[Any]] = TWO) -> Tally:
    found = Tally(instances)
    for score in scores:
        found.add(score)
    return found


FAULT = Score("x", None, UNDECIDED, UNDECIDED, fault="unknown id 'x'")
OPEN = replace(scored("b", 0), verdict=UNDECIDED)
LATE = [scored("a", 1, 3), scored("a", 0, 2), scored("a", 0, 1)]
THREE = [budgeted(name, 23, optimal_cost=23) for name in "abc"]
BUDGETED = [
    replace(scored("a", 1, expanded=50), verdict=VALID.replace(cost=23, within_budget=True)),
    replace(scored("b", 1, expanded=10), verdict=VALID.replace(cost=46, within_budget=False)),
    scored("c", 0, expanded=10),
]
# Scores, instances and k, with fields of the row, and values of metrics with their instances.
ROWS: dict[str, tuple[list[Score], list[Instance[Any]], int, dict[str, Any]]] = {
    "attempts are averaged by instance before instances are": (
        [scored("a", 1), *(scored("b", 0, n) for n in (1, 2, 3))], TWO, 2,
        {"answers": 4, "instances": 2, "most": 3, "accuracy": (Fraction(1, 2), 2),
         "pass_at": (0, 1)},
    ),
    # Whatever the order in the file.
    "the first attempt counts": (LATE, TWO, 1, {"accuracy_at": (0, 1)}),
    "the first two attempts count": (LATE, TWO, 2, {"accuracy_at": (0, 1)}),
    "the first three attempts count": (LATE, TWO, 3, {"accuracy_at": (1, 1)}),
    "what is not judged counts for nothing": (
        [scored("a", 1), OPEN, FAULT], TWO, 1,
        {"undecided": 1, "unanswered": 0, "instances": 1, "answers": 1, "accuracy": (1, 1)},
    ),
    "budgeted tasks have optimality and efficiency": (
        BUDGETED, THREE, 1,
        {"accuracy": (Fraction(1, 3), 3), "optimality": (Fraction(1, 6), 3),
         "efficiency": (Fraction(9, 10), 1)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_a_row_of_a_model(name: str) -> None:
    scores, instances, k, expected = ROWS[name]
    (row,) = model_rows(tally(scores, instances), k)
    metrics = {metric: (e.value, e.instances) for metric, e in row.estimates.items() if e}
    assert {key: metrics.get(key, getattr(row, key, None)) for key in expected} == expected


def test_columns_are_there_for_what_is_counted() -> None:
    found = tally([scored("a", 1), OPEN, FAULT])
    assert (found.faults, found.undecided, found.all_right) == (1, 1, True)
    headings = model_table(score_tables(tally([OPEN]), [], 1)).headings
    assert {"without verdict", "strict (%)", "accuracy (%)"} <= set(headings)
    table = model_table(score_tables(tally(BUDGETED, THREE), [], 1))
    assert dict(zip(table.headings, *table.rows, strict=True)) == {
        "model": "-", "answers": "3", "instances": "3", "not answered": "0", "strict (%)": "66.67",
        "accuracy (%)": "33.33", "95 % interval": "6.1 to 79.2 (n<5)", "optimality": "0.167",
        "efficiency": "0.900",
    }  # fmt: skip


def test_models_and_groups_are_told_apart() -> None:
    found = tally([scored("a", 1, model="m"), scored("b", 0, model="m"), scored("b", 1)])
    assert [(row.name, row.unanswered) for row in model_rows(found, 1)] == [
        ("m", 0),
        ("-", 1),
    ]
    rows = group_rows(found, "size", 1)
    assert [(row.name, row.domain, row.group) for row in rows] == [
        ("m", None, "4"), ("m", None, "5"), ("-", None, "5"),
    ]  # fmt: skip


def test_sizes_of_two_domains_are_not_mixed() -> None:
    instances = [countdown("a", 4), budgeted("b", None, size=4)]
    rows = group_rows(tally([scored("a", 1), scored("b", 0)], instances), "size", 1)
    assert [(row.domain, row.group, row.answers) for row in rows] == [
        ("budget-blocksworld", "4", 1),
        ("countdown", "4", 1),
    ]


def test_published_verdicts_are_compared_with_the_reading_that_was_published() -> None:
    scores = [
        scored("a", 1, model=str(s), published=False, published_strict=s) for s in (True, False)
    ]
    rows = model_rows(tally([replace(score, _strict=UNDECIDED) for score in scores]), 1)
    found = [(row.name, row.published_answers, row.agreed) for row in rows]
    assert found == [("True", 1, 1), ("False", 1, 0)]
    assert [row.estimates["published"].value for row in rows] == [0, 0]


def test_wrong_answers_count_once_at_the_first_stage() -> None:
    scores = [
        replace(scored("a", 0), errors=(ErrorKind.GOAL, ErrorKind.UNREADABLE)),
        replace(scored("a", 0, 2), errors=(ErrorKind.PRECONDITION, ErrorKind.WRONG_TYPE)),
        scored("b", 0),
        scored("b", 1, 2),
        # Right by other rules: what is noted of a right answer is no error.
        replace(scored("b", 1, 3), errors=(ErrorKind.PRECONDITION,)),
    ]
    tables = score_tables(tally(scores), ["size"], 1)
    assert stage_table(tables).rows == (("-", "5", "3", "1", "1", "1"),)
    found = [
        (row.reading_errors, row.step_errors, row.planning_errors) for row in tables.groups["size"]
    ]
    assert found == [(1, 1, 0), (0, 0, 1)]
    assert stage_table(score_tables(tally([scored("a", 1)]), [], 1)).rows == ()


def test_columns_that_tell_nothing_are_left_out() -> None:
    once = model_table(score_tables(tally([scored("a", 1)]), ["size"], 5)).headings
    again = tally([scored("a", 1), scored("a", 0, 2)])
    tables = score_tables(again, ["size"], 2)
    assert set(model_table(tables).headings) - set(once) == {"accuracy@2 (%)", "pass@2 (%)"}
    assert "published (%)" not in once
    assert group_table(tables, "size").rows[0][-2:] == ("100.00", "100.00")


def test_a_metric_of_k_attempts_needs_an_instance_with_as_many() -> None:
    found = tally([scored("a", 1), scored("a", 0, 2), scored("b", 0)])
    two, three = (score_tables(found, ["size"], k) for k in (2, 3))
    assert too_few_attempts(two) is None
    cells = [row[-2:] for row in (*model_table(two).rows, *group_table(two, "size").rows)]
    assert cells == [("50.00", "100.00 (n=1)"), ("100.00", "100.00"), ("-", "-")]
    assert too_few_attempts(three) == (
        "Not shown: accuracy@3 and pass@3, because no instance has more than 2 judged attempts; "
        "--k sets k."
    )
    for table in (model_table(three), group_table(three, "size")):
        assert not [heading for heading in table.headings if "@" in heading]
    assert json.loads(tables_json(three).splitlines()[0])["accuracy_at"] is None


def test_single_answers_have_a_note_only_if_k_was_chosen() -> None:
    tables = score_tables(tally([scored("a", 1)]), [], 5)
    assert too_few_attempts(tables) is None
    assert "than 1 judged attempt;" in (too_few_attempts(tables, is_asked=True) or "")


def test_json_is_exact_and_csv_has_every_row() -> None:
    found = tally([scored("a", 1), scored("b", 0), scored("b", 0, 2), scored("b", 1, 3)])
    tables = score_tables(found, ["size", "horizon"], 5)
    lines = [json.loads(line) for line in tables_json(tables).splitlines()]
    assert [line["table"] for line in lines] == [
        "models", "size", "size", "horizon", "errors", "faults",
    ]  # fmt: skip
    assert (lines[0]["accuracy"], lines[0]["k"], lines[-1]["rows"]) == ("2/3", 5, 0)
    assert (lines[0]["accuracy_few"], lines[0]["planning_errors"]) == (True, 2)
    assert lines[2]["group"] == "5"
    rows = list(csv.DictReader(io.StringIO(all_rows_table(tables).to_csv())))
    assert [(row["by"], row["group"]) for row in rows] == [
        ("", ""), ("size", "4"), ("size", "5"), ("horizon", "unknown"),
    ]  # fmt: skip
    assert rows[0]["accuracy"] == "0.666667"
    assert rows[0]["pass_at"] == ""


def test_names_of_models_cannot_break_a_terminal() -> None:
    hostile = "\x1b[31mred\ud800\n" + "x" * 10**6
    found = tally([scored("a", 1, model=hostile)])
    (row,) = model_rows(found, 1)
    assert all_rows_table(score_tables(found, [], 1)).to_csv().encode().count(b"\n") == 2
    assert row.name.startswith("\\x1b[31mred\\ud800\\nx")
    assert len(row.name) < 200
