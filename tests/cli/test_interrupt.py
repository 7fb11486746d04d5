"""Ctrl-C: the first one lets the program clean up, a second one exits immediately."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

SLOW_TO_STOP = """
import sys, time
from pddl_pipeline.cli.main import guarded

def work():
    try:
        print("at work", flush=True)
        time.sleep(60)
    finally:
        print("cleaning up", flush=True)
        time.sleep(float(sys.argv[1]))
        print("cleaned up", flush=True)

sys.exit(guarded(work))
"""


@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(("cleaning_s", "again"), [(0.1, False), (600, True)])
def test_second_interrupt_exits_immediately(
    first: signal.Signals, cleaning_s: float, *, again: bool
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SLOW_TO_STOP, str(cleaning_s)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "at work\n"
        process.send_signal(first)
        assert process.stdout.readline() == "cleaning up\n"
        if again:
            process.send_signal(signal.SIGINT)
        assert process.stdout.read() == ("" if again else "cleaned up\n")
        assert process.wait(30) == 130
