"""Progress where standard error is not a terminal: lines, their interval, and `--quiet`."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pddl_pipeline.cli import console
from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import CliHere

FERRY = domain_folder("ferry")
COMMANDS = {
    "translate data.jsonl -o pddl": r"translating: [\d,]+; \d s",
    "score data.jsonl answers.jsonl": r"scoring: [\d,]+; \d s",
    "prompt data.jsonl -o prompts.jsonl": r"prompting: [\d,]+; \d s",
    "prompt data.jsonl --limit 190 -o prompts.jsonl": r"prompting: \d+ of 190; \d s",
    "questions data.jsonl --kind state -o questions.jsonl": r"asking: [\d,]+; \d s",
    "generate ferry --size 3-6 --count 200 -o new.jsonl": r"generating: \d+ of 800; \d s",
    "run few.jsonl --planner 's=cmd:sleep 0.2' -o runs": (
        r"running: [12] of 2, 0 claimed, 0 valid, 0 unexplained; \d s"
    ),
    "run few.jsonl --planner 'p=cmd:sh -c \"cp $0 $1; sleep 2\" good {plan}' -o runs": (
        r"running: 0 of 2, .* unexplained, last plan f0 \(p\): cost 9; \d s"
    ),
    "reproduce cats-table1 --size 2 --count 1 -o out": "study 1 of 1: cats-table1",
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a folder with 200 tasks, answers to them, and two tasks."""
    lines = (FERRY / "examples.jsonl").read_text().splitlines()
    records = [json.loads(lines[number % len(lines)]) for number in range(200)]
    many = [json.dumps(each | {"id": f"f{number}"}) for number, each in enumerate(records)]
    (tmp_path / "data.jsonl").write_text("\n".join(many))
    (tmp_path / "few.jsonl").write_text("\n".join(many[:2]))
    shutil.copy(FERRY / "p01.plan", tmp_path / "good")
    answers = [json.dumps({"id": f"f{number}", "answer": "(sail l0 l1)"}) for number in range(200)]
    (tmp_path / "answers.jsonl").write_text("\n".join(answers))
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_long_commands_print_what_is_done_of_what(
    cli_here: CliHere, monkeypatch: pytest.MonkeyPatch, place: Path, command: str
) -> None:
    monkeypatch.setattr(console, "INTERVAL_S", 0.001)
    done = cli_here(*shlex.split(command), cwd=place)
    assert done.status in (0, 1), done.err
    assert re.search(rf"^{COMMANDS[command]}$", done.err, re.MULTILINE), done.err
    shutil.rmtree(place / "runs", ignore_errors=True)
    quiet = cli_here(*shlex.split(command.replace("sleep", "true")), "-q", cwd=place)
    assert (quiet.status, quiet.err) == (done.status, "")


def test_the_bar_tells_claimed_plans_from_valid_ones(
    cli_here: CliHere, monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # which makes any stream a terminal
    monkeypatch.setenv("COLUMNS", "200")
    (place / "plan").write_text("(sail l0 l1)\n")
    run = ("run", "few.jsonl", "--planner", "c=cmd:cat plan", "-o", "runs")
    done = cli_here(*run, cwd=place)
    assert "2 claimed, 0 valid, 0 unexplained" in done.err
    assert "solved" not in done.err
    assert cli_here(*run, "-q", cwd=place).err == ""


def test_short_commands_print_only_the_detected_format(cli_here: CliHere, place: Path) -> None:
    assert console.INTERVAL_S == 30
    for data, printed in (("data.jsonl", ""), (FERRY / "p01.pddl", "read as pddl\n")):
        assert cli_here("translate", data, "-o", "pddl", cwd=place).err.endswith(printed)
        assert cli_here("translate", data, "-o", "pddl", "-q", cwd=place).err == ""


def test_quiet_commands_print_warnings_and_no_notes(cli_here: CliHere, place: Path) -> None:
    with (place / "few.jsonl").open("a") as stream:
        stream.write("\n{}\n")
    done = cli_here("translate", "few.jsonl", "--skip-bad", "-o", "pddl", "--quiet", cwd=place)
    assert done.err.startswith("skipped: few.jsonl:3:")
    run = ("run", "few.jsonl", "--planner", "t=cmd:true", "-o", "runs", "-j", "99", "--skip-bad")
    warnings = [line[:17] for line in cli_here(*run, "--quiet", cwd=place).err.splitlines()]
    assert warnings == ["skipped: few.json", "warning: -j 99 on"]
    assert "2 of 2 runs were already in the store" in cli_here(*run, cwd=place).err
    assert "already in the store" not in cli_here(*run, "-q", cwd=place).err
