"""Reports: claimed and validated apart, the same bytes for the same runs."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from fractions import Fraction
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_results import RESULT

from pddl_pipeline.cli.stores import print_report
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pages.report_page import report_html
from pddl_pipeline.reporting.lab_properties import lab_properties
from pddl_pipeline.reporting.overview import Overview
from pddl_pipeline.reporting.plots import report_plots
from pddl_pipeline.reporting.report import Report, summarise
from pddl_pipeline.reporting.report_tables import (
    SHARE_NOTE,
    coverage_table,
    instance_table,
    outcome_table,
    report_json,
    size_table,
)
from pddl_pipeline.reporting.row import Row
from pddl_pipeline.reporting.run_comparison import compare_planners
from pddl_pipeline.tables.linked_text import Link

SOLVED = replace(RESULT, key="1", id="a", cost=4, wall_s=1.0)
INVALID = replace(
    RESULT, key="2", id="b", status=Status.INVALID, cost=None, reason="<goal> & so on"
)
OVER = replace(RESULT, key="3", id="c", cost=50, within_budget=False)
WITHIN = replace(RESULT, key="4", id="d", cost=8, wall_s=3.0, within_budget=True)
UNSOLVABLE = replace(
    RESULT, key="5", id="a", planner="enhsp", outcome=Outcome.CLAIMS_UNSOLVABLE, status=None,
    plan=None, cost=None, steps=None,
)  # fmt: skip
CRASH = replace(RESULT, key="6", id="e", outcome=Outcome.CRASH, status=None, reason="signal 11")
DISPUTED = replace(RESULT, key="7", id="f", status=Status.DISPUTED, cost=None)
TIMEOUT = replace(
    UNSOLVABLE, key="8", id="g", outcome=Outcome.TIMEOUT, wall_s=60.0, reason="limit", size=3
)
OPTIMAL = replace(RESULT, key="9", id="d", planner="fd-blind", cost=9, optimal=True, wall_s=10.0)
RUNS = [SOLVED, INVALID, OVER, WITHIN, UNSOLVABLE, CRASH, DISPUTED, TIMEOUT, OPTIMAL]

OTHER = replace(SOLVED, domain="depots", key="10", cost=Fraction(7, 3), wall_s=2.0)


def row_of(report: Report, planner: str, domain: str = "ferry") -> Row:
    rows = {(each.planner, each.domain): each for each in (*report.rows, *report.totals)}
    return rows[planner, domain]


SLOW = replace(SOLVED, planner="lama", key="s", cost=2, wall_s=9.0)
ALONE = replace(SOLVED, planner="lama", key="t", id="z", cost=100, wall_s=50.0)
COMMON = [SOLVED, WITHIN, SLOW, ALONE]


def repeated(run: RunResult, number: int, **fields: object) -> RunResult:
    return replace(run, key=f"{run.key}-{number}", repetition=number, seed=number, **fields)


# Two of three repetitions are solved on one instance, all of them on the other.
REPEATED = [
    repeated(SOLVED, 1), repeated(SOLVED, 2, cost=7, wall_s=4.0), repeated(TIMEOUT, 3, id="a",
    planner="lama-first", size=2), *(repeated(WITHIN, number) for number in (1, 2, 3)),
]  # fmt: skip
BEST = replace(SOLVED, optimal_cost=2)
CONFIRMED = replace(UNSOLVABLE, id="u", confirmed_by="the record", wall_s=3.0)
OLDER = replace(SOLVED, key="0", started="2025-01-01T00:00:00.000+00:00")


@pytest.mark.parametrize(
    ("runs", "planner", "domain", "expected"),
    [
        # Claims and validated plans are counted apart.
        (RUNS, "lama-first", "ferry", {
            "instances": 7, "not_run": 1, "claimed": 5, "validated": 2, "mean_cost": 6,
            "mean_time_s": 2.0,
        }),
        (RUNS, "enhsp", "ferry", {
            "instances": 7, "not_run": 5, "claimed": 0, "validated": 0, "mean_cost": None,
            "mean_time_s": None, "par2_s": 120,
        }),
        # 1 - log 3 / log 60, and 1 - log 10 / log 60.
        (RUNS, "lama-first", "ferry", {
            "coverage": Fraction(200, 7), "par2_s": (1 + 3 + 5 * 120) / 7, "ipc_sat": 2,
            "ipc_agile": 1.731676,
        }),
        (RUNS, "fd-blind", "ferry", {"ipc_sat": 8 / 9, "ipc_agile": 0.437618}),
        # Common means are over what all planners solved.
        (COMMON, "lama-first", "ferry", {
            "common": 1, "common_mean_cost": 4, "common_mean_time_s": 1.0, "mean_cost": 6,
        }),
        (COMMON, "lama", "ferry", {
            "common": 1, "common_mean_cost": 2, "common_mean_time_s": 9.0, "mean_cost": 51,
        }),
        ([SOLVED, replace(TIMEOUT, id=SOLVED.id)], "lama-first", "ferry",
         {"common": 0, "common_mean_cost": None}),
        # Totals add up domains but not their costs.
        ([*RUNS, OTHER], "lama-first", "all", {
            "instances": 8, "validated": 3, "mean_time_s": 2.0, "mean_cost": None, "ipc_sat": 3,
        }),
        ([*RUNS, OTHER], "lama-first", "depots", {"mean_cost": Fraction(7, 3)}),
        # The newest run of an instance counts; an older one still knows a cheaper plan.
        ([SOLVED, replace(OLDER, status=Status.INVALID)], "lama-first", "ferry",
         {"instances": 1, "claimed": 1, "validated": 1}),
        ([replace(OLDER, cost=3), SOLVED], "lama-first", "ferry", {"ipc_sat": 0.75}),
        # An instance counts by the mean over its repetitions, and is common if all are solved.
        ([*REPEATED, replace(WITHIN, planner="b"), replace(SOLVED, planner="b")],
         "lama-first", "ferry", {
            "instances": 2, "claimed": Fraction(5, 3), "validated": Fraction(5, 3),
            "coverage": Fraction(500, 6), "mean_cost": (11 / 2 + 8) / 2, "mean_time_s": 2.75,
            "par2_s": ((1 + 4 + 120) / 3 + 3) / 2, "ipc_sat": (1 + 4 / 7) / 3 + 1, "common": 1,
            "ipc_agile": (1 + 0.661409) / 3 + 0.731676,
        }),
        # Optimality is over all instances, here with a missing run, efficiency over solved ones.
        ([BEST, replace(BEST, planner="b", id="z")], "lama-first", "ferry",
         {"optimality": Fraction(1, 3) / 2, "efficiency": Fraction(493, 500)}),
        ([BEST, replace(TIMEOUT, planner="lama-first", optimal_cost=9)], "lama-first", "ferry",
         {"optimality": Fraction(1, 3) / 2, "efficiency": Fraction(493, 500)}),
        ([BEST, WITHIN], "lama-first", "ferry", {"optimality": None}),
        # A confirmed claim is solved in coverage and PAR-2 only; another claim is not.
        ([CONFIRMED, replace(UNSOLVABLE, id="v")], "enhsp", "ferry", {
            "claimed_unsolvable": 2, "confirmed": 1, "coverage": 50, "par2_s": (3 + 120) / 2,
            "validated": 0, "ipc_agile": 0, "mean_time_s": None,
        }),
    ],
)  # fmt: skip
def test_a_row_by_hand(
    runs: list[RunResult], planner: str, domain: str, expected: dict[str, object]
) -> None:
    row = row_of(summarise(runs), planner, domain)
    found = {name: getattr(row, name) for name in expected}
    assert found == pytest.approx(expected, abs=1e-6)


def test_the_terminal_names_domains_with_means_over_different_instances(
    capsys: pytest.CaptureFixture[str],
) -> None:
    other = replace(SOLVED, planner="lama", key="s")
    equal = [replace(run, domain="depots") for run in (SOLVED, other, replace(TIMEOUT, id="a"))]
    print_report(summarise([SOLVED, WITHIN, other, *equal]))
    assert "mean cost and mean time in ferry. " in capsys.readouterr().out
    print_report(summarise(equal))
    assert "Not comparable" not in capsys.readouterr().out


def test_sizes_are_told_apart() -> None:
    report = summarise(RUNS)
    sizes = [(row.size, row.planner, row.instances, row.validated) for row in report.sizes]
    assert report.totals == ()  # of one domain
    assert sizes == [
        (2, "enhsp", 6, 0), (2, "fd-blind", 6, 1), (2, "lama-first", 6, 2),
        (3, "enhsp", 1, 0), (3, "fd-blind", 1, 0), (3, "lama-first", 1, 0),
    ]  # fmt: skip


def test_runs_that_need_a_look_are_listed_with_the_other_plan() -> None:
    report = summarise(RUNS)
    # In the order of `Report.sections`; none of these runs is of PDDL+.
    expected = [["7"], ["6"], [], ["5"], ["9"], ["2"], ["3"], ["5"], ["8"], []]
    assert [[run.key for run in runs] for _, runs in report.sections] == expected
    newer = summarise([replace(OLDER, cost=3), replace(SOLVED, optimal=True)])
    assert [run.key for run in newer.urgent[4][1]] == ["1"]
    assert [report.why(run) for run in (UNSOLVABLE, OPTIMAL, OVER, CRASH)] == [
        "lama-first has a plan of cost 4", "costs 9, lama-first has a plan of cost 8", "costs 50",
        "signal 11",
    ]  # fmt: skip


@pytest.mark.parametrize("cost", [8, 7, None])
def test_an_optimum_that_nothing_beats_is_not_listed(cost: int | None) -> None:
    assert summarise([WITHIN, replace(OPTIMAL, cost=cost)]).urgent[4][1] == ()


def everything(runs: list[RunResult]) -> tuple[str, ...]:
    report = summarise(runs)
    tables = (coverage_table(report), size_table(report), outcome_table(report))
    return (*(table.to_csv() for table in tables), report_json(report), lab_properties(report))


@given(st.permutations([*RUNS, OTHER]))
def test_order_of_runs_does_not_matter(runs: list[RunResult]) -> None:
    assert everything(runs) == everything([*RUNS, OTHER])


def test_the_page_stands_alone_and_shows_first_what_must_be_seen_first() -> None:
    runs = [*RUNS, replace(CRASH, key="x", id="<b>", planner="<i>$")]
    page = report_html(summarise(runs))
    assert "&lt;goal&gt; &amp; so on" in page
    assert "Highlighted rows have" in page
    assert not [text for text in ("<b>", "<i>", "http", escape(SHARE_NOTE)) if text in page]
    assert page.count("<script") == 1  # the page's own
    titles = ["Runs to look at first (", "Coverage", "Runs without a plan"]
    places = [page.index(f"<h2>{title}") for title in titles]
    assert places == sorted(places)


def test_a_doubtful_run_is_listed_once_with_all_that_is_wrong() -> None:
    both = replace(CRASH, outcome=Outcome.CRASH, status=Status.DISPUTED, id="both", key="both")
    rows = Overview(summarise([*RUNS, both])).doubtful().table.rows
    (wrong,) = [row[4] for row in rows if row[-1] == "both"]
    assert wrong == "Disputed or undecided verdicts; Crashed runs"
    assert sorted(row[-1] for row in rows) == ["a", "b", "both", "d", "e", "f"]


def test_runs_of_a_planner_with_one_reason_share_a_row_that_leads_to_each() -> None:
    runs = [replace(CRASH, id=f"e{n}", key=f"k{n}") for n in range(3)]
    pages = {(CRASH.planner, f"k{n}"): (Link("plan", f"{n}.html"),) for n in (0, 2)}
    found = Overview(summarise([*runs, replace(CRASH, reason="signal 9")])).doubtful(pages)
    assert found.caption == "Runs to look at first (4)"
    assert {(*row[-3:-1], row[-1].to_html()) for row in found.table.rows} == {  # type: ignore[attr-defined]
        ("signal 9", "1", "e"),
        ("signal 11", "3", "e1 <a href='0.html'>e0</a> <a href='2.html'>e2</a>"),
    }


def test_the_answer_names_the_leader_the_test_and_faults() -> None:
    def runs(planner: str, solved: range) -> list[RunResult]:
        return [
            replace(run, planner=planner, id=f"p{number}", key=f"{planner}{number}")
            for number in range(12)
            for run in [SOLVED if number in solved else TIMEOUT]
        ]

    one, two, three = runs("one", range(11)), runs("two", range(2)), runs("three", range(1, 3))
    why = ["signal 11", "signal 9", "signal 9"]
    three[-3:] = [replace(run, outcome=Outcome.CRASH, reason=each)
                  for run, each in zip(three[-3:], why, strict=True)]  # fmt: skip
    overview = Overview(summarise([*one, *two, *three]))
    # 9 instances are solved by one of the two only: 2 / 2^9, for three comparisons.
    assert overview.sentence() == (
        "one solves 11 of 12 instances, 9 more than three (9 instances better, 0 worse: sign "
        "test, p = 0.01, corrected for 3 comparisons). three: 3 crashed runs, mostly signal 9."
    )
    assert (
        "1 more than one, which may be chance (0 instances better, 0 worse: sign test, p = 1"
        in Overview(summarise([*one[:3], *runs("two", range(4))])).sentence()
    )
    assert [order.p for order in overview.orders] == [3 / 256, 3 / 256, 1.0]
    (row,) = overview.domains().table.rows
    assert [(cell.style, cell.split()[0]) for cell in row[1:4]] == [  # type: ignore[attr-defined]
        ("best", "11"), ("number", "2"), ("number", "2"),
    ]  # fmt: skip
    (alone,) = overview.alone().table.rows
    assert (alone[0], alone[2], row[4]) == ("one", "8", "11")


@pytest.mark.parametrize(
    ("runs", "end"),
    [
        ([*RUNS, OTHER, replace(CRASH, key="l", id="l", outcome=Outcome.LOST, reason=None)],
         ("enhsp: 1 disputed unsolvability claim, in ferry. fd-blind: 1 disputed optimality claim, "
         "in ferry. lama-first: 1 disputed verdict, in ferry; 1 crashed run, in ferry, signal 11; "
         "1 lost run, in ferry; 1 invalid plan, in ferry.")),
        ([OTHER, CRASH, replace(CRASH, key="k", id="k")],
         "2 crashed runs, all in ferry, signal 11."),
        ([CRASH, replace(CRASH, key="k", id="k")], ": 2 crashed runs, signal 11."),
        ([CRASH, replace(CRASH, key="k", domain="depots")], ": 2 crashed runs, signal 11."),
    ],
)  # fmt: skip
def test_the_answer_counts_each_run_to_look_at_first(runs: list[RunResult], end: str) -> None:
    """It names the domain where it is one of several."""
    assert Overview(summarise(runs)).sentence().endswith(end)


def test_csv_holds_the_table() -> None:
    rows = list(csv.DictReader(io.StringIO(coverage_table(summarise(RUNS)).to_csv())))
    assert [row["validated"] for row in rows] == ["0", "1", "2"]
    assert rows[0]["mean cost"] == ""
    expected = {
        "coverage (%)": "28.6", "PAR-2 (s)": "86.29", "IPC sat": "2.00", "IPC agile": "1.73",
        "mean cost (common)": "",
    }  # fmt: skip
    assert expected.items() <= rows[2].items()


def test_json_holds_all_tables() -> None:
    lines = [json.loads(line) for line in report_json(summarise([*RUNS, OTHER])).splitlines()]
    tables = [line["table"] for line in lines]
    assert [tables.count(name) for name in ("coverage", "sizes", "outcomes")] == [7, 7, 3]
    assert (len(tables), tables[-1]) == (17 + 8 + 1, "about")
    assert lines[0]["mean_cost"] == "7/3"
    assert lines[3]["coverage"] == "200/7"
    (beaten,) = [line for line in lines if line["table"].startswith("Claimed optimal")]
    assert "plan" not in beaten
    assert (beaten["key"], beaten["why"]) == ("9", "costs 9, lama-first has a plan of cost 8")


def test_a_cost_beyond_all_floats() -> None:
    report = summarise([replace(SOLVED, cost=10**400), replace(OPTIMAL, id="a", cost=10**401)])
    assert row_of(report, "fd-blind").ipc_sat == 0.1
    assert "1" + 400 * "0" in coverage_table(report).to_csv()
    assert report_plots(report)
    assert lab_properties(report)


def test_no_runs_at_all() -> None:
    report = summarise([])
    assert coverage_table(report).to_csv().count("\n") == 1
    assert report_html(report)
    assert report_json(report) == ""
    assert lab_properties(report) == "{\n\n}\n"


def test_repetitions_with_equal_results_change_no_number() -> None:
    """The instance stays the unit of every row and of every test. Halves of floats are exact."""
    runs = [*RUNS, OTHER, CONFIRMED, replace(SOLVED, planner="b", cost=9)]
    one = summarise(runs)
    more = summarise([repeated(run, number) for run in runs for number in (1, 2)])
    for rows in ("rows", "totals", "sizes"):
        assert getattr(more, rows) == getattr(one, rows)
    measures, others = (
        compare_planners(each, "lama-first", "b").measures() for each in (more, one)
    )
    assert measures == others


def test_the_repetitions_of_an_instance_have_mean_best_and_worst(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = summarise(REPEATED)
    print_report(report)
    listed = capsys.readouterr().out.split(SHARE_NOTE)[1]
    assert "ferry/d (lama-first): 3 of 3: 8.00 in 3.00 s" in listed
    notes = (escape(SHARE_NOTE), "Highlighted rows have")
    assert [text in report_html(report) for text in notes] == [True, False]
    lines = map(json.loads, report_json(report).splitlines())
    first, second = (line for line in lines if line["table"] == "repetitions")
    assert (first["mean_cost"], first["best_cost"], first["worst_cost"]) == ("11/2", 4, 7)
    assert (first["solved"], first["planned"], first["seeds"]) == (2, 3, [1, 2, 3])
    assert [
        *(first[f"{each}_time_s"] for each in ("mean", "best", "worst")),
        report.rows[0].time_spread_s,
    ] == [2.5, 1, 4, 1.5]
    assert (second["id"], second["worst_time_s"]) == ("d", 3.0)
    assert [row[3] for row in instance_table(report).rows] == [
        "2 of 3: 5.50 (4.00 to 7.00) in 2.50 (1.00 to 4.00) s",
        "3 of 3: 8.00 in 3.00 s",
    ]  # fmt: skip


def test_confirmed_claims_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    claims = [CONFIRMED, replace(UNSOLVABLE, id="v"), replace(UNSOLVABLE, id="w")]
    report = summarise(claims)
    print_report(report)
    assert "Claimed unsolvable: 3 (1 confirmed)" in capsys.readouterr().out
    assert "Claimed unsolvable (3, 1 confirmed)" in report_html(report)
    assert instance_table(report).rows[0][3] == "unsolvable, confirmed, in 3.00 s"
    assert report.further[2][1] == ()
