"""`check-code`, and `--search-code` of `solve` and `run`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from failing_code import GOAL_24, SUCC_24
from places import ROOT

from pddl_pipeline.papers.autotos.checks import check_code, own_folder, read_unit_tests
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.runs.store import read_store
from pddl_pipeline.search.black_boxes.domain import domains
from pddl_pipeline.search.space import Bounds

if TYPE_CHECKING:
    from command_line import Cli

EXAMPLE = ROOT / "examples" / "search-code" / "blocksworld.md"
BLOCKSWORLD = domain_folder("blocksworld")
TASK = (BLOCKSWORLD / "domain.pddl", BLOCKSWORLD / "p01.pddl")


def test_code_that_passes(cli: Cli) -> None:
    done = cli("autotos", "check", EXAMPLE, "--domain", "blocksworld")
    assert (done.status, done.err) == (0, "")
    assert "passed (goal tests: 9, searches: 3, states: " in done.out
    assert done.out.endswith(", successor tests: 4)\n")


def test_code_that_passes_as_json(cli: Cli) -> None:
    done = cli("autotos", "check", EXAMPLE, "--domain", "blocksworld", "--json")
    assert done.status == 0
    found = json.loads(done.out)
    assert (found["passed"], found["category"], found["feedback"]) == (True, None, None)
    assert (found["stage"], found["goal_tests"]) == ("completeness", 9)


def test_a_failure_is_its_category_and_the_feedback(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "answer.txt").write_text(SUCC_24.replace("x + y, ", "") + GOAL_24)
    done = cli("autotos", "check", "answer.txt", "--domain", "24game")
    assert done.status == 1
    head, blank, *feedback = done.out.splitlines()
    assert (head, blank) == ("answer.txt: succ-completeness (succ, completeness)", "")
    assert feedback[0].startswith("Successor function when run on the state [2, 7] failed")
    found = json.loads(cli("autotos", "check", "answer.txt", "--domain", "24game", "--json").out)
    assert found["feedback"].splitlines() == feedback
    assert (found["passed"], found["function"]) == (False, "succ")


def test_tests_of_others(cli: Cli, tmp_path: Path) -> None:
    folder = own_folder(domains()["blocksworld"])
    for file in folder.glob("*.jsonl"):
        (tmp_path / file.name).write_text(file.read_text().splitlines()[0])
    (tmp_path / "unittests.csv").write_text(f"{TASK[1]}, 6\n")
    done = cli("autotos", "check", EXAMPLE, "--domain", "blocksworld", "--tests", tmp_path)
    assert done.status == 0
    assert "passed (goal tests: 2, searches: 1, " in done.out


def test_the_limits_of_the_searches() -> None:
    domain = domains()["blocksworld"]
    tests = read_unit_tests(own_folder(domain), domain)
    found = check_code(EXAMPLE.read_text(), domain, tests, Bounds(3, 600)).failure
    assert found is not None
    assert found.category == "search-timeout"
    assert "no goal among 3 states" in found.reason


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing.py", "--domain", "24game"), "nothing.py: cannot be read"),
        ((EXAMPLE, "--domain", "ferry"), "'ferry' is not one of '24game', 'blocksworld'"),
        ((EXAMPLE,), "Missing option '--domain'"),
        ((EXAMPLE, "--domain", "24game", "--tests", "."), "found 0 files *_goals.jsonl"),
    ],
)
def test_bad_input_is_one_line(cli: Cli, arguments: tuple[str, ...], said: str) -> None:
    done = cli("autotos", "check", *arguments)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("planner", ["dfs:order=last,", "bfs:"])
def test_solve_with_code(cli: Cli, planner: str) -> None:
    done = cli("solve", *TASK, "--planner", f"{planner}code={EXAMPLE}")
    assert done.status == 0, done.err
    assert done.err.startswith(f"{planner}code={EXAMPLE}: plan-found")


def test_solve_with_code_that_fails(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "c.py").write_text("def succ(state): 1 / 0\ndef isgoal(state, goal): return False")
    done = cli("solve", *TASK, "--planner", "bfs:code=c.py")
    assert (done.status, done.out) == (1, "")
    assert "gave-up" in done.err
    assert "succ-exception: succ: ZeroDivisionError: division by zero" in done.err


def test_run_with_code_knows_it_by_what_it_says(cli: Cli, tmp_path: Path) -> None:
    data = tmp_path / "data.jsonl"
    data.write_text((BLOCKSWORLD / "examples.jsonl").read_text().splitlines()[0])
    (tmp_path / "c.md").write_text(EXAMPLE.read_text())
    for _ in range(2):
        assert cli("run", data, "--planner", "bfs:code=c.md", "-o", "runs").status == 0
    assert [result.status for result in read_store(tmp_path / "runs")] == ["valid"]
    (tmp_path / "c.md").write_text("no code")
    assert cli("run", data, "--planner", "bfs:code=c.md", "-o", "runs").status == 0
    assert len(list(read_store(tmp_path / "runs"))) == 2


def test_search_code_that_cannot_be(cli: Cli) -> None:
    said, arguments = "nothing.py: no such file", ("--planner", "bfs:code=nothing.py")
    done = cli("solve", *TASK, *arguments)
    assert done.status == 2
    assert said in done.err
    assert done.err.count("\n") == 1
