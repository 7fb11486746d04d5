"""The changelog names every version of the verdicts, and what prints verdicts has the version."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from places import ROOT

from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.validation.version import FIRST_VERSION, VERDICT_CHANGES, VERDICT_VERSION

if TYPE_CHECKING:
    from command_line import CliHere

FERRY = domain_folder("ferry")
TASK = (FERRY / "domain.pddl", FERRY / "p01.pddl")


def test_versions_are_counted() -> None:
    assert list(VERDICT_CHANGES) == list(range(FIRST_VERSION, VERDICT_VERSION + 1))


def test_the_changelog_has_every_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\s*\| (\d+) \| (.*) \|$", text, re.MULTILINE)
    assert {int(number): changed for number, changed in rows} == dict(VERDICT_CHANGES)


@pytest.mark.parametrize(
    ("arguments", "version"),
    [
        (("validate", *TASK, FERRY / "p01.plan"), VERDICT_VERSION),
        (
            ("solve", *TASK, "--planner", f"t=cmd:/bin/cp {FERRY}/p01.plan {{plan}}"),
            VERDICT_VERSION,
        ),
        (("solve", *TASK, "--planner", "t=cmd:true"), None),
    ],
)
def test_printed_verdicts_have_the_version(
    cli_here: CliHere, tmp_path: Path, arguments: tuple[str | Path, ...], version: int | None
) -> None:
    printed = cli_here(*arguments, "--json", cwd=tmp_path)
    assert json.loads(printed.out)["verdict_version"] == version
