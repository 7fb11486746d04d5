"""`rejudge`: stored plans are judged again, without a planner and without a loss."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from command_line import json_lines, write_script
from places import PROGRAM

from pddl_pipeline.validation.version import VERDICT_VERSION

if TYPE_CHECKING:
    from command_line import CliHere

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
RUN = ("run", *DATA, "--planner", "m=cmd:./mine.sh {problem} {plan}", "-q", "-o", "r")
REPORT = ("report", "r", "-q")
REJUDGE = ("rejudge", "r")
EXCLUDE = "step 1 (boost k): (level) is changed by effects that exclude each other"
CHANGED = f"  p01 (m): valid, cost 1 -> invalid ({EXCLUDE})\n"
FALSE_VALID: dict[str, Any] = {"status": "valid", "cost": 1, "cost_float": 1.0, "reason": None}
CLAIM = {"outcome": "claims-unsolvable", "status": "disputed", "reason": "but x finds (a)"}
OLD: dict[str, dict[str, Any]] = {"p01": FALSE_VALID, "p02": {"later": [1]}, "p03": CLAIM}
NEW = {
    "p01": ("invalid", VERDICT_VERSION), "p02": ("valid", VERDICT_VERSION),
    "p03": ("disputed", None),
}  # fmt: skip
Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a folder for all tests, since a key has the path of a script, and its store."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "domain.pddl").write_text(DOMAIN)
    for name in NAMES:
        (folder / f"{name}.pddl").write_text(PROBLEM.format(name=name))
    write_script(folder / "mine.sh", SCRIPT.format(mark=folder / "mark"))
    subprocess.run([PROGRAM, *RUN], cwd=folder, capture_output=True, check=True)
    make_old(folder / "r")
    return folder, (folder / "r").rename(tmp_path_factory.mktemp("store") / "r")


@pytest.fixture
def place(made: tuple[Path, Path]) -> Path:
    """Return a folder with a store with verdicts of the first version, and its data."""
    folder, store = made
    for path in filter(Path.is_dir, folder.iterdir()):
        shutil.rmtree(path)
    (folder / "mark").unlink(missing_ok=True)
    shutil.copytree(store, folder / "r")
    return folder


def edit(store: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Lines:
    """Change each line of a store, without its checksum; return the lines."""
    lines = [change(line) for line in json_lines(store / "runs.jsonl")]
    for line in lines:
        line.pop("crc32", None)
    (store / "runs.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return lines


def make_old(store: Path) -> None:
    """Make the verdicts of a store those of the first version, which held p01's plan valid.

    p02 has a field of a later version, and p03 is a claim without a plan.
    """
    edit(store, lambda line: line | OLD[line["id"]])
    edit(store, lambda line: {name: line[name] for name in line if name != "verdict_version"})


def verdicts(*stores: Path) -> dict[str, tuple[str | None, int | None]]:
    lines = (line for store in stores for line in json_lines(store / "runs.jsonl"))
    return {line["id"]: (line["status"], line.get("verdict_version")) for line in lines}


def test_a_false_valid_becomes_invalid_without_a_planner(cli_here: CliHere, place: Path) -> None:
    store = place / "r"
    before = (store / "runs.jsonl").read_bytes().splitlines(keepends=True)
    old = json_lines(store / "runs.jsonl")
    done = cli_here(*REJUDGE, cwd=place)
    kept = "the old lines are in r/runs.rejudged-1.jsonl"
    assert done.out == f"r: judged 2 plans again, 1 verdict changed; {kept}\n{CHANGED}"
    assert (done.status, done.err, verdicts(store)) == (0, "", NEW)
    assert not (place / "mark").exists()
    written = (store / "runs.rejudged-1.jsonl").read_bytes().splitlines(keepends=True)
    assert written == [line for line in before if b'"plan": null' not in line]
    fields = {"status", "cost", "cost_float", "reason", "verdict_version"}
    for was, now in zip(old, json_lines(store / "runs.jsonl"), strict=True):
        changed = {name for name in was | now if was.get(name) != now.get(name)}
        assert changed <= ({*fields, "crc32"} if was["plan"] else set())
    again = cli_here(*REJUDGE, cwd=place)
    assert again.out == f"r: no verdict is older than version {VERDICT_VERSION}\n"
    assert len(list(store.glob("runs.*"))) == 2


def test_old_verdicts_are_a_warning_and_current_ones_are_none(
    cli_here: CliHere, place: Path
) -> None:
    for command in (RUN, REPORT):
        (line,) = cli_here(*command, cwd=place).err.splitlines()
        assert line == (
            f"warning: 2 stored verdicts of version 1: version {VERDICT_VERSION} may judge "
            "differently; `pddl-pipeline rejudge r` judges the plans again"
        )
    cli_here(*REJUDGE, cwd=place)
    assert cli_here(*RUN, cwd=place).err == cli_here(*REPORT, cwd=place).err == ""
    assert not (place / "mark").exists()
    # Neither are those of a later version.
    later = edit(place / "r", lambda line: line | {"verdict_version": line["plan"] and 99})
    assert cli_here(*REPORT, cwd=place).err == ""
    assert "no verdict is older" in cli_here(*REJUDGE, cwd=place).out
    assert json_lines(place / "r" / "runs.jsonl") == later


def test_shards_are_judged_together_or_one_by_one(cli_here: CliHere, place: Path) -> None:
    shutil.rmtree(place / "r")
    parts = [place / "r" / f"shard-{index}-of-2" for index in (1, 2)]
    for index, part in enumerate(parts, start=1):
        assert cli_here(*RUN, "--shard", f"{index}/2", cwd=place).status == 0
        make_old(part)
    (place / "mark").unlink()
    shutil.copytree(place / "r", place / "copy")
    single = [cli_here("rejudge", f"r/{part.name}", cwd=place).out for part in parts]
    both = cli_here("rejudge", "copy", cwd=place).out
    assert "".join(single).count(CHANGED) == both.count(CHANGED) == 1
    assert both.count("copy/shard-") >= 2
    copies = (place / "copy" / part.name for part in parts)
    assert verdicts(*parts) == verdicts(*copies) == NEW
    assert not (place / "mark").exists()


def test_runs_whose_problem_is_not_known_are_left(cli_here: CliHere, place: Path) -> None:
    shutil.rmtree(place / "r" / "problems")
    edit(place / "r", lambda line: line | ({"problem": ""} if line["id"] == "p02" else {}))
    before = (place / "r" / "runs.jsonl").read_bytes()
    done = cli_here(*REJUDGE, cwd=place)
    assert (done.status, done.out.splitlines()) == (0, [
        "r: judged 0 plans again, 0 verdicts changed",
        "r: left the verdict on p01 (m): the store does not have its problem",
        "r: left the verdict on p02 (m): a version before 1.0.0 stored it, without its problem",
    ])  # fmt: skip
    assert (place / "r" / "runs.jsonl").read_bytes() == before
    assert [file.name for file in (place / "r").glob("*runs*")] == ["runs.jsonl"]
