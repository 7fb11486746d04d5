"""The behaviour of the commands that scripts depend on: exit statuses, fields, lines."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from command_line import check_mistake
from places import ROOT

from pddl_pipeline.cli.group import FORMER, GROUP, REMOVED
from pddl_pipeline.model.discovery import OWN
from pddl_pipeline.model.limits import parse_duration, parse_size
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.planners.checks import REQUIRED
from pddl_pipeline.planners.registry import planners

if TYPE_CHECKING:
    from command_line import Cli, CliHere

COUNTDOWN = domain_folder("countdown")
TASK = (COUNTDOWN / "domain.pddl", COUNTDOWN / "p01.pddl")
GOOD = COUNTDOWN / "p01.plan"
HEADINGS = {
    "Everyday": "translate run validate solve score show report rejudge",
    "Data": "list generate prompt questions ask",
    "Papers": "autotos reproduce",
    "Setup": "new doctor",
}


def commands() -> dict[str, click.Command]:
    """Return every command and subcommand by the words behind the program's name."""
    found = {}

    def add(name: str, command: click.Command | None) -> None:
        assert command is not None
        found[name] = command
        if isinstance(command, click.Group):
            context = click.Context(command)
            for below in command.list_commands(context):
                add(f"{name} {below}".strip(), command.get_command(context, below))

    add("", GROUP)
    return found


ALL = commands()


SINGLE = [name for name, each in ALL.items() if not isinstance(each, click.Group)]
EXAMPLES = {
    line.removeprefix("  pddl-pipeline "): name
    for name in SINGLE
    for line in (ALL[name].epilog or "").splitlines()[2:]
}


@pytest.mark.parametrize("name", SINGLE)
def test_help_has_headings_and_examples(cli: Cli, name: str) -> None:
    done = cli(*name.split(), "-h")
    assert done.status == 0
    assert f"  Examples:\n    pddl-pipeline {name}" in done.out
    headings = re.findall(r"(?m)^(\w.*):$", done.out)
    assert headings.count("Data") <= 1
    assert "Options" not in headings
    if name != "generate":  # its settings follow
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
    "prompts.jsonl": "prompt ", "questions.jsonl": "questions examples", "runs": "run ",
    "exact-answers.jsonl": "questions questions.jsonl --answer",
}  # fmt: skip


def steps(example: str) -> list[str]:
    """Return an example after those that make the files that it reads."""
    files = MADE.keys() & {*example.partition(" -o ")[0].split()}
    before = [x for x in EXAMPLES for file in files if x.startswith(MADE[file])]
    return [*(step for each in before for step in steps(each)), example]


@pytest.mark.parametrize("example", [x for x in EXAMPLES if x != "doctor"])  # a test below runs it
def test_examples_work_in_a_checkout(cli_here: CliHere, checkout: Path, example: str) -> None:
    for line in steps(example):
        done = cli_here(*line.partition(" > ")[0].split(), cwd=checkout)
        assert done.status == line.startswith("score "), done.err


def test_help_fits_a_screen_and_has_a_line_for_each_command(cli_process: Cli) -> None:
    lines = cli_process("-h").out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    expected = []
    for heading, names in HEADINGS.items():
        expected.append(f"{heading}:")
        for name in names.split():
            about = ALL[name].get_short_help_str(limit=80)
            expected.append(f"  {name:<10} {about}")
    assert lines[2:-1] == expected


def options(name: str) -> list[str]:
    """Return the options of a command, without ``-h`` and aliases."""
    return [each.opts[0] for each in ALL[name].params if isinstance(each, click.Option)]


def test_number_of_options() -> None:
    counts = {name: len(options(name)) for name in ALL}
    assert sum(counts.values()) <= 150, counts
    assert max(counts.values()) <= 18, counts


@pytest.mark.parametrize(("name", "option"), REMOVED)
def test_removed_options_name_the_replacement(cli: Cli, name: str, option: str) -> None:
    command = {"pddl-pipeline": "", "": "doctor"}.get(name, name)
    assert option not in options(command)
    done = cli(*command.split(), option)
    check_mistake(done, f"error: {option} was removed: {REMOVED[name, option]}")


def test_former_names_work_and_print_the_new_ones(cli: Cli) -> None:
    for old, new in FORMER.items():
        arguments = ("--jsno",) if old == "autotos" else ()
        done, now = cli(old, *arguments), cli(*new, *arguments)
        assert (done.status, done.out) == (now.status, now.out)
        assert done.err == f"warning: `{old}` is now `pddl-pipeline {' '.join(new)}`\n{now.err}"


def test_a_reader_that_ends_early_is_no_error() -> None:
    program = Path(sys.executable).with_name("pddl-pipeline")
    plans = f"$(yes {GOOD} | head -3000)"
    script = f"{program} validate {TASK[0]} {TASK[1]} {plans} | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"Checking plan: {GOOD}", "0"]
    assert done.stderr == ""


def test_report_follows_links_and_writes_to_pipes(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "runs.jsonl").touch()
    (tmp_path / "page.html").symlink_to("real.html")
    assert cli("report", "runs", "--html", "page.html").status == 0
    assert (tmp_path / "page.html").is_symlink()
    assert (tmp_path / "real.html").read_text().startswith("<!doctype html>")


def test_output_that_cannot_be_written_is_noticed_before_the_search(cli: Cli) -> None:
    done = cli("solve", *TASK, "-o", "no-such-folder/plan")
    assert (done.status, done.out) == (2, "")
    assert "no-such-folder/plan: cannot be written: there is no such folder" in done.err


def test_full_output_is_an_error(cli: Cli) -> None:
    with Path("/dev/full").open("w") as full:
        done = cli("list", stdout=full)
    assert done.status == 2
    assert "No space left on device" in done.err


def test_solve_prints_a_plan_that_validate_accepts(cli: Cli, tmp_path: Path) -> None:
    done = cli("solve", *TASK, "--time-limit", "60s")
    assert done.status == 0
    assert done.out.endswith("; cost = 4\n")
    assert "enhsp: plan-found" in done.err
    (tmp_path / "p").write_text(done.out)
    assert cli("validate", *TASK, "p").status == 0


def test_solve_writes_the_plan_to_a_file(cli: Cli) -> None:
    ferry = domain_folder("ferry")
    done = cli("solve", ferry / "domain.pddl", ferry / "p01.pddl", "-o", "p")
    assert (done.status, done.out) == (0, "")
    assert cli("validate", ferry / "domain.pddl", ferry / "p01.pddl", "p").status == 0


def test_solve_without_a_plan_is_status_1(cli: Cli, tmp_path: Path) -> None:
    problem = TASK[1].read_text().replace("(= (targetvalue) 24)", "(= (targetvalue) 9999)")
    (tmp_path / "p.pddl").write_text(problem)
    done = cli("solve", TASK[0], "p.pddl", "--json", "--time-limit", "60s", "-o", "plan")
    assert done.status == 1
    found = json.loads(done.out)
    assert (found["outcome"], found["plan"]) == ("claims-unsolvable", None)
    assert not (tmp_path / "plan").exists()


def test_solve_does_not_print_a_claim_that_is_no_plan(cli: Cli, tmp_path: Path) -> None:
    text = TASK[1].read_text()
    for old, new in (("n1) 3", "n1) 1"), ("n2) 4", "n2) 97"), ("n3) 5", "n3) 89")):
        text = text.replace(f"(value {old}", f"(value {new}")
    text = text.replace("(value n4) 6", "(value n4) 83").replace(
        "(targetvalue) 24", "(targetvalue) 0"
    )
    (tmp_path / "trap.pddl").write_text(text)
    done = cli("solve", TASK[0], "trap.pddl", "--time-limit", "60s")
    assert (done.status, done.out) == (1, "")
    assert "the plan is invalid" in done.err


def test_planner_that_does_not_support_the_problem(cli: Cli) -> None:
    done = cli("solve", *TASK, "--planner", "lama-first")
    assert done.status == 1
    assert "lama-first does not support numeric problems" in done.err


def test_domains_lists_everything(cli: Cli) -> None:
    text = cli("list").out
    for name in (*domain_names(), "enhsp", "lama-first", "lama", "seq-opt-lmcut", "fd-blind"):
        assert f"\n  {name} " in text


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
    said = cli("doctor", "--help").out
    assert "Exit status: 0, even if something is missing or fails" in " ".join(said.split())


def test_report_of_a_run_store(cli: Cli, tmp_path: Path) -> None:
    data = tmp_path / "data.jsonl"
    data.write_text((COUNTDOWN / "examples.jsonl").read_text().splitlines()[0])
    assert cli("run", data, "--time-limit", "60s", "-o", "runs").status == 0
    done = cli("report", "runs", "--html", "r.html", "--table", "r.csv")
    assert done.status == 0
    assert "countdown" in done.out
    table = (tmp_path / "r.csv").read_text()
    assert table.startswith("domain,planner,instances,not run,claimed solved")
    assert (tmp_path / "r.html").read_bytes() == (tmp_path / "runs" / "report.html").read_bytes()
    row = json.loads(cli("report", "runs", "--json").out.splitlines()[0])
    assert (row["claimed"], row["validated"], row["mean_cost"]) == (1, 1, 4.0)


@pytest.mark.parametrize(
    ("text", "seconds"), [("30m", 1800), ("90", 90), ("90s", 90), ("1.5h", 5400), ("0.5s", 0.5)]
)
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    ("text", "size"), [("3.5G", 3758096384), ("512M", 2**29), ("1k", 1024), ("2GB", 2**31)]
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size
