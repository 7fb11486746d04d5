"""Every command of docs/reproduction (index.md and the papers' pages) is accepted."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import click
import pytest
from places import ROOT

from pddl_pipeline.cli.group import GROUP
from pddl_pipeline.papers.study import studies_named

FOLDER = ROOT / "docs" / "reproduction"
PAGES = "\n".join(page.read_text(encoding="utf-8") for page in sorted(FOLDER.glob("*.md")))
# In a fence or in backquotes; a line of the page may break a command in backquotes.
SPANS = re.findall(r"^```sh\n(.*?)^```|`(reproduce [^`]+)`", PAGES, re.MULTILINE | re.DOTALL)


def commands() -> Iterator[list[str]]:
    """Yield the words of each command after the program's name."""
    for fence, span in SPANS:
        lines = fence.splitlines() if fence else [f"pddl-pipeline {' '.join(span.split())}"]
        for line in lines:
            if line.startswith("pddl-pipeline "):
                yield shlex.split(line)[1:]


def parsed(words: list[str]) -> click.Context:
    """Return the context of a command after its parsers, without running it."""
    with click.Context(GROUP, **GROUP.context_settings) as top:
        name, command, rest = GROUP.resolve_command(top, words)
        assert command is not None
        return command.make_context(name, list(rest), parent=top)


def test_commands_are_found() -> None:
    assert len([words for words in commands() if words[0] == "reproduce"]) >= 12


@pytest.mark.parametrize("words", list(commands()), ids=" ".join)
def test_a_command_is_accepted(words: list[str]) -> None:
    context = parsed(words)
    if context.info_name == "reproduce":
        assert studies_named(context.params["names"])
