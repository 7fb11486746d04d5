"""The number of usable cores, on every system."""

from __future__ import annotations

import os

import pytest

from pddl_pipeline.model.cores import usable_cores


def test_usable_cores_are_those_of_this_process() -> None:
    assert usable_cores() == len(os.sched_getaffinity(0))


@pytest.mark.parametrize(("count", "expected"), [(3, 3), (None, 1)])
def test_systems_without_affinity_count_all_cores(
    monkeypatch: pytest.MonkeyPatch, count: int | None, expected: int
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: count)
    assert usable_cores() == expected
