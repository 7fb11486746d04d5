"""`rejudge`: stored plans are judged again, without a planner and without a loss."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pddl_pipeline.cli.main import main
from pddl_pipeline.runs import rejudging
from pddl_pipeline.validation.version import VERDICT_VERSION

if TYPE_CHECKING:
    from command_line import CliHere, Done

DOMAIN = """(define (domain dial) (:types knob) (:predicates (on ?k - knob)) (:functions (level))
  (:action boost :parameters (?k - knob) :precondition (on ?k)
    :effect (and (scale-up (level) 2) (scale-up (level) 3)))
  (:action once :parameters (?k - knob) :precondition (on ?k) :effect (scale-up (level) 6)))
"""
PROBLEM = """(define (problem {name}) (:domain dial) (:objects k - knob)
  (:init (on k) (= (level) 2)) (:goal (= (level) 12)))
"""
# It leaves a mark wherever it runs. Its plan for p01 scales one fluent twice.
SCRIPT = """#!/bin/sh
touch {mark}
case "$(cat $1)" in *p01*) echo "(boost k)";; *p02*) echo "(once k)";; *) rm "$2";; esac > "$2"
"""
NAMES = ("p01", "p02", "p03")
DATA = ("p01.pddl", "p02.pddl", "p03.pddl", "--domain", "domain.pddl")
NAMED = ("--planner", "m=cmd:./mine.sh {problem} {plan}")
RUN = ("run", *DATA, *NAMED, "-q", "-o", "r")
REPORT = ("report", "r", "-q")
REJUDGE = ("rejudge", "r")
EXCLUDE = "step 1 (boost k): (level) is changed by effects that exclude each other"
CHANGED = f"  p01 (m): valid, cost 1 -> invalid ({EXCLUDE})\n"
FALSE_VALID: dict[str, Any] = {"status": "valid", "cost": 1, "cost_float": 1.0, "reason": None}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a folder for all tests, since a key has the path of a script, and its store."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "domain.pddl").write_text(DOMAIN)
    for name in NAMES:
        (folder / f"{name}.pddl").write_text(PROBLEM.format(name=name))
    (folder / "mine.sh").write_text(SCRIPT.format(mark=folder / "mark"))
    (folder / "mine.sh").chmod(0o755)
    program = Path(sys.executable).with_name("pddl-pipeline")
    subprocess.run([program, *RUN], cwd=folder, capture_output=True, check=True)
    make_old(folder / "r")
    return folder, (folder / "r").rename(tmp_path_factory.mktemp("store") / "r")


@pytest.fixture
def place(made: tuple[Path, Path]) -> Path:
    """Return a folder with a store with verdicts of the first version, and its data."""
    folder, store = made
    for path in filter(Path.is_dir, folder.iterdir()):
        shutil.rmtree(path)
    (folder / "p01.pddl").write_text(PROBLEM.format(name="p01"))
    (folder / "mark").unlink(missing_ok=True)
    shutil.copytree(store, folder / "r")
    return folder


def make_old(store: Path) -> None:
    """Make the verdicts of a store those of the first version, which held p01's plan valid."""

    def old(line: dict[str, Any]) -> dict[str, Any]:
        del line["verdict_version"]
        return line | (FALSE_VALID if line["id"] == "p01" else {})

    edit(store, old)


def edit(store: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    lines = [json.dumps(change(line)) for line in content(store)]
    (store / "runs.jsonl").write_text("".join(f"{line}\n" for line in lines))


def content(store: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (store / "runs.jsonl").read_text().splitlines()]


def verdicts(store: Path) -> dict[str, tuple[str | None, int | None]]:
    return {line["id"]: (line["status"], line.get("verdict_version")) for line in content(store)}


NEW = {
    "p01": ("invalid", VERDICT_VERSION), "p02": ("valid", VERDICT_VERSION), "p03": (None, None)
}  # fmt: skip


def test_a_false_valid_becomes_invalid_without_a_planner(cli_here: CliHere, place: Path) -> None:
    before = (place / "r" / "runs.jsonl").read_bytes().splitlines(keepends=True)
    old = content(place / "r")
    done = cli_here(*REJUDGE, cwd=place)
    assert done.status == 0, done.err
    told = (
        "r: judged 2 plans again, 1 verdict changed; the old lines are in r/runs.rejudged-1.jsonl"
    )
    assert (done.err, done.out) == ("", f"{told}\n{CHANGED}")
    assert not (place / "mark").exists()
    assert verdicts(place / "r") == NEW
    kept = (place / "r" / "runs.rejudged-1.jsonl").read_bytes().splitlines(keepends=True)
    assert kept == [line for line in before if b'"plan": null' not in line]
    fields = {"status", "cost", "cost_float", "reason", "verdict_version"}
    for was, now in zip(old, content(place / "r"), strict=True):
        assert {name for name in now if was.get(name) != now[name]} <= fields
    again = cli_here(*REJUDGE, cwd=place)
    assert again.out == f"r: no verdict is older than version {VERDICT_VERSION}\n"
    assert len(list((place / "r").glob("runs.*"))) == 2


def test_old_verdicts_are_a_warning_and_current_ones_are_none(
    cli_here: CliHere, place: Path
) -> None:
    for command in (RUN, REPORT):
        done = cli_here(*command, cwd=place)
        assert done.status == 0
        assert done.err.startswith("warning: 2 stored verdicts of version 1: version")
        assert done.err.endswith("; `pddl-pipeline rejudge r` judges the plans again\n")
        assert done.err.count("\n") == 1
    assert cli_here(*REJUDGE, cwd=place).status == 0
    for command in (RUN, REPORT):
        assert cli_here(*command, cwd=place).err == ""
    assert not (place / "mark").exists()
    # Neither are those of a later version.
    edit(place / "r", lambda line: line | {"verdict_version": line["status"] and 99})
    assert cli_here(*REPORT, cwd=place).err == ""
    assert "no verdict is older" in cli_here(*REJUDGE, cwd=place).out
    assert verdicts(place / "r")["p01"] == ("invalid", 99)


def test_an_undecided_verdict_is_decided_with_the_problem_in_the_store(
    cli_here: CliHere, place: Path
) -> None:
    shutil.rmtree(place / "r")
    assert cli_here(*RUN, cwd=place).status == 0
    (place / "mark").unlink()

    def older(line: dict[str, Any]) -> dict[str, Any]:
        undecided = {"status": "undecided", "cost": None, "reason": "not judged"}
        was = undecided if line["id"] == "p02" else {}
        return line | was | {"verdict_version": line["status"] and 1, "later": [1]}

    edit(place / "r", older)
    done = cli_here(*REPORT, "--rejudge", "--json", cwd=place)
    assert done.err.startswith("warning: `report --rejudge` is now `pddl-pipeline rejudge r`\n")
    assert (done.status, "  p02 (m): undecided -> valid, cost 1\n" in done.err) == (0, True)
    assert json.loads(done.out.splitlines()[0])["validated"] == 1
    assert verdicts(place / "r") == NEW
    assert all(line["later"] == [1] for line in content(place / "r"))
    assert not (place / "mark").exists()


def test_claims_without_a_plan_stay(cli_here: CliHere, place: Path) -> None:
    claim = {"outcome": "claims-unsolvable", "status": "disputed", "reason": "but x finds (a)"}
    edit(place / "r", lambda line: line | (claim if line["id"] == "p03" else {}))
    before = (place / "r" / "runs.jsonl").read_bytes().splitlines()
    assert cli_here(*REJUDGE, cwd=place).status == 0
    after = (place / "r" / "runs.jsonl").read_bytes().splitlines()
    same = [line for line in before if b'"p03"' in line]
    assert [line for line in after if b'"p03"' in line] == same
    assert cli_here(*REPORT, cwd=place).err == ""


def test_shards_are_judged_together_or_one_by_one(cli_here: CliHere, place: Path) -> None:
    shutil.rmtree(place / "r")
    for index in (1, 2):
        assert cli_here(*RUN, "--shard", f"{index}/2", cwd=place).status == 0
        make_old(place / "r" / f"shard-{index}-of-2")
    (place / "mark").unlink()
    shutil.copytree(place / "r", place / "copy")
    first = cli_here("rejudge", "r/shard-1-of-2", cwd=place)
    second = cli_here("rejudge", "r/shard-2-of-2", cwd=place)
    parts = {place / "r" / f"shard-{index}-of-2" for index in (1, 2)}
    assert (first.out + second.out).count(CHANGED) == 1
    found = {name: verdict for part in parts for name, verdict in verdicts(part).items()}
    assert found == NEW
    both = cli_here("rejudge", "copy", cwd=place)
    assert both.out.count("copy/shard-") >= 2
    assert both.out.count(CHANGED) == 1
    assert not (place / "mark").exists()


def test_runs_whose_problem_is_not_known_are_left(cli_here: CliHere, place: Path) -> None:
    shutil.rmtree(place / "r" / "problems")
    edit(place / "r", lambda line: line | ({"problem": ""} if line["id"] == "p02" else {}))
    before = (place / "r" / "runs.jsonl").read_bytes()
    done = cli_here(*REJUDGE, cwd=place)
    assert done.status == 0
    assert done.out.splitlines() == [
        "r: judged 0 plans again, 0 verdicts changed",
        "r: left the verdict on p01 (m): the store does not have its problem",
        "r: left the verdict on p02 (m): a version before 1.0.0 stored it, without its problem",
    ]
    assert (place / "r" / "runs.jsonl").read_bytes() == before
    assert [file.name for file in (place / "r").glob("*runs*")] == ["runs.jsonl"]


def test_a_folder_without_runs_is_not_judged(cli_here: CliHere, place: Path) -> None:
    done = cli_here("rejudge", "nothing", cwd=place)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert "nothing: is not a run store" in done.err
    assert not (place / "nothing").exists()


@pytest.mark.parametrize("moment", ["judge 2", "fsync 1", "fsync 2", "replace 1", "replace 2"])
def test_a_kill_loses_nothing(cli_here: CliHere, place: Path, moment: str) -> None:
    before = (place / "r" / "runs.jsonl").read_bytes()
    child = os.fork()
    if child == 0:
        die_at(moment, place)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    assert (place / "r" / "runs.jsonl").read_bytes() == before
    done: Done = cli_here(*REJUDGE, cwd=place)
    assert (done.status, CHANGED in done.out) == (0, True)
    assert verdicts(place / "r") == NEW
    assert not [file.name for file in (place / "r").glob(".runs*")]
    assert not (place / "mark").exists()


def die_at(moment: str, place: Path) -> None:
    """End this process while it judges again, before a call of a function."""
    name, _, number = moment.partition(" ")
    owner, attribute = (rejudging, "judge_plans") if name == "judge" else (os, name)
    function, calls = getattr(owner, attribute), []

    def counted(*arguments: Any, **options: Any) -> Any:
        calls.append(1)
        if len(calls) == int(number):
            os._exit(9)
        return function(*arguments, **options)

    try:
        setattr(owner, attribute, counted)
        os.chdir(place)
        sys.argv = ["pddl-pipeline", *REJUDGE]
        main()
    finally:
        os._exit(0)
