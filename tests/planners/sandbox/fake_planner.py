"""A planner that misbehaves in one of several ways; see `test_faults`.

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
    block = b"all work and no play\n" * 50_000
    for _ in range(2**30 // len(block)):
        os.write(1, block)
    os.write(1, b"the very last line\n")


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


def several_burn() -> None:
    for _ in range(3):
        fork_and(burn)
    hang()


def short_lived_burn() -> None:
    """Use CPU time in processes that end before they are sampled for long."""
    while True:
        if os.fork() == 0:
            end = time.process_time() + 0.02
            while time.process_time() < end:
                pass
            os._exit(0)
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

    def burn_a_little() -> None:
        end = time.process_time() + 0.02
        while time.process_time() < end:
            pass

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


FAULTS: dict[str, Callable[[str], object]] = {
    "hangs": lambda _: hang(),
    "ignores SIGTERM": lambda _: stubborn(),
    "is a tree of processes": lambda _: tree(3),
    "leaves a daemon": lambda _: daemon(stubborn),
    "hangs with a daemon": lambda _: (daemon(stubborn), hang()),
    "breeds": lambda _: breed(),
    "stops itself": lambda _: os.kill(os.getpid(), signal.SIGSTOP),
    "prints 1 GB": lambda text: (flood(), plan(text)),
    "grows slowly": lambda _: grow(),
    "allocates suddenly": lambda _: sudden(),
    "burns in several processes": lambda _: several_burn(),
    "burns in short processes": lambda _: short_lived_burn(),
    "ends silently": lambda _: None,
    "ends with an error": lambda _: sys.exit("no such option: --plam"),
    "writes half a plan": lambda text: plan(text[: len(text) // 2]),
    "writes another problem's plan": lambda _: plan("(sail l7 l8)\n(board c99 l8)\n"),
    "writes an invalid plan": lambda text: plan(text.splitlines()[-1]),
    "writes invalid UTF-8": lambda _: (
        os.write(1, b"\xff\xfe\x80 state(s)\n"),
        Path("plan").write_bytes(b"(sail \xff\xfe)\n"),
    ),
    "deletes its directory": lambda _: shutil.rmtree(Path.cwd()),
    "deletes all around it": lambda _: shutil.rmtree(Path.cwd().parent),
    "makes a folder of its plan": lambda _: Path("plan").mkdir(),
    "crashes": lambda _: os.kill(os.getpid(), signal.SIGSEGV),
    "writes its plan and hangs": lambda text: (plan(text), hang()),
    "writes half a plan and hangs": lambda text: (plan(text[: len(text) // 2]), hang()),
    "writes its plan when asked to end": plan_on_request,
    "writes half a plan and crashes": lambda text: (
        plan(text[: len(text) // 2]),
        os.kill(os.getpid(), signal.SIGSEGV),
    ),
    "improves its plan ten times": improve,
    "grows in several processes": lambda _: grow_together(),
    "burns in orphans": lambda _: orphans_burn(),
    "closes its output": lambda text: (close_output(), plan(text)),
    "kills its supervisor": lambda _: (
        daemon(stubborn),
        os.kill(os.getppid(), signal.SIGKILL),
        hang(),
    ),
    "behaves": plan,
}

if __name__ == "__main__":
    FAULTS[sys.argv[1]](sys.argv[2])
