"""Two stores, or two planners, instance by instance."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from store_results import RESULT, write_store

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.reporting.report import report, store_labels
from pddl_pipeline.reporting.run_comparison import compare_planners, compare_stores

if TYPE_CHECKING:
    from command_line import Cli


def solved(name: str, cost: Number, planner: str = "lama-first") -> RunResult:
    return replace(RESULT, id=name, key=f"{planner}{name}", planner=planner, cost=cost)


def failed(name: str, planner: str = "lama-first", **fields: object) -> RunResult:
    run = solved(name, 1, planner)
    return replace(run, outcome=Outcome.TIMEOUT, status=None, plan=None, cost=None, **fields)


FIRST = [solved("a", 5), solved("b", 5), solved("c", 5), solved("d", 5), failed("e"), failed("f")]
INVALID = replace(solved("d", 3), status=Status.INVALID)
SECOND = [solved("a", 4), solved("b", 5), solved("c", 6), INVALID, solved("e", 9), failed("f")]
EXPECTED = {
    "a": "better", "b": "equal", "c": "worse", "d": "lost", "e": "better", "f": "neither",
    "g": "not run",
}  # fmt: skip


@pytest.fixture
def stores(tmp_path: Path) -> tuple[Path, Path]:
    return write_store(tmp_path / "A", *FIRST), write_store(tmp_path / "B", *SECOND, solved("g", 1))


def test_each_instance_is_compared_by_cost(stores: tuple[Path, Path]) -> None:
    found, (compared,) = compare_stores(stores)
    assert (compared.first, compared.second) == ("lama-first (A)", "lama-first (B)")
    assert {run.first.instance[1]: str(run.change) for run in compared.runs} == EXPECTED
    assert sorted({row.planner for row in found.rows}) == [compared.first, compared.second]


@pytest.mark.usefixtures("stores")
def test_text_json_and_page_have_the_comparison(cli: Cli, tmp_path: Path) -> None:
    done = cli("report", "A", "B", "--html", "r.html", "--compare")
    assert done.status == 0, done.err
    lines = [line.split() for line in done.out.splitlines()]
    start = done.out.splitlines().index("lama-first (B), compared with lama-first (A)")
    assert lines[start + 3] == ["ferry", "2", "1", "1", "1", "1", "1"]
    assert lines[start + 7] == [
        "coverage", "(%)", "6", "66.67", "66.67", "1", "1", "-", "1.0000", "(n<6)"
    ]  # fmt: skip
    assert lines[start + 8][-3:] == ["0.986", "1.0000", "(n<6)"]
    changes = [line.strip() for line in done.out.splitlines()[start + 10 :]]
    assert changes[0] == "lost: ferry/d: 5 in 0.50 s -> invalid"
    assert [line.split(":")[0] for line in changes] == ["lost", "worse", "better", "better"]
    rows = list(map(json.loads, cli("report", "A", "B", "--json", "--compare").out.splitlines()))
    (summary,) = [row for row in rows if row["table"] == "comparison"]
    assert [summary[name] for name in ("better", "equal", "worse", "lost", "not_run")] == [
        2, 1, 1, 1, 1,
    ]  # fmt: skip
    tested = {row["measure"]: row for row in rows if row["table"] == "comparison_tests"}
    fields = ("instances", "first_mean", "second_mean", "first_better", "second_better", "p")
    assert [tuple(row[name] for name in fields) for row in tested.values()] == [
        (6, "200/3", "200/3", 1, 1, 1.0),
        (3, 5, 5, 1, 1, 1.0),
        (5, "122/5", "122/5", 1, 1, 1.0),
    ]
    assert tested["cost"]["ratio"] == pytest.approx((4 / 5 * 6 / 5) ** (1 / 3))
    compared = {row["id"]: row for row in rows if row["table"] == "compared"}
    assert {name: row["change"] for name, row in compared.items()} == EXPECTED
    assert (compared["c"]["first_cost"], compared["c"]["second_cost"]) == (5, 6)
    assert cli("report", "A", "B", "--table", "c.csv", "--compare").status == 0
    cells = list(csv.DictReader((tmp_path / "c.csv").read_text().splitlines()))
    assert {row["id"]: row["change"] for row in cells} == EXPECTED
    assert [row["second_cost"] for row in cells] == ["4", "5", "6", "", "9", "", "1"]
    page = (tmp_path / "r.html").read_text()
    assert page.index("lama-first (B), compared with") < page.index("<h2>Coverage and scores")


def test_two_planners_of_one_store(tmp_path: Path) -> None:
    folder = write_store(tmp_path / "r", *FIRST, solved("a", 5, "enhsp"), failed("b", "enhsp"))
    compared = compare_planners(report(folder), "lama-first", "enhsp")
    changes = {run.first.instance[1]: str(run.change) for run in compared.runs}
    assert (changes["a"], changes["b"], changes["c"]) == ("equal", "lost", "not run")
    # Coverage, cost and PAR-2: the first is better on b, whose cost the second does not have.
    assert [each.better for each in compared.measures()] == [(1, 0), (0, 0), (1, 0)]


def test_a_store_with_another_planner_each(tmp_path: Path) -> None:
    one = write_store(tmp_path / "A", *FIRST)
    other = write_store(tmp_path / "B", solved("a", 1, "enhsp"))
    _, (compared,) = compare_stores([one, other])
    assert (compared.first, compared.second) == ("lama-first (A)", "enhsp (B)")


def test_stores_of_one_name_have_longer_labels(tmp_path: Path) -> None:
    one, other = tmp_path / "old" / "runs", tmp_path / "new" / "runs"
    assert list(store_labels([one, other]).values()) == [" (old/runs)", " (new/runs)"]
    assert list(store_labels([one, one]).values()) == [" (runs)"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("A --compare", "expected two run stores"),
        ("A A --compare", "expected two run stores"),
        ("A B --compare", "no planner in common: lama-first and enhsp, lama"),
        ("A --compare lama-first", "found 'lama-first', expected two planners"),
        ("A --compare lama-first,lame", "no planner 'lame'"),
        ("A --pages x", "--pages requires --html"),
    ],
)
def test_wrong_comparisons_are_one_line(cli: Cli, tmp_path: Path, line: str, message: str) -> None:
    write_store(tmp_path / "A", *FIRST)
    write_store(tmp_path / "B", solved("a", 1, "enhsp"), solved("a", 1, "lama"))
    done = cli("report", *line.split())
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err
