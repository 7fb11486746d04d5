"""Prompts that tests ask with ``ask``, and the answers that it stored."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from command_line import Done

SECRET = "sk-very-secret"  # noqa: S105 -- of the tests
MONEY = ("--prices", "1000000,2000000", "--max-tokens", "10")  # a token costs 1, or 2
PROMPTS = {f"p{number}": f"Question {number}?" for number in range(6)}

Ask = Callable[..., Done]
"""Runs ``ask``, with further options; see the fixture of this name."""


def write_prompts(file: Path, prompts: dict[str, str]) -> None:
    lines = ({"id": name, "prompt": text, "domain": "d"} for name, text in prompts.items())
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def answers(folder: Path) -> list[dict[str, Any]]:
    """Return the stored answers, without a line that is not complete."""
    file = folder / "a.jsonl"
    lines = file.read_bytes().split(b"\n")[:-1] if file.exists() else []
    return [json.loads(line) for line in lines]
