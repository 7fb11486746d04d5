"""What CONTRIBUTING.md promises: one file adds a planner, a format, a question kind or a study.

Each test adds files to a copy of the package and uses them through the command line.
"""

from __future__ import annotations

import json
from collections.abc import Callable
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
Run = Callable[..., str]


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> PackageCopy:
    """Return a copy of the package with all additions."""
    package = PackageCopy(tmp_path_factory.mktemp("src"))
    for file, place in FILES.items():
        # In the package, the planner comes with this distribution.
        text = file.read_text(encoding="utf-8").replace("pddl-pipeline-lights", "pddl-pipeline")
        package.add(place, text)
    return package


@pytest.fixture
def run(copied: PackageCopy, tmp_path: Path) -> Run:
    """Run pddl-pipeline of the copy in the test's folder, where records are."""
    (tmp_path / "two.jsonl").write_text(json.dumps(RECORD) + "\n")
    (tmp_path / "puzzles.lights").write_text("hall roof\ncellar\n")
    return lambda *arguments: copied.run(*arguments, cwd=tmp_path).stdout


def test_a_domain_is_a_folder_and_a_file(run: Run, tmp_path: Path) -> None:
    assert "lights" in run("list")
    run("translate", "two.jsonl", "-o", "pddl")
    assert "(on roof)" in "".join(file.read_text() for file in tmp_path.glob("pddl/**/*.pddl"))
    (tmp_path / "plan").write_text("(switch roof)\n")
    run("validate", *map(str, sorted(tmp_path.glob("pddl/**/*.pddl"))), "plan")


def test_a_planner_is_a_file(run: Run) -> None:
    run("run", "two.jsonl", "--planner", "lights-switcher", "-o", "runs")
    (result,) = map(json.loads, run("report", "runs", "--json").splitlines()[:1])
    assert "switcher" in json.dumps(result)


def test_a_format_is_a_file(run: Run) -> None:
    assert "lights-lines" in run("list")
    assert "2 problems" in run("translate", "puzzles.lights", "-o", "pddl")


def test_a_kind_of_question_is_a_file(run: Run, tmp_path: Path) -> None:
    run("questions", "puzzles.lights", "--kind", "goal-number", "-o", "q.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "q.jsonl").read_text().splitlines()]
    assert [line["answer"] for line in lines] == ["2", "1"]
    run("questions", "q.jsonl", "--answer", "-o", "a.jsonl")
    assert "2" in run("questions", "q.jsonl", "--score", "a.jsonl")


def test_a_study_is_a_file(run: Run) -> None:
    assert "agrees: lights that are on" in run("reproduce", "tutorial-lights", "-o", "out")
