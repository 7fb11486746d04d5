"""A script that wraps a planner, compared with `lama-first` on three domains in one report."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from command_line import CliHere, write_script
from data_kinds import FOREIGN
from pddl_forms import MANY
from planner_outcomes import command_of

from pddl_pipeline.planners.registry import planner_named

DOMAINS = ("costs", "gripper", "numeric")
MINE = "mine=cmd:./planner.sh {domain} {problem} {plan}"
# It finds the cheapest plans, but loses the first step in one of the domains.
SCRIPT = """#!/bin/sh
# planner.sh DOMAIN PROBLEM PLAN
"{python}" "{driver}" --plan-file found "$1" "$2" --search "astar(blind())" || exit $?
if grep -q gripper "$1"; then sed -i 1d found; fi
mv found "$3"
"""
FIRST = r"""Crashed runs: 1
  numeric-p01 \(mine\): the planner ended with exit status 31: .*
Invalid plans: 1
  gripper-p01 \(mine\): step \d .*does not hold
Runs without a plan: 1 \(1 unsupported\)
  numeric-p01 \(lama-first\): lama-first does not support numeric problems
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    shutil.copytree(FOREIGN, tmp_path, dirs_exist_ok=True)
    driver = command_of(planner_named("lama-first")).words()[1]
    write_script(tmp_path / "planner.sh", SCRIPT.format(python=sys.executable, driver=driver))
    return tmp_path


def test_a_script_and_lama_first_in_one_report(cli_here: CliHere, place: Path) -> None:
    problems = [f"{name}/p01.pddl" for name in DOMAINS]
    planners = ("--planner", MINE, "--planner", "lama-first")
    done = cli_here("run", *problems, *planners, "--time-limit", "60s", "-o", "r", cwd=place)
    # The script's planner ends with an exit status of its own on the domain with numbers.
    assert done.status == 3, done.err
    report = cli_here("report", "r", cwd=place)
    assert done.out.startswith(report.out)
    assert re.match(FIRST, report.out)
    lines = map(json.loads, cli_here("report", "r", "--json", cwd=place).out.splitlines())
    rows = {
        (row["domain"], row["planner"]): (
            row["claimed"], row["validated"], row["mean_cost"], pytest.approx(row["ipc_sat"])
        )
        for row in lines
        if row["table"] == "coverage"
    }  # fmt: skip
    assert rows == {
        ("errand", "lama-first"): (1, 1, 7, 4 / 7),
        ("errand", "mine"): (1, 1, 4, 1),
        ("gripper-strips", "lama-first"): (1, 1, 5, 1),
        ("gripper-strips", "mine"): (1, 0, None, 0),
        ("van", "lama-first"): (0, 0, None, 0),
        ("van", "mine"): (0, 0, None, 0),
        ("all", "lama-first"): (2, 2, None, 1 + 4 / 7),
        ("all", "mine"): (2, 1, 4, 1),
    }


def test_ids_name_the_folder_of_a_file_name_that_occurs_twice(
    cli_here: CliHere, place: Path
) -> None:
    """The problems of two IPC domains have the same names, in whatever form they are given."""
    (place / "costs" / "p02.pddl").rename(place / "costs" / "errand.pddl")
    done = cli_here("translate", "costs", "gripper/p01.pddl", "derived", "-o", "out", cwd=place)
    assert done.status == 0, done.err
    lines = (place / "out" / "manifest.jsonl").read_text().splitlines()
    found = [json.loads(line)["id"] for line in lines]
    assert found == ["errand", "costs-p01", "gripper-p01", "derived-p01", "p02"]
    done = cli_here("translate", "costs", "costs", "-o", "twice", cwd=place)
    assert done.status == 2
    assert "'costs-errand' is already used" in done.err


# It prints a plan in the names of the PDDL that it is given, if that has no name with a dot.
OF_NAMES = """#!/bin/sh
grep -q 'b[.]' "$2" && exit 1
echo "(move ra rb)"; echo "(grab b-1 rb)"
"""


def test_planners_are_given_canonical_pddl_and_plans_have_the_users_names(
    cli_here: CliHere, tmp_path: Path
) -> None:
    for name, text in (("domain", MANY.domain_pddl), ("p01", MANY.problem_pddl)):
        (tmp_path / f"{name}.pddl").write_text(text)
    write_script(tmp_path / "names.sh", OF_NAMES)
    planners = ("--planner", "mine=cmd:./names.sh {domain} {problem}", "--planner", "lama-first")
    done = cli_here("run", "p01.pddl", *planners, "-o", "r", cwd=tmp_path)
    assert done.status == 0, done.err
    assert "Runs with canonical PDDL: 2 of 2" in done.out
    lines = (tmp_path / "r" / "runs.jsonl").read_text().splitlines()
    for run in map(json.loads, lines):
        assert (run["status"], run["rewritten"], run["cost_factor"]) == ("valid", True, 1)
        assert run["plan"][-1].startswith("(grab b.1")
        given = (tmp_path / "r" / run["log"]).with_name("problem.pddl").read_text()
        assert ("b.1" in given) == (run["planner"] == "lama-first")
    solved = cli_here("solve", "domain.pddl", "p01.pddl", *planners[:2], cwd=tmp_path)
    assert (solved.status, solved.out) == (0, "(move ra rb)\n(grab b.1 rb)\n; cost = 2\n")
