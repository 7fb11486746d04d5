"""The plug-in, used through the command line as its users do."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pddl_pipeline_lights.translator import FOLDER


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., str]:
    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "pddl_pipeline", *arguments],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_the_examples_are_solved(run: Callable[..., str]) -> None:
    examples = str(FOLDER / "examples.jsonl")
    run("run", examples, "--planner", "lights-switcher", "--planner", "lama-first", "-o", "runs")
    report = [json.loads(line) for line in run("report", "runs", "--json").splitlines()]
    assert any("lights-switcher" in json.dumps(line) for line in report)


def test_instances_are_generated_and_translated(run: Callable[..., str], tmp_path: Path) -> None:
    run("generate", "lights", "--size", "3-4", "--count", "2", "-o", "made.jsonl")
    assert len((tmp_path / "made.jsonl").read_text().splitlines()) == 4
    run("translate", "made.jsonl", "-o", "pddl")


def test_the_format_is_read(run: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "puzzles.lights").write_text("hall roof\ncellar\n")
    run("translate", "puzzles.lights", "-o", "pddl")


def test_plans_are_shown_with_the_picture(run: Callable[..., str], tmp_path: Path) -> None:
    answer = {"id": "two", "answer": "(switch roof)"}
    (tmp_path / "a.jsonl").write_text(json.dumps(answer))
    run("show", str(FOLDER / "examples.jsonl"), "a.jsonl", "-o", "pages")
    (page,) = (tmp_path / "pages").glob("two*.html")
    assert "data-domain='lights'" in page.read_text()


def test_answers_in_words_are_read(run: Callable[..., str], tmp_path: Path) -> None:
    answers = [
        {"id": "two", "answer": "1. Switch on the lamp roof."},
        {"id": "three", "answer": "(switch cellar)\n(switch roof)"},
    ]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in answers))
    scored = run("score", str(FOLDER / "examples.jsonl"), "a.jsonl", "--json")
    assert json.loads(scored.splitlines()[0])["accuracy"] == 1
