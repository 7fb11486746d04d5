"""`kill -9` of the runner at any moment: nothing lost, nothing duplicated, nothing left."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from random import Random
from typing import Any

import psutil
import pytest
from places import PROGRAM
from processes_of_tests import is_in, wait_for
from store_results import read_store

from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.runs.store import result_to_json

DATA = [domain_folder(name) / "examples.jsonl"
        for name in ("ferry", "grippers")]  # fmt: skip
PLANNERS = ("lama-first", "fd:ehc(ff())")
REPEAT = 2
# The fields that differ between runs of the same job.
FIGURES = {
    "improvements",
    "wall_s",
    "cpu_s",
    "memory_mb",
    "search_s",
    "planner_memory_mb",
    "started",
}


def start(runs: Path, folder: Path) -> subprocess.Popen[bytes]:
    planners = [word for planner in PLANNERS for word in ("--planner", planner)]
    return subprocess.Popen(
        [PROGRAM, "run", *DATA, *planners, "--repeat", str(REPEAT), "-j", "2", "-o", runs],
        env={**os.environ, "TMPDIR": str(folder)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def content(runs: Path) -> dict[str, Any]:
    """Return a store's contents without times and memory; fail if a run is stored twice."""
    results = read_store(runs)
    assert len({result.key for result in results}) == len(results)
    assert all((runs / result.log).stat().st_size for result in results)
    lines = [result_to_json(result) for result in results]
    return {
        line["key"]: {name: value for name, value in line.items() if name not in FIGURES}
        for line in lines
    }


@pytest.mark.long
def test_killed_runs_add_up_to_an_undisturbed_one(tmp_path: Path) -> None:
    check_killed_runs(tmp_path, 10)


def check_killed_runs(tmp_path: Path, kills: int) -> None:
    """Kill runners at random moments until their stores are complete; compare these with another.

    Args:
        tmp_path: an empty folder.
        kills: the number of kills.
    """
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    undisturbed = start(tmp_path / "undisturbed", temporary)
    _, complaints = undisturbed.communicate(timeout=300)
    assert undisturbed.returncode == 0, complaints
    expected = content(tmp_path / "undisturbed")
    assert len(expected) == 10 * len(PLANNERS) * REPEAT

    chance, killed, store, ran = Random(kills), 0, 0, True
    while killed < kills or ran:
        runs = tmp_path / f"runs-{store}"
        runner = start(runs, temporary)
        ran = killed < kills
        if ran:
            time.sleep(chance.uniform(0.1, 2.5))
            runner.kill()
            killed += 1
        runner.communicate(timeout=300)
        if runner.returncode == 0 or not ran:
            assert content(runs) == expected
            store += 1
    wait_for(lambda: not any(is_in(each, temporary) for each in psutil.process_iter()), 10)
    # The last run has cleaned up after the killed ones.
    assert not list(temporary.glob("pddl-pipeline-*"))
