"""The notebooks in examples/ run, and contain the outputs that they give."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from notebook_cells import executed
from places import ROOT

NOTEBOOKS = [ROOT / "examples" / f"{name}.ipynb" for name in ("compare-planners", "score-a-model")]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_stored_outputs_are_those_of_the_cells(path: Path) -> None:
    """``python tests/notebook_cells.py FILE...`` stores the outputs."""
    assert executed(path) == json.loads(path.read_text("utf-8"))
