"""The sweep of PDDL files: what it pairs, reads, refuses and resumes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from places import ROOT

from pddl_pipeline.pddl_domains import domain_folder

SCRIPT = ROOT / "benchmarks" / "sweep.py"


def sweep(*arguments: str | Path) -> str:
    command = [sys.executable, SCRIPT, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def read_lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def program(file: Path, script: str) -> Path:
    """Return a program that takes the place of one of VAL's."""
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return file


@pytest.mark.long
def test_sweep(tmp_path: Path) -> None:
    own = domain_folder("blocksworld")
    folder = tmp_path / "set"
    (folder / "instances").mkdir(parents=True)
    (folder / "domains").mkdir()
    for number in (1, 2):
        copy(own / "domain.pddl", folder / "domains" / f"domain-{number}.pddl")
        copy(own / "p01.pddl", folder / "instances" / f"instance-{number}.pddl")
    wrong = folder / "instances" / "instance-2.pddl"
    wrong.write_text(wrong.read_text().replace("(:goal", "(:aim"))
    (folder / "instances" / "alone.pddl").write_text("(define (problem p) (:domain other))")
    lines = tmp_path / "sweep.jsonl"
    # One program prints its count of errors, the other ends by a signal.
    parser = program(tmp_path / "Parser", 'echo "Errors: 1, warnings: 0"; echo "x: Error: aim"')
    validate = program(tmp_path / "Validate", "kill -11 $$")
    printed = sweep(
        folder, "--lines", lines, "--val", validate, "--val-parser", parser, "--fast-downward",
        "--memory-gb", "8",
    )  # fmt: skip
    assert printed.startswith("set: 3 problems, 1 no domain, 1 read, 1 refused\n")
    assert f"1 refused: unknown section …\n    1 in {folder / 'instances'}: instance-2" in printed
    found = {Path(line["problem"]).stem: line for line in read_lines(lines)}
    assert Path(found["instance-1"]["domain"]).name == "domain-1.pddl"
    assert found["instance-1"]["ours"]["status"] == "read"
    assert "unknown section ':aim'" in found["instance-2"]["ours"]["note"]
    assert found["instance-2"]["val"] | {"seconds": 0} == {
        "status": "crash", "note": "signal 11", "seconds": 0
    }  # fmt: skip
    assert found["instance-2"]["val-parser"]["note"] == "x: Error: aim"
    assert found["instance-2"]["fast-downward"]["status"] == "refused"
    assert found["alone"]["ours"]["status"] == "no domain"
    before = lines.read_text()
    assert sweep(folder, "--lines", lines).startswith(
        "set: 3 problems, 1 no domain, 1 read, 1 refused"
    )
    assert lines.read_text() == before
    copy(own / "p01.pddl", wrong)
    assert sweep(folder, "--lines", lines, "--again").startswith(
        "set: 3 problems, 2 read, 1 no domain"
    )


@pytest.mark.long
def test_reader_that_does_not_end(tmp_path: Path) -> None:
    own = domain_folder("blocksworld")
    copy(own / "domain.pddl", tmp_path / "domain.pddl")
    copy(own / "p01.pddl", tmp_path / "p01.pddl")
    slow = program(tmp_path / "Validate", "exec sleep 60")
    lines = tmp_path / "lines"
    sweep(tmp_path, "--val", slow, "--peers-sample", "1", "--time-limit", "1", "--lines", lines)
    (line,) = read_lines(lines)
    assert line["ours"]["status"] == "read"
    assert line["val"]["status"] == "slow"
