"""Plans that a planner writes one after the other: which count, when they came, what they cost."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from command_line import write_script
from places import ROOT

from pddl_pipeline.reporting.report import report
from pddl_pipeline.runs.store import iterate_store

if TYPE_CHECKING:
    from command_line import CliHere, Done

COSTS = ROOT / "tests" / "support" / "foreign_pddl" / "costs"
# A planner that takes a random time for each plan. DEAR costs 7 and GOOD 4; BAD is invalid.
START = f"""#!{sys.executable}
import os, random, sys, time
from pathlib import Path
plan = sys.argv[-1]
DEAR = "(ride home market)\\n(shop market)\\n"
FAIR = "(walk home park)\\n(walk park market)\\n(shop market)\\n(shop market)\\n"
GOOD = "(walk home park)\\n(walk park market)\\n(shop market)\\n"
BAD = "(walk home park)\\n(shop market)\\n"
def nap():
    time.sleep(random.uniform(0.2, 0.4))
def write(end, *texts):
    for text in texts:
        Path(plan + end).write_text(text)
        nap()
def hang(text=""):
    with open(plan + ".9", "w") as stream:
        stream.write(text)
        stream.flush()
        time.sleep(99)
"""
VALID, HALF = "valid", "GOOD[:40]"
CASES: dict[str, tuple[str, str, list[int | str]]] = {
    "numbered": ("write('.2', DEAR); write('.10', GOOD)", VALID, [7, 4]),
    "one invalid": ("write('.1', BAD); write('.2', DEAR); write('.3', GOOD)", VALID,
                    ["invalid", 7, 4]),
    "the last one invalid": ("write('.1', GOOD); write('.2', BAD)", VALID, [4, "invalid"]),
    "one file": ("write('', DEAR, FAIR, GOOD)", VALID, [7, 6, 4]),
    "a dearer one later": ("write('_1', GOOD); write('_2', DEAR)", VALID, [4, 7]),
    "the best one copied": ("write('.1', DEAR); write('.2', DEAR)", VALID, [7, 7]),
    "line by line": ("s = open(plan, 'w', 1); [(s.write(x), nap()) for x in GOOD.splitlines(True)]",
                     VALID, [4]),
    "invalid and deleted": ("write('', BAD); os.remove(plan)", "gave-up", []),
    "moved": ("write('x', GOOD); os.rename(plan + 'x', plan)", VALID, [4]),
    "an error afterwards": ("write('', GOOD); os.kill(os.getpid(), 11)", VALID, [4]),
    "half-written": (f"write('.1', DEAR); hang({HALF})", "valid limit", [7]),
    "only half-written": (f"hang({HALF})", "timeout limit", []),
    "no line of costs": ("write('.1', BAD); hang(GOOD)", "valid limit", ["invalid", 4]),
    "printed": ("print(GOOD, flush=True); time.sleep(99)", "valid limit", [4]),
}  # fmt: skip


def solved(cli_here: CliHere, folder: Path, body: str, *options: str) -> Done:
    script = folder / "planner.py"
    write_script(script, f"{START}{body}\n")
    planner = f"mine=cmd:./planner.py {'' if 'print' in body else '{plan}'}"
    return cli_here(*options, "--planner", planner, "-q", cwd=folder)


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize("name", CASES)
def test_plans_count_if_they_are_complete_or_valid(
    cli_here: CliHere, tmp_path: Path, name: str
) -> None:
    body, result, expected = CASES[name]
    limit = "2s" if "limit" in result else "60s"
    task = ("solve", str(COSTS / "domain.pddl"), str(COSTS / "p01.pddl"), "--json")
    done = solved(cli_here, tmp_path, body, *task, "--time-limit", limit)
    found: dict[str, Any] = json.loads(done.out)
    assert (found["status"] or found["outcome"], found["hit"] or "") == (
        result.split()[0],
        "time" if "limit" in result else "",
    ), done.err
    plans = found["improvements"] or []
    assert [each["cost"] or each["status"] for each in plans] == expected
    times = [each["time_s"] for each in plans]
    assert times == sorted(set(times))
    assert max(times, default=0) <= found["wall_s"]
    if expected:
        assert found["cost"] == min(each for each in expected if isinstance(each, int))
    assert ("is invalid: step 2" in done.err) == (expected[-1:] == ["invalid"])


def test_a_store_has_every_plan_and_scores_use_them(cli_here: CliHere, tmp_path: Path) -> None:
    """The first plan counts for the agile score, the best one for the satisficing score."""
    body = "write('.1', BAD); write('.2', GOOD); write('.3', DEAR); time.sleep(1)"
    command = ("run", str(COSTS / "p01.pddl"), "-o", "r", "--time-limit", "60s")
    solved(cli_here, tmp_path, body, *command)
    (run,) = iterate_store(tmp_path / "r")
    (row,) = report(tmp_path / "r").rows
    assert (run.cost, row.mean_cost, row.ipc_sat, row.ipc_agile) == (7, 7, 1, 1)
    assert run.improvements is not None
    assert [each.steps for each in run.improvements] == [2, 3, 2]
    folder = tmp_path / "r" / "logs" / run.key[:2] / run.key
    assert (folder / "2.plan").read_text().endswith("(walk park market)\n(shop market)\n")
    cli_here("show", "r", "-o", "pages", cwd=tmp_path)
    page = (tmp_path / "pages" / "p01-mine.html").read_text()
    first, second = (f"<td>{run.improvements[n].time_s:.2f}</td><td>" for n in (0, 1))
    assert f"{first}2</td><td>-</td><td>invalid: step 2 (shop market): " in page
    assert f"{second}3</td><td>4</td><td>valid</td>" in page

    store = tmp_path / "r" / "runs.jsonl"
    kept, line = store.read_text(), json.loads(store.read_text())
    line["verdict_version"] = 1
    del line["crc32"]
    for each in line["improvements"]:
        each |= {"status": "undecided", "cost": None, "reason": "not read"}
    store.write_text(json.dumps(line) + "\n")
    assert cli_here("rejudge", "r", cwd=tmp_path).status == 0
    assert store.read_text() == kept
    # Stores of former versions have no improvements.
    store.write_text(json.dumps({k: v for k, v in line.items() if k != "improvements"}) + "\n")
    assert cli_here("show", "r", "-o", "old", cwd=tmp_path).status == 0
    page = (tmp_path / "old" / "p01-mine.html").read_text()
    assert "<tr><td>-</td><td>-</td><td>-</td><td>-</td></tr>" in page


@pytest.mark.parametrize(
    "planner", ["lama", pytest.param("enhsp-anytime", marks=pytest.mark.long), "lpg-anytime"]
)
def test_anytime_planners_improve_their_plans(
    cli_here: CliHere, tmp_path: Path, planner: str
) -> None:
    command = ("solve", COSTS / "domain.pddl", COSTS / "p01.pddl", "--planner", planner, "--json")
    # LPG does not end before its limit.
    done = cli_here(*command, "--time-limit", "2s" if planner[0] == "l" else "5s", cwd=tmp_path)
    costs = [each["cost"] for each in json.loads(done.out)["improvements"]]
    # ENHSP overwrites its plan, so that a slow machine may not see the first one.
    assert costs == [7, 4] or (planner == "enhsp-anytime" and costs == [4])
