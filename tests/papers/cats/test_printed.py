"""The printed form of CATS beside ours: its runs, their store, and the paired tests."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from pddl_pipeline.model.errors import StoreError
from pddl_pipeline.papers.cats.printed import (
    FORMS,
    OMEGAS,
    OURS,
    PRINTED,
    Pair,
    Searches,
    Task,
    continue_searches,
    pair_table,
    planner_of,
    read_searches,
    read_tasks,
    report,
    searched,
    store_file,
)
from pddl_pipeline.papers.data import stored_data
from pddl_pipeline.papers.section import Section
from pddl_pipeline.papers.study import Workbench
from pddl_pipeline.runs.running import run
from pddl_pipeline.tables.text_table import rounded


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    return read_tasks()


def test_every_beginning_has_the_shares_of_all_tasks(tasks: list[Task]) -> None:
    assert len(tasks) == 1008
    for name in ("short", "mid", "long"):
        share = sum(task.horizon == name for task in tasks) / len(tasks)
        for number in (100, 333, 800):
            assert abs(sum(task.horizon == name for task in tasks[:number]) / number - share) < 0.02


def test_searches_in_this_process_are_those_of_the_planner(
    tasks: list[Task], tmp_path: Path
) -> None:
    planner = planner_of(PRINTED, 0.5)
    runs = run(list(tasks[0].instances[:2]), tmp_path / "runs", [planner], workers=1)
    found = searched(tasks[0], planner)
    for each in runs:
        search = found.budgets[each.id.rpartition("-")[2]]
        assert (each.cost, each.expanded) == (search.cost, search.expanded)
        assert each.solved is (search.cost is not None)


def test_stored_searches_continue_and_are_not_repeated(tasks: list[Task], tmp_path: Path) -> None:
    file, bench = tmp_path / "runs" / "printed.jsonl.gz", Workbench(tmp_path)
    short = [task for task in tasks if task.horizon == "short"][:2]
    continue_searches(bench, short[:1], file)
    size = file.stat().st_size
    assert len(read_searches(file)) == 8
    continue_searches(bench, short[:1], file)
    assert file.stat().st_size == size
    continue_searches(bench, short, file)
    assert len(read_searches(file)) == 16
    file.write_bytes(file.read_bytes()[:size] + b"\x1f\x8b")
    assert len(read_searches(file)) == 8
    file.write_bytes(b"x" + file.read_bytes())
    with pytest.raises(StoreError, match="damaged"):
        read_searches(file)


def test_stored_searches_give_the_same_result_again(tasks: list[Task]) -> None:
    stored = read_searches(store_file())
    by_id = {task.id: task for task in tasks}
    assert len(stored) > 50
    keys = [key for key in stored if key[1] in {planner_of(PRINTED, 0.0), planner_of(OURS, 0.5)}]
    for task, planner in (keys[0], keys[len(keys) // 2], keys[-1]):
        assert searched(by_id[task], planner) == stored[task, planner]


def test_the_stored_result_follows_from_the_stored_searches(tasks: list[Task]) -> None:
    """Searches are only added: those that the result counts come first."""
    file = stored_data("cats") / "results" / "cats-printed" / "findings.json"
    result = msgspec.json.decode(file.read_bytes(), type=Section).findings
    stored = read_searches(store_file())
    chosen = {}
    for form in FORMS:
        found = re.search(rf"(?:: |, ){re.escape(form)} (\d+)", result.conditions)
        assert found
        for task in tasks[: int(found[1])]:
            for omega in OMEGAS:
                chosen[task.id, planner_of(form, omega)] = stored[task.id, planner_of(form, omega)]
    assert report(Searches(tasks, chosen), len(tasks)) == result


def test_the_exact_test_counts_only_the_tasks_that_one_of_them_solves() -> None:
    """One against nine: twice the probability of at most 1 head in 10 tosses, 22 / 1024."""
    pair = Pair(
        "a | b", "tight", [True] * 6 + [False] * 14, [True] * 5 + [False] + [True] * 9 + [False] * 5
    )
    assert (pair.counts, pair.p) == ((5, 1, 9, 5), pytest.approx(22 / 1024))
    row = ("a | b", "tight", "20", "5", "1", "9", "5", "0.021")
    assert pair_table([pair]).table.rows == (row,)
    assert Pair("a | a", "tight", [True], [True]).p == 1


def test_only_tasks_that_both_searched_are_paired(tasks: list[Task]) -> None:
    one, other = planner_of(OURS, 0.0), planner_of(PRINTED, 0.0)
    stored = {
        (task.id, planner): searched(task, planner)
        for task, planner in ((tasks[4], one), (tasks[4], other), (tasks[0], one))
    }
    pair = Searches(tasks, stored).pair("", one, other, "unlimited")
    assert (pair.counts, rounded(pair.p, 0)) == ((1, 0, 0, 0), "1")
