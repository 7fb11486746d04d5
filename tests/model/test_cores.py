"""The number of usable cores, on every system."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pddl_pipeline.model import limits
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.limits import separate_cores, usable_cores


@pytest.mark.parametrize(("count", "expected"), [(3, 3), (None, 1)])
def test_usable_cores(monkeypatch: pytest.MonkeyPatch, count: int | None, expected: int) -> None:
    """Those of this process; systems without affinity count all cores."""
    assert usable_cores() == len(os.sched_getaffinity(0))
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: count)
    assert usable_cores() == expected


def test_logical_cores_of_one_physical_core_come_last(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for core, siblings in {0: "0,4", 4: "0,4", 1: "1,5", 5: "1,5", 6: "2,6"}.items():
        folder = tmp_path / f"cpu{core}" / "topology"
        folder.mkdir(parents=True)
        (folder / "thread_siblings_list").write_text(f"{siblings}\n")
    monkeypatch.setattr(limits, "_TOPOLOGY", tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 4, 5, 6, 9})
    assert separate_cores(6) == [0, 1, 6, 9, 4, 5]
    assert separate_cores(2) == [0, 1]


def test_each_attempt_needs_a_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 7})
    with pytest.raises(InputError, match="pinning 3 attempts at a time requires 3 cores, found 2"):
        separate_cores(3)
    monkeypatch.delattr(os, "sched_setaffinity")
    with pytest.raises(InputError, match="pinning attempts to cores requires Linux"):
        separate_cores(1)
