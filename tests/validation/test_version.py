"""The changelog names every version of the verdicts, and what prints verdicts has the version."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

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


def test_printed_verdicts_have_the_version(cli_here: CliHere, tmp_path: Path) -> None:
    plan = FERRY / "p01.plan"
    validated = cli_here("validate", *TASK, plan, "--json", cwd=tmp_path)
    assert json.loads(validated.out)["verdict_version"] == VERDICT_VERSION
    planner = f"copy=cmd:/bin/cp {plan} {{plan}}"
    solved = cli_here("solve", *TASK, "--planner", planner, "--json", cwd=tmp_path)
    assert json.loads(solved.out)["verdict_version"] == VERDICT_VERSION
    unsolved = cli_here("solve", *TASK, "--planner", "t=cmd:true", "--json", cwd=tmp_path)
    assert json.loads(unsolved.out)["verdict_version"] is None
