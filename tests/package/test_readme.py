"""README is short; its commands run and print what it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from page_blocks import check_texts, link_checkout
from places import ROOT

README = (ROOT / "README.md").read_text()
MOST_WORDS = 900


def test_make_commands_exist() -> None:
    """CI runs them, since the suite cannot run itself."""
    targets = re.findall(r"^make (\w+)$", README, re.MULTILINE)
    assert targets == ["demo", "test"]
    makefile = (ROOT / "Makefile").read_text()
    ci = (ROOT / ".ci" / "run").read_text()
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
        assert f"make {target}" in ci


def test_readme_is_short() -> None:
    assert len(README.split()) <= MOST_WORDS


@pytest.mark.early
@pytest.mark.slow("starts the program for each command of README, as a user does")
def test_readme_shows_what_is_printed(tmp_path: Path) -> None:
    assert check_texts(README, link_checkout(tmp_path), 90) == 4
