"""Files of the first version are read; files of a newer format are refused with one line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command_line import check_mistake
from places import ROOT

from pddl_pipeline.model.format_version import RECORD, STORE
from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import Cli

# A line as 0.1.0 wrote it, before there were problems, versions of verdicts and commands.jsonl.
FIRST = {
    "key": "0123456789abcdef0123456789abcdef", "id": "ferry-2-0", "domain": "ferry", "size": 2,
    "planner": "lama-first", "planner_version": "up-fast-downward 0.5.2", "outcome": "plan-found",
    "status": "valid", "plan": ["(board c0 l1)", "(sail l1 l3)", "(debark c0 l3)"], "cost": 3,
    "steps": 3, "within_budget": None, "wall_s": 0.5, "cpu_s": 0.4, "memory_mb": 30.0,
    "expanded": 4, "limits": {"time_s": 60.0, "cpu_s": None, "memory_mb": 3584.0, "hit": None},
    "reason": None, "opinions": {}, "started": "2026-10-01T12:00:00.000+00:00",
    "log": "logs/0123456789abcdef0123456789abcdef/engine.log",
}  # fmt: skip
DATA = domain_folder("ferry") / "examples.jsonl"
FERRY = json.loads(DATA.read_text().splitlines()[0])


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Return the file of a store of the first version."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "runs.jsonl").write_text(json.dumps(FIRST) + "\n")
    return tmp_path / "runs" / "runs.jsonl"


def test_a_store_of_the_first_version_is_read_and_continued(cli: Cli, runs: Path) -> None:
    done = cli("report", "runs", "--json")
    assert done.status == 0
    row = json.loads(done.out.splitlines()[0])
    assert (row["domain"], row["planner"], row["validated"]) == ("ferry", "lama-first", 1)
    cli("run", DATA, "--planner", "none=cmd:true", "-o", "runs")
    first, *others = runs.read_text().splitlines()
    assert json.loads(first) == FIRST
    assert len(others) == len(DATA.read_text().splitlines())


NEWER = json.dumps(FIRST | {STORE.field: 2, "status": {"new": "form"}})
COMMANDS = '{"store_version": 2, "started": {}}'


@pytest.mark.parametrize(
    ("line", "file", "text"),
    [
        ("report runs", "runs/runs.jsonl", NEWER),
        ("show runs -o pages", "runs/runs.jsonl", NEWER),
        ("run data.jsonl -o runs", "runs/runs.jsonl", NEWER),
        ("report runs", "runs/commands.jsonl", COMMANDS),
        ("translate data.jsonl -o pddl", "data.jsonl", json.dumps(FERRY | {RECORD.field: 2})),
    ],
)
def test_a_newer_file_is_refused_and_left_as_it_is(
    cli: Cli, runs: Path, tmp_path: Path, line: str, file: str, text: str
) -> None:
    (tmp_path / "data.jsonl").write_text(json.dumps(FERRY))
    (tmp_path / file).write_text(f"{text}\n")
    stored = runs.read_bytes()
    done = cli(*line.split())
    field = RECORD.field if file == "data.jsonl" else STORE.field
    check_mistake(done, f"found {field} 2, expected at most 1")
    assert file in done.err
    assert "update pddl-pipeline" in done.err
    assert runs.read_bytes() == stored
    assert not (tmp_path / "pddl").exists()


def test_records_with_the_current_version_are_read(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "data.jsonl").write_text(json.dumps(FERRY | {RECORD.field: 1}))
    done = cli("translate", "data.jsonl", "-o", "pddl")
    assert (done.status, done.err) == (0, "")


def test_the_page_names_the_current_versions() -> None:
    page = (ROOT / "docs" / "reference" / "compatibility.md").read_text("utf-8")
    rows = re.findall(r"^\|.*\| `(\w+_version)` \| (\d+) \|", page, re.MULTILINE)
    assert {name: int(number) for name, number in rows} == {
        each.field: each.newest for each in (STORE, RECORD)
    }
