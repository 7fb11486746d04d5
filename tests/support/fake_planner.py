"""A planner that misbehaves in one of several ways, with the result of each; see `test_faults`.

Run as ``fake_planner.py FAULT [TEXT]`` in the working directory of an attempt, TEXT being the plan.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

MIB = 2**20


def plan(text: str) -> None:
    Path("plan").write_text(text)


def hang() -> None:
    while True:
        time.sleep(1)


def fork_and(child: Callable[[], object]) -> None:
    if os.fork() == 0:
        child()
        os._exit(0)


def daemon(action: Callable[[], object]) -> None:
    """Run an action in a process that left the session and whose parent has ended."""

    def first() -> None:
        os.setsid()
        fork_and(action)

    fork_and(first)
    os.wait()


def tree(depth: int) -> None:
    for _ in range(3):
        fork_and(lambda: tree(depth - 1) if depth > 1 else hang())
    hang()


def stubborn() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hang()


def burn() -> None:
    while True:
        pass


def grow() -> None:
    kept = []
    while True:
        kept.append(b"x" * (8 * MIB))
        time.sleep(0.02)


def sudden() -> None:
    kept = b"x" * (3072 * MIB)
    time.sleep(len(kept))


def flood() -> None:
    for _ in range(50):
        os.write(1, b"all work and no play\n" * 50_000)
    os.write(1, b"the very last line\n")


def stop_above(*levels: int) -> None:
    """Stop ancestors again and again: 1 is the supervisor, 2 the warm process, 3 the runner."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    above = [os.getpid()]
    for _ in range(max(levels)):
        # The second field, a name in parentheses, may contain spaces.
        fields = Path(f"/proc/{above[-1]}/stat").read_text().rpartition(")")[2].split()
        above.append(int(fields[1]))
    while True:
        for level in levels:
            os.kill(above[level], signal.SIGSTOP)
        time.sleep(0.01)


def breed() -> None:
    """Start new processes repeatedly."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        daemon(lambda: time.sleep(30))
        time.sleep(0.03)


def close_output() -> None:
    os.close(1)
    os.close(2)
    time.sleep(0.3)


def fill_disk() -> None:
    """Write files in folders, each of them small."""
    for number in range(100):
        Path(f"d/{number}").mkdir(parents=True)
        with Path(f"d/{number}/file").open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, 4 * MIB)
    hang()


def several_burn() -> None:
    for _ in range(3):
        fork_and(burn)
    hang()


def burn_a_little() -> None:
    end = time.process_time() + 0.02
    while time.process_time() < end:
        pass


def short_lived_burn() -> None:
    """Use CPU time in processes that end before they are sampled for long."""
    while True:
        fork_and(burn_a_little)
        os.wait()


def grow_together() -> None:
    """Allocate memory in four processes, each of which stays below the limit."""

    def take() -> None:
        kept = [b"%d" % number * (8 * MIB) for number in range(9)]
        time.sleep(60 + len(kept))

    for _ in range(4):
        fork_and(take)
    hang()


def orphans_burn() -> None:
    """Use CPU time in processes for which only their adoptive parent waits."""
    while True:
        daemon(burn_a_little)


def plan_on_request(text: str) -> None:
    def write(*_: object) -> None:
        time.sleep(0.2)
        plan(text)
        os._exit(0)

    signal.signal(signal.SIGTERM, write)
    hang()


def improve(text: str) -> None:
    for number in range(1, 10):
        Path(f"plan.{number}").write_text(text.splitlines()[0])
    Path("plan.10").write_text(text)


class Fault(NamedTuple):
    """What the planner does, and what its attempt must report."""

    action: Callable[[str], object]
    outcome: str = "gave-up"
    hit: str = ""
    """The limit that it reaches: ``time``, ``cpu`` or ``memory``."""
    verdict: str | None = None
    """The verdict on its plan."""
    says: str = ""
    """A part of the reason."""


PLAN, TIME = "plan-found", ("timeout", "time")
DISK = ("memout", "disk")
MEMORY, CPU = ("memout", "memory"), ("timeout", "cpu")
FAULTS = {
    "hangs": Fault(lambda _: hang(), *TIME),
    "ignores SIGTERM": Fault(lambda _: stubborn(), *TIME),
    "is a tree of processes": Fault(lambda _: tree(3), *TIME),
    "hangs with a daemon": Fault(lambda _: (daemon(stubborn), hang()), *TIME),
    "breeds": Fault(lambda _: breed(), *TIME),
    "stops itself": Fault(lambda _: os.kill(os.getpid(), signal.SIGSTOP), *TIME),
    "writes half a plan and hangs": Fault(lambda text: (plan(text[:25]), hang()), *TIME),
    "writes its plan and hangs": Fault(lambda text: (plan(text), hang()), PLAN, "time", "valid"),
    "writes its plan when asked to end": Fault(plan_on_request, PLAN, "time", "valid"),
    "grows slowly": Fault(lambda _: grow(), *MEMORY),
    "allocates suddenly": Fault(lambda _: sudden(), *MEMORY),
    "grows in several processes": Fault(lambda _: grow_together(), *MEMORY),
    "fills the disk": Fault(lambda _: fill_disk(), *DISK),
    "burns in several processes": Fault(lambda _: several_burn(), *CPU),
    "burns in short processes": Fault(lambda _: short_lived_burn(), *CPU),
    "burns in orphans": Fault(lambda _: orphans_burn(), *CPU),
    "ends silently": Fault(lambda _: None),
    "leaves a daemon": Fault(lambda _: daemon(stubborn)),
    "deletes its directory": Fault(lambda _: shutil.rmtree(Path.cwd())),
    "deletes all around it": Fault(lambda _: shutil.rmtree(Path.cwd().parent)),
    "makes a folder of its plan": Fault(lambda _: Path("plan").mkdir()),
    "prints 50 MB": Fault(lambda text: (flood(), plan(text)), PLAN, verdict="valid"),
    "closes its output": Fault(lambda text: (close_output(), plan(text)), PLAN, verdict="valid"),
    "improves its plan ten times": Fault(improve, PLAN, verdict="valid"),
    "behaves": Fault(plan, PLAN, verdict="valid"),
    "writes an invalid plan": Fault(
        lambda text: plan(text.splitlines()[-1]), PLAN, verdict="invalid"
    ),
    "writes half a plan": Fault(lambda text: plan(text[:25]), PLAN, verdict="malformed"),
    "writes another problem's plan": Fault(
        lambda _: plan("(sail l7 l8)\n(board c99 l8)\n"), PLAN, verdict="malformed"
    ),
    "writes invalid UTF-8": Fault(
        lambda _: (
            os.write(1, b"\xff\xfe\x80 state(s)\n"),
            Path("plan").write_bytes(b"(sail \xff\xfe)\n"),
        ),
        PLAN,
        verdict="malformed",
    ),
    "ends with an error": Fault(
        lambda _: sys.exit("no such option: --plam"), "crash", says="exit status 1: no such option"
    ),
    "crashes": Fault(
        lambda _: os.kill(os.getpid(), signal.SIGSEGV), "crash", says="signal 11 (SIGSEGV)"
    ),
    "writes half a plan and crashes": Fault(
        lambda text: (plan(text[:25]), os.kill(os.getpid(), signal.SIGSEGV)),
        "crash",
        says="signal 11",
    ),
    "kills its supervisor": Fault(
        lambda _: (daemon(stubborn), os.kill(os.getppid(), signal.SIGKILL), hang()),
        "lost",
        says="was killed",
    ),
}
KILLED = "did not end at the limit, and was killed"
STOPPERS = {
    "stops its supervisor": Fault(lambda _: (daemon(stubborn), stop_above(1)), "lost", says=KILLED),
    "stops the warm process": Fault(lambda _: stop_above(2), *TIME),
    "stops both": Fault(lambda _: (daemon(stubborn), stop_above(1, 2)), "lost", says=KILLED),
}
"""Planners that stop the processes which must end them."""
STOPS_ALL = {"stops all three": Fault(lambda _: (daemon(stubborn), stop_above(1, 2, 3)), "lost")}

if __name__ == "__main__":
    (FAULTS | STOPPERS | STOPS_ALL)[sys.argv[1]].action(sys.argv[2])
