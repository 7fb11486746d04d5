"""`generate`: valid combinations of options, messages, and files left after a failure."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pddl_pipeline.generators.generating import generate_sizes
from pddl_pipeline.generators.generator import Draft, Generator
from pddl_pipeline.translators.domains.countdown import Countdown

if TYPE_CHECKING:
    from command_line import Cli


def test_a_size_with_few_tasks_gives_what_there_is(cli: Cli, tmp_path: Path) -> None:
    done = cli("generate", "blocksworld", "--size", "2-3", "--count", "20", "-o", "b.jsonl")
    assert (done.status, done.out) == (0, "24 instances in b.jsonl\n")
    assert done.err == "warning: size 2: found 4 different tasks, not 20\n"
    records = map(json.loads, (tmp_path / "b.jsonl").read_text().splitlines())
    sizes = [sum(map(len, record["init"])) for record in records]
    assert sizes == [2] * 4 + [3] * 20


def test_presets_follow_the_seed(cli: Cli) -> None:
    first, again, other = (
        cli("generate", "ferry", "--preset", "simple", "--seed", seed, "-o", "-").out
        for seed in ("1", "1", "2")
    )
    assert first == again != other


@dataclass(frozen=True, slots=True)
class NoSettings:
    """No options."""


def test_a_witness_is_judged() -> None:
    draft = Draft(Countdown((1, 2), 3), "", {"witness": ["(checkgoal n1)"]})
    made: Generator[Any] = Generator(
        "countdown", "m", "", NoSettings, range(2, 3), lambda *_: (draft,)
    )
    with pytest.raises(AssertionError, match="the witness is not a plan"):
        list(generate_sizes(made, NoSettings(), number=1))


@pytest.mark.long
def test_interrupted_in_compiled_code(tmp_path: Path) -> None:
    """Compiled code reports Ctrl-C in a different way."""
    program = Path(sys.executable).with_name("pddl-pipeline")
    line = "generate countdown --size 60 --count 500 -o x.jsonl"
    with subprocess.Popen(
        [program, *line.split()], cwd=tmp_path, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        # Compiling takes a while, and longer the first time. Output shows the end.
        deadline = time.monotonic() + 60
        while not any(x.stat().st_size for x in tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
    assert (process.returncode, error.strip()) == (130, "interrupted")
    assert list(tmp_path.iterdir()) == []
