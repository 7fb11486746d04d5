"""Commands that misbehave as planners: the right outcome, one line, and nothing is left.

The sandbox has its own table of such planners, in `sandbox/test_faults.py`; this one is of what
users see on the command line.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import psutil
import pytest
from processes_of_tests import is_in

from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import CliHere

FOLDER = domain_folder("blocksworld")
TASK = (FOLDER / "domain.pddl", FOLDER / "p01.pddl")
GOOD = FOLDER / "p01.plan"
MIB = 2**20
DAEMON = """
def daemon(action):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            action()
            time.sleep(300)
        os._exit(0)
    os.wait()
"""
CLOSE = "os.closerange(0, 3); "
PRINT = """
block = b"all work and no play\\n" * 50_000
for _ in range({size} // len(block)):
    os.write(1, block)
"""


class Bad(NamedTuple):
    """A command, and what is expected of `solve` with it."""

    body: str
    """The Python script."""
    outcome: str
    says: str
    """A part of the line on standard error."""
    exit_status: int = 1
    verdict: str | None = None
    limit: str = "30s"


def written(text: str) -> str:
    return f"open(plan, 'w').write({text!r})"


BAD = {
    "writes nothing": Bad("pass", "gave-up", "the planner ended without a plan"),
    "writes an empty plan": Bad(written(""), "plan-found", "goal", 1, "invalid"),
    "writes garbage": Bad(
        "open(plan, 'wb').write(bytes(range(256)) * 99)", "plan-found",
        " s, the plan is malformed: found ", 1, "malformed",
    ),
    "writes another problem's plan": Bad(
        written("(pick-up b77)\n(stack b77 b78)"), "plan-found", "unknown object 'b77'", 1,
        "malformed",
    ),
    "writes another domain's plan": Bad(
        written("(sail l0 l1)"), "plan-found", "unknown action 'sail'", 1, "malformed"
    ),
    "prints garbage": Bad(
        "os.write(1, bytes(range(256)) * 99)", "gave-up", "the planner ended without a plan"
    ),
    "leaves children": Bad(
        "[subprocess.Popen(['sleep', '300']) for _ in range(3)]", "gave-up", "without a plan"
    ),
    "leaves a child in another session, and a plan": Bad(
        f"subprocess.Popen(['sleep', '300'], start_new_session=True); shutil.copy({str(GOOD)!r}, "
        "plan)", "plan-found", "the plan is valid", 0, "valid",
    ),
    "leaves a daemon that ignores SIGTERM": Bad(
        "daemon(lambda: None)", "gave-up", "without a plan"
    ),
    "leaves a daemon that holds its output": Bad(
        "daemon(lambda: os.dup2(1, 9))", "gave-up", "without a plan"
    ),
    "closes its output and sleeps": Bad(
        f"{CLOSE}time.sleep(300)", "timeout", "(time limit)", limit="1s"
    ),
    "ignores SIGTERM": Bad(
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(300)", "timeout",
        "(time limit)", limit="1s",
    ),
    "stops itself": Bad("os.kill(0, signal.SIGSTOP)", "timeout", "(time limit)", limit="1s"),
    "ends with a signal": Bad(
        "os.kill(os.getpid(), signal.SIGKILL)", "crash", "signal 9 (SIGKILL)", 3
    ),
    "ends with an error": Bad("sys.exit('no such option')", "crash", "no such option", 3),
    "writes a plan of 500 MB": Bad(
        "open(plan, 'w').truncate(500_000_000)", "crash", "its plan has 500,000,000 bytes", 3
    ),
    "makes a pipe of its plan": Bad("os.mkfifo(plan)", "gave-up", "without a plan"),
    "makes a folder of its plan": Bad("os.mkdir(plan)", "gave-up", "without a plan"),
    "makes a device of its plan": Bad("os.symlink('/dev/zero', plan)", "gave-up", "without a plan"),
    "makes a circle of its plan": Bad("os.symlink(plan, plan)", "gave-up", "without a plan"),
    "makes a link of its plan": Bad(
        f"os.symlink({str(GOOD)!r}, plan)", "plan-found", "the plan is valid", 0, "valid"
    ),
    "forbids to read its plan": Bad(
        f"{written('(pick-up b1)')}; os.chmod(plan, 0)", "crash", "its plan cannot be read", 3
    ),
    "deletes its folder": Bad("shutil.rmtree(os.getcwd())", "gave-up", "without a plan"),
    "prints 50 MB": Bad(PRINT.format(size=50 * MIB), "gave-up", "without a plan"),
}  # fmt: skip


def write_planner(folder: Path, body: str) -> str:
    """Write the script and return the option that names it."""
    file = folder / "planner.py"
    file.write_text(
        f"#!{sys.executable}\nimport os, shutil, signal, subprocess, sys, time\n{DAEMON}\n"
        f"plan = sys.argv[1]\n{body}\n"
    )
    file.chmod(0o755)
    return "mine=cmd:./planner.py {plan}"


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize("name", BAD)
def test_a_bad_command_has_its_outcome_and_leaves_nothing(
    cli_here: CliHere, tmp_path: Path, name: str
) -> None:
    bad = BAD[name]
    if name.startswith("forbids") and os.getuid() == 0:
        pytest.skip("the super-user may read every file")
    planner = write_planner(tmp_path, bad.body)
    begin = time.monotonic()
    done = cli_here(
        "solve", *TASK, "--planner", planner, "--json", "--time-limit", bad.limit, cwd=tmp_path
    )
    assert time.monotonic() - begin < 20
    found = json.loads(done.out)
    assert (found["outcome"], found["status"]) == (bad.outcome, bad.verdict), done.err
    assert done.status == bad.exit_status
    assert done.err.count("\n") == 1
    assert bad.says in done.err
    assert not [process for process in psutil.process_iter() if is_in(process, tmp_path)]


NOT_PROGRAMS = {
    "text": ("just text", "Exec format error; a script starts with a line such as #!/bin/sh"),
    "nothing": ("", "Exec format error"),
    "a missing interpreter": ("#!/no/such/interpreter\n", "No such file or directory; or the"),
    "an interpreter of DOS": ("#!/bin/sh\r\n", "No such file or directory; or the interpreter"),
}


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize("name", NOT_PROGRAMS)
def test_a_file_that_is_no_program_is_a_crash(cli_here: CliHere, tmp_path: Path, name: str) -> None:
    text, reason = NOT_PROGRAMS[name]
    (tmp_path / "planner").write_text(text)
    (tmp_path / "planner").chmod(0o755)
    done = cli_here("solve", *TASK, "--planner", "mine=cmd:./planner {plan}", cwd=tmp_path)
    assert (done.status, done.out) == (3, "")
    assert "mine: crash in 0.0" in done.err
    assert f"the planner cannot be started: {tmp_path / 'planner'}: {reason}" in done.err
    assert done.err.count("\n") == 1


# A process starts with the memory of the one that starts it, and a worker of the tests is large.
MEASURE = """
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(status)
"""
"""Runs a command and prints the memory of its largest process, in KiB."""


@pytest.mark.parametrize(
    "size", [pytest.param(50 * MIB), pytest.param(1024 * MIB, marks=pytest.mark.long)]
)
def test_what_is_kept_of_a_long_output_is_bounded(tmp_path: Path, size: int) -> None:
    """In a process of its own, whose memory is measured."""
    planner = write_planner(tmp_path, f"{PRINT.format(size=size)}\nprint('the last line')")
    (tmp_path / "data.jsonl").write_text((FOLDER / "examples.jsonl").read_text().splitlines()[0])
    program = Path(sys.executable).with_name("pddl-pipeline")
    command = [program, "run", "data.jsonl", "--planner", planner, "-j", "1", "-o", "r"]
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *command],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout.splitlines()[-1]) < 400 * 1024
    (log,) = (tmp_path / "r").glob("logs/*/engine.log")
    text = log.read_bytes()
    assert len(text) < 9 * MIB
    assert text.startswith(b"all work and no play\n")
    assert text.endswith(b"the last line\n")
    left_out = int(text.split(b"\n... ")[1].split(b" bytes left out")[0])
    assert abs(left_out + len(text) - size) < MIB
