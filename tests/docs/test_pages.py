"""Every command and program of the documentation is executed by a test."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from command_line import CliHere
from page_blocks import check_page, run_in_processes, run_line
from places import ROOT, TESTS

from pddl_pipeline.pddl_domains import domain_folder

DOCS = ROOT / "docs"
# The test that executes the blocks of a page.
TESTED = {
    "answer-files.md": "cli/test_compare_docs.py",
    "bring-your-own.md": "package/test_bring_your_own.py",
    "commands.md": "package/test_readme.py",
    "compare-planners.md": "package/test_readme.py",
    "index.md": "package/test_readme.py",
    "integrations.md": "integrations/test_up_docs.py",
    "library.md": "package/test_readme.py",
    "look-at-a-plan.md": "package/test_look_at_a_plan.py",
    "models.md": "package/test_models_page.py",
    "make-a-benchmark.md": "package/test_readme.py",
    "planners.md": "package/test_readme.py",
    "prompts.md": "cli/test_prompt.py",
    "report.md": "reporting/test_lab_properties.py",
    "reproduction/index.md": "cli/test_reproduce.py",
    "score-a-model.md": "package/test_readme.py",
    "search.md": "docs/test_pages.py",
    "train-with-rewards.md": "package/test_readme.py",
    "validate-plans.md": "package/test_readme.py",
}


def test_every_page_with_blocks_has_a_test() -> None:
    pages = {
        page.relative_to(DOCS).as_posix()
        for page in DOCS.rglob("*.md")
        if re.search(r"^```(sh|python)$", page.read_text("utf-8"), re.MULTILINE)
    }
    assert pages == TESTED.keys()
    for page, test in TESTED.items():
        assert Path(page).name in (TESTS / test).read_text("utf-8")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a folder with the files that docs/search.md names."""
    blocks = domain_folder("blocksworld")
    for name in ("domain.pddl", "p01.pddl"):
        shutil.copy(blocks / name, tmp_path / name)
    shutil.copy(ROOT / "examples" / "search-code" / "blocksworld.md", tmp_path / "answer.txt")
    record = json.loads((blocks / "examples.jsonl").read_text().splitlines()[0])
    (tmp_path / "data.jsonl").write_text(json.dumps(record))
    record = (domain_folder("budget-blocksworld") / "examples.jsonl").read_text().splitlines()[0]
    (tmp_path / "bb.jsonl").write_text(record)
    return tmp_path


@pytest.mark.early
def test_the_commands_of_search_run(place: Path, cli_here: CliHere) -> None:
    """Each exit status is 0: plans are found and valid, and the code passes the checks."""
    page = DOCS / "search.md"
    assert check_page(page, lambda command: run_line(command.text, place, cli_here)) == 7


@pytest.mark.long
def test_the_commands_of_search_run_in_processes_of_their_own(place: Path) -> None:
    page = DOCS / "search.md"
    assert check_page(page, lambda command: run_in_processes(command, place)) == 7
