"""Tests of the formats in which planners print plans: a folder has an output and its plan."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import CliHere, Done

from pddl_pipeline import Limits, read_task, solve, validate
from pddl_pipeline.model.errors import InputError, PlanSyntaxError
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.validation.plan_formats import ipc_plan, look_alike, plan_formats

CASES = Path(__file__).parent / "planner_output"
FOLDER = domain_folder("blocksworld")
TASK = FOLDER / "domain.pddl", FOLDER / "p01.pddl"
PLANS = sorted(path.parent for path in CASES.glob("*/plan"))
FORM = {
    "fd-log-anytime": "fd-log",
    "symk": "fd-log",
    "ff-goal-holds": "ff",
    "enhsp-goal-holds": "enhsp",
    "lpg-goal-holds": "lpg",
    "ff-metric": "ff",
    "lpg-older": "lpg",
    "lpg-plan-file": "lpg",
    "up-timed": "up",
    "lpg-without-heading": "lpg",
    "popf-solutions-in-comments": "popf",
    "enhsp-waiting": "enhsp",
}


@pytest.mark.parametrize("case", PLANS, ids=lambda case: case.name)
def test_the_plan_in_an_output(case: Path) -> None:
    output, plan = ((case / name).read_text() for name in ("output", "plan"))
    form = FORM.get(case.name, case.name)
    assert ipc_plan(output, form) == ipc_plan(output, "auto") == plan
    if form != "pyperplan":
        assert getattr(look_alike(output, read_task(*TASK)), "name", None) == form
    if plan:
        assert validate(*TASK, output, plan_format=form).status is Status.VALID


@pytest.mark.parametrize("case", sorted(CASES.glob("no-plan-*")), ids=lambda case: case.name)
@pytest.mark.parametrize("form", sorted(plan_formats().keys() - {"ipc", "pyperplan"}))
def test_an_output_without_a_plan_is_not_the_empty_plan(case: Path, form: str) -> None:
    output = (case / "output").read_text()
    assert look_alike(output, read_task(*TASK)) is None
    with pytest.raises(PlanSyntaxError):
        ipc_plan(output, form)
    assert validate(*TASK, output, plan_format=form).status is Status.MALFORMED


def test_every_format_has_a_case() -> None:
    tested = {FORM.get(case.name, case.name) for case in PLANS}
    assert tested == plan_formats().keys() - {"auto", "ipc"}


def test_a_format_that_does_not_exist() -> None:
    with pytest.raises(InputError, match="unknown plan format 'enshp'; did you mean 'enhsp'"):
        ipc_plan("", "enshp")


@pytest.mark.parametrize(
    ("case", "form", "other"), [("ff", "ff", "lpg"), ("lpg-without-heading", "lpg", "ff")]
)
def test_the_command_names_the_format_and_reads_it(
    cli_here: CliHere, tmp_path: Path, case: str, form: str, other: str
) -> None:
    def judge(case: str, *options: str) -> Done:
        return cli_here("validate", *TASK, CASES / case / "output", *options, cwd=tmp_path)

    strict = judge(case)
    assert (strict.status, f"try --plan-format {form}\n" in strict.out) == (2, True)
    found = [judge(case, "--plan-format", each).status for each in (form, "auto", other)]
    assert found == [0, 0, 2]
    assert "--plan-format" not in judge("no-plan-prose").out


def test_a_plan_in_an_output_is_judged_like_any_other() -> None:
    cut = (CASES / "ff" / "output").read_text().replace("        5: STACK B1 B2\n", "")
    verdict = validate(*TASK, cut, plan_format="auto")
    assert (verdict.status, verdict.steps) == (Status.INVALID, 5)


@pytest.mark.parametrize("planner", ["lama-first", "enhsp"])
def test_the_output_of_a_planner_has_its_plan(planner: str) -> None:
    attempt = solve(*TASK, planner, Limits(time_s=60)).attempt
    assert ipc_plan(attempt.log.decode(), "auto") == attempt.plan
