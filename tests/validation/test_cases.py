"""The semantics of PDDL, case by case.

A case is a folder: domain.pddl, problem.pddl, plan, and expected.json with the status, and the
cost, failed step and reason if there are any. Some have the ``code``. ``advice`` lists the lines of
repair advice, as VAL prints them; ``val`` is VAL's answer if it differs (see
`val_program.ValAnswer`); ``lenient`` is the answer to a lenient reading, with what it ignores;
``discretised`` has the answers in steps of time, by their length.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pddl_pipeline import read_task
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.number import Number, number_json
from pddl_pipeline.validation.problem_reader import IgnoredPddl

# Those in steps_of_time are of PDDL+ as ENHSP reads and plans it, and VAL does not.
CASES = sorted(
    path.parent
    for folder in ("cases", "steps_of_time")
    for path in Path(__file__).parent.glob(f"{folder}/*/expected.json")
)


def found(case: Path, *, lenient: bool = False, delta: Number | None = None) -> dict[str, Any]:
    try:
        task = read_task(case / "domain.pddl", case / "problem.pddl", lenient=lenient)
    except InputError as error:
        return {"status": "input-error", "reason": str(error).replace(f"{case}/", "")}
    text = (case / "plan").read_bytes().decode("utf-8", errors="replace")
    verdict = task.judge(text, delta=delta)
    answer = {
        "status": str(verdict.status),
        "cost": number_json(verdict.cost),
        "failed_step": verdict.failed_step,
        "reason": verdict.reason and verdict.reason.replace(f"{case}/", ""),
    }
    return {name: value for name, value in answer.items() if value is not None}


def code(case: Path) -> str | None:
    try:
        task = read_task(case / "domain.pddl", case / "problem.pddl")
    except InputError as error:
        return error.code
    return task.judge((case / "plan").read_bytes().decode("utf-8", errors="replace")).code


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Path) -> None:
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    others = {name: expected.pop(name, None) for name in ("val", "advice", "lenient")}
    if "code" in expected:
        assert code(case) == expected.pop("code")
    in_steps = expected.pop("discretised", {})
    assert found(case) == expected
    for delta, answer in in_steps.items():
        assert found(case, delta=Fraction(delta)) == answer
    if others["advice"] is not None:
        task = read_task(case / "domain.pddl", case / "problem.pddl")
        *_, last = task.narrate((case / "plan").read_text(encoding="utf-8"))
        lines = [line for failure in last.failures for line in failure.advice.splitlines()]
        assert lines == others["advice"]
    if others["lenient"] is not None:
        ignored = others["lenient"].pop("ignored")
        with pytest.warns(IgnoredPddl) as warned:
            assert found(case, lenient=True) == others["lenient"]
        assert [str(each.message).replace(f"{case}/", "") for each in warned] == ignored
