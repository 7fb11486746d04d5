"""The sandbox where the kernel lacks a part of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from places import PROGRAM, SUPPORT

from pddl_pipeline.planners.foreign_code import supervised
from pddl_pipeline.planners.sandbox.confinement import NUMBERS, Protections, protections

pytestmark = pytest.mark.skipif(
    bool(protections().missing()), reason="this kernel lacks a part of the sandbox"
)
READS = "without Landlock, it can read every file that you can read, solutions included"
STARTS = "without seccomp, it can start processes, use the network and send signals"


def without(parts: str, *command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command as on a kernel that lacks parts of the sandbox."""
    words = [sys.executable, SUPPORT / "lacking_kernel.py", parts, *command]
    return subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)


def test_a_missing_part_is_a_warning_or_an_error(tmp_path: Path) -> None:
    parts = "landlock,seccomp"
    (tmp_path / "answer.py").write_text("def succ(s): pass\ndef isgoal(s): pass")
    command = (PROGRAM, "autotos", "check", tmp_path / "answer.py", "--domain", "24game")
    done = without(parts, *command)
    what = f"{READS}; {STARTS} and change files"
    reason = f"the kernel does not confine a model's code: {what}\n"
    assert (done.returncode, done.stderr) == (1, f"warning: {reason}")
    done = without(parts, *command, "--sandbox", "required")
    said = (done.returncode, done.stdout, done.stderr)
    assert said == (2, "", f"error: --sandbox required: {reason}")


def test_doctor_says_what_is_missing() -> None:
    script = "from pddl_pipeline.planners.checks import check_sandbox; print(*check_sandbox())"
    done = without("landlock", sys.executable, "-c", script)
    assert f"incomplete, a model's code is not confined: {READS}" in done.stdout, done.stderr


ATTEMPTS = """
import os, sys
from pddl_pipeline.planners.foreign_code.guarded import functions_in
from pddl_pipeline.planners.foreign_code.process import CallFault, Functions
code = '''
import ctypes, os, time
libc = ctypes.CDLL(None)
def succ(place):
    found = []
    if libc.open((place + "/secret").encode(), 0) >= 0: found.append("reads")
    if libc.open((place + "/new").encode(), 0o101, 0o600) >= 0: found.append("writes")
    if libc.open(b"new", 0o101, 0o600) >= 0: found.append("writes in its folder")
    if libc.socket(1, 1, 0) >= 0: found.append("has sockets")
    process = libc.fork()
    if process == 0:
        libc.setsid()
        if libc.fork(): os._exit(0)
        time.sleep(99)
    if process > 0: found.append("forks")
    return found
def isgoal(s): return open("python", "w")
'''
with Functions(functions_in(code), call_s=20) as functions:
    print(*functions.call("succ", sys.argv[1]).result, sep=", ")
    try:
        functions.call("isgoal", 1)
    except CallFault as fault:
        print(fault)
print(os.getpid())
"""


@pytest.mark.parametrize(
    ("parts", "can", "said"),
    [
        ("landlock", "reads", "PermissionError: open is not allowed here"),
        ("seccomp", "writes in its folder, has sockets, forks", "TypeError"),
        (
            "landlock,seccomp",
            "reads, writes, writes in its folder, has sockets, forks",
            "PermissionError: open is not allowed here",
        ),
    ],
)
def test_what_the_other_parts_still_refuse(tmp_path: Path, parts: str, can: str, said: str) -> None:
    """Without Landlock, seccomp refuses all writing. What was started ends with the checker."""
    if os.getuid() != 0 and "seccomp" in parts:
        can = can.replace(", forks", "")  # the limit on processes counts for users
    (tmp_path / "secret").touch()
    done = without(parts, sys.executable, "-c", ATTEMPTS, str(tmp_path))
    found, fault, checker = done.stdout.splitlines()
    assert (found, fault[: len(said)]) == (can, said), done.stderr
    left = [process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline"])]
    assert not [words for words in left if supervised.__name__ in words and checker in words]


def test_what_is_missing_depends_on_the_version() -> None:
    """Before version 3, Landlock does not decide about shortening a file: seccomp refuses it."""
    assert not Protections(1, "x86_64").missing()
    assert not Protections(2, "x86_64").writing
    assert Protections(3, None).missing() == [STARTS]
    assert Protections(2, None).missing() == [f"{STARTS} and change files"]


RESTRICTED = """
import os, sys
from pathlib import Path
from pddl_pipeline.planners.sandbox.confinement import control_process, restrict_files
def refused(change):
    try:
        change()
    except PermissionError:
        return "refused"
def restricted(version, place):
    file = place / "writable" / "file"
    control_process(38, 1)
    restrict_files(version, [str(place / "readable"), "/nothing"], file.parent)
    file.write_text("x")
    file.write_text("y")
    changes = ((place / "secret").read_text, lambda: list(place.iterdir()),
               (place / "new").touch, file.unlink)
    print((place / "readable").read_text() + file.read_text(), *map(refused, changes), flush=True)
for version in range(1, int(sys.argv[1]) + 1):
    if os.fork() == 0:
        restricted(version, Path(sys.argv[2]))
        os._exit(0)
    os.wait()
"""


def test_every_version_of_landlock(tmp_path: Path) -> None:
    (tmp_path / "writable").mkdir()
    for name in ("readable", "secret"):
        (tmp_path / name).write_text("r")
    versions = min(protections().landlock, 7)
    command = [sys.executable, "-c", RESTRICTED, str(versions), tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "ry refused refused refused refused\n" * versions, done.stderr


@pytest.mark.parametrize(
    ("architecture", "header"),
    [
        ("x86_64", "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
        ("aarch64", "/usr/include/asm-generic/unistd.h"),
    ],
)
def test_numbers_of_system_calls(architecture: str, header: str) -> None:
    if not Path(header).exists():
        pytest.skip("the kernel's headers are not installed")
    defined = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", Path(header).read_text())
    numbers = {name: int(number) for name, number in defined}
    numbers.setdefault("newfstatat", numbers.get("fstatat", 0))
    assert {name: numbers[name] for name in NUMBERS[architecture]} == NUMBERS[architecture]
