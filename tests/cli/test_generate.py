"""`generate`: valid combinations of options, messages, and files left after a failure."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest
from filelock import FileLock
from places import PROGRAM
from processes_of_tests import wait_for

from pddl_pipeline.cli.commands import generate
from pddl_pipeline.generators.generating import generate_sizes, generators, prepared
from pddl_pipeline.generators.generator import Draft
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.translators.domains.countdown import Countdown

if TYPE_CHECKING:
    from command_line import Cli, CliHere


def test_a_size_with_few_tasks_gives_what_there_is(cli: Cli, tmp_path: Path) -> None:
    done = cli("generate", "blocksworld", "--size", "2-3", "--count", "20", "-o", "b.jsonl")
    assert (done.status, done.out) == (0, "24 instances in b.jsonl\n")
    assert done.err == "warning: size 2: found 4 different tasks, not 20\n"
    records = map(json.loads, (tmp_path / "b.jsonl").read_text().splitlines())
    assert [sum(map(len, record["init"])) for record in records] == [2] * 4 + [3] * 20


def test_a_witness_is_judged() -> None:
    draft = Draft(Countdown((1, 2), 3), "", {"witness": ["(checkgoal n1)"]})
    made = replace(generators()["countdown"]["rg"], make=lambda *_: (draft,))
    with pytest.raises(AssertionError, match="the witness is not a plan"):
        list(generate_sizes(made, made.settings(), number=1))


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), OSError(28, "No space left on device")])
@pytest.mark.parametrize(
    "options",
    [
        "countdown --size 4-5 --count 4 --set walks=500 --set targets=20-30",
        "countdown --method rg --size 4 --count 3",
        "blocksworld --size 2-3 --count 6",  # four tasks only have size 2
        "budget-blocksworld --size 4 --count 3 --set budget=tight,loose",  # a seed makes two tasks
        "ferry --preset simple",
    ],
)
def test_the_same_command_continues(
    cli_here: CliHere, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, options: str, fault: Any
) -> None:
    """After an end at any byte, with the same bytes. The command with another seed does not."""
    file = tmp_path / "x"

    def written(seed: int, status: int = 0) -> tuple[bytes, str]:
        done = cli_here("generate", *options.split(), "--seed", seed, "-o", "x", cwd=tmp_path)
        assert done.status == status, done.err
        return file.read_bytes(), done.err

    (whole, _), (other, _) = written(1), written(2)
    lines = whole.splitlines(keepends=True)
    with monkeypatch.context() as patch:
        patch.setattr(generate, "to_record", Mock(side_effect=[*map(json.loads, lines[:2]), fault]))
        written(1, 130 if isinstance(fault, KeyboardInterrupt) else 2)
    (draft,) = tmp_path.glob(".*")
    assert (draft.read_bytes(), file.read_bytes()) == (b"".join(lines[:2]), other)
    assert written(2)[0] == other != whole
    with FileLock(draft.with_suffix(".lock")):
        assert written(1, 2)[1] == "error: x: another process is writing to this file\n"
    for cut in (len(whole), len(lines[0]), *Random(options).sample(range(len(whole)), 5)):
        draft.write_bytes(whole[:cut])
        again, err = written(1)
        assert (again, "already made" in err) == (whole, b"\n" in whole[:cut])
        assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("options", "printed"),
    [
        ("ferry --size 4 -o x", "simplan: about TIME; AGAIN"),
        ("ferry --size 4 -o -", "simplan: about TIME"),
        ("countdown --size 4 -o x", "cd: about TIME; AGAIN; faster: INSTALL, or --method rg"),
    ],
)
def test_long_work_is_estimated(
    cli_here: CliHere, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, options: str, printed: str
) -> None:
    monkeypatch.setattr(generate, "LONG_S", 0)
    monkeypatch.setattr("pddl_pipeline.generators.countdown.has_numba", lambda: False)
    err = cli_here("generate", *options.split(), "--count", "4", cwd=tmp_path).err
    err = re.sub(r"\d:\d\d:\d\d \(h:mm:ss\)", "TIME", err).replace(
        install_command("countdown"), "INSTALL"
    )
    err = err.replace("if interrupted, the same command continues", "AGAIN")
    assert err.startswith(f"4 instances, method {printed}\n")


@pytest.mark.parametrize("stored", [0, 50])
def test_nothing_is_made_twice(stored: int) -> None:
    """Neither the sample for the estimate nor, but for the last seed, what is stored."""
    ferry, sizes, make = generators()["ferry"]["simplan"], range(5, 12), Mock()
    whole = list(generate_sizes(ferry, ferry.settings(), sizes=sizes, number=40))
    make.side_effect = ferry.make
    ready, _ = prepared(
        replace(ferry, make=make), ferry.settings(), sizes, number=40, seed=0, made=whole[:stored]
    )
    assert whole == list(generate_sizes(ready, ferry.settings(), sizes=sizes, number=40))
    seeds = [call.args[2] for call in make.call_args_list]
    assert len(seeds) == len(set(seeds)) == len(whole) - max(0, stored - 1)


@pytest.mark.long
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_interrupted_in_compiled_code(cli: Cli, tmp_path: Path, sent: signal.Signals) -> None:
    """Compiled code reports Ctrl-C in a different way."""
    line = ("generate", "countdown", "--size", "40", "--count", "8", "-o", "x.jsonl")
    whole = cli(*line[:-1], "-").out
    with subprocess.Popen([PROGRAM, *line], cwd=tmp_path, stderr=subprocess.PIPE) as process:
        # Compiling takes a while, and longer the first time. Output shows the end.
        wait_for(lambda: any(x.stat().st_size for x in tmp_path.iterdir()))
        process.send_signal(sent)
        _, error = process.communicate(timeout=60)
    assert (process.returncode, b"interrupted\n" in error) == (
        (-sent, False) if sent == signal.SIGKILL else (130, True)
    )
    assert "already made" in cli(*line).err
    assert [each.read_text() for each in tmp_path.iterdir()] == [whole]
