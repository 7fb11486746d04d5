"""What CONTRIBUTING.md promises: one file adds a planner, a format, a question kind or a study.

The test adds files to a copy of the package and uses them through the command line.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from package_copy import PackageCopy
from places import ROOT, SUPPORT

PLUGIN = ROOT / "examples" / "plugin" / "src" / "pddl_pipeline_lights"
ADDITIONS = SUPPORT / "additions"
FILES = {
    PLUGIN / "lights" / "domain.pddl": "pddl_domains/lights/domain.pddl",
    PLUGIN / "translator.py": "translators/domains/lights.py",
    PLUGIN / "planner.py": "planners/switcher.py",
    PLUGIN / "format.py": "translators/formats/lamps.py",
    ADDITIONS / "question_kind.py": "questions/kinds/goal_number.py",
    ADDITIONS / "study.py": "papers/tutorial/lights.py",
}
RECORD = {"id": "two", "domain": "lights", "lamps": ["hall", "roof"], "goal": ["roof"]}
# Each command, and a part of what it prints.
USES = [
    ("list domains", "lights"),
    ("list formats", "lights-lines"),
    ("translate two.jsonl -o pddl", "1 problem in pddl"),
    ("validate pddl/domain.pddl pddl/problems/two.pddl plan", "Plan valid"),
    ("run two.jsonl --planner lights-switcher -o runs", "lights-switcher"),
    ("translate puzzles.lights -o puzzles", "2 problems in puzzles"),
    ("questions puzzles.lights --kind goal-number -o q.jsonl", "2 questions in q.jsonl"),
    ("reproduce tutorial-lights -o out", "agrees: lights that are on"),
]


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> PackageCopy:
    """Return a copy of the package with all additions."""
    package = PackageCopy(tmp_path_factory.mktemp("src"))
    for file, place in FILES.items():
        # In the package, the planner comes with this distribution.
        text = file.read_text(encoding="utf-8").replace("pddl-pipeline-lights", "pddl-pipeline")
        package.add(place, text)
    return package


@pytest.mark.long
def test_each_addition_is_one_file(copied: PackageCopy, tmp_path: Path) -> None:
    (tmp_path / "two.jsonl").write_text(json.dumps(RECORD) + "\n")
    (tmp_path / "puzzles.lights").write_text("hall roof\ncellar\n")
    (tmp_path / "plan").write_text("(switch roof)\n")
    for line, words in USES:
        assert words in copied.run(*line.split(), cwd=tmp_path).stdout, line
    questions = (tmp_path / "q.jsonl").read_text().splitlines()
    assert [json.loads(line)["answer"] for line in questions] == ["2", "1"]
