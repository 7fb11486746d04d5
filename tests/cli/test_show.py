"""``pddl-pipeline show``: which files it writes, and what it says of plans, answers and runs."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command_line import check_mistake
from store_results import RESULT

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.runs.store import result_to_json

if TYPE_CHECKING:
    from command_line import Cli

FERRY = domain_folder("ferry")
FILES = (FERRY / "domain.pddl", FERRY / "p01.pddl", FERRY / "p01.plan")
RECORDS = (FERRY / "examples.jsonl").read_text().splitlines()[:2]
FIRST, SECOND = (json.loads(record)["id"] for record in RECORDS)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a file of two ferry problems."""
    (tmp_path / "data.jsonl").write_text("\n".join(RECORDS))
    return tmp_path / "data.jsonl"


def test_one_page_and_its_pictures(cli: Cli, tmp_path: Path) -> None:
    done = cli("show", *FILES, "--svg", "pictures")
    assert (done.status, done.out) == (0, "plan.html: The plan is valid: 9 steps, cost 9.\n")
    assert (tmp_path / "plan.html").exists()
    files = sorted((tmp_path / "pictures").iterdir())
    assert [file.name for file in files] == [f"step-{number:02}.svg" for number in range(10)]
    for file in files:
        ET.parse(file)  # noqa: S314 -- the command wrote it


def test_two_plans_are_beside_each_other(cli: Cli, tmp_path: Path) -> None:
    other = FERRY / "bad" / "two-cars.plan"
    done = cli("show", *FILES, other, "-o", "both.html")
    lines = (f"{FILES[2]}: The plan is valid: 9 steps, cost 9.", f"{other}: The plan is invalid.")
    assert all(line in done.out for line in lines)
    rows = re.findall("<tr.*?</tr>", (tmp_path / "both.html").read_text())
    cells = [re.findall("<t[dh][^>]*>(.*?)</t[dh]>", row) for row in rows]
    steps = [row for row in cells if len(row) == 5][1:]
    assert [row[2] for row in steps if row[2]] == FILES[2].read_text().split("\n")[:9]
    assert steps[0] == ["", "1", "(board c0 l1)", "1", "(board c0 l1)"]
    assert steps[6] == ["", "7", "(board c1 l2)", "3", "(board c1 l2) (fails)"]
    assert [row[0] for row in steps].index("≠") == 1
    check_mistake(cli("show", *FILES, other, "--svg", "x"), "applies to")


def test_a_failing_plan_is_one_sentence(cli: Cli) -> None:
    """That of the page: the step, what must hold, and what holds instead."""
    done = cli("show", *FILES[:2], FERRY / "bad" / "two-cars.plan", "-o", "p.html")
    why = "Step 3 fails: the ferry must be empty, but c0 is on the ferry."
    assert (done.status, done.out) == (0, f"p.html: The plan is invalid. {why}\n")


@pytest.mark.parametrize("text", ["First, <b>board</b> c0.\n", "(sail l0 l1)\n(fly c0 l1)\n"])
def test_a_text_that_is_not_a_plan_is_refused(cli: Cli, tmp_path: Path, text: str) -> None:
    """In the line that `validate` prints, with its status; nothing is written."""
    (tmp_path / "a.plan").write_text(text)
    done = cli("show", *FILES[:2], "a.plan", "-o", "p.html", "--svg", "pictures")
    check_mistake(done, cli("validate", *FILES[:2], "a.plan").out.splitlines()[-1])
    assert [file.name for file in tmp_path.iterdir()] == ["a.plan"]


def test_the_output_of_a_planner(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "log").write_text("ff: found\nstep    0: BOARD C0 L1\n        1: SAIL L1 L0\n")
    advice = "looks like the output of FF or Metric-FF; try --plan-format ff"
    check_mistake(cli("show", *FILES[:2], "log"), advice)
    done = cli("show", *FILES[:2], "log", "--plan-format", "auto")
    assert "The plan is invalid. The plan misses 2 of 2 goals: " in done.out


def test_pages_of_answers(cli: Cli, data: Path, tmp_path: Path) -> None:
    rows = [
        {"id": FIRST, "model": "m<script>", "answer": "I <b>think</b>: board c0 at l1\n\u202eno"},
        {"id": FIRST, "model": "empty", "answer": None},
        {"id": SECOND, "answer": "x" * 1_100_000},
        {"id": "other", "answer": ""},
    ]
    text = "".join(f"{json.dumps(row)}\n" for row in rows) + '{"id": "half'
    (tmp_path / "answers.jsonl").write_text(text)
    done = cli("show", data, "answers.jsonl", "-o", "pages")
    assert (done.status, done.out) == (0, "pages/index.html: 3 pages\n")
    index = (tmp_path / "pages" / "index.html").read_text()
    assert "m&lt;script&gt;" in index
    assert "unknown id &#x27;other&#x27;" in index
    assert index.count("no answer") == 2
    for file in (tmp_path / "pages").iterdir():
        page = file.read_text()
        assert not [text for text in ("<script>alert", "<b>think", "\u202e") if text in page]
        assert len(page) < 400_000
    line = ("show", data, "answers.jsonl", "-o", "more")
    assert cli(*line, "--id", SECOND).out == "more/index.html: 1 page\n"
    assert "Only the first 1 are shown" in cli(*line, "--limit", "1").err


def test_runs_without_a_page_and_damaged_stores(cli: Cli, tmp_path: Path) -> None:
    """Such runs stand in the index with the reason; a torn line does not."""
    failed = replace(RESULT, plan=None, status=None, outcome=Outcome.TIMEOUT, reason="too <slow>")
    results = (replace(RESULT, id=FIRST), replace(failed, key="k1", id=SECOND))
    lines = "".join(f"{json.dumps(result_to_json(each))}\n" for each in results)
    (tmp_path / "runs.jsonl").write_text(lines + '{"key": "half a')
    done = cli("show", tmp_path, "-o", "pages")
    assert (done.status, done.out) == (0, "pages/index.html: 0 pages\n")
    index = (tmp_path / "pages" / "index.html").read_text()
    assert "too &lt;slow&gt;" in index
    assert "a version before 1.0.0 stored it" in index
    (tmp_path / "runs.jsonl").write_text("no line\n" + lines)
    check_mistake(cli("show", tmp_path), "runs.jsonl:1: the line is damaged")


def test_pages_of_a_run(cli: Cli, data: Path, tmp_path: Path) -> None:
    ran = cli("run", data, "--planner", "bfs", "-o", "runs", "-q")
    assert ran.status == 0, ran.err
    done = cli("show", "runs", "-o", "pages")
    assert (done.status, done.out) == (0, "pages/index.html: 2 pages\n")
    index = (tmp_path / "pages" / "index.html").read_text()
    assert "2 pages of 2" in index
    assert index.count("<td class=valid>valid</td>") == 2
    pages = [file for file in (tmp_path / "pages").iterdir() if "bfs" in file.name]
    assert sorted(page.read_text().count(".html'>") for page in pages) == [2, 2]
    assert ["The plan is valid" in page.read_text() for page in pages] == [True] * 2
