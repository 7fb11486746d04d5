"""Tests of the formats in which planners print plans: a folder has an output and its plan."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command_line import CliHere, Done
from hypothesis import given, settings
from hypothesis import strategies as st

from pddl_pipeline import Limits, read_task, solve, validate
from pddl_pipeline.model.errors import InputError, PlanSyntaxError
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.validation.plan_formats import (
    AUTO,
    LOG,
    ipc_plan,
    judge_output,
    look_alike,
    plan_formats,
)

CASES = Path(__file__).parent / "planner_output"
FOLDER = domain_folder("blocksworld")
TASK = FOLDER / "domain.pddl", FOLDER / "p01.pddl"
PLANS = sorted(path.parent for path in CASES.glob("*/plan"))


def form_of(case: Path) -> str:
    """Return the format of a case, which is the first part of its name."""
    formats = [form for form in plan_formats() if case.name.startswith(form)]
    return max(formats, key=len, default="fd-log")


@pytest.mark.parametrize("case", PLANS, ids=lambda case: case.name)
def test_the_plan_in_an_output(case: Path) -> None:
    output, plan = ((case / name).read_text() for name in ("output", "plan"))
    form = form_of(case)
    assert ipc_plan(output, form) == ipc_plan(output, LOG if form == LOG else AUTO) == plan
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


@pytest.mark.parametrize(
    "item",
    [
        '"stack a b"', '"stack(a, b)"', '["stack", "a", "b"]', '("stack", "a", "b")',
        '{"name": "stack", "parameters": ["a", "b"]}', '{"action": "stack", "args": "a b"}',
        '{"name": "stack", "arguments": {"x": "a", "y": "b"}}',
    ],
)  # fmt: skip
def test_a_step_in_json(item: str) -> None:
    assert ipc_plan(f'{{"actions": [{item}], "cost": 1}}', AUTO) == "(stack a b)\n"


def test_the_format_of_logs_is_not_proposed_for_a_plan_file() -> None:
    """It would lose the line without parentheses."""
    assert look_alike("(stack b2 b3)\nstack b1 b2\n", read_task(*TASK)) is None


def test_every_format_has_a_case() -> None:
    tested = set(map(form_of, PLANS))
    assert tested == plan_formats().keys() - {"auto", "ipc"}


@pytest.mark.parametrize(
    ("text", "form", "fault"),
    [
        ("", "enshp", "unknown plan format 'enshp'; did you mean 'enhsp'"),
        ('{"plans": [["(move a b)"], ["(move b a)"]]}', AUTO, "found 2 plans, expected one"),
        ('["(move a b)",\n# "(move b a)"\n]', AUTO, "is not JSON"),  # nor a list of Python
    ],
)
def test_faults(text: str, form: str, fault: str) -> None:
    with pytest.raises((InputError, PlanSyntaxError), match=fault):
        ipc_plan(text, form)


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


@pytest.mark.parametrize("planner", ["lama-first", "enhsp"])
def test_the_output_of_a_planner_has_its_plan(planner: str) -> None:
    attempt = solve(*TASK, planner, Limits(time_s=60)).attempt
    assert ipc_plan(attempt.log.decode(), "auto") == attempt.plan


JUDGE = read_task(*TASK)
STEP = re.compile(r"\b(?:unstack|put-down|pick-up|stack)[ (]b\d", re.IGNORECASE)
FORMS = sorted(plan_formats().keys() - {AUTO, "ipc"})
OF_FORM = {form: [case for case in PLANS if form_of(case) == form] for form in FORMS}


NUMBERED = ["enhsp", "fd-log", "ff", "json-simple", "lapkt", "lpg", "madagascar", "pddl4j", "symk"]


@pytest.mark.parametrize("name", NUMBERED)
def test_a_printed_number_must_agree(name: str) -> None:
    lines = (CASES / name / "output").read_text().splitlines()
    for at in [at for at, line in enumerate(lines) if STEP.search(line)][:-1]:
        text = "\n".join(lines[:at] + lines[at + 1 :])
        assert validate(*TASK, text, plan_format="auto").status is Status.MALFORMED


@st.composite
def broken_outputs(draw: st.DrawFn, form: str) -> tuple[str, str, int]:
    """Return an output with one broken line, a format, and the number of steps to be read."""
    case: Path = draw(
        st.sampled_from([each for each in OF_FORM[form] if STEP.search(plan_of(each))])
    )
    lines = (case / "output").read_text().split("\n")
    at = draw(st.integers(0, len(lines) - 1))
    line, count = lines[at], len(STEP.findall(lines[at]))
    # In the IPC format, a semicolon begins a comment, which may be the whole text.
    has_comments = case.name in ("pyperplan", "json-files", "json-python", "up-list", "log")
    has_comments |= len(list(filter(str.strip, lines))) == 1
    signs = "()[]:,.#x5 \t" + ("" if has_comments else ";")
    place, sign = draw(st.integers(0, len(line))), draw(st.sampled_from(signs))
    left = len(STEP.findall(plan_of(case)))
    is_of_last_plan = len(STEP.findall("\n".join(lines[at:]))) <= left
    match draw(st.sampled_from(["delete", "duplicate", "cut", "insert", "replace", "remove"])):
        case "delete":
            lines[at : at + 1], left = [], left - count * is_of_last_plan
        case "duplicate":
            lines[at:at], left = [line], left + count * is_of_last_plan
        case "cut":
            lines[at] = line[:place]
            left -= 0 if lines[at].strip() else count * is_of_last_plan
        case "insert":
            lines[at] = line[:place] + sign + line[place:]
        case "replace":
            lines[at] = line[:place] + sign + line[place + 1 :]
        case _:
            lines[at] = line[:place] + line[place + 1 :]
    return "\n".join(lines), draw(st.sampled_from([form, AUTO, LOG])), left


def plan_of(case: Path) -> str:
    return (case / "plan").read_text()


def check(broken: tuple[str, str, int]) -> None:
    text, form, count = broken
    _, verdict = judge_output(text, form, JUDGE, JUDGE.judge)
    assert verdict.status is Status.MALFORMED or verdict.steps == count, (verdict, text)


@pytest.mark.parametrize("count", [60, pytest.param(300, marks=pytest.mark.long)])
@pytest.mark.parametrize("form", FORMS)
def test_a_broken_line_never_loses_a_step(form: str, count: int) -> None:
    settings(max_examples=count)(given(broken_outputs(form))(check))()
