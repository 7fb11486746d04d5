"""``--lenient``: problems that are not PDDL, but that other parsers read."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree
from typing import TYPE_CHECKING

import pytest
from command_line import check_mistake
from places import TESTS

from pddl_pipeline import load_records, read_task, validate
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.translators.datasets import ReadOptions
from pddl_pipeline.validation.problem_reader import IgnoredPddl, lenient_problem

if TYPE_CHECKING:
    from command_line import CliHere

FILES = ("domain.pddl", "problem.pddl", "plan")
FAULT = "problem.pddl:4:14: unknown function 'fuel-used'; --lenient ignores it"
IGNORED = "problem.pddl:4:10: ignored: unknown function 'fuel-used'"


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """Return a folder with a problem that gives a value to an undeclared function."""
    source = TESTS / "validation" / "cases" / "init_undeclared_function"
    return copytree(source, tmp_path / "case")


def test_validate_is_strict_and_names_the_option(cli_here: CliHere, case: Path) -> None:
    check_mistake(cli_here("validate", *FILES, cwd=case), FAULT)


def test_validate_leniently_warns_and_judges(cli_here: CliHere, case: Path) -> None:
    done = cli_here("validate", *FILES, "--lenient", "--json", "--cross-check", "up", cwd=case)
    found = json.loads(done.out)
    assert (done.status, found["status"], found["opinions"]["up"]["status"]) == (0, *["valid"] * 2)
    assert done.err == f"warning: {IGNORED}\n"
    (case / "plan").write_text("(sell)(sell)")
    done = cli_here("validate", *FILES, "--lenient", cwd=case)
    assert (done.status, "goal not satisfied" in done.out) == (1, True)


@pytest.mark.parametrize("change", [("(= (price) 4)", "(= (price cash) 4)"), ("sold", "old")])
def test_what_others_do_not_forgive_stays_an_error(
    cli_here: CliHere, case: Path, change: tuple[str, str]
) -> None:
    (case / "problem.pddl").write_text((case / "problem.pddl").read_text().replace(*change))
    done = cli_here("validate", *FILES, "--lenient", cwd=case)
    assert (done.status, done.out, "--lenient" in done.err) == (2, "", False)


def test_solve_and_translate_use_what_is_kept(cli_here: CliHere, case: Path) -> None:
    assert cli_here("translate", ".", "-o", "out", cwd=case).status == 2
    done = cli_here("translate", ".", "-o", "out", "--lenient", cwd=case)
    assert (done.status, done.err.count(f"warning: {IGNORED}")) == (0, 1)
    (kept,) = (case / "out").rglob("problem.pddl")
    given = (case / "problem.pddl").read_text()
    assert kept.read_text() == given.replace("(= (fuel-used ) 0)", " " * 18)
    done = cli_here("solve", *FILES[:2], "--planner", "bfs", "--lenient", cwd=case)
    assert (done.status, done.out.splitlines()[0]) == (0, "(sell)")
    assert done.err.startswith(f"warning: {IGNORED}")


def test_library(case: Path) -> None:
    domain, problem, plan = (case / name for name in FILES)
    with pytest.raises(InputError, match="fuel-used"):
        list(load_records(case))
    heard: list[str] = []
    (instance,) = load_records(case, source=ReadOptions(on_ignored=heard.append))
    assert "fuel-used" not in instance.record.problem
    assert heard == [f"{case}/{IGNORED}"]
    with pytest.warns(IgnoredPddl, match="fuel-used") as warned:
        assert validate(domain, problem, plan, lenient=True).status is Status.VALID
    with pytest.warns(IgnoredPddl, match="fuel-used") as again:
        read_task(domain, problem, lenient=True)
    assert [each.filename for each in (*warned, *again)] == [__file__] * 2


def test_everything_else_stays_in_its_place() -> None:
    domain = "(define (domain d) (:predicates (p)) (:functions (f)))"
    problem = (
        "(define (problem x) (:domain d)\r\n(:init (= (g) 1) ; (= (g) 1\r\n (= (F)\n 1.0) (p)"
        " (= (f) 2) (= (h a) 3))\n(:goal (p)) (:metric minimize (f))\n(:metric maximize (f)))"
    )
    kept = lenient_problem((domain, "d"), (problem, "x"))
    assert kept.text == (
        "(define (problem x) (:domain d)\r\n(:init           ; (= (g) 1\r\n       \n      (p)"
        " (= (f) 2)            )\n(:goal (p)) (:metric minimize (f))\n" + " " * 22 + ")"
    )
    assert kept.ignored == (
        "x:2:8: ignored: unknown function 'g'",
        "x:3:2: ignored: (f) is given two values",
        "x:4:21: ignored: unknown function 'h'",
        "x:6:1: ignored: found a second (:metric …)",
    )
    assert lenient_problem((domain, "d"), (kept.text, "x")) == (kept.text, ())
