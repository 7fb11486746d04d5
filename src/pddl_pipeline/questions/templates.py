"""What the questions of each kind ask, from ``templates.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

TEMPLATES: Final[dict[str, dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("templates.toml").read_text(encoding="utf-8")
)
THE_GOAL: Final = "The goal: {goal}"
CURRENTLY: Final = "The current state: {state}"


def asked(kind: str, **fields: str | Sequence[str]) -> str:
    """Return the question of a kind, with texts or sequences of steps as its fields."""
    texts = {
        name: each if isinstance(each, str) else " ".join(each) for name, each in fields.items()
    }
    return str(TEMPLATES[kind]["question"]).format(**texts)
