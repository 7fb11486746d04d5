"""``ask`` when it is killed, interrupted or started twice."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from random import Random

import pytest
from asked_prompts import MONEY, PROMPTS, SECRET, Ask, answers, write_prompts
from filelock import FileLock
from model_server import Model, message, slow
from places import PROGRAM
from processes_of_tests import wait_for

pytest.importorskip("openai")


def start(folder: Path, base: str, *options: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [PROGRAM, "ask", "p.jsonl", "--model", "m", "--base-url", base, "-o", "a.jsonl",
         "-j", "4", *options],
        cwd=folder, env={**os.environ, **environment},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.mark.long
def test_kills_at_any_time_lose_nothing(ask: Ask, model: Model, base: str, tmp_path: Path) -> None:
    names = [f"p{number}" for number in range(200)]
    write_prompts(tmp_path / "p.jsonl", {name: f"What is {name}?" for name in names})
    model.delay_s, chance = 0.02, Random(20)
    for kills in range(1, 11):
        stored, before = {line["id"] for line in answers(tmp_path)}, len(model.requests)
        process = start(tmp_path, base)
        wait_for(lambda before=before: len(model.requests) > before)
        time.sleep(chance.uniform(0, 0.2))
        process.kill()
        process.communicate()
        assert not stored & {prompt[8:-1] for prompt in model.prompts[before:]}
        assert len(model.replied) - len(answers(tmp_path)) <= 4 * kills  # at most the open ones
    assert ask("-j", "4").status == 0
    found = answers(tmp_path)
    assert sorted(line["id"] for line in found) == sorted(names)
    assert all(f"'What is {line['id']}?'" in line["answer"] for line in found)
    assert len(model.requests) <= len(names) + 4 * kills


@pytest.mark.parametrize(
    "number",
    ["SIGINT", *(pytest.param(n, marks=pytest.mark.long) for n in ("SIGTERM", "SIGKILL"))],
)
def test_a_stopped_command_continues(
    ask: Ask, model: Model, base: str, tmp_path: Path, number: str
) -> None:
    write_prompts(tmp_path / "p.jsonl", PROMPTS)
    model.first = [message("stop", content="first"), *[slow(8)] * 5]
    process = start(tmp_path, base, "-q", OPENAI_API_KEY=SECRET, OPENAI_LOG="debug")
    wait_for(lambda: len(answers(tmp_path)) == 1)
    process.send_signal(signal.Signals[number])
    out, err = process.communicate(timeout=60)
    said = "1 of 6 answers stored in a.jsonl; the same command continues"
    if number == "SIGKILL":
        assert process.returncode == -signal.SIGKILL
    else:
        assert (process.returncode, out, err.splitlines()[-1]) == (130, "", said)
    assert SECRET not in err + (tmp_path / "a.jsonl").read_text()
    model.first, asked = [], len(model.requests)
    assert ask().status == 0
    assert len(model.requests) == asked + 5
    assert [line["answer"] for line in answers(tmp_path)].count("first") == 1


def test_what_a_killed_command_sent_counts_as_paid(
    ask: Ask, model: Model, base: str, tmp_path: Path
) -> None:
    model.delay_s, limits = 1, (*MONEY, "--max-cost", "150")
    with start(tmp_path, base, *limits) as process:
        wait_for(lambda: len(model.requests) == 1)
        process.kill()
    assert "141.0000 is spent" in ask(*limits).err
    assert len(model.requests) == 1


def test_an_interrupt_in_a_group_of_exceptions_is_an_interrupt(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The HTTP library raises such a group if Ctrl-C comes while it connects."""

    async def interrupted(*_: object, **__: object) -> None:
        raise BaseExceptionGroup("while connecting", [KeyboardInterrupt()])

    monkeypatch.setattr("pddl_pipeline.endpoints.endpoint.AsyncEndpoint.reply", interrupted)
    done = ask()
    assert done.status == 130
    assert done.err.splitlines()[-1].startswith("0 of 6 answers stored in a.jsonl; the same")


def test_two_commands_do_not_write_to_one_file(ask: Ask, model: Model, tmp_path: Path) -> None:
    with FileLock(tmp_path / ".a.jsonl.lock"):
        done = ask()
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "a.jsonl: another process is writing to this file" in done.err
    assert not model.requests
