"""Plans that are judged again: domains with a referee, several plans, encodings, versions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from store_results import RESULT, read_store

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.runs.jobs import Finished, problem_hash, run_key
from pddl_pipeline.runs.rejudging import Rejudged, rejudge
from pddl_pipeline.runs.store import RunStore
from pddl_pipeline.translators import encodings_of, translate
from pddl_pipeline.translators.datasets import load_records
from pddl_pipeline.validation.version import VERDICT_VERSION

# No release: the key of a run has the version that was installed when it was made.
VERSION = "unified-planning 0.1, engine 0.1"


def first(domain: str) -> tuple[Instance[Any], tuple[str, ...]]:
    """Return the first problem of a domain, and a valid plan."""
    (instance,) = load_records(domain_folder(domain) / "p01.pddl")
    plan = (domain_folder(domain) / "p01.plan").read_text().splitlines()
    return instance, tuple(line for line in plan if line.startswith("("))


def old_run(
    instance: Instance[Any],
    plan: tuple[str, ...],
    *,
    planner: str = "lama-first",
    encoding: str = "paper",
    **fields: Any,
) -> RunResult:
    """Return a run with an undecided verdict of the first version."""
    problem = translate(instance, encoding=encoding)
    key = run_key(instance, problem, planner_named(planner), Limits(60, 2**30))
    result = replace(
        RESULT, key=key, id=instance.id, domain=instance.domain, size=instance.size, plan=plan,
        planner=planner, planner_version=VERSION, status=Status.UNDECIDED, cost=None,
        problem=problem_hash(problem),
        limits={"time_s": 60, "cpu_s": None, "memory_mb": 1024.0, "hit": None},
    )  # fmt: skip
    return replace(result, **fields)


def judged_again(
    folder: Path, runs: list[Finished], instances: list[Instance[Any]]
) -> tuple[Rejudged, list[RunResult]]:
    with RunStore(folder) as store:
        for run in runs:
            store.add(run)
        for instance in instances:
            for encoding in encodings_of(instance):
                store.keep_problem(problem_hash(translate(instance, encoding=encoding)), instance)
        done = rejudge(store)
    return done, read_store(folder)


@pytest.mark.parametrize(
    ("domain", "encoding"),
    [
        ("ferry", "paper"), ("countdown", "paper"), ("countdown", "rational"),
        ("budget-blocksworld", "paper"),
    ],
)  # fmt: skip
def test_only_the_verdict_changes(tmp_path: Path, domain: str, encoding: str) -> None:
    instance, plan = first(domain)
    run = old_run(instance, plan, encoding=encoding)
    done, (result,) = judged_again(tmp_path, [Finished(run, {})], [instance])
    assert (done.judged, done.left) == (1, {})
    assert (result.status, result.verdict_version) == (Status.VALID, VERDICT_VERSION)
    assert result.problem == problem_hash(translate(instance, encoding=encoding))
    assert result.opinions == {"referee": {"status": "valid", "reason": None}}
    assert result.maximise is False  # which stores of former versions lack
    changed = {"status", "verdict_version", "opinions", "cost", "steps", "maximise"}
    for name in set(RunResult.__slots__) - changed:
        assert getattr(result, name) == getattr(run, name), name


def test_a_referee_contradicts_a_plan_as_in_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance, plan = first("ferry")
    monkeypatch.setattr(
        "pddl_pipeline.translators.judging.referee_fault", lambda *_: "the ferry sank"
    )
    run = old_run(instance, plan, status=Status.VALID, cost=len(plan))
    done, (result,) = judged_again(tmp_path, [Finished(run, {})], [instance])
    assert [(change.old, change.new) for change in done.changes] == [
        (f"valid, cost {len(plan)}", f"disputed, cost {result.cost}")
    ]
    assert "the ferry sank" in (result.reason or "")


def test_all_plans_of_a_run_are_judged(tmp_path: Path) -> None:
    instance, plan = first("ferry")
    good, bad = ("".join(f"{step}\n" for step in steps).encode() for steps in (plan, plan[1:]))
    several = {"plans": 2, "status": Status.VALID, "planner": "symk-topk"}
    runs = [
        Finished(old_run(instance, plan, **several), {"1.plan": good, "2.plan": bad}),
        Finished(old_run(instance, plan, **several | {"planner": "kstar-topk"}), {"1.plan": good}),
        Finished(
            old_run(instance, plan, **several | {"planner": "kstar-topq"}),
            {"1.plan": good, "2.plan": good},
        ),
    ]
    done, (worse, cut, same) = judged_again(tmp_path, runs, [instance])
    assert (worse.status, same.status) == (Status.INVALID, Status.VALID)
    assert (worse.reason or "").startswith("plan 2 of 2: ")
    assert cut == runs[1].result
    assert [*done.left] == ["not all of its 2 plans are stored"]
    assert done.judged == 2


def test_superseded_runs_are_judged_too(tmp_path: Path) -> None:
    """A report still counts their valid plans."""
    instance, plan = first("ferry")
    run = old_run(instance, plan[1:], status=Status.VALID)
    with RunStore(tmp_path) as store:
        store.add(Finished(run, {}))
    done, results = judged_again(tmp_path, [Finished(run, {})], [instance])
    assert done.judged == 2
    assert [result.status for result in results] == [Status.INVALID] * 2


def test_a_store_can_be_written_after_its_plans_were_judged(tmp_path: Path) -> None:
    instance, plan = first("ferry")
    run = old_run(instance, plan)
    with RunStore(tmp_path) as store:
        store.keep_problem(run.problem, instance)
        store.add(Finished(run, {}))
        rejudge(store)
        assert [summary.solved for summary in store.known.values()] == [True]
        store.add(Finished(RESULT, {}))
    assert [result.status for result in read_store(tmp_path)] == [Status.VALID] * 2


@pytest.mark.parametrize("is_former", [False, True])
def test_a_stored_problem_is_enough_and_a_damaged_one_is_none(
    tmp_path: Path, *, is_former: bool
) -> None:
    _, plan = first("budget-blocksworld")
    instance = next(load_records(domain_folder("budget-blocksworld") / "examples.jsonl"))
    problem = problem_hash(translate(instance))
    with RunStore(tmp_path) as store:
        store.keep_problem(problem, instance)
    (file,) = (tmp_path / "problems").glob("??/*")
    if is_former:  # stores of former versions had one folder
        file = file.rename(tmp_path / "problems" / file.name)
    content = file.read_bytes()
    result = replace(old_run(instance, plan), planner="mine", problem=problem)
    (tmp_path / "runs.jsonl").touch()
    for damage in (b"", content[:-9], b"x" + content):
        file.write_bytes(damage)
        done, (same,) = judged_again(tmp_path, [Finished(result, {})], [])
        assert (same, len(done.left)) == (result, 1)
        (tmp_path / "runs.jsonl").write_bytes(b"")
    file.write_bytes(content)
    _, (again,) = judged_again(tmp_path, [Finished(result, {})], [])
    assert (again.status, again.within_budget) == (Status.VALID, True)
