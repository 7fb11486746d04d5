"""The behaviour of the commands that scripts depend on: exit statuses, fields, lines."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from command_files import all_commands
from places import ROOT

from pddl_pipeline.cli.group import GROUP
from pddl_pipeline.model.discovery import OWN
from pddl_pipeline.model.limits import parse_duration, parse_size
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.planners.checks import REQUIRED
from pddl_pipeline.planners.registry import planners

if TYPE_CHECKING:
    from command_line import Cli, CliHere

HEADINGS = {
    "Everyday": "translate run validate solve score equivalent show report",
    "Data and setup": "list generate prompt questions ask new doctor",
    "Papers": "autotos reproduce simplan",
}


ALL: dict[str, click.Command] = {"": GROUP, **all_commands()}
SINGLE = [name for name, each in ALL.items() if not isinstance(each, click.Group)]
EXAMPLES = {
    line.removeprefix("  pddl-pipeline "): name
    for name in SINGLE
    for line in (ALL[name].epilog or "").splitlines()[2:]
}


@pytest.mark.parametrize("name", SINGLE)
def test_help_has_headings_and_examples(cli: Cli, name: str) -> None:
    text = cli(*name.split(), "-h").out
    assert f"  Examples:\n    pddl-pipeline {name}" in text
    headings = re.findall(r"(?m)^(\w.*):$", text)
    assert "Options" not in headings
    assert "Data" not in headings[:-1]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for the examples, with the data of a checkout and a file of answers."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("examples", "pddl_domains"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "answers.jsonl").write_text('{"id": "bw-5-0", "answer": "unstack blue from white"}')
    return folder


MADE = {
    "prompts.jsonl": "prompt ", "ferry-pddl": "translate ",
    "questions.jsonl": "questions examples", "runs": "run ",
    "exact-answers.jsonl": "questions questions.jsonl --answer",
}  # fmt: skip


ELSEWHERE = {"doctor", "simplan train pairs.jsonl -o model"}
"""Examples that a test below and make test-ranker run."""


def steps(example: str) -> list[str]:
    """Return an example after those that make the files that it reads."""
    files = MADE.keys() & {*example.partition(" -o ")[0].split()}
    before = [x for x in EXAMPLES for file in files if x.startswith(MADE[file])]
    return [*(step for each in before for step in steps(each)), example]


@pytest.mark.parametrize("example", [x for x in EXAMPLES if x not in ELSEWHERE])
def test_examples_work_in_a_checkout(cli_here: CliHere, checkout: Path, example: str) -> None:
    for line in steps(example):
        done = cli_here(*line.partition(" > ")[0].split(), cwd=checkout)
        assert done.status == line.startswith("score "), done.err


def test_help_fits_a_screen_and_has_a_line_for_each_command(cli_process: Cli) -> None:
    lines = cli_process("-h").out.splitlines()
    assert (len(lines) <= 24, max(map(len, lines)) <= 80) == (True, True)
    expected = []
    for heading, names in HEADINGS.items():
        about = (f"  {name:<10} {ALL[name].get_short_help_str(80)}" for name in names.split())
        expected += [f"{heading}:", *about]
    assert lines[2:-1] == expected


def test_number_of_options() -> None:
    counts = {x: sum(isinstance(each, click.Option) for each in ALL[x].params) for x in ALL}
    assert sum(counts.values()) <= 179, counts
    assert max(counts.values()) <= 19, counts


@pytest.mark.parametrize(
    ("numbers", "target", "planner", "status", "said"),
    [
        ((3, 4, 5, 6), 24, "dfs", 0, "dfs: plan-found"),
        ((3, 4, 5, 6), 9999, "dfs", 1, "claims-unsolvable"),
        ((1, 97, 89, 83), 0, "enhsp", 1, "the plan is invalid"),
        ((3, 4, 5, 6), 24, "lama-first", 1, "lama-first does not support numeric problems"),
    ],
)
def test_solve_prints_only_a_valid_plan(
    cli: Cli, tmp_path: Path, numbers: tuple[int, ...], target: int, planner: str, status: int,
    said: str,
) -> None:  # fmt: skip
    record = {"id": "p", "domain": "countdown", "numbers": numbers, "target": target}
    (tmp_path / "data.jsonl").write_text(json.dumps(record))
    cli("translate", "data.jsonl", "-o", "pddl")
    task = ("pddl/domain.pddl", "pddl/problems/p.pddl")
    line = ("solve", *task, "--planner", planner, "--time-limit", "60s")
    done, written = cli(*line), cli(*line, "--json", "-o", "plan")
    assert (done.status, written.status, said in done.err) == (status, status, True)
    assert bool(done.out) == (tmp_path / "plan").exists() == (status == 0)
    found = json.loads(written.out)
    assert found["outcome"] in done.err
    if status == 0:
        assert done.out == (tmp_path / "plan").read_text()
        assert (done.out.endswith("; cost = 4\n"), found["cost"]) == (True, 4)
        assert cli("validate", *task, "plan").status == 0


SQUARES = """(define (domain squares) (:requirements :numeric-fluents) (:predicates (done))
  (:functions (x))
  (:action square :parameters () :effect (and (done) (assign (x) (* (x) (x))))))"""
LARGE = "(define (problem p) (:domain squares) (:init (= (x) 9)) (:goal (and (done) (> (x) 0))))"


@pytest.mark.parametrize("option", [(), ("-o", "plan"), ("-o", "plan", "--json")])
def test_solve_writes_an_undecided_plan_that_can_be_read_again(
    cli: Cli, tmp_path: Path, option: tuple[str, ...]
) -> None:
    """After 40 squares, the number is too large to be judged."""
    (tmp_path / "d.pddl").write_text(SQUARES)
    (tmp_path / "p.pddl").write_text(LARGE)
    (tmp_path / "found").write_text("(square)\n" * 40)
    done = cli("solve", "d.pddl", "p.pddl", "--planner", "mine=cmd:cat found", *option)
    assert done.status == 3, done.err
    if not option:
        (tmp_path / "plan").write_text(done.out)
    first, *steps = (tmp_path / "plan").read_text().splitlines()
    assert steps == ["(square)"] * 40
    again = cli("validate", "d.pddl", "p.pddl", "plan", "--json")
    verdict = json.loads(again.out)
    assert (again.status, verdict["status"], verdict["steps"]) == (3, "undecided", 40)
    assert first == f"; undecided: {verdict['reason']}"


@pytest.mark.parametrize(
    ("cost", "written"), [("22503/10000", "2.2503"), ("7/3", "2.333333333333333"), ("4", "4")]
)
def test_the_cost_below_a_plan_is_a_decimal(
    cli: Cli, tmp_path: Path, cost: str, written: str
) -> None:
    """Other programs read the first number, and of a fraction only its numerator."""
    value = f"(/ {cost.replace('/', ' ')})" if "/" in cost else cost
    (tmp_path / "d.pddl").write_text(
        "(define (domain d) (:predicates (p)) (:action a :parameters () :effect (p)))"
    )
    (tmp_path / "p.pddl").write_text(
        f"(define (problem x) (:domain d) (:init) (:goal (p)) (:metric minimize {value}))"
    )
    (tmp_path / "planner").write_text("#!/bin/sh\necho '(a)'\n")
    (tmp_path / "planner").chmod(0o755)
    done = cli("solve", "d.pddl", "p.pddl", "--planner", "me=cmd:./planner {domain} {problem}")
    assert (done.status, done.out) == (0, f"(a)\n; cost = {written}\n")


def test_a_planner_gets_object_fluents_as_they_are(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "d.pddl").write_text(
        """(define (domain d) (:requirements :typing :equality :object-fluents) (:types car place)
        (:functions (at ?c - car) - place) (:action go :parameters (?c - car ?a ?b - place)
        :precondition (= (at ?c) ?a) :effect (assign (at ?c) ?b)))"""
    )
    (tmp_path / "p.pddl").write_text(
        """(define (problem p) (:domain d) (:objects c - car x y - place)
        (:init (= (at c) x)) (:goal (= (at c) y)))"""
    )
    done = cli("solve", "d.pddl", "p.pddl", "--planner", "lama-first")
    assert (done.status, done.err.count("\n")) == (1, 1)
    assert ":object-fluents" in done.err


def test_domains_lists_everything(cli: Cli) -> None:
    text = cli("list").out
    for name in (*domain_names(), "enhsp", "lama-first", "lama", "seq-opt-lmcut", "fd-blind"):
        assert f"\n  {name} " in text


@pytest.mark.slow("runs a sample with each engine")
def test_doctor_tries_the_engines(cli: Cli) -> None:
    done = cli("doctor")
    assert done.status == 0
    assert " fails" not in done.out
    for name in ("Java:", "up-enhsp:", "up-fast-downward:", "pddl-pipeline:"):
        line = next(line for line in done.out.splitlines() if line.startswith(name))
        assert " ok, " in line
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    names = {re.split(r"[^\w-]", each)[0] for each in declared} | {OWN}
    assert {each.distribution for each in planners().values()} & names == REQUIRED


def test_report_of_a_run_store(cli: Cli, tmp_path: Path) -> None:
    data = tmp_path / "data.jsonl"
    data.write_text((domain_folder("countdown") / "examples.jsonl").read_text().splitlines()[0])
    assert cli("run", data, "--planner", "none=cmd:true", "-o", "runs").status == 0
    (tmp_path / "page.html").symlink_to("real.html")
    done = cli("report", "runs", "--html", "page.html")
    assert done.status == 0
    page = (tmp_path / "real.html").read_bytes()
    assert page == (tmp_path / "runs" / "report.html").read_bytes()


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [
        (parse_duration, "30m", 1800), (parse_duration, "90", 90), (parse_duration, "90s", 90),
        (parse_duration, "1.5h", 5400), (parse_duration, "0.5s", 0.5),
        (parse_size, "3.5G", 3758096384), (parse_size, "512M", 2**29), (parse_size, "1k", 1024),
        (parse_size, "2GB", 2**31),
    ],
)  # fmt: skip
def test_durations_and_sizes(parse: Callable[[str], float], text: str, value: float) -> None:
    assert parse(text) == value
