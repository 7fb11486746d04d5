"""``pddl-pipeline reproduce``, and the commands of docs/reproduction/index.md and the others."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from places import ROOT

from pddl_pipeline.cli.group import GROUP
from pddl_pipeline.papers.study import studies_named

if TYPE_CHECKING:
    from command_line import Cli

FOLDER = ROOT / "docs" / "reproduction"
PAGES = "\n".join(page.read_text(encoding="utf-8") for page in sorted(FOLDER.glob("*.md")))
# In a fence or in backquotes; a line of the page may break a command in backquotes.
SPANS = re.findall(r"^```sh\n(.*?)^```|`(reproduce [^`]+)`", PAGES, re.MULTILINE | re.DOTALL)
PAPERS = {"countdown", "autotos", "simplan", "cats", "tutorial"}


def test_without_a_name_it_lists_the_studies_of_every_paper(cli: Cli) -> None:
    done = cli("reproduce")
    papers = set(re.findall(r"^  (\w+)-", done.out, re.MULTILINE))
    assert (done.status, PAPERS - papers) == (0, set())


def test_a_study_prints_its_comparison_and_leaves_its_files(cli: Cli, tmp_path: Path) -> None:
    options = ("--size", "4,2-3,3", "--count", "1", "-o", "out")
    done = cli("reproduce", "countdown-figure1", *options)
    assert (done.status, "of each size, numbers from" in done.out) == (0, True)
    page = (tmp_path / "out" / "reproduction.html").read_text()
    assert "pddl-pipeline reproduce countdown-figure1 -o out --count 1 --size 2-4" in page
    lines = (tmp_path / "out" / "countdown-figure1" / "table1.csv").read_text().splitlines()
    counted = [line.split(",")[0] for line in lines[1:] if line.split(",")[2] != "0"]
    assert counted == ["2", "3", "4"]


def test_without_conditions_the_stored_result_is_shown(cli: Cli, tmp_path: Path) -> None:
    done = cli("reproduce", "tutorial-problems", "-o", "out")
    assert (done.status, "symk-topk" in done.out) == (0, True)
    assert "run it anew: pddl-pipeline reproduce tutorial-problems -o out --scale quick" in done.out
    names = {file.name for file in (tmp_path / "out" / "tutorial-problems").iterdir()}
    pictures = {f"tutorial-problems.{form}" for form in ("png", "svg", "pdf")}
    assert names >= {"comparison.csv", "findings.json", "table1.csv", *pictures}


def commands() -> Iterator[list[str]]:
    """Yield the words of each command of the pages after the program's name."""
    for fence, span in SPANS:
        lines = fence.splitlines() if fence else [f"pddl-pipeline {' '.join(span.split())}"]
        yield from (shlex.split(line)[1:] for line in lines if line.startswith("pddl-pipeline "))


def test_commands_are_found() -> None:
    assert len([words for words in commands() if words[0] == "reproduce"]) >= 12


@pytest.mark.parametrize("words", list(commands()), ids=" ".join)
def test_a_command_of_the_pages_is_accepted(words: list[str]) -> None:
    """By its parsers; it is not run."""
    with click.Context(GROUP, **GROUP.context_settings) as top:
        name, command, rest = GROUP.resolve_command(top, words)
        assert command is not None
        context = command.make_context(name, list(rest), parent=top)
    if name == "reproduce":
        assert studies_named(context.params["names"])
