"""Output that ends: on a full disk, one line and status 2; where nothing reads it, no message."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

import pytest
from command_line import write_script
from places import PROGRAM
from store_results import RESULT, read_store

from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.runs.store import result_to_json
from pddl_pipeline.validation.version import VERDICT_VERSION

if TYPE_CHECKING:
    from command_line import Cli, CliHere

FERRY = domain_folder("ferry")
LARGEST = 50
COMMANDS = {
    "translate data.jsonl -o out": "out",
    "generate ferry --count 3 -o out": "out",
    "questions data.jsonl --kind state -o out": "out",
    "prompt data.jsonl -o out": "out",
    "score data.jsonl answers.jsonl -o out": "out",
    "score data.jsonl answers.jsonl --table out": "out",
    "report runs --html out": "out",
    "report runs --table out": "out",
    "report runs --lab out": "out/properties",
    "new domain lifts -o out": "out/README.md",
    "reproduce cats-table1 --size 2 --count 1 -o out": "out/cats-table1/comparison.csv",
    "run data.jsonl --planner t=cmd:true -o out": gettempdir(),
    "solve domain.pddl p01.pddl --planner t=cmd:true -o out": gettempdir(),
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for file in ("domain.pddl", "p01.pddl", "p01.plan"):
        shutil.copy(FERRY / file, tmp_path / file)
    shutil.copy(FERRY / "examples.jsonl", tmp_path / "data.jsonl")
    (tmp_path / "answers.jsonl").write_text('{"id": "ferry-2-0", "answer": ""}\n')
    (tmp_path / "runs").mkdir()
    line = json.dumps(result_to_json(replace(RESULT, verdict_version=VERDICT_VERSION)))
    (tmp_path / "runs" / "runs.jsonl").write_text(f"{line}\n")
    return tmp_path


@pytest.fixture
def small_files(place: Path) -> Iterator[None]:
    """Limit the size of files, which has the effects of a full disk in every folder."""
    del place
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.usefixtures("small_files")
@pytest.mark.parametrize("command", COMMANDS)
def test_what_cannot_be_written_is_named(cli_here: CliHere, place: Path, command: str) -> None:
    before = set(place.rglob("*"))
    done = cli_here(*command.split(), cwd=place)
    *notes, line = done.err.splitlines()
    assert (done.status, done.out) == (2, ""), done.err
    assert line.startswith(f"error: {COMMANDS[command]}")
    assert line.endswith("File too large")
    assert all("error" not in each for each in notes)
    assert not [path for path in set(place.rglob("*")) - before if path.is_file()]


@pytest.mark.parametrize(
    "command",
    [
        "solve domain.pddl p01.pddl --planner bfs -o", "prompt data.jsonl -o",
        "generate ferry -o", "report runs --table", "score data.jsonl answers.jsonl -o",
    ],
)  # fmt: skip
def test_a_full_device(cli_here: CliHere, place: Path, command: str) -> None:
    done = cli_here(*command.split(), "/dev/full", cwd=place)
    fault = "error: /dev/full: cannot be written: No space left on device\n"
    assert (done.status, done.err.endswith(fault)) == (2, True)


@pytest.mark.parametrize("unbuffered", ["", pytest.param("1", marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "command",
    [
        "prompt data.jsonl",
        *(pytest.param(each, marks=pytest.mark.long) for each in ("report runs", "run -h")),
    ],
)
@pytest.mark.usefixtures("place")
def test_full_standard_output(cli: Cli, command: str, unbuffered: str) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("w") as full:
        done = cli(*command.split(), stdout=full, env=environment)
    assert (done.status, done.err) == (2, "error: standard output: No space left on device\n")


SCRIPT = """
set -eu
mount -t tmpfs -o size=96k tmpfs disk
status=0
{run} > /dev/null 2> full || status=$?
test $status = 2
cat full
mount -o remount,size=4m disk
{run} > /dev/null 2> ok
cat ok
cp disk/r/runs.jsonl result
ls -A disk/r/logs | wc -l
"""


def test_a_run_goes_on_when_there_is_room(place: Path) -> None:
    """On a small disk that is mounted for this test only."""
    (place / "disk").mkdir()
    write_script(place / "talk.sh", "#!/bin/sh\nhead -c 30000 /dev/zero | tr '\\0' x\n")
    run = f"{PROGRAM} run data.jsonl --planner t=cmd:./talk.sh -j 1 -o disk/r"
    space = ["unshare", "--user", "--map-root-user", "--mount"]
    if not shutil.which("unshare") or subprocess.run([*space, "true"], check=False).returncode:
        pytest.skip("this system does not allow users to mount a disk")
    done = subprocess.run(
        [*space, "bash", "-c", SCRIPT.format(run=run)], cwd=place, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr + done.stdout
    full, ok, logs = done.stdout.splitlines()
    assert full.startswith("error: disk/r/")
    assert full.endswith("cannot be written: No space left on device")
    assert "of 5 runs were already in the store" in ok
    assert len((place / "result").read_text().splitlines()) == int(logs) == 5


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("score data.jsonl answers.jsonl --json -o out", 1),
        ("validate domain.pddl p01.pddl p01.plan", 0),
        # A million instances would take minutes.
        ("generate ferry --size 4 --count 1000000 -q -o -", 0),
        *(
            pytest.param(line, int(line.startswith("score")), marks=pytest.mark.long)
            for line in (
                "list", "score data.jsonl answers.jsonl", "prompt data.jsonl", "report runs",
                "report runs --table -", "report runs --html out --json",
                "run p01.pddl --planner bfs -q -o new", "-h",
            )
        ),
    ],
)  # fmt: skip
def test_a_reader_that_ends_early_is_no_failure(place: Path, line: str, status: int) -> None:
    """As in ``| head -1``: all files are written."""
    script = f"{PROGRAM} {line} | :; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=place, capture_output=True, text=True, timeout=120, check=True
    )
    assert int(done.stdout) == status
    # `report --table -` prints its tables on standard error.
    assert not done.stderr or line.endswith("--table -")
    assert "Broken" not in done.stderr
    assert (place / "out").exists() == ("out" in line)
    if "new" in line:
        assert all(result.solved for result in read_store(place / "new"))
        assert (place / "new" / "report.html").exists()
