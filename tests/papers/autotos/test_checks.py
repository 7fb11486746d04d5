"""AutoToS's checks: what passes, and each of the ten categories of errors."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from failing_code import CASES
from places import DATA as PUBLIC_DATA

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.autotos.checks import (
    Checked,
    Checks,
    Stage,
    UnitTests,
    check_code,
    own_folder,
    read_unit_tests,
)
from pddl_pipeline.papers.autotos.domains import DOMAINS
from pddl_pipeline.papers.autotos.feedback import feedback
from pddl_pipeline.papers.autotos.published_log import asked_for
from pddl_pipeline.planners.foreign_code.guarded import Category, Guarded
from pddl_pipeline.planners.foreign_code.process import Functions, Returned
from pddl_pipeline.planners.foreign_code.worker import decode, encode
from pddl_pipeline.search.black_boxes.domain import Domain
from pddl_pipeline.search.space import Bounds

BOUNDS = Bounds(1500, 60)
DATA = PUBLIC_DATA / "autotos"


class OwnFunctions(Functions):
    """The project's own functions of a domain, which no code in the sandbox can call."""

    def __init__(self, domain: Domain) -> None:
        super().__init__(())
        self._domain = domain

    def call(self, function: str, *arguments: Any) -> Returned:
        self.calls += 1
        result = getattr(self._domain, function)(*arguments)
        return Returned(decode(encode([*result] if function == "succ" else result)), None)


def checked_own(domain: Domain, tests: UnitTests, bounds: Bounds) -> Checked:
    functions, done = OwnFunctions(domain), Checked()
    checks = Checks(Guarded(functions, domain), domain, bounds, done)
    for stage in (checks.goal_tests, checks.soundness, checks.completeness):
        stage(tests)
    done.calls = functions.calls
    return done


def checked(code: str, domain: str = "24game", *, call_s: float = 0.5) -> Checked:
    found = DOMAINS[domain]
    return check_code(code, found, read_unit_tests(own_folder(found), found), BOUNDS, call_s)


@pytest.mark.parametrize("domain", DOMAINS.values(), ids=DOMAINS)
def test_own_functions_pass_own_tests(domain: Domain) -> None:
    done = checked_own(domain, read_unit_tests(own_folder(domain), domain), BOUNDS)
    assert done.stage is Stage.COMPLETENESS
    assert min(done.goal_tests, done.searches, done.successor_tests, done.states) > 1
    assert done.calls >= done.goal_tests + done.successor_tests + 2 * done.states


@pytest.mark.long
@pytest.mark.skipif(not DATA.is_dir(), reason="the public datasets are not here")
@pytest.mark.parametrize(
    ("name", "counts"),
    [("24game", (6, 10, 29)), ("blocksworld", (4, 10, 20)), ("sokoban", (6, 3, 4))],
)
def test_own_functions_pass_the_tests_of_autotos(name: str, counts: tuple[int, ...]) -> None:
    tests = read_unit_tests(DATA / name, DOMAINS[name])
    done = checked_own(DOMAINS[name], tests, Bounds(10**5, 60))
    assert (done.goal_tests, done.searches, done.successor_tests) == counts


REMEMBER = (
    "Remember how you fixed the previous mistakes, if any. Keep the same function signature.\n"
)
GRID = "Error occurred for grid configuration: [[1, 1,…"
# Line by line what AutoToS prints, as in its logs of the 24 game; … is any text.
FEEDBACK = {
    "24 and more": (
        "The goal test function failed on the following input state [24, 24], incorrectly "
        "reporting it as a goal state.\n"
        "First think step by step what it means for a state to be a goal state in this domain. "
        "Then think through in words why the goal test function incorrectly reported input "
        "state: [24, 24] as a goal state. Now, revise the goal test function and ensure it "
        f"returns false for the input state.\n{REMEMBER}"
    ),
    "no division": (
        "Successor function when run on the state [2, 7] failed to produce all successors.\n"
        "Missing successors are: [[0.2857142857142857], [3.5]]\n"
        "First think step by step why the successor function failed to produce all successors of "
        f"the state.\nThen, fix the successor function.\n{REMEMBER}"
    ),
    "too short": (
        "Invalid transformation: length mismatch - the length of a successor must be one less "
        "than the parent.\n"
        "Let's think step by step. First think through in words why the successor function "
        "produced a successor that had a length that was not exactly one less than the parent. "
        "Then provide the complete Python code for the revised successor function that ensures "
        f"the length of a successor is exactly one less than the parent.\n{REMEMBER}\n"
        "Input state: [2, 3, 4, 9]\nExample wrong successor state: [5]\n"
    ),
    "by zero": (
        "The following exception was produced when testing the successor function: \n"
        '  File "<string>", line 9, in succ\n\n'
        "division by zero. Please fix this exception in the successor function."
    ),
    "no colon": "The code contains syntax error: expected ':' (<string>, line 1)\n…",
    "through stones": GRID,
    # As in AutoToS, the grid is not in what is said of an exception in succ.
    "no list": "The following exception was produced when…",
    "by zero at the goal": GRID,
    "always": "…\nGoal: {'clear': [], 'on-table': [], 'on': [('a', 'b')]}\n",
}


# One case for each category and function, and those whose feedback is compared.
KINDS = {(case.category, case.function): name for name, case in CASES.items()}
QUICK = {*FEEDBACK, *KINDS.values()}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.long) for n in CASES]
)
def test_each_category(name: str) -> None:
    case = CASES[name]
    done = checked(case.code, case.domain)
    assert done.failure
    found = (done.failure.category, done.failure.function, done.stage)
    assert found == (case.category, case.function, case.stage), done.failure
    assert "\n" not in done.failure.reason
    pattern = re.escape(FEEDBACK.get(name, "…")).replace("…", ".*\\w.*")
    assert re.fullmatch(pattern, feedback(done.failure.fault), re.DOTALL)
    if case.domain == "24game":  # the domain of the published logs
        assert asked_for(feedback(done.failure.fault)) == (case.function, case.category)


def test_there_are_the_ten_of_the_paper() -> None:
    assert {case.category for case in CASES.values()} == set(Category)
    assert len(Category) == 10


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("blocks_goals.jsonl", None, "found 0 files *_goals.jsonl, expected 1"),
        ("more_goals.jsonl", "", "found 2 files *_goals.jsonl, expected 1"),
        ("blocks_goals.jsonl", '\n{"state": ',
         "blocks_goals.jsonl:2:11: expected a JSON value, found the end of the line"),
        ("blocks_goals.jsonl", "[" * 100_000, "blocks_goals.jsonl:1: nested too deeply"),
        ("blocks_goals.jsonl", '{"state": {}}', "blocks_goals.jsonl:1: found no 'goal', expected"),
        ("blocks_successors.jsonl", "[1, 2]", "blocks_successors.jsonl:1: "),
        ("unittests.csv", "none.pddl, 3", "none.pddl: cannot be read"),
        ("unittests_instances/a.pddl", "(define", "a.pddl:1:"),
    ],
)  # fmt: skip
def test_tests_that_are_none(tmp_path: Path, file: str, content: str | None, said: str) -> None:
    domain = DOMAINS["blocksworld"]
    (tmp_path / "unittests_instances").mkdir()
    for each in own_folder(domain).glob("*.jsonl"):
        (tmp_path / each.name).write_text(each.read_text())
    (tmp_path / file).unlink(missing_ok=True)
    if content is not None:
        (tmp_path / file).write_text(content)
    with pytest.raises(InputError, match=re.escape(said)):
        read_unit_tests(tmp_path, domain)


def test_a_file_may_be_one_list(tmp_path: Path) -> None:
    domain = DOMAINS["blocksworld"]
    for each in own_folder(domain).glob("*.jsonl"):
        lines = [json.loads(line) for line in each.read_text().splitlines()]
        (tmp_path / each.name).write_text(json.dumps(lines, indent=1))
    (tmp_path / "unittests_instances").symlink_to(own_folder(domain) / "unittests_instances")
    assert read_unit_tests(tmp_path, domain) == read_unit_tests(own_folder(domain), domain)
