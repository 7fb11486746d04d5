"""No reader takes more than linear time on texts that repeat a short unit."""

from __future__ import annotations

import subprocess
import sys

import pytest
from places import ROOT

SCRIPT = ROOT / "benchmarks" / "reader_growth.py"
READERS = (
    "answers", "answers of countdown", "plans", "formats of plans", "PDDL domain", "PDDL problem",
    "records", "records without quotes", "tables", "logs", "keys in logs",
)  # fmt: skip


@pytest.mark.parametrize("reader", READERS)
def test_texts_of_20_000_characters_are_read_at_once(reader: str) -> None:
    """The limit is generous: the slowest of 60 units takes 0.05 s on a quiet machine."""
    done = subprocess.run(
        [sys.executable, SCRIPT, "--once", reader], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
