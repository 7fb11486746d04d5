"""A reader that exits early, as in ``| head -1``, is no failure and loses no results."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from store_results import RESULT

from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.runs.store import read_store, result_to_json

PROGRAM = Path(sys.executable).with_name("pddl-pipeline")
FERRY = domain_folder("ferry")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    first = (FERRY / "examples.jsonl").read_text().splitlines()[0]
    (tmp_path / "one.jsonl").write_text(first)
    (tmp_path / "answers.jsonl").write_text(
        json.dumps({"id": json.loads(first)["id"], "answer": ""})
    )
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "runs.jsonl").write_text(json.dumps(result_to_json(RESULT)))
    return tmp_path


def without_reader(place: Path, line: str) -> tuple[int, str]:
    """Return the exit status and standard error of a command whose reader has exited."""
    script = f"{PROGRAM} {line} | :; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=place, capture_output=True, text=True, timeout=120, check=True
    )
    return int(done.stdout), done.stderr


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("list", 0),
        pytest.param("score one.jsonl answers.jsonl", 1, marks=pytest.mark.long),
        ("score one.jsonl answers.jsonl --json -o scored.jsonl", 1),
        pytest.param("report store", 0, marks=pytest.mark.long),
        ("report store --html page.html --json", 0),
        ("prompt one.jsonl", 0),
        ("report store --table -", 0),
        ("-h", 0),
    ],
)
def test_a_command_ends_quietly_with_its_own_status(place: Path, line: str, status: int) -> None:
    found, err = without_reader(place, line)
    assert found == status
    # `report --table -` prints its tables on standard error.
    assert err == "" or line.endswith(" -")
    assert "Broken" not in err
    for name in ("scored.jsonl", "page.html"):
        assert (place / name).exists() == (name in line)


def test_a_run_stores_its_results(place: Path) -> None:
    assert without_reader(place, "run one.jsonl --planner bfs -o runs") == (0, "")
    (result,) = read_store(place / "runs")
    assert result.solved
    assert (place / "runs" / "report.html").exists()


def test_what_only_writes_to_the_reader_stops(place: Path) -> None:
    """A million instances would take minutes."""
    line = "generate ferry --size 4 --count 1000000 -o -"
    assert without_reader(place, line) == (0, "")
