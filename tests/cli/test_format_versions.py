"""Files of the first version are read; files of a newer format are refused with one line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from places import ROOT

from pddl_pipeline.model.format_version import RECORD, STORE
from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import Cli, Done

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


def store(folder: Path, *lines: dict[str, Any]) -> Path:
    (folder / "runs").mkdir()
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    (folder / "runs" / "runs.jsonl").write_text(text)
    return folder / "runs"


def refused(done: Done, file: str, field: str) -> None:
    assert (done.status, done.out) == (2, "")
    (line,) = done.err.splitlines()
    assert line.startswith("error: ")
    assert file in line
    assert f"found {field} 2, expected at most 1" in line
    assert "update pddl-pipeline" in line


def test_a_store_of_the_first_version_is_read(cli: Cli, tmp_path: Path) -> None:
    store(tmp_path, FIRST)
    done = cli("report", "runs", "--json")
    assert done.status == 0
    row = json.loads(done.out.splitlines()[0])
    assert (row["domain"], row["planner"], row["validated"]) == ("ferry", "lama-first", 1)


def test_a_store_of_the_first_version_is_continued(cli: Cli, tmp_path: Path) -> None:
    store(tmp_path, FIRST)
    plan = domain_folder("ferry") / "p01.plan"
    copy = f"copy=cmd:/bin/cp {plan} {{plan}}"
    cli("run", DATA, "--planner", copy, "-o", "runs")
    lines = (tmp_path / "runs" / "runs.jsonl").read_text().splitlines()
    assert json.loads(lines[0]) == FIRST
    assert len(lines) == 1 + len(DATA.read_text().splitlines())


@pytest.mark.parametrize("command", [["report", "runs"], ["show", "runs", "-o", "pages"]])
def test_a_newer_store_is_refused(cli: Cli, tmp_path: Path, command: list[str]) -> None:
    store(tmp_path, FIRST, FIRST | {STORE.field: 2, "status": {"new": "form"}})
    refused(cli(*command), "runs.jsonl", STORE.field)


def test_nothing_is_written_to_a_newer_store(cli: Cli, tmp_path: Path) -> None:
    folder = store(tmp_path, FIRST | {STORE.field: 2})
    before = (folder / "runs.jsonl").read_bytes()
    refused(cli("run", DATA, "-o", "runs"), "runs.jsonl", STORE.field)
    assert (folder / "runs.jsonl").read_bytes() == before


def test_newer_commands_of_a_store_are_refused(cli: Cli, tmp_path: Path) -> None:
    folder = store(tmp_path, FIRST)
    (folder / "commands.jsonl").write_text('{"store_version": 2, "started": {}}\n')
    refused(cli("report", "runs"), "commands.jsonl", STORE.field)


def test_records_with_the_current_version_are_read(cli: Cli, tmp_path: Path) -> None:
    record = json.loads(DATA.read_text().splitlines()[0])
    (tmp_path / "data.jsonl").write_text(json.dumps(record | {RECORD.field: 1}))
    done = cli("translate", "data.jsonl", "-o", "pddl")
    assert done.status == 0
    assert RECORD.field not in done.err


def test_newer_records_are_refused(cli: Cli, tmp_path: Path) -> None:
    record = json.loads(DATA.read_text().splitlines()[0])
    (tmp_path / "data.jsonl").write_text(json.dumps(record | {RECORD.field: 2}))
    refused(cli("translate", "data.jsonl", "-o", "pddl"), "data.jsonl", RECORD.field)
    assert not (tmp_path / "pddl").exists()


def test_the_page_names_the_current_versions() -> None:
    page = (ROOT / "docs" / "reference" / "compatibility.md").read_text("utf-8")
    rows = re.findall(r"^\|.*\| `(\w+_version)` \| (\d+) \|", page, re.MULTILINE)
    assert {name: int(number) for name, number in rows} == {
        each.field: each.newest for each in (STORE, RECORD)
    }
