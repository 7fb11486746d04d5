"""Countdown answers as models write them, through `score`: files of several shapes, the options."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pddl_pipeline import score
from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import CliHere

DATA = {"id": "c", "domain": "countdown", "numbers": [3, 4, 5, 6], "target": 24}
TEXTS = {
    "Sure!\n\n$$\\boxed{6\\left(3 + 5 - 4\\right)}$$": "valid",
    "```python\nresult = (3 + 5 - 4) * 6\nprint(result)\n```": "valid",
    "| 1 | 3 + 5 | 8 |\n| 2 | 8 - 4 | 4 |\n| 3 | 4 \u00d7 6 | 24 |": "valid",
    "Add 3 and 5 to get 8, subtract 4 and multiply by 6 to get 24.": "malformed",
    "(3+5-4)*6 = 25": "invalid",
    "Answer: (3+5-4)*6 = 24. Wait, let me reconsider. Answer: 3*4+5+6 = 24": "invalid",
}


def write(folder: Path, shape: str) -> str:
    """Write the answers in the shape of another tool; return the file's name."""
    (folder / "data.jsonl").write_text(json.dumps(DATA))
    name = f"answers.{shape}"
    if shape == "csv":
        with (folder / name).open("w", newline="", encoding="utf-8") as stream:
            rows = csv.writer(stream)
            rows.writerow(["problem_id", "model", "response"])
            rows.writerows(["c", "m", text] for text in TEXTS)
    elif shape == "json":
        found = [{"task_id": "c", "prediction": text, "score": 1} for text in TEXTS]
        (folder / name).write_text(json.dumps(found))
    else:
        lines = (json.dumps({"doc_id": "c", "completion": text}) for text in TEXTS)
        (folder / name).write_text("\n".join(lines))
    return name


def scored(cli_here: CliHere, folder: Path, name: str, *options: str) -> list[dict[str, Any]]:
    done = cli_here("score", "data.jsonl", name, *options, "-o", "out.jsonl", cwd=folder)
    assert done.status in {0, 1}, done.err
    return [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("shape", ["csv", "json", "jsonl"])
def test_answers_in_files_of_other_tools(cli_here: CliHere, tmp_path: Path, shape: str) -> None:
    found = scored(cli_here, tmp_path, write(tmp_path, shape))
    assert [line["status"] for line in found] == list(TEXTS.values())
    assert found[4]["errors"] == ["false-value"]
    assert found[4]["reason"] == "(3+5-4)*6 is 24, not 25"
    assert found[4]["by_rules"] == {"paper": None, "negatives": None}
    assert found[5]["errors"] == ["not-target", "false-value"]


def test_the_trace_shows_what_was_read(cli_here: CliHere, tmp_path: Path) -> None:
    table = scored(cli_here, tmp_path, write(tmp_path, "jsonl"))[2]
    assert [(line["line"], line["note"]) for line in table["trace"]] == [
        (1, "read as (add n1 n3)"),
        (2, "read as (subtract n1 n2)"),
        (3, "read as (multiply n1 n4)"),
        (3, "read as (checkgoal n1)"),
    ]
    assert table["trace"][2]["text"] == "| 3 | 4 \u00d7 6 | 24 |"


def test_lenient_values(cli_here: CliHere, tmp_path: Path) -> None:
    found = scored(cli_here, tmp_path, write(tmp_path, "csv"), "--lenient-values")
    assert [line["status"] for line in found[4:]] == ["valid", "invalid"]
    assert [line["errors"] for line in found[4:]] == [[], ["not-target"]]
    answers = [{"id": "c", "answer": text} for text in TEXTS]
    again = list(score([DATA], answers, lenient_values=True))
    assert [str(each.verdict.status) for each in again] == [line["status"] for line in found]


def test_steps_with_false_values_are_wrong_either_way(cli_here: CliHere, tmp_path: Path) -> None:
    write(tmp_path, "csv")
    (tmp_path / "a.jsonl").write_text(
        json.dumps({"id": "c", "answer": "3+5=9\n9-4=4\n4*6=24"}), encoding="utf-8"
    )
    (line,) = scored(cli_here, tmp_path, "a.jsonl", "--lenient-values")
    assert line["errors"][0] == "unknown-number"


def test_lenient_values_are_for_countdown(cli_here: CliHere, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "x", "answer": "(sail l0 l1)"}')
    data = str(domain_folder("ferry") / "solved.jsonl")
    done = cli_here("score", data, "a.jsonl", "--lenient-values", cwd=tmp_path)
    assert done.status == 2
    assert "--lenient-values is for countdown, found ferry" in done.err
