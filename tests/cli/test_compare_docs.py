"""Every command of "Compare models" in docs/answer-files.md runs; its tables name what exists."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from places import ROOT, SUPPORT

from pddl_pipeline.model.errors import ErrorKind, ErrorStage

if TYPE_CHECKING:
    from command_line import Cli, Done

PAGE = (ROOT / "docs" / "answer-files.md").read_text(encoding="utf-8")
SECTION = PAGE.split("\n## Compare models\n")[1].split("\n## ")[0]
COMMANDS = "".join(re.findall(r"^```sh\n(.*?)^```", SECTION, re.MULTILINE | re.DOTALL)).splitlines()
GRIPPER = SUPPORT / "foreign_pddl" / "gripper"


def names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def rows(head: str) -> list[list[str]]:
    """Return the cells of the table with this head."""
    table = SECTION.split(head)[1].split("\n\n")[0]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]


@pytest.fixture
def run(cli: Cli, tmp_path: Path) -> dict[str, Done]:
    (tmp_path / "problems").mkdir()
    shutil.copy(GRIPPER / "domain.pddl", tmp_path / "problems" / "domain.pddl")
    plan = (GRIPPER / "good.plan").read_text()
    answers = {"gpt": [plan, plan], "llama": [plan, "(drop)"], "qwen": ["none", "none"]}
    for number in range(2):
        shutil.copy(GRIPPER / "p01.pddl", tmp_path / "problems" / f"p{number}.pddl")
    for model, texts in answers.items():
        lines = (f"{json.dumps({'id': f'p{n}', 'answer': text})}\n" for n, text in enumerate(texts))
        (tmp_path / f"{model}.jsonl").write_text("".join(lines))
    return {line: cli(*shlex.split(line)[1:]) for line in COMMANDS}


@pytest.mark.long
def test_the_commands_run_and_write_what_the_page_says(
    run: dict[str, Done], tmp_path: Path
) -> None:
    assert len(run) == 4
    assert {done.status for done in run.values()} == {1}
    printed, as_json, *_ = (done.out for done in run.values())
    heading = next(line for line in printed.splitlines() if "p (Holm)" in line)
    columns = [name for first, *_ in rows("| column | JSON | meaning |") for name in names(first)]
    assert len(columns) == 8
    assert all(column in heading for column in columns)
    lines = [json.loads(line) for line in as_json.splitlines()]
    fields = [
        name for _, second, _ in rows("| column | JSON | meaning |") for name in names(second)
    ]
    compared = [line for line in lines if line["table"] == "compare"]
    assert [set(line) for line in compared] == [set(fields)] * 3
    assert {"reading_errors", "accuracy_few"} <= lines[0].keys()
    for name in ("scores.tex", "scores.csv", "scored.jsonl", "scores.html"):
        assert (tmp_path / name).stat().st_size > 0
    assert any((tmp_path / "scores-pages").iterdir())


def test_the_stages_of_errors_are_those_of_the_page() -> None:
    stages = {stage.strip("`"): names(errors) for stage, errors in rows("| stage | errors |")}
    assert list(stages) == list(ErrorStage)
    for stage in (ErrorStage.READING, ErrorStage.STEP):
        assert set(stages[stage]) == {kind for kind in ErrorKind if kind.stage is stage}
