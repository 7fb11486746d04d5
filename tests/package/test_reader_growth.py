"""No reader takes more than linear time on texts that repeat a short unit."""

from __future__ import annotations

import subprocess
import sys

import pytest
from places import ROOT

SCRIPT = ROOT / "benchmarks" / "reader_growth.py"
READERS = (
    ["answers"],
    ["answers of countdown", "plans", "formats of plans", "PDDL domain", "PDDL problem", "records",
     "records without quotes", "tables", "logs", "keys in logs"],
)  # fmt: skip


@pytest.mark.parametrize("readers", READERS)
def test_no_reader_takes_more_than_linear_time(readers: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, SCRIPT, "--quick", *readers], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
