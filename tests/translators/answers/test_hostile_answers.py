"""Hostile answers are judged like others: in little time and memory, and never executed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("hostile_answers.py")


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory as Linux does")
@pytest.mark.parametrize(
    "domain",
    [
        "countdown",
        "blocksworld",
        # The same reader of sentences, with other words.
        pytest.param("depots", marks=pytest.mark.long),
        pytest.param("ferry", marks=pytest.mark.long),
    ],
)
def test_hostile_answers_are_judged_within_limits(domain: str) -> None:
    command = [sys.executable, str(SCRIPT), domain]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout.split("\n")[-2:]) == (0, ["done", ""]), done.stderr[-2000:]
