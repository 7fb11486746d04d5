"""Control groups: the kernel's if it allows them, else a folder with the same files."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pddl_pipeline.model.limits import Limits
from pddl_pipeline.planners.sandbox.cgroup import (
    Cgroup,
    CgroupMeter,
    own_group,
    take_over,
    unavailable_reason,
)
from pddl_pipeline.planners.sandbox.supervisor import Family

LEAF = "pddl-pipeline-runner"


def folder_of_files(folder: Path, controllers: str = "cpu memory") -> Path:
    folder.mkdir()
    files = {
        "cgroup.controllers": controllers,
        "cgroup.procs": str(os.getpid()),
        "cgroup.subtree_control": "",
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def test_a_delegated_group_is_taken_over(tmp_path: Path) -> None:
    group = folder_of_files(tmp_path / "group")
    assert unavailable_reason(group) is None
    (group / LEAF).mkdir()
    (group / LEAF / "cgroup.procs").write_text("")
    assert take_over(group)
    assert (group / "cgroup.subtree_control").read_text() == "+memory"
    assert (group / LEAF / "cgroup.procs").read_text() == str(os.getpid())


@pytest.mark.parametrize(
    ("controllers", "processes", "reason"),
    [
        ("cpu hugetlb", "", "without its memory controller"),
        ("cpu memory", "1\n", "shared with other programs"),
    ],
)
def test_other_groups_are_left_alone(
    tmp_path: Path, controllers: str, processes: str, reason: str
) -> None:
    group = folder_of_files(tmp_path / "group", controllers)
    (group / "cgroup.procs").write_text(processes)
    assert reason in (unavailable_reason(group) or "")


def test_no_group_is_no_error(tmp_path: Path) -> None:
    assert unavailable_reason(None) == "no cgroup v2"
    assert unavailable_reason(tmp_path) == "no cgroup v2"


def group_of_an_attempt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cgroup:
    """Create a cgroup with the files that a kernel would have created."""
    made = Path.mkdir

    def mkdir(folder: Path, *arguments: object, **options: object) -> None:
        made(folder, *arguments, **options)  # type: ignore[arg-type]
        for name in ("memory.max", "memory.swap.max", "memory.oom.group"):
            (folder / name).write_text("max")

    monkeypatch.setattr(Path, "mkdir", mkdir)
    return Cgroup(folder_of_files(tmp_path / "group"), "attempt", 100 << 20)


def test_the_kernel_measures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    group = group_of_an_attempt(tmp_path, monkeypatch)
    assert (group.folder / "memory.max").read_text() == str(100 << 20)
    assert (group.folder / "memory.swap.max").read_text()[:1] == "0"
    (group.folder / "memory.stat").write_text(f"anon {50 << 20}\nfile 999\nshmem {10 << 20}\n")
    (group.folder / "memory.events").write_text("low 0\noom 0\noom_kill 0\n")
    (group.folder / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 1\nsystem_usec 2\n")
    meter = CgroupMeter(Family(), Limits(memory_bytes=100 << 20), group)
    assert meter.sample() is None
    assert (meter.peak_bytes, meter.cpu_s) == (60 << 20, 1.5)
    (group.folder / "memory.events").write_text("low 0\noom 1\noom_kill 1\n")
    assert meter.sample() == "memory"
    (group.folder / "cpu.stat").write_text("usage_usec 2500000\nuser_usec 1\nsystem_usec 2\n")
    assert meter.finish() == "memory"
    assert (meter.cpu_s, meter.peak_bytes >> 20) == (2.5, 100)


STUBBORN = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    os.fork()
time.sleep(100)
"""


def test_a_real_group_ends_all_that_was_born_in_it() -> None:
    own = own_group()
    if own is None or not os.access(own, os.W_OK):
        pytest.skip("this machine does not allow control groups of version 2")
    folder = own / f"pddl-pipeline-test-{os.getpid()}"
    folder.mkdir()
    group = object.__new__(Cgroup)
    group.folder = folder
    process = subprocess.Popen(
        [sys.executable, "-c", STUBBORN],
        preexec_fn=group.enter,  # noqa: PLW1509
    )
    deadline = time.monotonic() + 20
    while len((folder / "cgroup.procs").read_text().split()) < 3:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert str(os.getpid()) not in (folder / "cgroup.procs").read_text().split()
    group.remove()
    assert process.wait(timeout=10) == -9
    assert not folder.exists()
