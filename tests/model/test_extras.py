"""The command that installs an extra has one home and one spelling."""

from __future__ import annotations

import re

from places import PACKAGE, ROOT

from pddl_pipeline.model.extras import install_command


def test_the_command_is_quoted_for_every_shell() -> None:
    assert install_command("report") == 'pip install "pddl-pipeline[report]"'


def test_no_other_file_spells_it() -> None:
    files = [path for path in PACKAGE.rglob("*.py") if "pddl-pipeline[" in path.read_text()]
    assert [path.name for path in files] == ["extras.py"]
    texts = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    found = {match for text in texts for match in re.findall(
        r"pip install (\S+pipeline\[)", text.read_text())}  # fmt: skip
    assert found == {'"pddl-pipeline['}
