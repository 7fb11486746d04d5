"""The command that installs an extra has one home and one spelling."""

from __future__ import annotations

import re

from places import PACKAGE, ROOT

from pddl_pipeline.model.extras import install_command


def test_the_command_is_quoted_and_no_other_file_spells_it() -> None:
    assert install_command("report") == 'pip install "pddl-pipeline[report]"'
    rooms = [path for path in PACKAGE.iterdir() if path.is_dir()]  # some of them are links
    files = [path for room in rooms for path in room.rglob("*.py")]
    found = [path.name for path in files if "pddl-pipeline[" in path.read_text(encoding="utf-8")]
    assert found == ["extras.py"]
    texts = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    spelled = {match for text in texts for match in re.findall(
        r"pip install (\S+pipeline\[)", text.read_text())}  # fmt: skip
    assert spelled == {'"pddl-pipeline['}
