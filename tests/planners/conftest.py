"""Shared by the tests of planners: no process or folder may outlive its attempt."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from processes_of_tests import is_in


@pytest.fixture
def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail if a process or a private directory of the test's attempts outlives it."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    assert not [process for process in psutil.process_iter() if is_in(process, tmp_path)]
    assert not list(tmp_path.glob("pddl-pipeline-*"))
