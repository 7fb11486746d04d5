"""``ask`` when it is killed, interrupted or started twice, and what it writes of the key."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from asked_prompts import PROMPTS, SECRET, Ask, answers, write_prompts
from filelock import FileLock
from model_server import Model, message, slow

pytest.importorskip("openai")


def start(folder: Path, base: str, *options: str, **environment: str) -> subprocess.Popen[str]:
    program = Path(sys.executable).with_name("pddl-pipeline")
    return subprocess.Popen(
        [program, "ask", "p.jsonl", "--model", "m", "--base-url", base, "-o", "a.jsonl",
         "-j", "4", *options],
        cwd=folder, env={**os.environ, **environment},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def wait_for(is_reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_reached():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.long)])
def test_kills_lose_nothing_and_ask_nothing_twice(
    model: Model, base: str, tmp_path: Path, kills: int
) -> None:
    names = [f"p{number}" for number in range(20 * kills)]
    write_prompts(tmp_path / "p.jsonl", {name: f"What is {name}?" for name in names})
    model.delay_s = 0.02
    chance, killed = Random(kills), 0
    while killed < kills:
        stored = {line["id"] for line in answers(tmp_path)}
        before = len(model.requests)
        process = start(tmp_path, base)
        wait_for(lambda before=before: len(model.requests) > before)
        time.sleep(chance.uniform(0, 0.2))
        process.kill()
        process.communicate()
        killed += 1
        asked = {prompt[8:-1] for prompt in model.prompts[before:]}
        assert not asked & stored, "a stored answer was asked for again"
        if (tmp_path / "a.jsonl").exists():
            # A kill may leave half a line; at most the replies under way are lost.
            lines = (tmp_path / "a.jsonl").read_bytes().split(b"\n")[:-1]
            assert len(model.replied) - len(lines) <= 4 * killed
            (tmp_path / "a.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    process = start(tmp_path, base)
    process.communicate(timeout=120)
    assert process.returncode == 0
    found = answers(tmp_path)
    assert sorted(line["id"] for line in found) == sorted(names)
    assert all(f"'What is {line['id']}?'" in line["answer"] for line in found)
    assert len(model.requests) <= len(names) + 4 * kills


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long)]
)
def test_an_interrupted_command_says_what_is_stored(
    model: Model, base: str, tmp_path: Path, number: signal.Signals
) -> None:
    write_prompts(tmp_path / "p.jsonl", PROMPTS)
    model.first = [message("stop", content="first"), *[slow(8)] * 20]
    process = start(tmp_path, base, "-q", OPENAI_API_KEY=SECRET, OPENAI_LOG="debug")
    wait_for(lambda: bool(answers(tmp_path)))
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, ""), err[-2000:]
    assert err.splitlines()[-1] == "1 of 6 answers stored in a.jsonl; the same command continues"
    assert SECRET not in err + (tmp_path / "a.jsonl").read_text()


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


def test_no_key_is_in_what_is_written(
    ask: Ask, model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    model.key = SECRET
    done = ask()
    assert done.status == 0
    assert all(SECRET.encode() not in file.read_bytes() for file in tmp_path.iterdir())
    assert SECRET not in done.out + done.err
