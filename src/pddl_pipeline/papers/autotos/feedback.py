"""AutoToS's feedback to a model on faults of its functions; ``feedback.toml`` has the texts."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.search.black_boxes.domain import FunctionFault


def texts(name: str) -> dict[str, Any]:
    """Return the texts in a TOML file of this folder."""
    return tomllib.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))


_FEEDBACK: Final = texts("feedback.toml")


def feedback(fault: FunctionFault) -> str:
    """Return the text on a fault, as lines."""
    values = {
        name: feedback(value) if isinstance(value, FunctionFault) else value
        for name, value in fault.values.items()
    }
    text: str = _FEEDBACK[fault.kind]
    return text.format(**values)
