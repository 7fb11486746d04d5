"""Every command of docs/models.md runs, with a local server as the model."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from command_line import CliHere, Done
from model_server import Model, served
from page_blocks import Command, check_page, link_checkout, run_line
from places import ROOT

pytest.importorskip("openai")

PAGE = ROOT / "docs" / "models.md"
ADDRESS, NAME = "http://localhost:8000/v1", "my-model"
LEAST_COMMANDS = 7


def test_every_command_runs(
    cli_here: CliHere, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    place, model = link_checkout(tmp_path), Model(name=NAME)
    with served(model) as base:

        def run(command: Command) -> Done:
            return run_line(command.text.replace(ADDRESS, base), place, cli_here)

        assert check_page(PAGE, run) >= LEAST_COMMANDS
    assert len((place / "answers.jsonl").read_text().splitlines()) == 15
    results = [
        json.loads(x) for x in (place / "model-runs" / "runs.jsonl").read_text().splitlines()
    ]
    assert [result["calls"] for result in results if result["calls"]] == [2]
    with (place / "models.csv").open() as file:
        calls = {row["planner"]: row["calls"] for row in csv.DictReader(file)}
    assert calls == {
        "lama-first": "",
        "llm:model=my-model,style=cot,attempts=2,max-tokens=2000": "2",
    }
