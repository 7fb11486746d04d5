"""A model behind a local server, and the command that asks it; no key from outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from asked_prompts import PROMPTS, Ask, write_prompts
from model_server import Model, served

if TYPE_CHECKING:
    from command_line import CliHere, Done


@pytest.fixture(autouse=True)
def without_key(no_key: None) -> None:
    """No key and no address from the environment of the tests."""


@pytest.fixture
def model() -> Model:
    return Model(reply=lambda text: f"To '{text}': (no) plan")


@pytest.fixture
def base(model: Model) -> Iterator[str]:
    with served(model) as address:
        yield address


@pytest.fixture
def ask(cli_here: CliHere, tmp_path: Path, base: str) -> Ask:
    """Ask the prompts of `PROMPTS`; options that are given again replace others."""
    write_prompts(tmp_path / "p.jsonl", PROMPTS)

    def run(*options: str, prompts: str = "p.jsonl", url: str = base) -> Done:
        fixed = ("--model", "m", "-o", "a.jsonl", "--base-url", url, "-q")
        return cli_here("ask", prompts, *fixed, *options, cwd=tmp_path)

    return run
