"""Files that are written completely or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pddl_pipeline.io.files import write_file


@pytest.mark.parametrize("umask", [0o022, 0o027, 0o077, 0o002])
def test_a_new_file_follows_the_umask_and_a_replaced_one_keeps_its_mode(
    tmp_path: Path, umask: int
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.touch()
    old.chmod(0o640)
    before = os.umask(umask)
    try:
        write_file(old, "x")
        write_file(new, "x")
    finally:
        os.umask(before)
    assert [file.stat().st_mode & 0o777 for file in (old, new)] == [0o640, 0o666 & ~umask]
    assert {file.name for file in tmp_path.iterdir()} == {"old", "new"}
