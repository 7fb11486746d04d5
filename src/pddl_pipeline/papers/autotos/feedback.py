"""AutoToS's feedback to a model on faults of its functions; ``feedback.toml`` has the texts."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pddl_pipeline.search.black_boxes.domain import FunctionFault


@cache
def _texts() -> Mapping[str, str]:
    text = (Path(__file__).parent / "feedback.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def feedback(fault: FunctionFault) -> str:
    """Return the text on a fault, as lines."""
    values = {
        name: feedback(value) if isinstance(value, FunctionFault) else value
        for name, value in fault.values.items()
    }
    return _texts()[fault.kind].format(**values)
