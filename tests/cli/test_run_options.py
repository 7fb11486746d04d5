"""The options of `run` and their effects."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command_line import write_script
from store_results import read_store

from pddl_pipeline.model.limits import separate_cores, usable_cores
from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import Cli

FERRY = domain_folder("ferry") / "examples.jsonl"
AFFINITY = """#!/bin/sh
# Print the cores of a child, one in another session, and one that has lost its parent.
grep Cpus_allowed_list /proc/self/status
setsid grep Cpus_allowed_list /proc/self/status
(setsid grep Cpus_allowed_list /proc/self/status &) ; sleep 0.2
"""


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """Return a file of two ferry problems."""
    lines = FERRY.read_text().splitlines(keepends=True)[:2]
    (tmp_path / "two.jsonl").write_text("".join(lines))
    return tmp_path / "two.jsonl"


@pytest.mark.skipif(usable_cores() < 2, reason="requires two cores")
def test_pinned_runs_have_a_core_for_all_their_processes(
    cli: Cli, two: Path, tmp_path: Path
) -> None:
    script = tmp_path / "cores.sh"
    write_script(script, AFFINITY)
    run = ("run", two, "--planner", f"t=cmd:{script}", "-o", "r", "-j", "2")
    done = cli(*run, "--pin")
    assert (done.status, done.err) == (0, "")
    results = read_store(tmp_path / "r")
    assert {result.limits["core"] for result in results} <= {*separate_cores(2)}
    for result in results:
        log = (tmp_path / "r" / result.log).read_text()
        assert log == f"Cpus_allowed_list:\t{result.limits['core']}\n" * 3
    # The key is the same: a pinned run has the same result.
    assert "2 of 2 runs were already in the store" in cli(*run).err


def test_more_attempts_than_cores_are_a_warning(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, two: Path, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    run = ("run", two, "--planner", "t=cmd:true", "-j")
    assert cli(*run, "2", "-o", "r").err == (
        "warning: -j 2 on 1 core distorts wall-clock times: attempts that share a core take "
        "longer\n"
    )
    assert cli(*run, "1", "-o", "s").err == ""
    assert "core" not in read_store(tmp_path / "s")[0].limits


def test_the_chosen_planner_limits_and_figures_are_printed_and_stored(
    cli: Cli, two: Path, tmp_path: Path
) -> None:
    limits = ("--time-limit", "90s", "--cpu-limit", "30s", "--memory-limit", "1G")
    line = ("run", two, *limits, "-j", "1", "-o", "runs")
    said = (
        "no --planner: lama-first for ferry; 2 runs of at most 90 s, 1 at a time: at most 0:03:00 "
        "(h:mm:ss), and the time to start planners and to check plans"
    )
    assert said in cli(*line).err.splitlines()
    assert "no --planner" not in cli(*line).err
    stored = {"time_s": 90.0, "cpu_s": 30.0, "memory_mb": 1024.0, "hit": None, "measured": "rss"}
    results = read_store(tmp_path / "runs")
    assert [(result.solved, result.limits) for result in results] == [(True, stored)] * 2
    for found in results:
        assert min(found.memory_mb - 5, found.expanded or 0, found.evaluated or 0) > 0
        assert ((found.search_s or 0) >= 0, found.claimed_cost) == (True, found.cost)


def test_several_plans_are_all_kept_and_judged(cli: Cli, tmp_path: Path) -> None:
    pytest.importorskip("kstar_planner")
    grippers = (domain_folder("grippers") / "examples.jsonl").read_text()
    (tmp_path / "one.jsonl").write_text(grippers.partition("\n")[0])
    assert cli("run", "one.jsonl", "--planner", "kstar-topk", "-o", "runs").status == 0
    (result,) = read_store(tmp_path / "runs")
    assert (result.plans, result.solved, result.optimal) == (5, True, True)
    kept = sorted((tmp_path / "runs" / result.log).parent.glob("*.plan"))
    texts = [file.read_text() for file in kept]
    assert len(set(texts)) == 5
    assert tuple(texts[0].splitlines()) == result.plan


def test_repetitions_have_seeds_and_continue_a_store(cli: Cli, two: Path, tmp_path: Path) -> None:
    """A run without repetitions is the first one; more repetitions are added to it."""
    line = ("run", two, "--planner", "t=cmd:echo {seed}", "--planner", "u=cmd:echo", "-o", "r")
    assert cli(*line).err == ""
    first = (tmp_path / "r" / "runs.jsonl").read_text()
    done = cli(*line, "--repeat", "3", "-q")
    assert cli(*line, "--repeat", "3").err.splitlines() == [
        "no seed: u; repetitions differ in what varies by itself, such as time",
        "12 of 12 runs were already in the store",
    ]
    assert (done.status, (tmp_path / "r" / "runs.jsonl").read_text().startswith(first)) == (0, True)
    results = read_store(tmp_path / "r")
    seeds = sorted((each.planner, each.repetition, each.seed) for each in results)
    assert seeds[::2] == seeds[1::2]
    assert seeds[::2] == [*(("t", n, n) for n in (1, 2, 3)), *(("u", n, None) for n in (1, 2, 3))]
    logs = {(tmp_path / "r" / each.log).read_text() for each in results if each.planner == "t"}
    assert logs == {"1\n", "2\n", "3\n"}
