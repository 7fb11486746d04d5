"""Reports: claimed and validated apart, the same bytes for the same runs."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from itertools import permutations

from store_results import RESULT

from pddl_pipeline.experiment.report import summarise
from pddl_pipeline.experiment.report_html import report_html
from pddl_pipeline.experiment.report_table import report_csv, report_json
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.verdict import Status

SOLVED = replace(RESULT, key="1", id="a", cost=4, wall_s=1.0)
INVALID = replace(
    RESULT, key="2", id="b", status=Status.INVALID, cost=None, reason="<goal> & so on"
)
OVER = replace(RESULT, key="3", id="c", cost=50, within_budget=False)
WITHIN = replace(RESULT, key="4", id="d", cost=8, wall_s=3.0, within_budget=True)
UNSOLVABLE = replace(
    RESULT, key="5", id="a", planner="enhsp", outcome=Outcome.CLAIMS_UNSOLVABLE, status=None
)
CRASH = replace(RESULT, key="6", id="e", outcome=Outcome.CRASH, status=None, reason="signal 11")
DISPUTED = replace(RESULT, key="7", id="f", status=Status.DISPUTED, cost=None)
RUNS = [SOLVED, INVALID, OVER, WITHIN, UNSOLVABLE, CRASH, DISPUTED]


def test_claims_and_validated_plans_are_counted_apart() -> None:
    enhsp, lama = summarise(RUNS).rows
    assert (enhsp.planner, enhsp.instances, enhsp.claimed, enhsp.validated) == ("enhsp", 1, 0, 0)
    assert (lama.instances, lama.claimed, lama.validated) == (6, 5, 2)
    assert (lama.mean_cost, lama.mean_time_s) == (6.0, 2.0)
    assert (enhsp.mean_cost, enhsp.mean_time_s) == (None, None)


def test_newest_run_of_an_instance_counts() -> None:
    older = replace(SOLVED, key="0", started="2025-01-01T00:00:00.000+00:00", status=Status.INVALID)
    (row,) = summarise([SOLVED, older]).rows
    assert (row.instances, row.claimed, row.validated) == (1, 1, 1)


def test_runs_that_need_a_look_are_listed() -> None:
    report = summarise(RUNS)
    assert report.disputed == (DISPUTED,)
    assert report.unexplained == (CRASH,)
    assert report.rejected == (INVALID,)
    assert report.contradicted == (UNSOLVABLE,)
    assert report.over_budget == (OVER,)
    assert report.failed == ()


def test_order_of_runs_does_not_matter() -> None:
    pages = {report_html(summarise(runs)) for runs in list(permutations(RUNS))[::500]}
    assert len(pages) == 1


def test_page_stands_alone_and_escapes() -> None:
    page = report_html(summarise(RUNS))
    assert "&lt;goal&gt; &amp; so on" in page
    assert "http" not in page
    assert "<script" not in page


def test_csv_and_json_hold_the_table() -> None:
    report = summarise(RUNS)
    rows = list(csv.DictReader(io.StringIO(report_csv(report))))
    assert [row["validated"] for row in rows] == ["0", "2"]
    assert rows[0]["mean cost"] == ""
    lines = [json.loads(line) for line in report_json(report).splitlines()]
    assert [line["validated"] for line in lines if line["table"] == "coverage"] == [0, 2]
    assert len(lines) == 2 + 5
