"""Stores in which runs are missing: what was planned counts, and is stated everywhere."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from store_results import RESULT

from pddl_pipeline import load_records
from pddl_pipeline.model.errors import StoreError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.reporting.report import report, summarise
from pddl_pipeline.reporting.report_tables import coverage_table, instance_table
from pddl_pipeline.runs.jobs import Finished, JobQueue, ScheduledRun, parse_shard
from pddl_pipeline.runs.store import RunStore, result_to_json
from pddl_pipeline.runs.stored_commands import (
    CommandLimits,
    StoredCommand,
    add_command,
    new_command,
    read_commands,
)

if TYPE_CHECKING:
    from command_line import Cli

IDS = ("a", "b", "c", "d")


def command(
    ids: Iterable[str] = IDS, planner: str = "lama-first", time_s: float = 60.0, **others: object
) -> StoredCommand:
    planned = tuple(ScheduledRun(planner, "ferry", name, 2) for name in ids)
    made = StoredCommand(
        "2026-01-01T00:00:00", "pddl-pipeline run x", "m", {}, CommandLimits(time_s, 3584.0, None),
        planned=planned,
    )  # fmt: skip
    return replace(made, **others)  # type: ignore[arg-type]


def store(folder: Path, *commands: StoredCommand, runs: Iterable[RunResult] = ()) -> Path:
    with RunStore(folder) as opened:
        for each in commands:
            add_command(opened.folder, each)
        for run in runs:
            opened.add(Finished(run, {}))
    return folder


def planned_ids(folder: Path) -> list[str]:
    runs = (run for each in read_commands(folder) for run in each.planned)
    return [*dict.fromkeys(run.id for run in runs)]


def named(name: str, planner: str = "lama-first") -> RunResult:
    return replace(RESULT, id=name, key=f"{planner}{name}", planner=planner, wall_s=2.0)


def test_scores_are_over_the_planned_runs(tmp_path: Path) -> None:
    found = report(store(tmp_path / "r", command(), runs=[named("a")]))
    (row,), (size,) = found.rows, found.sizes
    assert (row.instances, row.not_run, row.validated, size.not_run) == (4, 3, 1, 3)
    assert (row.coverage, row.par2_s, row.ipc_sat) == (25, (2.0 + 3 * 120) / 4, 1)
    assert (found.planned, len(found.missing)) == (4, 3)
    empty = report(store(tmp_path / "empty", command()))
    (cells,) = coverage_table(empty).rows
    assert cells == ("ferry", "lama-first", "4", "4", *["-"] * len(cells[4:]))
    assert [row.coverage for row in empty.rows] == [0]


def test_a_repetition_is_planned_and_missing_by_itself(tmp_path: Path) -> None:
    both = tuple(ScheduledRun("lama-first", "ferry", "a", 2, number) for number in (1, 2))
    found = report(store(tmp_path / "r", command(["b"], planned=both), runs=[named("a")]))
    (row,) = found.rows
    assert (row.instances, row.not_run, row.coverage, row.par2_s) == (1, 0.5, 50, (2 + 120) / 2)
    assert (found.planned, row.common, instance_table(found).rows[0][3]) == (
        2, 0, "1 of 2: 1.00 in 2.00 s"
    )  # fmt: skip


def test_repetitions_under_different_limits_are_named(cli: Cli, tmp_path: Path) -> None:
    first = named("a")
    again = replace(first, key="2", repetition=2)
    other = replace(again, limits={**first.limits, "time_s": 3})
    for name, runs, number in (("same", [first, again], 0), ("mixed", [first, other], 1)):
        store(tmp_path / name, command(), runs=runs)
        warnings = cli("report", name).err.count("1 instance with repetitions under different")
        assert (name, warnings) == (name, number)


def test_each_output_says_what_is_missing(cli: Cli, tmp_path: Path) -> None:
    store(tmp_path / "r", command(), runs=[named("a")])
    done = cli("report", "r", "--table", "r.csv", "--html", "r.html", "--table", "r.tex")
    assert done.out.startswith("Incomplete: 1 of 4 runs so far; 3 not yet run.")
    (row,) = csv.DictReader((tmp_path / "r.csv").read_text().splitlines())
    assert (row["instances"], row["not run"], row["coverage (%)"]) == ("4", "3", "25.0")
    page = (tmp_path / "r.html").read_text()
    assert "<p class='alarm'>1 of 4 runs so far; 3 not yet run</p>" in page
    assert "1 of 4 runs so far; 3 not yet run" in (tmp_path / "r.tex").read_text()
    first, *_, about = map(json.loads, cli("report", "r", "--json").out.splitlines())
    assert (first["instances"], first["not_run"], first["coverage"]) == (4, 3, 25)
    assert (about["planned"], about["stored"], about["not_run"]) == (4, 1, 3)
    assert about["commands"][0]["command"] == "pddl-pipeline run x"


def test_complete_stores_say_so(cli: Cli, tmp_path: Path) -> None:
    store(tmp_path / "r", command(["a"]), runs=[named("a")])
    done = cli("report", "r", "--table", "-")
    assert "Incomplete" not in done.err
    assert "| runs | 1 of 1 planned runs |" in done.out


def test_old_stores_are_over_the_union_of_all_instances() -> None:
    runs = [named("a"), named("b"), named("c"), named("a", "enhsp")]
    other = replace(named("z"), domain="depots")
    found = summarise([*runs, other])
    rows = {(row.planner, row.domain): (row.instances, row.not_run) for row in found.rows}
    # enhsp never ran in depots: it may not suit the domain.
    assert rows == {
        ("enhsp", "ferry"): (3, 2),
        ("lama-first", "ferry"): (3, 0), ("lama-first", "depots"): (1, 0),
    }  # fmt: skip
    assert {row.par2_s for row in found.rows if row.planner == "enhsp"} == {(2 + 120 + 120) / 3}


def test_a_planner_of_an_old_store_is_over_what_others_planned(tmp_path: Path) -> None:
    new = store(tmp_path / "new", command(), runs=[named("a")])
    old = store(tmp_path / "old", runs=[named("a", "enhsp")])
    rows = {row.planner: (row.instances, row.not_run) for row in report(new, old).rows}
    assert rows == {"lama-first": (4, 3), "enhsp": (4, 3)}


def test_the_penalty_of_a_missing_run_needs_one_limit() -> None:
    short = replace(named("b", "enhsp"), limits={**RESULT.limits, "time_s": 5.0})
    row, _ = summarise([named("a", "enhsp"), short, named("c")]).rows
    assert (row.not_run, row.par2_s) == (1, None)


def test_commands_add_up_and_are_not_repeated(tmp_path: Path) -> None:
    again = command(["b", "c"], started="2026-01-02T00:00:00")
    other = command(["b", "c"], machine="another")
    folder = store(tmp_path, command(["a", "b"]), command(["b", "c"]), again, other)
    stored = read_commands(folder)
    assert [[run.id for run in each.planned] for each in stored] == [["a", "b"], ["c"], []]
    store(folder, command(["a"], time_s=5.0), command(["a"], planner="enhsp"))
    limits = {
        (run.planner, run.id): each.limits.time_s
        for each in read_commands(folder)
        for run in each.planned
    }
    assert limits == {
        ("lama-first", "a"): 5.0, ("lama-first", "b"): 60.0, ("lama-first", "c"): 60.0,
        ("enhsp", "a"): 60.0,
    }  # fmt: skip


def test_shards_know_the_runs_of_shards_that_did_not_begin(tmp_path: Path) -> None:
    instances = list(load_records(domain_folder("ferry") / "examples.jsonl"))
    shard = parse_shard("1/2")
    with JobQueue(["lama-first"], Limits(time_s=7), shard=shard) as queue:
        for instance in instances:
            queue.add(instance)
        made = new_command("x", queue)
        here = len(queue)
    assert (made.shard, len(made.planned), len(made.planned) + len(made.elsewhere)) == (
        "1/2", here, len(instances)
    )  # fmt: skip
    store(tmp_path / "r" / shard.folder, made)
    assert report(tmp_path / "r").planned == len(instances)
    assert report(tmp_path / "r" / shard.folder).planned == here


def test_a_torn_command_is_cut(tmp_path: Path) -> None:
    store(tmp_path, command(["a"]), command(["b"]))
    file = tmp_path / "commands.jsonl"
    file.write_bytes(file.read_bytes()[:-9])
    assert planned_ids(tmp_path) == ["a"]
    with RunStore(tmp_path) as opened:
        assert opened.torn_lines == 1
        add_command(opened.folder, command(["c"]))
    assert planned_ids(tmp_path) == ["a", "c"]


@pytest.mark.parametrize("line", ["{}", "x", '{"started": 1}', "[]", "\\xff"])
def test_a_damaged_command_is_an_error_with_its_place(cli: Cli, tmp_path: Path, line: str) -> None:
    store(tmp_path / "r", command(["a"]), runs=[named("a")])
    file = tmp_path / "r" / "commands.jsonl"
    file.write_text(f"{line}\n{file.read_text()}")
    with pytest.raises(StoreError, match=r"commands\.jsonl:1: is not a line of a run store"):
        report(tmp_path / "r")
    done = cli("report", "r")
    assert (done.status, done.err.count("\n")) == (2, 1)
    file.write_text(file.read_text().partition("\n")[2])
    assert report(tmp_path / "r").planned == 1


def test_commands_of_later_versions_may_have_more_fields(tmp_path: Path) -> None:
    store(tmp_path, command(["a"]))
    file = tmp_path / "commands.jsonl"
    line = re.sub(', "crc32": "[^"]*"', "", file.read_text())
    file.write_text(line.replace("{", '{"host": "x", ', 1))
    assert planned_ids(tmp_path) == ["a"]


def test_run_stores_its_plan_before_the_first_run(cli: Cli, tmp_path: Path) -> None:
    data = domain_folder("ferry") / "examples.jsonl"
    line = ("run", data, "--planner", "bfs", "--time-limit", "30s", "-o", "r")
    assert cli(*line).status == 0
    (stored,) = read_commands(tmp_path / "r")
    said = r"pddl-pipeline run .* --planner bfs --time-limit 30s -o r"
    assert re.fullmatch(said, stored.command)
    assert (len(stored.planned), stored.limits.time_s, stored.shard) == (5, 30.0, None)
    lines = (tmp_path / "r" / "runs.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "r" / "runs.jsonl").write_text("".join(lines[:2]))  # as if it was killed
    assert cli("report", "r").out.startswith("Incomplete: 2 of 5 runs so far; 3 not yet run.")
    assert "Incomplete" not in cli(*line).out
    assert [len(each.planned) for each in read_commands(tmp_path / "r")] == [5]


def test_names_of_scripts_are_escaped(cli: Cli, tmp_path: Path) -> None:
    name = "<script>alert(1)</script>&'\""
    run = replace(named(name), planner=name, domain=name, reason=name)
    other = replace(run, id="b", key="b", status=None, plan=None, cost=None)
    folder = tmp_path / "r"
    folder.mkdir()
    lines = [json.dumps(result_to_json(each)) + "\n" for each in (run, other)]
    (folder / "runs.jsonl").write_text("".join(lines) + '{"key": "torn')
    store(folder, command([name], planner=name, command=name, machine=name))
    done = cli("report", "r", "--html", "r.html", "--pages", "p")
    assert done.status == 0, done.err
    pages = [tmp_path / "r.html", *(tmp_path / "p").iterdir()]
    assert len(pages) == 3  # the problem is not stored, so that there is no page of the plan
    for page in pages:
        assert "<script>alert" not in page.read_text()
