"""Hostile answers are judged like others: in little time and memory, and never executed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pddl_pipeline.answers.lines import LONGEST

SHORT = 10_000
"""Long enough for time that grows with the square of the length to exceed the limit."""
SCRIPT = Path(__file__).with_name("hostile_answers.py")


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory as Linux does")
@pytest.mark.parametrize(
    ("domain", "length", "seconds"),
    [
        ("countdown", SHORT, 1),
        pytest.param("blocksworld", SHORT, 1, marks=pytest.mark.slow("reads 140 hostile answers")),
        *(
            pytest.param(domain, LONGEST, 5, marks=pytest.mark.long)
            # Depots and ferry have the same reader of sentences, with other words.
            for domain in ("countdown", "blocksworld", "depots", "ferry")
        ),
    ],
)
def test_hostile_answers_are_judged_within_limits(domain: str, length: int, seconds: int) -> None:
    command = [sys.executable, str(SCRIPT), domain, str(length), str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout.split("\n")[-2:]) == (0, ["done", ""]), done.stderr[-2000:]
