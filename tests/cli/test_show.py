"""``pddl-pipeline show``: which files it writes, and what it says of bad input."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from store_results import RESULT

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.runs.store import result_to_json

if TYPE_CHECKING:
    from command_line import Cli

FERRY = domain_folder("ferry")
FILES = (FERRY / "domain.pddl", FERRY / "p01.pddl", FERRY / "p01.plan")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a file of two ferry problems."""
    lines = (FERRY / "examples.jsonl").read_text().splitlines()[:2]
    file = tmp_path / "data.jsonl"
    file.write_text("\n".join(lines) + "\n")
    return file


def ids_of(data: Path) -> list[str]:
    return [json.loads(line)["id"] for line in data.read_text().splitlines()]


def test_one_page_and_its_pictures(cli: Cli, tmp_path: Path) -> None:
    done = cli("show", *FILES, "-o", "p.html", "--svg", "pictures")
    assert (done.status, done.out) == (
        0,
        "p.html: the plan is valid: 9 steps, cost 9\n",
    )
    names = [file.name for file in sorted((tmp_path / "pictures").iterdir())]
    assert names == [f"step-{number:02}.svg" for number in range(10)]
    for name in names:
        ET.parse(tmp_path / "pictures" / name)  # noqa: S314 -- the command wrote it


def test_the_default_name_of_the_page(cli: Cli, tmp_path: Path) -> None:
    done = cli("show", *FILES)
    assert done.out == "plan.html: the plan is valid: 9 steps, cost 9\n"
    assert (tmp_path / "plan.html").exists()


def test_a_failing_plan_is_one_sentence(cli: Cli) -> None:
    """With the step, its action and the reason, as `validate` prints them."""
    plan = FERRY / "bad" / "two-cars.plan"
    done = cli("show", *FILES[:2], plan, "-o", "p.html")
    reason = cli("validate", *FILES[:2], plan).out.splitlines()[-1]
    assert reason.startswith("step 3 (board c")
    assert (done.status, done.out) == (0, f"p.html: the plan is invalid: {reason}\n")


@pytest.mark.parametrize("name", ["prose.plan", "unknown-action.plan"])
def test_a_text_that_is_not_a_plan_is_refused(cli: Cli, tmp_path: Path, name: str) -> None:
    """In the line that `validate` prints, with its status; nothing is written."""
    text = "First, <b>board</b> c0.\n" if name == "prose.plan" else "(sail l0 l1)\n(fly c0 l1)\n"
    (tmp_path / name).write_text(text)
    done = cli("show", *FILES[:2], name, "-o", "p.html", "--svg", "pictures")
    judged = cli("validate", *FILES[:2], name)
    assert (done.status, done.out, judged.status) == (2, "", 2)
    assert done.err == f"error: {judged.out.splitlines()[-1]}\n"
    assert not (tmp_path / "p.html").exists()
    assert not (tmp_path / "pictures").exists()


def test_the_output_of_a_planner(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "log").write_text("ff: found\nstep    0: BOARD C0 L1\n        1: SAIL L1 L0\n")
    done = cli("show", *FILES[:2], "log", "-o", "p.html")
    assert done.status == 2
    assert "read it with --plan-format ff" in done.err
    done = cli("show", *FILES[:2], "log", "--plan-format", "auto", "-o", "p.html")
    assert "the plan is invalid: goal not satisfied" in done.out


def test_pages_of_answers(cli: Cli, data: Path, tmp_path: Path) -> None:
    first, second = ids_of(data)
    rows = [
        {"id": first, "model": "m<script>", "answer": "I <b>think</b>: board c0 at l1\n\u202eno"},
        {"id": first, "model": "empty", "answer": None},
        {"id": second, "answer": "x" * 1_100_000},
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
        assert "<script>alert" not in page
        assert "<b>think" not in page
        assert "\u202e" not in page
        assert len(page) < 400_000
    done = cli("show", data, "answers.jsonl", "-o", "one", "--id", second)
    assert done.out == "one/index.html: 1 page\n"
    done = cli("show", data, "answers.jsonl", "-o", "two", "--limit", "1")
    assert "Only the first 1 are shown" in done.err


@pytest.fixture
def store(tmp_path: Path, data: Path) -> Path:
    """Return a store of runs on the data: a valid plan, an invalid one, and none."""
    first, second = ids_of(data)
    shutil.copy(FERRY / "domain.pddl", tmp_path / "domain.pddl")
    done = [
        replace(RESULT, id=first, plan=("(sail l0 l1)",)),
        replace(RESULT, key="k1", id=second, plan=None, status=None,
                outcome=Outcome.TIMEOUT, reason="too <slow>"),
    ]  # fmt: skip
    folder = tmp_path / "store"
    folder.mkdir()
    lines = "".join(f"{json.dumps(result_to_json(each))}\n" for each in done)
    (folder / "runs.jsonl").write_text(lines + '{"key": "half a')
    return folder


def test_pages_of_runs(cli: Cli, store: Path, tmp_path: Path) -> None:
    """Runs without a page stand in the index with the reason; a torn line does not."""
    done = cli("show", store, "-o", "pages")
    assert (done.status, done.out) == (0, "pages/index.html: 0 pages\n")
    index = (tmp_path / "pages" / "index.html").read_text()
    assert "too &lt;slow&gt;" in index
    assert "a version before 1.0.0 stored it" in index


def test_pages_of_a_run(cli: Cli, data: Path, tmp_path: Path) -> None:
    ran = cli("run", data, "--planner", "bfs", "--time-limit", "60s", "-o", "runs", "-q")
    assert ran.status == 0, ran.err
    done = cli("show", "runs", "-o", "pages")
    assert (done.status, done.out) == (0, "pages/index.html: 2 pages\n")
    page = next(file for file in (tmp_path / "pages").iterdir() if file.name != "index.html")
    assert "bfs" in page.name
    assert "The plan is valid" in page.read_text()


def test_a_damaged_store_is_one_line(cli: Cli, store: Path) -> None:
    file = store / "runs.jsonl"
    file.write_text("no line\n" + file.read_text())
    done = cli("show", store, "-o", "pages")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert "runs.jsonl:1: is not a line of a run store" in done.err
