"""Planners and engines that are not installed, not registered, or of no distribution."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Done
from plugin_sites import PLANNER, environment, install, run_lines

# `absent` needs a distribution that does not exist; `plain` needs none.
PLANNERS = f"""{PLANNER}
import sys
from pddl_pipeline.planners.planner import check_installed
write = "open('plan', 'w').write('(move a)')"
PLANNERS = (
    Planner(
        "absent", "is not installed", "no-such-engine",
        command=lambda: (check_installed("no-such-engine"),),
    ),
    Planner("plain", "needs no distribution", "", command=lambda: (sys.executable, "-c", write)),
)
"""
# Packages of engines that Unified Planning does not list.
REGISTERED = """
def register():
    from unified_planning.shortcuts import get_environment
    get_environment().factory.add_engine("same-one", "up_pyperplan.engine", "EngineImpl")
"""
DOMAIN = """(define (domain d) (:predicates (at ?p) (done))
  (:action move :parameters (?p) :precondition (at ?p) :effect (done)))"""
PROBLEM = "(define (problem p) (:domain d) (:objects a b) (:init (at a)) (:goal (done)))"
CALLS = {
    "a run": "run data --planner absent --planner plain --time-limit 20s -o runs",
    "none is installed": "run data --planner absent -o none",
    "solve": "solve data/domain.pddl data/p1.pddl --planner absent",
    "list": "list planners",
    "registered": "solve data/domain.pddl data/p1.pddl --planner up:same-one",
    "not registered": "solve data/domain.pddl data/p1.pddl --planner up:silent",
    "not importable": "solve data/domain.pddl data/p1.pddl --planner up:broken",
}
MISSING = "no-such-engine is not installed; fix: pip install no-such-engine"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("availability")


@pytest.fixture(scope="module")
def done(place: Path) -> dict[str, Done]:
    install(place, "mine", "[pddl_pipeline.planners]\nmine = mine_planners", mine_planners=PLANNERS)
    packages = {"up_same_one": REGISTERED, "up_silent": "", "up_broken": "import no_such_module"}
    for name, text in packages.items():
        (place / f"{name}.py").write_text(text)
    (place / "data").mkdir()
    (place / "data" / "domain.pddl").write_text(DOMAIN)
    for number in (1, 2):
        (place / "data" / f"p{number}.pddl").write_text(PROBLEM)
    ended = run_lines(environment(place), place, *CALLS.values())
    return dict(zip(CALLS, ended, strict=True))


def test_a_planner_that_is_not_installed_does_not_stop_the_others(
    done: dict[str, Done], place: Path
) -> None:
    assert done["a run"].status == 0, done["a run"].err
    assert f"warning: absent: {MISSING}; its runs are stored as unsupported" in done["a run"].err
    lines = (place / "runs" / "runs.jsonl").read_text().splitlines()
    found = sorted(
        (run["planner"], run["id"], run["outcome"], run["status"], run["reason"])
        for run in map(json.loads, lines)
    )
    assert found == [
        ("absent", "p1", "unsupported", None, f"absent: {MISSING}"),
        ("absent", "p2", "unsupported", None, f"absent: {MISSING}"),
        ("plain", "p1", "plan-found", "valid", None),
        ("plain", "p2", "plan-found", "valid", None),
    ]


@pytest.mark.parametrize("name", ["none is installed", "solve"])
def test_without_an_installed_planner_the_command_says_how_to_install_one(
    done: dict[str, Done], name: str
) -> None:
    assert (done[name].status, done[name].out) == (2, "")
    assert done[name].err.splitlines()[-1] == f"error: {MISSING}"


def test_the_list_marks_what_is_not_installed(done: dict[str, Done]) -> None:
    lines = {line.split()[0]: line for line in done["list"].out.splitlines()}
    assert lines["absent"].endswith(" (not installed; fix: pip install no-such-engine) (from mine)")
    assert lines["plain"].endswith("needs no distribution (from mine)")
    assert not lines["lama-first"].endswith(")")


def test_an_engine_registers_itself_in_both_processes(done: dict[str, Done]) -> None:
    assert (done["registered"].status, done["registered"].out) == (0, "(move a)\n; cost = 1\n")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("not registered", "up:silent: up_silent is installed but not registered: "),
        ("not importable", "up:broken: up_broken is installed but not registered: ModuleNotFoun"),
    ],
)
def test_an_engine_that_cannot_be_used_says_why(
    done: dict[str, Done], name: str, words: str
) -> None:
    assert (done[name].status, done[name].out) == (2, "")
    assert done[name].err.startswith(f"error: {words}")
