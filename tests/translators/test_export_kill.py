"""An export that is killed at any moment leaves the old dataset, the new one, or an error."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from pddl_pipeline import load_records
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.translators.export import export

# Of several domains and of one, so that the two exports have different files.
OLD = [*load_records(domain_folder("ferry") / "examples.jsonl")]
NEW = [*OLD[:2], *load_records(domain_folder("countdown") / "examples.jsonl")]


def ids(folder: Path) -> list[str]:
    return sorted(instance.id for instance in load_records(folder))


def killed_at(folder: Path, move: int) -> bool:
    """Export in another process that is killed before a move of a file; return whether it was."""
    child = os.fork()
    if child == 0:
        moves = 0
        real = Path.rename

        def rename(path: Path, target: Any) -> Path:
            nonlocal moves
            moves += 1
            if moves == move:
                os._exit(9)
            return real(path, target)

        Path.rename = rename  # type: ignore[method-assign]
        try:
            export(NEW, folder)
        finally:
            os._exit(0)
    return bool(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def test_an_export_is_the_old_the_new_or_an_error(tmp_path: Path) -> None:
    seen = set()
    wanted = {tuple(sorted(instance.id for instance in data)): data for data in (OLD, NEW)}
    for move in range(1, 20):
        folder = tmp_path / str(move)
        export(OLD, folder)
        was_killed = killed_at(folder, move)
        try:
            found = tuple(ids(folder))
            assert found in wanted
            seen.add("new" if wanted[found] is NEW else "old")
        except InputError as error:
            assert "an interrupted `translate`" in str(error)  # noqa: PT017 -- or the data are read
            seen.add("error")
        export(NEW, folder)
        assert tuple(ids(folder)) in wanted
        assert not list(folder.glob(".*"))
        if not was_killed:
            break
    else:
        pytest.fail("the export was always killed")
    assert seen == {"error", "new"}
