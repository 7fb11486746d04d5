"""A Dask cluster: every result once even if workers are killed; Ctrl-C stops everything."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from command_line import Cli
from dask_cluster import Cluster
from places import PROGRAM
from processes_of_tests import assert_ended, is_in, wait_for
from store_results import read_store

from pddl_pipeline import load_records
from pddl_pipeline.pddl_domains import domain_folder

FERRY = domain_folder("ferry") / "examples.jsonl"


def kill_tree(process: subprocess.Popen[bytes]) -> None:
    family = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait()
    for member in family:
        with suppress(psutil.Error):
            if "warm_process" not in " ".join(member.cmdline()):
                member.kill()


def start(cluster: Cluster, *arguments: str | Path) -> subprocess.Popen[str]:
    command = [PROGRAM, "run", *arguments, "--scheduler", cluster.address, "-o", "runs"]
    return subprocess.Popen(
        command, cwd=cluster.folder.parent, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def wait_while_it_runs(runner: subprocess.Popen[str], condition: Callable[[], object]) -> None:
    def holds() -> object:
        assert runner.poll() is None, runner.communicate()[1]
        return condition()

    wait_for(holds, 400)


def has_three(runs: Path) -> bool:
    return (runs / "runs.jsonl").exists() and len(read_store(runs)) >= 3


@pytest.mark.early
@pytest.mark.slow("starts a scheduler and two workers")
def test_a_cluster_gives_all_results_though_a_worker_is_killed(
    cluster: Cluster, tmp_path: Path
) -> None:
    runs = tmp_path / "runs"
    data = [domain_folder(name) / "examples.jsonl" for name in ("ferry", "grippers")]
    runner = start(cluster, *data, "--repeat", "2")
    wait_while_it_runs(runner, lambda: has_three(runs))
    kill_tree(cluster.workers[0])
    out, err = runner.communicate(timeout=200)
    assert runner.returncode == 0, err
    results = read_store(runs)
    expected = 2 * sum(1 for file in data for _ in load_records(file))
    assert len({result.key for result in results}) == len(results) == expected
    assert {str(result.outcome) for result in results} == {"plan-found"}
    assert all((runs / result.log).stat().st_size for result in results)
    assert "ferry" in out


@pytest.mark.long
def test_interrupt_ends_what_runs_on_the_cluster(cluster: Cluster, tmp_path: Path) -> None:
    runner = start(cluster, FERRY, "--planner", "slow=cmd:sleep 300")
    planners: list[psutil.Process] = []

    def find() -> bool:
        sleeping = [each for each in psutil.process_iter(["name"]) if each.info["name"] == "sleep"]
        planners[:] = [each for each in sleeping if is_in(each, tmp_path)]
        return bool(planners)

    wait_while_it_runs(runner, find)
    runner.send_signal(2)
    _, err = runner.communicate(timeout=60)
    assert runner.returncode == 130
    assert "Traceback" not in err
    assert_ended(planners, 30)
    assert read_store(tmp_path / "runs") == []


@pytest.mark.long
def test_a_lost_scheduler_ends_with_what_is_stored(cluster: Cluster, tmp_path: Path) -> None:
    runner = start(cluster, FERRY, "--repeat", "4", "--planner", "slow=cmd:sleep 1")
    wait_while_it_runs(runner, lambda: has_three(tmp_path / "runs"))
    cluster.lose_scheduler()
    _, err = runner.communicate(timeout=120)
    assert runner.returncode == 3
    stored = len(read_store(tmp_path / "runs"))
    assert f"{stored} of 20 runs stored in runs; the same command continues" in err
    assert "Traceback" not in err


def test_no_scheduler_is_one_line(cli_process: Cli) -> None:
    done = cli_process("run", FERRY, "--scheduler", "nonsense://x", "-o", "runs")
    assert done.status == 2
    assert done.err.startswith("error: no Dask scheduler at nonsense://x")
    assert done.err.count("\n") == 1
