"""Results behave like values: a table of public results, and what Python does with values."""

from __future__ import annotations

import copy
import inspect
import json
import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import pddl_pipeline
from pddl_pipeline import (
    Attempt,
    Limits,
    Outcome,
    Report,
    RunResult,
    Score,
    Solution,
    State,
    Status,
    Step,
    Verdict,
    generate,
    load_records,
    read_task,
    report,
    reward,
    rewards,
    run,
    score,
    solve,
    translate,
    validate,
)
from pddl_pipeline.model.verdict import Opinion
from pddl_pipeline.pddl_domains import domain_folder

FERRY = domain_folder("ferry")
FILES = DOMAIN, PROBLEM, PLAN = [FERRY / name for name in ("domain.pddl", "p01.pddl", "p01.plan")]
ROWS = [
    {"numbers": [3, 4, 5, 6], "target": 24, "level": level, "answer": text}
    for level, text in enumerate(("(3 + 5 - 4) * 6", "I do not know.", "3 * 4 + 5 + 6"))
]
UNSURE: Any = TypeError


class Row(NamedTuple):
    """A result and what is expected of it."""

    value: Any
    truth: Any = True
    """The value of `bool`, or what it raises."""
    json: Callable[[Any], Any] | None = None
    """Returns what `json.dumps` writes; None if the result has no form in JSON."""
    ordered: bool = False
    copied: Callable[[Any], Any] = lambda value: value
    """Returns what is equal in copies: a task is equal to itself alone."""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Row]:
    store, limits, task = tmp_path_factory.mktemp("runs"), Limits(60), read_task(DOMAIN, PROBLEM)
    valid, instance = task.judge(PLAN), next(generate("ferry", 4, count=1))
    (ran,), solved = run(instance, store, ["bfs"], limits), solve(DOMAIN, PROBLEM, "bfs", limits)
    right, wrong, _ = score(ROWS)
    unsure = valid.replace(status=Status.UNDECIDED)
    disputed = valid.replace(status=Status.DISPUTED).with_opinion("val", Opinion(Status.INVALID))
    opened: Any = lambda value: value.to_json()  # noqa: E731
    return {
        "Attempt": Row(solved.attempt),
        "Instance": Row(instance),
        "Limits": Row(limits),
        "Outcome": Row(Outcome.CRASH, json=str, ordered=True),
        "Plan": Row(task.read_plan(PLAN), ordered=True),
        "Problem": Row(translate(instance)),
        "Report": Row(report(store), json=Report.columns),
        "Reward": Row(reward(ROWS[0]), json=float, ordered=True),
        "Reward, unreadable": Row(reward(ROWS[1]), truth=False, json=float, ordered=True),
        "RunResult": Row(ran, json=opened),
        "RunResult without a plan": Row(replace(ran, status=None), truth=False, json=opened),
        "RunResult, disputed": Row(replace(ran, status=Status.DISPUTED), UNSURE, opened),
        "Score": Row(right, json=opened),
        "Score, wrong": Row(wrong, truth=False, json=opened),
        "Score, undecided": Row(replace(right, verdict=unsure), UNSURE, opened),
        "Solution": Row(solved, json=opened),
        "Solution without a plan": Row(
            Solution(solved.planner, Attempt(Outcome.TIMEOUT), None), truth=False, json=opened
        ),
        "Solution, disputed": Row(replace(solved, verdict=disputed), UNSURE, opened),
        "State": Row(task.initial_state()),
        "Status": Row(Status.VALID, json=str, ordered=True),
        "Step": Row(Step("sail", ("l0", "l1")), ordered=True),
        "Task": Row(task, copied=lambda found: found.judge(PLAN)),
        "Verdict": Row(valid, json=opened),
        "Verdict, invalid": Row(task.judge([]), truth=False, json=opened),
        "Verdict, over budget": Row(validate(*FILES, budget=1), truth=False, json=opened),
        "Verdict, undecided": Row(unsure, UNSURE, opened),
        "Verdict, disputed": Row(disputed, UNSURE, opened),
    }


def test_what_python_does_with_results(results: dict[str, Row]) -> None:
    """No result does silently what its reader would not expect."""
    classes = {name for name in dir(pddl_pipeline) if inspect.isclass(getattr(pddl_pipeline, name))}
    kinds = {type(row.value).__name__ for row in results.values()}
    assert {name for name in classes if not name.endswith("Error")} == kinds
    for name, row in results.items():
        value = row.value
        if row.truth is UNSURE:
            assert getattr(value, "correct", None) is None
            with pytest.raises(TypeError, match=r"(undecided|disputed), .* compare its `status`"):
                bool(value)
        else:
            assert bool(value) is row.truth, name
        for again in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):  # noqa: S301
            assert row.copied(again) == row.copied(value), name
        assert len({value, value}) == 1
        if isinstance(value, Verdict | State | Solution | RunResult | Score):
            assert np.array([value, value]).tolist() == [value, value], name
            with pytest.raises(TypeError, match=type(value).__name__):
                json.dumps(value)
        if row.ordered:
            assert not value < value, name  # noqa: PLR0124
        else:
            with pytest.raises(TypeError):
                value < value  # noqa: B015, PLR0124
        assert not re.search(r"\n| object at 0x", repr(value)), name
        assert row.json is None or json.loads(json.dumps(row.json(value))) is not None
    for one in ("Report", "Score", "Solution", "RunResult", "Verdict", "Task", "Plan", "State"):
        assert results[one].value._repr_html_().count("<") > 1, one


def test_a_reward_is_a_number() -> None:
    first, second, third = found = rewards(ROWS)
    assert (first, second) == (1.0, 0.0)
    assert first > third > 0.2
    assert sum(found) / 3 == np.mean(found) == pd.Series(found).mean()
    assert np.array(found).dtype == pd.Series(found).dtype == float
    assert pytest.importorskip("polars").Series(found).sum() == sum(found)
    assert f"{third:.2f} {third}" == f"{third.value:.2f} {third.value}"
    parts = {"readable": 1, "executes": 0.75, "goals": third.goals, "solves": 0, "economy": 0}
    assert third.parts == parts


def test_states_in_sets() -> None:
    """A breadth-first search with a set; states that differ have different texts."""
    task = read_task(DOMAIN, PROBLEM)
    waiting = [task.initial_state()]
    seen = set(waiting)
    for state in waiting:
        new = {after for _, after in task.successors(state)} - seen
        seen |= new
        waiting += new
    assert len(seen) == len(waiting) == len({*map(repr, seen)}) > 20
    (begin, *_), (step, after), *_ = waiting, *task.successors(waiting[0])
    with pytest.raises(AttributeError):
        begin.facts.clear()
    for name in ("facts", "values"):
        with pytest.raises(AttributeError, match=f"cannot assign to '{name}'"):
            setattr(begin.copy(), name, begin.facts)
    with pytest.raises(TypeError, match="in a set or a key of a dict; change a copy"):
        task.apply(step, begin)
    changed = begin.copy()
    task.apply(step, changed)
    assert changed == after != begin in seen


def test_rows_are_columns_of_numbers(results: dict[str, Row]) -> None:
    pl = pytest.importorskip("polars")
    found = results["Report"].value
    for frame in (found.to_frame(), score(ROWS).to_frame()):
        assert not [name for name in frame if name.endswith(("_float", "_s", "steps"))
                    and not pd.api.types.is_numeric_dtype(frame[name])]  # fmt: skip
    assert found.to_frame()["coverage_float"].mean() == 100
    scored = score(ROWS)
    assert next(scored).correct
    assert scored.columns()["level"] == scored.columns()["level"] == [1, 2]
    assert next(scored).answer.row["level"] == 1
    assert (len(scored), len(score(ROWS))) == (1, 3)
    assert score(ROWS)._repr_html_().count("<tr") == 4
    assert "<caption>3 scores, 1 correct<" in score(ROWS)._repr_html_()
    (row,) = score({**ROWS[0], "status": "mine", "n": None}).to_frame().to_dict("records")
    assert (row["data_status"], row["status"]) == ("mine", "valid")
    assert score(ROWS[0]).to_frame().dtypes.astype(str)[["failed_step", "reason"]].tolist() == [
        "Int64", "string",
    ]  # fmt: skip
    assert pl.DataFrame(score(ROWS).columns())["correct"].mean() == 1 / 3
    assert pl.DataFrame(found).equals(pl.DataFrame(found.columns()))
    assert pa.table(score(ROWS)).num_rows == 3


def test_frames_of_other_libraries() -> None:
    pl = pytest.importorskip("polars")
    expected = [each.correct for each in score(ROWS)]
    for frame in (
        pl.DataFrame(ROWS),
        *(each.from_pylist(ROWS) for each in (pa.Table, pa.RecordBatch)),
    ):
        assert [each.correct for each in score(frame)] == expected
        assert [each.correct for each in score(frame, frame)] == expected
        assert rewards(frame) == rewards(ROWS)
        assert len([*load_records(frame)]) == len(translate(frame)) == 3


def test_several_paths(tmp_path: Any) -> None:
    paths = [FERRY / "examples.jsonl", str(domain_folder("grippers") / "examples.jsonl")]
    found = {each.id for each in load_records(*paths)}
    assert {each.id for each in load_records(paths)} == found
    assert {each.id for each in run(paths, tmp_path / "r", ["dfs"], Limits(60))} == found
