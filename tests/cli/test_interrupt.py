"""Ctrl-C: the first one lets the program clean up, a second one exits immediately."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest
from command_line import write_script
from places import PROGRAM
from processes_of_tests import assert_ended, wait_for
from store_results import read_store

from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import CliHere

SLOW_TO_STOP = """
import sys, time
from pddl_pipeline.cli.main import guarded

def work():
    try:
        print("at work", flush=True)
        time.sleep(60)
    finally:
        print("cleaning up", flush=True)
        time.sleep(float(sys.argv[1]))
        print("cleaned up", flush=True)

sys.exit(guarded(work))
"""


@pytest.mark.parametrize(
    ("first", "cleaning_s", "again"), [(signal.SIGTERM, 0.1, False), (signal.SIGINT, 600, True)]
)
def test_second_interrupt_exits_immediately(
    first: signal.Signals, cleaning_s: float, *, again: bool
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SLOW_TO_STOP, str(cleaning_s)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "at work\n"
        process.send_signal(first)
        assert process.stdout.readline() == "cleaning up\n"
        if again:
            process.send_signal(signal.SIGINT)
        assert process.stdout.read() == ("" if again else "cleaned up\n")
        assert process.wait(30) == 130


def test_an_interrupted_run_says_what_is_stored_and_goes_on(
    cli_here: CliHere, tmp_path: Path
) -> None:
    """By SIGTERM, with repetitions; a page that is written meanwhile reloads itself."""
    data = domain_folder("ferry") / "examples.jsonl"
    planner = ("--planner", "s=cmd:sleep 0.{seed}", "--repeat", "3")
    command = ("run", data, *planner, "-j", "1", "-o", "r")
    store = tmp_path / "r" / "runs.jsonl"
    with subprocess.Popen(
        [PROGRAM, *command], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env={**os.environ, "TMPDIR": str(tmp_path)},
    ) as process:  # fmt: skip
        wait_for(lambda: store.exists() and store.read_bytes().count(b"\n") > 1)
        family = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGTERM)
        printed, complaints = process.communicate(timeout=60)
    assert_ended(family)
    assert not list(tmp_path.glob("pddl-pipeline-*"))
    stored = len(read_store(store.parent))
    assert 2 <= stored < 15
    assert (process.returncode, printed) == (130, "")
    assert complaints == f"\n{stored} of 15 runs stored in r; the same command continues\n"
    page = tmp_path / "r.html"
    watch = [PROGRAM, "report", "r", "--html", page, "--watch"]
    with subprocess.Popen(watch, cwd=tmp_path, stdout=subprocess.DEVNULL) as process:
        wait_for(lambda: page.exists() and "http-equiv='refresh'" in page.read_text())
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    assert "http-equiv" not in page.read_text()
    again = cli_here(*command, cwd=tmp_path)
    assert (again.status, again.err) == (0, f"{stored} of 15 runs were already in the store\n")
    found = [(result.id, result.repetition) for result in read_store(store.parent)]
    assert (len(found), len(set(found)), {number for _, number in found}) == (15, 15, {1, 2, 3})


TASK = [domain_folder("ferry") / name for name in ("domain.pddl", "p01.pddl")]
PLAN = (domain_folder("ferry") / "p01.plan").read_text()
FOUND = r"found a plan after \d+\.\d\d s: 9 steps, cost 9\n"
BEST = r"mine: plan-found in \d+\.\d\d s \(interrupted\), 9 steps, the plan is valid\n"


@pytest.mark.parametrize("option", ["-q", "-o=best", "--json", ""])
def test_an_interrupted_solve_prints_the_best_plan(tmp_path: Path, option: str) -> None:
    """An invalid plan came last; with the last option, it is the only one."""
    script, begun = tmp_path / "planner.sh", tmp_path / "begun"
    good = f"echo '{PLAN}' > $1.1; sleep 1.5" if option else ""
    wait = f"echo > '{begun}'; while sleep 1; do true; done"
    write_script(script, f"#!/bin/sh\n{good}\necho '(sail l0 l0)' > $1.2\n{wait}\n")
    planner = ("--planner", f"mine=cmd:{script} {{plan}}")
    with subprocess.Popen(
        [PROGRAM, "solve", *TASK, *planner, *filter(None, option.split("="))],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        wait_for(begun.exists)
        process.send_signal(signal.SIGINT)
        printed, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert re.fullmatch(
        f"({FOUND})?{BEST}" if option else "\ninterrupted: no valid plan was found\n", said
    )
    text = (tmp_path / "best").read_text() if "=" in option else printed
    lines = json.loads(text)["plan"] if "json" in option else text.splitlines()
    steps = [line for line in PLAN.splitlines() if line.startswith("(")]
    assert [line for line in lines if line.startswith("(")] == (steps if option else [])
