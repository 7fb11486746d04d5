"""``pddl-pipeline report``: its output and files, which are the same on a second call."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command_line import check_mistake, json_lines
from store_results import RESULT, write_store

from pddl_pipeline.model.attempt import Outcome

if TYPE_CHECKING:
    from command_line import Cli, CliHere

CRASH = replace(
    RESULT, key="k1", planner="enhsp", outcome=Outcome.CRASH, status=None, plan=None, cost=None,
    steps=None, reason="signal 11",
)  # fmt: skip
WRITE = ("--html", "r.html", "--table", "r.csv", "--lab", "r-eval")


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A run store of two shards."""
    for number, result in ((1, RESULT), (2, CRASH)):
        write_store(tmp_path / "runs" / f"shard-{number}-of-2", result)
    return tmp_path / "runs"


def test_tables_come_after_what_must_be_seen(cli: Cli, runs: Path) -> None:
    lines = cli("report", runs).out.splitlines()
    assert lines[:2] == ["Crashed runs: 1", "  a (enhsp): signal 11"]
    tables = [line.split() for line in lines[2:]]
    assert tables[0][-7:] == ["coverage", "(%)", "PAR-2", "(s)", "IPC", "sat", "IPC", "agile"][1:]
    assert tables[2] == ["ferry", "enhsp", "1", "0", "0", "-", "-", "0.0", "120.00", "0.00", "0.00"]
    assert tables[3][-4:] == ["100.0", "0.50", "1.00", "1.00"]
    assert tables[4] == ["planner", "plan-found", "crash"]
    assert len(tables) == 8


def test_reading_again_writes_the_same_bytes(cli: Cli, runs: Path, tmp_path: Path) -> None:
    def report(*stores: Path) -> list[str | bytes]:
        texts = [cli("report", *stores, *options).out for options in (WRITE, ("--json",))]
        return [
            *texts,
            *((tmp_path / name).read_bytes() for name in ("r.html", "r.csv", "r-eval/properties")),
        ]

    first = report(runs)
    assert all(first)
    assert report(runs / "shard-2-of-2", runs / "shard-1-of-2") == first


def test_nothing_is_written_where_something_cannot_be(cli: Cli, runs: Path, tmp_path: Path) -> None:
    (tmp_path / "r-eval").touch()
    check_mistake(cli("report", runs, *WRITE), "r-eval: cannot be created: File exists")
    check_mistake(cli("report", tmp_path, "--html", "r.html"), "is not a run store")
    assert not (tmp_path / "r.html").exists()


def test_optimality_and_efficiency_are_those_of_score(cli_here: CliHere, tmp_path: Path) -> None:
    """The tight budget, which `cats` does not solve in 100 expansions, counts as 0."""
    make = ("generate", "budget-blocksworld", "--count", "1", "-o", "d.jsonl")
    cli_here(*make, cwd=tmp_path)
    cli_here("run", "d.jsonl", "--planner", "cats:nodes=100", "-o", "runs", cwd=tmp_path)
    shown = cli_here("report", "runs", "--json", "--table", "r.csv", cwd=tmp_path).out
    found = json.loads(shown.splitlines()[0])
    answers = [
        {"id": run["id"], "answer": "\n".join(run["plan"] or ["none"]), "expanded": run["expanded"]}
        for run in json_lines(tmp_path / "runs" / "runs.jsonl")
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, answers)))
    scored = cli_here("score", "d.jsonl", "a.jsonl", "--json", cwd=tmp_path).out
    names = ("optimality", "efficiency")
    assert found["validated"] == 2
    assert (
        found.items() >= {name: json.loads(scored.splitlines()[0])[name] for name in names}.items()
    )
    assert {*names} < {*(tmp_path / "r.csv").read_text().splitlines()[0].split(",")}
