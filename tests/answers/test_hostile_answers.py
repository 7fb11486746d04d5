"""Hostile answers are judged like others: in little time and memory, and never executed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SHORT, LONG = 10_000, 200_000
"""Long enough for time that grows with the square of the length to exceed the limit."""
SCRIPT = Path(__file__).with_name("hostile_answers.py")


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory as Linux does")
@pytest.mark.parametrize(
    ("domain", "length"),
    [
        ("countdown", SHORT),
        pytest.param("blocksworld", SHORT, marks=pytest.mark.slow("reads 140 hostile answers")),
        *(
            pytest.param(domain, LONG, marks=pytest.mark.long)
            # Depots and ferry have the same reader of sentences, with other words.
            for domain in ("countdown", "blocksworld", "depots", "ferry")
        ),
    ],
)
def test_hostile_answers_are_judged_within_limits(domain: str, length: int) -> None:
    command = [sys.executable, str(SCRIPT), domain, str(length)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert (done.returncode, done.stdout.split("\n")[-2:]) == (0, ["done", ""]), done.stderr[-2000:]
