"""``run`` with a language model among the planners."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import psutil
import pytest
from model_server import Model, served, tokens_of
from places import PROGRAM, SUPPORT
from processes_of_tests import is_in, wait_for
from store_results import read_store

from pddl_pipeline.planners.sandbox import launcher
from pddl_pipeline.runs.store import answers_file

if TYPE_CHECKING:
    from command_line import CliHere

pytest.importorskip("openai")

pytestmark = pytest.mark.usefixtures("no_key")

FOREIGN = SUPPORT / "foreign_pddl" / "gripper"
GOOD = (FOREIGN / "good.plan").read_text()
BAD = (FOREIGN / "bad.plan").read_text()
RUN = ("run", FOREIGN / "p01.pddl", "--domain", FOREIGN / "domain.pddl", "-o", "runs")
SECRET = "sk-very-secret"  # noqa: S105 -- of the tests


@pytest.fixture
def model() -> Model:
    return Model(reply=lambda _: f"My plan:\n{GOOD}")


@pytest.fixture
def base(model: Model) -> Iterator[str]:
    with served(model) as address:
        yield address


@pytest.fixture
def launched_with_key(
    no_key: None,  # noqa: ARG001 -- it must not remove this key
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[None]:
    """Planners start with the environment that their launcher was started with."""
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setattr(launcher, "_current", None)
    yield
    assert launcher._current is not None
    launcher._current.close()


@pytest.mark.slow("starts planners anew, with a key in their environment")
@pytest.mark.usefixtures("launched_with_key")
def test_one_table_has_planners_and_models(
    cli_here: CliHere, tmp_path: Path, model: Model, base: str
) -> None:
    model.key = SECRET
    llm = f"llm:model=org/m-1.5:free,base-url={base},attempts=2"
    mine = f"mine=cmd:cat {FOREIGN / 'good.plan'}"
    command = (*RUN[:-2], "--planner", mine, "--planner", llm, "-o", "runs")
    first = cli_here(*command, cwd=tmp_path)
    assert first.status == 0, first.err
    results = {result.planner: result for result in read_store(tmp_path / "runs")}
    asked, other = results["llm:model=org/m-1.5:free,attempts=2"], results["mine"]
    assert (asked.status, asked.cost, asked.calls) == ("valid", other.cost, 2)
    assert asked.prompt_tokens == sum(len(tokens_of(text)) for text in model.prompts)
    assert (other.calls, other.prompt_tokens, other.answer_tokens) == (None, None, None)
    assert "My plan:" in (tmp_path / "runs" / asked.log).read_text()
    rows = [" ".join(line.split()) for line in first.out.splitlines() if "gripper" in line]
    assert any(" - - - " in row for row in rows)
    assert any(f" 2 {asked.prompt_tokens} {asked.answer_tokens} " in row for row in rows)

    again = cli_here(*command, cwd=tmp_path)
    assert (again.status, len(model.requests)) == (0, 2)
    score = ("score", *RUN[1:-2], "--answers", answers_file(tmp_path / "runs", asked.key))
    done = cli_here(*score, "-o", "s.jsonl", cwd=tmp_path)
    assert done.status == 0, done.err
    assert len((tmp_path / "s.jsonl").read_text().splitlines()) == 2
    written = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert all(SECRET.encode() not in file.read_bytes() for file in written)


def stored(runs: Path) -> Counter[str]:
    """Return the number of stored answers by instance."""
    lines = (line for file in (runs / "answers").rglob("*.jsonl")
             for line in file.read_bytes().split(b"\n")[:-1])  # fmt: skip
    return Counter(json.loads(line)["id"] for line in lines)


@pytest.mark.long
def test_killed_runs_ask_nothing_twice_and_store_no_key(
    tmp_path: Path, model: Model, base: str
) -> None:
    kills = 8
    names, attempts = [f"i{number}" for number in range(kills)], 2
    for name in names:
        text = (FOREIGN / "p01.pddl").read_text().replace("(:init", f"(:init ; {name}\n", 1)
        (tmp_path / f"{name}.pddl").write_text(text)
    model.key = SECRET
    model.delay_s = 0.1
    runs, temporary = tmp_path / "runs", tmp_path / "tmp"
    temporary.mkdir()
    data = [f"{name}.pddl" for name in names]
    domain = ("--domain", FOREIGN / "domain.pddl")
    llm = f"llm:model=m,base-url={base},attempts={attempts}"
    command = [PROGRAM, "run", *data, *domain, "--planner", llm, "-j", "2", "-o", runs]
    environment = {**os.environ, "TMPDIR": str(temporary), "OPENAI_API_KEY": SECRET}
    chance, killed = Random(kills), 0
    while True:
        before, asked = stored(runs), len(model.requests)
        runner = subprocess.Popen(
            command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )  # fmt: skip
        if killed < kills:
            while len(model.requests) == asked and runner.poll() is None:
                time.sleep(0.01)
            time.sleep(chance.uniform(0, 0.5))
            runner.kill()
            killed += 1
        _, complaints = runner.communicate(timeout=300)
        wait_for(lambda: not any(is_in(each, temporary) for each in psutil.process_iter()), 20)
        after = Counter(_name(prompt) for prompt in model.prompts[asked:])
        for name in names:
            assert after[name] <= attempts - before[name], f"{name} was asked again"
        if runner.returncode == 0:
            break
        assert runner.returncode == -9, complaints
    assert stored(runs) == dict.fromkeys(names, attempts)
    results = read_store(runs)
    assert sorted(result.id for result in results) == sorted(names)
    assert {(result.status, result.calls) for result in results} == {("valid", attempts)}
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert all(SECRET.encode() not in file.read_bytes() for file in files)


def _name(prompt: str) -> str:
    return prompt.partition("(:init ; ")[2].split()[0]
