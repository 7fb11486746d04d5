"""A full disk: one line with the path, status 2, nothing half-written, and later it goes on."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

import pytest

from pddl_pipeline.pddl_domains import domain_folder

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
    "reproduce cats-table1 --size 4 --count 3 -o out": "out/cats-table1/comparison.csv",
    "run data.jsonl --planner t=cmd:true -o out": gettempdir(),
    "solve domain.pddl p01.pddl --planner t=cmd:true -o out": gettempdir(),
}


@pytest.fixture
def place(tmp_path: Path, cli_here: CliHere) -> Path:
    for file in ("domain.pddl", "p01.pddl", "p01.plan"):
        shutil.copy(FERRY / file, tmp_path / file)
    shutil.copy(FERRY / "examples.jsonl", tmp_path / "data.jsonl")
    (tmp_path / "answers.jsonl").write_text('{"id": "ferry-2-0", "answer": "(sail l0 l1)"}\n')
    assert not cli_here("run", "data.jsonl", "--planner", "t=cmd:true", "-o", "runs", cwd=tmp_path
                        ).status  # fmt: skip
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
    before = sorted(place.rglob("*"))
    done = cli_here(*command.split(), cwd=place)
    *notes, line = done.err.splitlines()
    assert (done.status, done.out) == (2, ""), done.err
    assert line.startswith(f"error: {COMMANDS[command]}")
    assert line.endswith("File too large")
    assert all("error" not in each for each in notes)
    made = set(place.rglob("*")) - {*before}
    assert not [path for path in made if path.is_file()]


@pytest.mark.parametrize("command", ["solve domain.pddl p01.pddl --planner lama-first -o",
    "prompt data.jsonl -o", "generate ferry -o", "report runs --table", ("score data.jsonl "
    "answers.jsonl -o")])  # fmt: skip
def test_a_full_device(cli_here: CliHere, place: Path, command: str) -> None:
    done = cli_here(*command.split(), "/dev/full", cwd=place)
    assert done.status == 2
    assert done.err.splitlines()[-1] == (
        "error: /dev/full: cannot be written: No space left on device"
    )


@pytest.mark.parametrize(
    ("command", "unbuffered"),
    [
        ("list", ""),
        ("list", "1"),
        ("prompt data.jsonl", ""),
        pytest.param("prompt data.jsonl", "1", marks=pytest.mark.long),
        ("report runs", ""),
        pytest.param("report runs", "1", marks=pytest.mark.long),
        ("run -h", ""),
        pytest.param("run -h", "1", marks=pytest.mark.long),
    ],
)
def test_full_standard_output(cli: Cli, place: Path, command: str, unbuffered: str) -> None:
    del place
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("w") as full:
        done = cli(*command.split(), stdout=full, env=environment)
    assert (done.status, done.err) == (
        2, "error: standard output: No space left on device\n"
    )  # fmt: skip


SCRIPT = """
set -eu
mount -t tmpfs -o size=96k tmpfs disk
status=0
for number in 1 2; do
    {run} > /dev/null 2> full || status=$?
    test $status = 2
    cat full
    {report} > /dev/null
done
mount -o remount,size=4m disk
{run} > /dev/null 2> ok
cat ok
cp disk/r/runs.jsonl result
ls -A disk/r/logs | wc -l
"""


def test_a_run_goes_on_when_there_is_room(place: Path) -> None:
    """On a small disk that is mounted for this test only."""
    program = Path(sys.executable).with_name("pddl-pipeline")
    (place / "disk").mkdir()
    (place / "talk.sh").write_text("#!/bin/sh\nhead -c 30000 /dev/zero | tr '\\0' x\n")
    (place / "talk.sh").chmod(0o755)
    run = f"{program} run data.jsonl --planner t=cmd:./talk.sh -j 1 -o disk/r"
    script = SCRIPT.format(run=run, report=f"{program} report disk/r")
    space = ["unshare", "--user", "--map-root-user", "--mount"]
    if not shutil.which("unshare") or subprocess.run([*space, "true"], check=False).returncode:
        pytest.skip("this system does not allow users to mount a disk")
    done = subprocess.run(
        [*space, "bash", "-c", script], cwd=place, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr + done.stdout
    *full, ok, logs = done.stdout.splitlines()
    assert len(full) >= 2
    for line in full:
        if "already in the store" not in line:
            assert line.startswith("error: disk/r/")
            assert line.endswith("cannot be written: No space left on device")
    assert "of 5 runs were already in the store" in ok
    assert len((place / "result").read_text().splitlines()) == 5
    assert logs == "5"
