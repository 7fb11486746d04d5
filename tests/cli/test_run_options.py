"""The options of `run`: their effects, and one line for each error."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from data_kinds import FOREIGN

from pddl_pipeline.model.limits import separate_cores, usable_cores
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.runs.store import read_store

if TYPE_CHECKING:
    from command_line import Cli, CliHere

FERRY = domain_folder("ferry") / "examples.jsonl"


AFFINITY = """#!/bin/sh
# Print the cores of a child, one in another session, and one that has lost its parent.
grep Cpus_allowed_list /proc/self/status
setsid grep Cpus_allowed_list /proc/self/status
(setsid grep Cpus_allowed_list /proc/self/status &) ; sleep 0.2
"""


@pytest.mark.skipif(usable_cores() < 2, reason="requires two cores")
def test_pinned_runs_have_a_core_for_all_their_processes(cli_here: CliHere, tmp_path: Path) -> None:
    script = tmp_path / "cores.sh"
    script.write_text(AFFINITY)
    script.chmod(0o755)
    run = ("run", FERRY, "--planner", f"t=cmd:{script}", "-o", "r", "-j", "2")
    done = cli_here(*run, "--pin", cwd=tmp_path)
    assert (done.status, done.err) == (0, "")
    results = read_store(tmp_path / "r")
    assert {result.limits["core"] for result in results} == {*separate_cores(2)}
    for result in results:
        log = (tmp_path / "r" / result.log).read_text()
        assert log == f"Cpus_allowed_list:\t{result.limits['core']}\n" * 3
    # The key is the same: a pinned run has the same result.
    again = cli_here(*run, cwd=tmp_path)
    assert "5 of 5 runs were already in the store" in again.err


def test_more_attempts_than_cores_are_a_warning(
    cli_here: CliHere, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    run = ("run", FERRY, "--planner", "t=cmd:true", "-j")
    done = cli_here(*run, "2", "-o", "r", cwd=tmp_path)
    assert (done.status, done.err) == (
        0, ("warning: -j 2 on 1 core distorts wall-clock times: attempts that share a core take "
        "longer\n")
    )  # fmt: skip
    assert cli_here(*run, "1", "-o", "s", cwd=tmp_path).err == ""
    assert "core" not in read_store(tmp_path / "s")[0].limits


def test_a_domain_that_is_not_ours(cli: Cli, tmp_path: Path) -> None:
    """The other commands and kinds of data are in test_commands_and_data.py."""
    done = cli("run", FOREIGN / "gripper", "--planner", "lama-first", "-o", "runs")
    assert done.status == 0, done.err
    results = read_store(tmp_path / "runs")
    assert [(r.domain, r.solved) for r in results] == [("gripper-strips", True)] * 2


def test_limits_and_figures_are_stored(cli: Cli, tmp_path: Path) -> None:
    done = cli(
        "run", FERRY, "--planner", "lama-first", "--time-limit", "60s",
        "--cpu-limit", "30s", "--memory-limit", "1G", "-o", "runs",
    )  # fmt: skip
    assert done.status == 0
    results = read_store(tmp_path / "runs")
    assert len(results) == 5
    for result in results:
        assert result.solved
        assert result.limits == {
            "time_s": 60.0, "cpu_s": 30.0, "memory_mb": 1024.0, "hit": None, "measured": "rss",
        }  # fmt: skip
        assert result.memory_mb > 5
        assert (result.expanded or 0) > 0
        assert (result.evaluated or 0) > 0
        assert (result.search_s or 0) >= 0
        assert result.claimed_cost == result.cost


def test_several_plans_are_all_kept_and_judged(cli: Cli, tmp_path: Path) -> None:
    pytest.importorskip("kstar_planner")
    grippers = domain_folder("grippers") / "examples.jsonl"
    done = cli("run", grippers, "--planner", "kstar-topk", "--time-limit", "60s", "-o", "runs")
    assert done.status == 0
    for result in read_store(tmp_path / "runs"):
        assert (result.plans, result.solved, result.optimal) == (5, True, True)
        kept = (tmp_path / "runs" / result.log).parent.glob("*.plan")
        texts = [file.read_text() for file in sorted(kept)]
        assert len(set(texts)) == 5
        assert tuple(texts[0].splitlines()) == result.plan


def test_cpu_limit_ends_a_run(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "hard.jsonl").write_text(
        '{"id": "hard", "domain": "countdown", "numbers": [83, 97, 89, 79, 73, 71, 67, 61, 59],'
        ' "target": 987654321}\n'
    )
    done = cli("run", "hard.jsonl", "--cpu-limit", "2s", "-o", "runs")
    assert done.status == 0
    (result,) = read_store(tmp_path / "runs")
    assert (str(result.outcome), result.limits["hit"]) == ("timeout", "cpu")
    assert 2 <= result.cpu_s < 3.5
    assert result.reason == "stopped at the CPU time limit"


def test_the_chosen_planner_and_the_longest_time_are_printed_first(
    cli: Cli, tmp_path: Path
) -> None:
    first, second, *_ = FERRY.read_text("utf-8").splitlines()
    (tmp_path / "two.jsonl").write_text(f"{first}\n{second}\n")
    line = ("run", "two.jsonl", "--time-limit", "90s", "-j", "1", "-o", "runs")
    said = (
        "no --planner: lama-first for ferry; 2 runs of at most 90 s, 1 at a time: at most 0:03:00 "
        "(h:mm:ss), and the time to start planners and to check plans"
    )
    assert said in cli(*line).err.splitlines()
    assert "no --planner" not in cli(*line).err
