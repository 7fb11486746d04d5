"""What does not run planners works without Linux; this is Linux with its parts hidden."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from page_blocks import link_checkout
from places import SUPPORT


@pytest.mark.long  # tests/test_structure.py keeps what is Unix's in one module
def test_modules_and_commands_without_linux(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, SUPPORT / "other_platform.py", link_checkout(tmp_path)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "Plan valid" in done.stdout
    wrong = re.compile(r"^pddl_pipeline\.|exit status|did not notice", re.MULTILINE)
    assert wrong.findall(done.stdout) == []
    assert done.stderr.endswith("planners run on Linux only; this is win32\n")
