"""The Python blocks in docs/integrations.md are executed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from places import ROOT

BLOCKS = re.findall(
    r"^```python\n(.*?)^```",
    (ROOT / "docs" / "integrations.md").read_text(),
    re.MULTILINE | re.DOTALL,
)


@pytest.mark.long
def test_the_blocks_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are one program, since later ones use the names of earlier ones."""
    assert len(BLOCKS) == 2
    monkeypatch.chdir(tmp_path)
    # Not in a process of its own: importing Unified Planning takes long.
    exec("".join(BLOCKS), {})  # noqa: S102
    assert "(:action move_to" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
