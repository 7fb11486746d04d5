"""Every command of docs/bring-your-own.md is executed, on a domain that is not ours."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from command_line import CliHere
from page_blocks import run_line
from places import ROOT, SUPPORT

from pddl_pipeline.pddl_domains import domain_folder

PAGE = (ROOT / "docs" / "bring-your-own.md").read_text()
BLOCKS = re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
PROGRAMS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
SCRIPTS = [block for block in BLOCKS if block.startswith("#!")]
TABLE, *_ = re.findall(r"^```csv\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
# The commands of a block run in order, since one may read what another has written.
COMMANDS = [block.splitlines() for block in BLOCKS if block not in SCRIPTS]
GRIPPER = SUPPORT / "foreign_pddl" / "gripper"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    for name in ("domain.pddl", "p01.pddl"):
        shutil.copy(GRIPPER / name, folder / name)
    shutil.copytree(GRIPPER, folder / "problems", ignore=shutil.ignore_patterns("*.plan"))
    (script,) = SCRIPTS
    (folder / "planner.sh").write_text(script)
    (folder / "planner.sh").chmod(0o755)
    steps = (GRIPPER / "good.plan").read_text().strip().splitlines()
    cell = "\n".join(steps)
    for name, temperature in (("answers.csv", 0.7), ("more.csv", 1)):
        row = f'p01,"{cell}",{temperature}\n'
        (folder / name).write_text(f"problem_id,response,temperature\n{row}")
    (folder / "replies.jsonl").write_text(json.dumps({"problem": "p01", "reply": cell}))
    shutil.copy(GRIPPER / "good.plan", folder / "p01.plan")
    printed = "".join(f"{number}.0: {step}\n" for number, step in enumerate(steps))
    (folder / "puzzles.csv").write_text(TABLE)
    answers = {"größe/1": "(3 + 5 - 4) * 6 = 24", "b": "8 / (3 - 8 / 3) = 24"}
    lines = (json.dumps({"id": name, "answer": text}) for name, text in answers.items())
    (folder / "answers.jsonl").write_text("\n".join(lines))
    (folder / "cards.tsv").write_text("digits\twanted\n1 2 3 4\t24\n")
    examples = (domain_folder("ferry") / "examples.jsonl").read_text().splitlines()
    ferries = [json.loads(line) for line in examples]
    for record in ferries:
        del record["domain"]
    (folder / "ferries.json").write_text(json.dumps(ferries))
    (folder / "output.txt").write_text(f"Problem Solved\n\nFound Plan:\n{printed}\n")
    return folder


@pytest.mark.parametrize("block", COMMANDS, ids=lambda block: block[0])
def test_the_commands_run(place: Path, cli_here: CliHere, block: list[str]) -> None:
    for command in block:
        check_command(place, cli_here, command)


def check_command(place: Path, cli_here: CliHere, command: str) -> None:
    done = run_line(command, place, cli_here)
    assert done.status == 0, done.err
    if command.startswith("pddl-pipeline run") and "--planner" in command:
        mine, lama = (
            next(line.split() for line in done.out.splitlines() if f" {name} " in line)
            for name in ("mine", "lama-first")
        )
        # Instances, claimed and validated plans.
        assert mine[2:5] == lama[2:5] == ["2", "2", "2"]
    if "--json" in command:
        rows = list(map(json.loads, done.out.splitlines()[:2]))
        assert [row["model"] for row in rows] == ["answers", "more"]
        assert [(row["accuracy"], row["answers"]) for row in rows] == [(1, 1)] * 2
    if "-o -" in command:
        (line,) = done.out.splitlines()
        assert json.loads(line)["status"] == "valid"
    if "--by" in command:
        assert "By temperature" in done.out


def test_the_python_block_runs(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (program,) = PROGRAMS
    monkeypatch.chdir(place)
    exec(program, {})  # noqa: S102 -- faster than a process
    printed = capsys.readouterr().out
    assert "(= (value n4) 6)" in printed
    assert "<Score data-0, attempt 1: valid>\n" in printed


def test_there_are_commands() -> None:
    assert sum(map(len, COMMANDS)) >= 10
    assert len(SCRIPTS) == 1
