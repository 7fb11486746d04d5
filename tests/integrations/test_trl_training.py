"""The tutorial in docs/train-with-rewards.md trains a tiny model by TRL."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from places import ROOT

if TYPE_CHECKING:
    from command_line import Cli

pytest.importorskip("trl", reason="runs under make test-ranker")


def test_twenty_steps_and_their_curve(cli: Cli, tmp_path: Path) -> None:
    assert cli("generate", "ferry", "--size", "3", "-o", "ferry.jsonl", cwd=tmp_path).status == 0
    command = [sys.executable, ROOT / "examples" / "train_grpo.py", "ferry.jsonl", "curve.png"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert "20 steps, mean reward 0." in done.stdout, done.stderr
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
