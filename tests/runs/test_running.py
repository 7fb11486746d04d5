"""Run datasets with real planners: runs resume and are stored once, every plan is judged."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import psutil
import pytest
from command_line import Cli
from queued_jobs import jobs_for

from pddl_pipeline import load_records, report, score, translate
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.runs.jobs import run_key
from pddl_pipeline.runs.store import read_store
from pddl_pipeline.translators.records import from_record

FERRY = domain_folder("ferry") / "examples.jsonl"
HARD = {"id": "hard", "domain": "countdown", "numbers": list(range(41, 97, 4)), "target": 987654321}


def start(*arguments: object) -> subprocess.Popen[str]:
    program = Path(sys.executable).with_name("pddl-pipeline")
    return subprocess.Popen(
        [program, "run", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_run_stores_every_result_and_resumes(cli: Cli, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    arguments = (FERRY, "--planner", "lama-first", "--time-limit", "60s", "-j", "2", "-o", runs)
    first = cli("run", *arguments)
    assert first.status == 0, first.err
    assert "lama-first" in first.out
    assert first.out.endswith(f"report: {runs}/report.html\n")
    results = read_store(runs)
    assert sorted(r.id for r in results) == sorted(i.id for i in load_records(FERRY))
    assert all(r.solved and r.opinions["referee"]["status"] == "valid" for r in results)
    assert all((runs / r.log).read_text() for r in results)
    stored, page = (runs / "runs.jsonl").read_bytes(), (runs / "report.html").read_bytes()

    again = cli("run", *arguments)
    assert again.status == 0
    assert "5 of 5 runs were already in the store" in again.err
    assert (runs / "runs.jsonl").read_bytes() == stored
    assert (runs / "report.html").read_bytes() == page


def wait_for_results(runs: Path, count: int) -> None:
    deadline = time.monotonic() + 120
    while not (runs / "runs.jsonl").exists() or len(read_store(runs)) < count:
        assert time.monotonic() < deadline, "no results"
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("numbers", "status"),
    [
        ((signal.SIGINT,), 130),
        # tests/cli/test_interrupt.py sends these in each run of the tests.
        pytest.param((signal.SIGTERM,), 130, marks=pytest.mark.long),
        pytest.param((signal.SIGINT, signal.SIGINT), 130, marks=pytest.mark.long),
        ((signal.SIGKILL,), -9),
    ],
)
def test_stopped_run_goes_on_with_nothing_lost_or_doubled(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    numbers: tuple[signal.Signals, ...],
    status: int,
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    runs = tmp_path / "runs"
    planners = ("--planner", "lama-first", "--planner", "enhsp")
    data = tmp_path / "data.jsonl"
    data.write_text("".join(FERRY.read_text().splitlines(keepends=True)[:2]))
    arguments = (data, *planners, "--time-limit", "300s", "-j", "2", "-o", runs)
    first = start(*arguments)
    wait_for_results(runs, 1)
    family = psutil.Process(first.pid).children(recursive=True)
    for number in numbers:
        first.send_signal(number)
        time.sleep(0.05)  # two signals at once would arrive as one
    _, err = first.communicate(timeout=60)
    assert first.returncode == status
    assert "Traceback" not in err
    _, alive = psutil.wait_procs(family, timeout=10)
    assert not [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]
    if status != -signal.SIGKILL and len(numbers) == 1:
        assert not list(tmp_path.glob("pddl-pipeline-*"))

    before = (runs / "runs.jsonl").read_text()
    done = {result.key for result in read_store(runs)}
    assert 1 <= len(done) < 4
    second = start(*arguments)
    _, err = second.communicate(timeout=120)
    assert second.returncode == 0
    assert f"{len(done)} of 4 runs were already in the store" in err
    assert (runs / "runs.jsonl").read_text().startswith(before)
    results = read_store(runs)
    assert {r.id for r in results} == {i.id for i in islice(load_records(FERRY), 2)}
    assert len({result.key for result in results}) == len(results) == 4
    assert not list(tmp_path.glob("pddl-pipeline-*"))


def test_unsupported_pairs_are_results_and_not_errors(cli: Cli, tmp_path: Path) -> None:
    data, runs = domain_folder("countdown") / "examples.jsonl", tmp_path / "runs"
    assert cli("run", data, "--planner", "lama-first", "-o", runs).status == 0
    assert {str(result.outcome) for result in read_store(runs)} == {"unsupported"}
    assert [row.validated for row in report(runs).rows] == [0]


def test_default_planner_suits_the_domain() -> None:
    files = [domain_folder(name) / "examples.jsonl" for name in domain_names()]
    chosen = {job.instance.domain: job.planner for job in jobs_for(_first(files), (), Limits())}
    assert chosen.pop("countdown") == "enhsp"
    assert chosen.pop("budget-blocksworld") == "seq-opt-lmcut"
    assert set(chosen.values()) == {"lama-first"}


def _first(files: list[Path]) -> list[Any]:
    return [next(load_records(file)) for file in files]


def test_key_depends_on_everything_that_determines_a_run() -> None:
    instance = next(load_records(FERRY))
    problem, planner = translate(instance), planner_named("lama-first")
    keys = {
        run_key(instance, problem, planner, Limits()),
        run_key(replace(instance, id="b"), problem, planner, Limits()),
        run_key(replace(instance, budget=7), problem, planner, Limits()),
        run_key(instance, problem, planner_named("lama"), Limits()),
        run_key(instance, problem, planner, Limits(time_s=1)),
        run_key(instance, problem, planner, Limits(memory_bytes=2**30)),
        run_key(replace(instance, size=instance.size + 1), problem, planner, Limits()),
        run_key(instance, problem, planner, Limits(cpu_s=1)),
        run_key(instance, translate(from_record(HARD)), planner, Limits()),
    }
    assert len(keys) == 9
    assert run_key(instance, problem, planner, Limits()) in keys


def test_score_judges_outside_answers() -> None:
    folder = domain_folder("budget-blocksworld")
    instances = list(load_records(folder / "examples.jsonl"))
    plan = (folder / "p01.plan").read_text()
    tight = instances[0].id
    answers = [{"id": tight, "answer": plan}, {"id": tight, "answer": "I do not know"}]
    first, second = score(instances, answers)
    assert (first.attempt, first.verdict.status, first.verdict.within_budget) == (1, "valid", True)
    assert (second.attempt, second.verdict.status) == (2, "malformed")
    (unknown,) = score(instances, [{"id": "x", "answer": ""}])
    assert (unknown.verdict.status, unknown.verdict.reason) == ("undecided", "unknown id 'x'")
