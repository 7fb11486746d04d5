"""The options of `run`: their effects, and one line for each error."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from data_kinds import FOREIGN

from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.runs.store import read_store

if TYPE_CHECKING:
    from conftest import Cli

FERRY = domain_folder("ferry") / "examples.jsonl"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--retry", "crash,lsot"), "--retry: unknown outcome 'lsot'; did you mean 'lost'?"),
        (("--shard", "0/3"), "shard 0/3: expected one of 1 to 3"),
        (("--shard", "x"), "'x' is not a shard; expected one such as 3/8"),
        (("--reuse", "nothing"), "nothing: is not a run store: runs.jsonl cannot be read"),
        (("--cpu-limit", "fast"), "'fast' is not a duration"),
        (("--via", "magic"), "'magic' is not one of 'command', 'up'"),
        (("--planner", "fd:"), "fd: expected a search after the colon, such as fd:astar(lmcut())"),
        (("--planner", "lamma"), "unknown planner 'lamma'; did you mean 'lama'?"),
        (
            ("--planner", "kstar-topk", "--via", "up"),
            "kstar-topk cannot be run through Unified Planning",
        ),
        (("--scheduler", "tcp://127.0.0.1:9"), "no Dask scheduler at tcp://127.0.0.1:9"),
    ],
)
def test_mistakes_are_one_line(
    cli: Cli, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    patience = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "1s"}
    done = cli("run", FERRY, "-o", "runs", *arguments, env=os.environ | patience)
    assert done.status == 2
    assert message in done.err
    assert done.err.count("\n") == 1
    assert not list(tmp_path.glob("runs/*.jsonl")) or not read_store(tmp_path / "runs")


def test_a_domain_that_is_not_ours(cli: Cli, tmp_path: Path) -> None:
    """In a separate process; test_commands_and_data.py has all commands and kinds of data."""
    done = cli("run", FOREIGN / "gripper", "--planner", "lama-first", "-o", "runs")
    assert done.status == 0, done.err
    results = read_store(tmp_path / "runs")
    assert [(r.domain, r.solved) for r in results] == [("gripper-strips", True)] * 2


def test_limits_and_the_way_to_the_planner_are_stored(cli: Cli, tmp_path: Path) -> None:
    done = cli(
        "run", FERRY, "--planner", "lama-first", "--via", "up", "--time-limit", "60s",
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
        # Unified Planning's own process is part of the attempt.
        assert result.memory_mb > 60
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
