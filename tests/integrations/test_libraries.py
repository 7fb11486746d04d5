"""Problems of Unified Planning as objects, and Unified Planning as an opinion."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from data_kinds import FOREIGN
from up_problems import two_switches

from pddl_pipeline import Limits, load_records, read_task, run, solve, translate, validate
from pddl_pipeline.integrations.unified_planning.translating import to_up
from pddl_pipeline.model.errors import EngineError, PddlError
from pddl_pipeline.model.verdict import Opinion, Status
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.validation.opinions import open_validators

TEMPORAL = FOREIGN / "satellite"


def test_objects_are_accepted_wherever_texts_are(tmp_path: Path) -> None:
    made, plan = two_switches()[0], "(on-b) (on-c)"
    task = read_task(made)
    verdict = validate(made, plan, cross_check=["up"])
    assert task.judge(plan).status == verdict.status == "valid"
    assert verdict.opinions["up"].status is Status.VALID
    assert validate(made, plan.split(maxsplit=1)[0] + ")").status is not Status.VALID
    assert read_task(translate(made)).judge(plan) == task.judge(plan)
    assert [each.id for each in load_records([made])] == [task.facts.name]
    assert "<svg" in task._repr_html_()
    with pytest.raises(
        TypeError, match="found a text beside an object; name a planner with planner="
    ):
        solve(made, "lama-first")
    assert repr(solve(made, limits=Limits(time_s=60))).count("plan-found, valid")
    (result,) = run(made, tmp_path / "runs", "enhsp", limits=Limits(time_s=60), workers=1)
    assert result.status is Status.VALID


@pytest.mark.parametrize(
    ("plan", "place", "status", "reason"),
    [
        ("0: (sail l1 l0)\n0: (sail l1 l2)", "l1", "undecided", "does not support steps"),
        (None, "l0", "disputed", "reads a different problem: initial facts: only in the"),
    ],
)
def test_opinions_of_unified_planning(
    plan: str | None, place: str, status: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = domain_folder("ferry")
    task = read_task(folder / "domain.pddl", folder / "p01.pddl")
    # Unified Planning reads the texts of the task.
    theirs = tuple(text.replace("(at-ferry l1)", f"(at-ferry {place})") for text in task.texts)
    monkeypatch.setattr(task, "texts", theirs)
    (other,) = open_validators(["up"], "", "", task).values()
    opinion = other.judge((folder / "p01.plan").read_text() if plan is None else plan)
    assert opinion.status == status
    assert str(opinion.reason or "").startswith(reason)


def test_tasks_that_are_not_classical_are_neither_converted_nor_judged() -> None:
    files = TEMPORAL / "domain.pddl", TEMPORAL / "p01.pddl"
    verdict = validate(*files, TEMPORAL / "good.plan", cross_check=["up"])
    opinion = Opinion(Status.UNDECIDED, "a durative action is not classical")
    assert (verdict.status, verdict.opinions["up"]) == (Status.VALID, opinion)
    with pytest.raises(PddlError, match=r"domain\.pddl:18: a durative action is not classical"):
        to_up(read_task(*files))


def test_two_arguments_are_refused() -> None:
    problem = two_switches()[0]
    with pytest.raises(TypeError, match="found two arguments, expected one problem"):
        read_task(problem, problem)


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = domain_folder("ferry")
    task = read_task(folder / "domain.pddl", folder / "p01.pddl")
    monkeypatch.setitem(sys.modules, "pddl_pipeline.integrations.unified_planning", None)
    with pytest.raises(EngineError, match="unified_planning"):
        open_validators(["up"], "", "", task)
