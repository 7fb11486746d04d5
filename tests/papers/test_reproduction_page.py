"""docs/reproduction.md: its tables are those of the stored results, and its commands made them."""

from __future__ import annotations

import importlib.util
import re
import shlex
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest
from places import ROOT

from pddl_pipeline.papers.comparison import Verdict

FOLDER = ROOT / "studies"
PAGE = (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")
# These say what words and folders mean, and hold no results.
EXPLAINING = ("| verdict | meaning |", "| kind of number |", "| folder in DIR |")
FROM_PLACE = {"-o", "--data", "-j"}

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the sdist has no stored results")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """Return the module that writes the tables of the page."""
    spec = importlib.util.spec_from_file_location("page", FOLDER / "update_reproduction.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tables_are_those_of_the_stored_results(script: ModuleType) -> None:
    assert script.updated(PAGE) == PAGE


def test_a_changed_number_would_show(script: ModuleType) -> None:
    changed = PAGE.replace("| 1362 |", "| 1361 |", 1)
    assert changed != PAGE
    assert script.updated(changed) == PAGE


def test_every_table_is_computed(script: ModuleType) -> None:
    """A table without results, or one that nobody computes, would go unchecked."""
    computed = set(re.findall(r"<!-- table: (\S+) -->", PAGE))
    assert computed == set(script.TABLES)
    rest = re.sub(r"<!-- table: .*?<!-- end -->", "", PAGE, flags=re.DOTALL)
    headings = re.findall(r"^(\|.*\|)\n\|[ |-]+\|$", rest, re.MULTILINE)
    assert len(headings) == len(EXPLAINING)
    assert all(heading.startswith(EXPLAINING) for heading in headings)


def results() -> list[Path]:
    return sorted(FOLDER.glob("*/results/*/findings.json"))


@pytest.mark.parametrize("file", results(), ids=lambda file: file.parent.name)
def test_the_page_names_the_command_of_each_stored_result(file: Path, script: ModuleType) -> None:
    study = file.parent.name
    section = script.stored(study)
    named = [
        without_places(shlex.split(" ".join(span.split())))
        for span in re.findall(r"`(reproduce [^`]+)`", PAGE)
    ]
    assert without_places(shlex.split(section.command)[1:]) in named
    assert section.versions["pddl-pipeline"]
    assert section.made.startswith("2026-")


def without_places(words: list[str]) -> list[str]:
    """Return the words of a command, sorted, without folders and the number of processes."""
    kept, skip = [], False
    for word in words:
        if not skip and word not in FROM_PLACE:
            kept.append(word)
        skip = word in FROM_PLACE
    return sorted(kept)


def test_verdicts_of_the_summary_are_the_five_words(script: ModuleType) -> None:
    for row in script.TABLES["summary"]().rows:
        assert row[-1].split(",")[0].split(" (")[0] in get_args(Verdict)
    explained = re.findall(r"^\| `([a-z ]+)` \|", PAGE, re.MULTILINE)
    assert tuple(explained[:5]) == get_args(Verdict)
