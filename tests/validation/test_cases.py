"""The semantics of PDDL, case by case.

A case is a folder: domain.pddl, problem.pddl, plan, and expected.json with the status, and the
cost, failed step and reason if there are any. ``advice`` lists the lines of repair advice, as VAL
prints them; ``val`` is VAL's answer if it differs (see `val_program.ValAnswer`); ``lenient`` is
the answer to a lenient reading, with what it ignores.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pddl_pipeline import read_task
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.number import number_json
from pddl_pipeline.validation.problem_reader import IgnoredPddl

CASES = sorted(path.parent for path in Path(__file__).parent.glob("cases/*/expected.json"))


def found(case: Path, *, lenient: bool = False) -> dict[str, Any]:
    try:
        task = read_task(case / "domain.pddl", case / "problem.pddl", lenient=lenient)
    except InputError as error:
        return {"status": "input-error", "reason": str(error)}
    verdict = task.judge((case / "plan").read_bytes().decode("utf-8", errors="replace"))
    return {
        "status": str(verdict.status),
        "cost": number_json(verdict.cost),
        "failed_step": verdict.failed_step,
        "reason": verdict.reason,
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Path) -> None:
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    expected.pop("val", None)
    advice = expected.pop("advice", None)
    lenient = expected.pop("lenient", None)
    answer = {name: value for name, value in found(case).items() if value is not None}
    if "reason" in answer:
        answer["reason"] = answer["reason"].replace(f"{case}/", "")
    assert answer == expected
    if advice is not None:
        assert advice_on(case) == advice
    if lenient is not None:
        ignored = [message.replace("problem.pddl:", "") for message in lenient.pop("ignored")]
        with pytest.warns(IgnoredPddl) as warned:
            answer = {name: x for name, x in found(case, lenient=True).items() if x is not None}
        assert answer == lenient
        place = f"{case / 'problem.pddl'}:"
        assert [str(each.message).replace(place, "") for each in warned] == ignored


def advice_on(case: Path) -> list[str]:
    task = read_task(case / "domain.pddl", case / "problem.pddl")
    *_, last = task.narrate((case / "plan").read_text(encoding="utf-8"))
    return [line for failure in last.failures for line in failure.advice.splitlines()]
