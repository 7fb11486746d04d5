"""Every command and program of the documentation is executed by a test."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from command_line import write_script
from model_server import Model, served
from page_blocks import check_page, check_texts, commands_of, link_checkout
from places import ROOT, SUPPORT, TESTS

from pddl_pipeline.cli.group import GROUP
from pddl_pipeline.model.errors import ErrorKind, ErrorStage
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.planners.registry import planners
from pddl_pipeline.reporting.row import columns
from pddl_pipeline.translators.formats.registry import formats
from pddl_pipeline.validation.plan_formats import plan_formats

if TYPE_CHECKING:
    from command_line import CliHere

DOCS = ROOT / "docs"
# The pages that list these, each name as code.
LISTED = {"validation.md": plan_formats, "formats.md": formats, "planners.md": planners}
# The least number of commands on each page whose commands run here, and of outputs that it shows.
PAGES = {
    "answer-files.md": (4, 0),
    "bring-your-own.md": (10, 0),
    "commands.md": (26, 0),
    "compare-planners.md": (6, 4),
    "index.md": (3, 1),
    "library.md": (3, 0),
    "look-at-a-plan.md": (8, 0),
    "make-a-benchmark.md": (5, 3),
    "models.md": (7, 0),
    "pddl-answers.md": (8, 2),
    "planners.md": (1, 0),
    "score-a-model.md": (4, 4),
    "search.md": (7, 0),
    "train-with-rewards.md": (3, 0),
    "validate-plans.md": (8, 6),
}
# The test that executes the blocks of another page.
ELSEWHERE = {
    "integrations.md": "integrations/test_up_docs.py",
    "prompts.md": "cli/test_prompt.py",
    "simplan-ranker.md": "papers/simplan/ranker/test_ranker.py",
    "report.md": "reporting/test_lab_properties.py",
    "reproduction/index.md": "cli/test_reproduce.py",
}
GRIPPER = SUPPORT / "foreign_pddl" / "gripper"
DOMAIN, PROBLEM, PLAN = (
    (GRIPPER / name).read_text() for name in ("domain.pddl", "p01.pddl", "good.plan")
)
STEPS = "".join(f"{number}.0: {step}\n" for number, step in enumerate(PLAN.splitlines()))
OWN = (DOCS / "bring-your-own.md").read_text()
(SCRIPT,) = re.findall(r"^```sh\n(#!.*?)^```", OWN, re.MULTILINE | re.DOTALL)
TABLE, *_ = re.findall(r"^```csv\n(.*?)^```", OWN, re.MULTILINE | re.DOTALL)
FERRY = json.loads((domain_folder("ferry") / "examples.jsonl").read_text().partition("\n")[0])
FERRIES = [{name: value for name, value in FERRY.items() if name != "domain"}]
BLOCKS, BUDGET = domain_folder("blocksworld"), domain_folder("budget-blocksworld")


RIGHT = "".join(f"{json.dumps({'id': name, 'answer': PLAN})}\n" for name in ("p01", "p02"))


def answers(temperature: float) -> str:
    return f'problem_id,response,temperature\np01,"{PLAN}",{temperature}\n'


PROBLEMS = {f"problems/{name}.pddl": PROBLEM for name in ("p01", "p02")}
# The files of the user that the commands of a page read.
FILES = {
    "answer-files.md": {
        **PROBLEMS, "problems/domain.pddl": DOMAIN,
        **dict.fromkeys(("gpt.jsonl", "llama.jsonl", "qwen.jsonl"), RIGHT),
    },
    "bring-your-own.md": {
        **PROBLEMS, "problems/domain.pddl": DOMAIN, "domain.pddl": DOMAIN, "p01.pddl": PROBLEM,
        "planner.sh": SCRIPT, "answers.csv": answers(0.7), "more.csv": answers(1),
        "replies.jsonl": json.dumps({"problem": "p01", "reply": PLAN}), "p01.plan": PLAN,
        "puzzles.csv": TABLE, "cards.tsv": "digits\twanted\n1 2 3 4\t24\n",
        "answers.jsonl": json.dumps({"id": "größe/1", "answer": "(3 + 5 - 4) * 6 = 24"}),
        "ferries.json": json.dumps(FERRIES),
        "output.txt": f"Problem Solved\n\nFound Plan:\n{STEPS}\n",
    },
    "search.md": {
        "domain.pddl": (BLOCKS / "domain.pddl").read_text(),
        "p01.pddl": (BLOCKS / "p01.pddl").read_text(),
        "answer.txt": (ROOT / "examples" / "search-code" / "blocksworld.md").read_text(),
        "data.jsonl": (BLOCKS / "examples.jsonl").read_text().partition("\n")[0],
        "bb.jsonl": (BUDGET / "examples.jsonl").read_text().partition("\n")[0],
    },
}  # fmt: skip


@pytest.fixture
def place(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Return a folder that looks like the checkout, with the files of a page."""
    page = request.node.callspec.params["page"] if hasattr(request.node, "callspec") else ""
    for name, text in FILES.get(page or "answer-files.md", {}).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write_script(tmp_path / name, text)
    return link_checkout(tmp_path)


def test_every_page_with_blocks_has_a_test() -> None:
    pages = {
        page.relative_to(DOCS).as_posix()
        for page in DOCS.rglob("*.md")
        if re.search(r"^```(sh|python)$", page.read_text("utf-8"), re.MULTILINE)
    }
    assert pages == PAGES.keys() | ELSEWHERE.keys()
    for page, test in ELSEWHERE.items():
        assert Path(page).name in (TESTS / test).read_text("utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_commands_are_found(page: str) -> None:
    assert len([*commands_of((DOCS / page).read_text())]) >= PAGES[page][0]


@pytest.mark.long
@pytest.mark.usefixtures("no_key")
@pytest.mark.parametrize("page", PAGES)
def test_every_command_and_program_runs_and_prints_what_is_shown(page: str, place: Path) -> None:
    """A local server is the model of docs/models.md."""
    text = (DOCS / page).read_text().replace(f"```sh\n{SCRIPT}```", "")
    with served(Model(name="my-model")) as base:
        text = text.replace("http://localhost:8000/v1", base)
        if PAGES[page][1]:
            assert check_texts(text, place) >= PAGES[page][1]
        else:
            check_page(text, place)


def test_every_command_is_shown() -> None:
    shown = {
        shlex.split(command.text)[1]
        for command in commands_of((DOCS / "commands.md").read_text())
        if command.text.startswith("pddl-pipeline ")
    }
    assert shown == {*GROUP.list_commands(click.Context(GROUP))}


def table(head: str, page: str = "answer-files.md") -> list[list[list[str]]]:
    """Return the names in the cells of a table of a page."""
    text = (DOCS / page).read_text().split(head)[1].split("\n\n")[0]
    rows = [line.split("|")[1:-1] for line in text.splitlines()[2:]]
    return [[re.findall(r"`([^`]+)`", cell) for cell in row] for row in rows]


def test_the_columns_and_fields_of_comparisons_are_those_of_the_page(
    cli_here: CliHere, place: Path
) -> None:
    line = ("score", "problems", "--answers", "gpt.jsonl", "qwen.jsonl", "--compare")
    columns, fields, _ = zip(*table("| column | JSON | meaning |"), strict=True)
    (heading,) = (x for x in cli_here(*line, cwd=place).out.splitlines() if "p (Holm)" in x)
    assert all(column in heading for cell in columns for column in cell)
    rows = map(json.loads, cli_here(*line, "--json", cwd=place).out.splitlines())
    (row,) = (row for row in rows if row["table"] == "compare")
    assert set(row) == {name for cell in fields for name in cell}


def test_the_stages_of_errors_are_those_of_the_page() -> None:
    stages = {stage[0]: set(errors) for stage, errors in table("| stage | errors |")}
    assert list(stages) == list(ErrorStage)
    for stage in (ErrorStage.READING, ErrorStage.STEP):
        assert stages[stage] == {kind for kind in ErrorKind if kind.stage is stage}
    errors = [row[0][0] for row in table("| error | meaning |", "reference/errors.md")]
    assert errors == list(ErrorKind)


@pytest.mark.parametrize("page", LISTED)
def test_planners_and_formats_are_on_their_pages(page: str) -> None:
    text = (DOCS / page).read_text()
    assert [name for name in LISTED[page]() if not re.search(rf"`{name}[`:]", text)] == []


def test_statuses_and_columns_are_on_their_pages() -> None:
    statuses = [row[0][0] for row in table("| status | meaning |", "validation.md")]
    assert statuses == list(Status)
    fields = table("| column | in JSON | formula |", "report.md")
    assert {name for row in fields for name in row[1]} == {*columns()} - {
        "domain",
        "size",
        "planner",
    }
