"""A dataset's own fields are kept and carried to every output."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from pddl_pipeline.model.result import RunResult
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.runs.store import read_store
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.records import from_record, to_record

if TYPE_CHECKING:
    from command_line import CliHere

EXTRA = {"difficulty": "hard", "status": 7, "tags": ["a", {"b": None}]}
RECORD = {"id": "a", "domain": "countdown", "numbers": [1, 2, 3, 4], "target": 24, **EXTRA}
PLAN = "(multiply n1 n2)\n(multiply n1 n3)\n(multiply n1 n4)\n(checkgoal n1)"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data.jsonl").write_text(json.dumps(RECORD))
    (tmp_path / "answers.jsonl").write_text(json.dumps({"id": "a", "answer": PLAN}))
    return tmp_path


def first_line(path: Path) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(path.read_text().splitlines()[0])
    return line


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (("translate", "data.jsonl", "-o", "pddl"), "pddl/manifest.jsonl"),
        (("prompt", "data.jsonl", "-o", "out.jsonl"), "out.jsonl"),
        (("questions", "data.jsonl", "--kind", "state", "-o", "out.jsonl"), "out.jsonl"),
        (("score", "data.jsonl", "answers.jsonl", "-o", "out.jsonl"), "out.jsonl"),
        (("run", "data.jsonl", "--planner", "countdown-exact", "-o", "runs"), "runs/runs.jsonl"),
    ],
)
def test_every_output_has_the_fields(
    arguments: tuple[str, ...], output: str, folder: Path, cli_here: CliHere
) -> None:
    done = cli_here(*arguments, cwd=folder)
    assert done.status == 0, done.err
    assert first_line(folder / output)["extra"] == EXTRA


@pytest.mark.parametrize("name", ["answers.jsonl", "answers.parquet"])
def test_the_fields_of_answers_stand_beside_those_of_the_data(
    name: str, folder: Path, cli_here: CliHere
) -> None:
    row = {
        "id": "a", "response": PLAN, "model": "m", "correct": True, "copy": PLAN,
        "temperature": 0.5, "day": "2026-01-02", "status": 8,
    }  # fmt: skip
    (folder / "answers.jsonl").write_text(json.dumps(row))
    row["day"] = date(2026, 1, 2)
    pd.DataFrame([row]).to_parquet(folder / "answers.parquet")
    done = cli_here("score", "data.jsonl", name, "-o", "out.jsonl", cwd=folder)
    assert done.status == 0, done.err
    found = first_line(folder / "out.jsonl")["extra"]
    assert found == {**EXTRA, "temperature": 0.5, "day": "2026-01-02"}
    assert list(found) == [*EXTRA, "temperature", "day"]


def test_instances_of_an_export_are_the_records(folder: Path, cli_here: CliHere) -> None:
    assert cli_here("translate", "data.jsonl", "-o", "pddl", cwd=folder).status == 0
    assert first_line(folder / "pddl" / "instances.jsonl") == RECORD


def test_the_fields_of_given_pddl_are_kept_too() -> None:
    files = {"domain": "domain.pddl", "problem": "p01.pddl"}
    texts = {name: (domain_folder("countdown") / files[name]).read_text() for name in files}
    record = {"id": "p", "domain": "countdown", "pddl": texts, "level": 3}
    given = from_record(record)
    assert (given.extra, to_record(given)) == ({"level": 3}, record)


def test_questions_with_the_fields_are_read_back(folder: Path, cli_here: CliHere) -> None:
    asked = ("questions", "data.jsonl", "--kind", "state", "-o", "q.jsonl")
    assert cli_here(*asked, cwd=folder).status == 0
    assert cli_here("questions", "q.jsonl", "--answer", "-o", "a.jsonl", cwd=folder).status == 0
    done = cli_here("questions", "q.jsonl", "--score", "a.jsonl", "--json", cwd=folder)
    assert (done.status, json.loads(done.out.splitlines()[0])["accuracy"]) == (0, 1)


def test_stores_without_the_fields_are_read(folder: Path, cli_here: CliHere) -> None:
    ran = ("run", "data.jsonl", "--planner", "countdown-exact", "-o", "runs")
    assert cli_here(*ran, cwd=folder).status == 0
    file = folder / "runs" / "runs.jsonl"
    line = first_line(file)
    del line["extra"]
    file.write_text(json.dumps(line) + "\n")
    found: list[RunResult] = read_store(folder / "runs")
    assert [result.extra for result in found] == [{}]


def test_a_similar_name_is_a_fault_only_if_the_field_is_missing() -> None:
    with pytest.raises(FieldFault, match="'tagret': is unknown; did you mean 'target'"):
        from_record({"id": "a", "domain": "countdown", "numbers": [1], "tagret": 1})
    both = {"id": "a", "domain": "countdown", "numbers": [1], "target": 1, "tagret": 2}
    assert from_record(both).extra == {"tagret": 2}
