"""``score --html``: what the page has, where its links lead, and what it says of bad input."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from places import SUPPORT

from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import Cli

GRIPPER = SUPPORT / "foreign_pddl" / "gripper"
PLAN = (GRIPPER / "good.plan").read_text()
STEPS = PLAN.splitlines(keepends=True)
HOSTILE = "x<script>\u202e'\""
TEXTS = {
    "1": PLAN,
    "0": "".join(STEPS[:-1]),
    "p": "".join(STEPS[1:]),
    "u": "I have <b>none</b>.\u202e<script>alert(1)</script>",
    "e": "",
}


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    """Return a folder with six problems of a domain that is not one of the project's."""
    folder = tmp_path / "problems"
    folder.mkdir()
    (folder / "domain.pddl").write_text((GRIPPER / "domain.pddl").read_text())
    for number in range(6):
        (folder / f"q{number}.pddl").write_text((GRIPPER / "p01.pddl").read_text())
    return folder


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    signs = {HOSTILE: "111111", "y": "00p0ue", "z": "-uu0p1"}
    rows = [
        {"id": f"q{number}", "answer": TEXTS[sign], "model": model}
        for model, given in signs.items()
        for number, sign in enumerate(given)
        if sign != "-"
    ]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return tmp_path / "a.jsonl"


def table(page: str, title: str) -> list[list[str]]:
    """Return the cells of the rows of a table, as HTML."""
    section = page.split(f"<h2>{title}")[1].split("</details>", maxsplit=1)[0]
    rows = re.findall(r"<tr>(.*?)</tr>", section.split("<tbody>")[1], re.DOTALL)
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]


def test_the_page_has_every_table_and_links_its_examples(
    cli: Cli, problems: Path, answers: Path, tmp_path: Path
) -> None:
    line = ("score", problems, answers, "--html", "page.html", "--pages", "of it/here")
    done = cli(*line)
    assert done.status == 1, done.err
    assert "shared" not in done.out  # the comparison is on the page only
    page = (tmp_path / "page.html").read_text()
    assert page.count("<script>") == 1
    assert "\u202e" not in page
    assert "x&lt;script&gt;\\u202e" in page
    assert [row[5:] for row in table(page, "By model")] == [
        ["100.00", "61.0 to 100.0"], ["0.00", "0.0 to 39.0"], ["20.00", "3.6 to 62.4"],
    ]  # fmt: skip
    assert [row[1] for row in table(page, "By size")] == ["6"] * 3
    compared = table(page, "Models compared")
    assert [row[2] for row in compared] == ["6", "5 of 6", "5 of 6"]
    stages = table(page, "Wrong answers by their first error")
    assert [row[3:] for row in stages] == [["0", "0", "0"], ["2", "0", "4"], ["2", "0", "2"]]
    examples = table(page, "Examples of each error")
    # Two of each model and error at most: y has three of goal.
    found = [(row[0], row[2], re.sub("<.*?>", "", row[3])) for row in examples]
    assert found == [
        ("unreadable", "y", "q4"), ("unreadable", "y", "q5"),
        ("unreadable", "z", "q1"), ("unreadable", "z", "q2"),
        ("precondition", "y", "q2"), ("precondition", "z", "q4"),
        ("goal", "y", "q0"), ("goal", "y", "q1"), ("goal", "z", "q3"),
    ]  # fmt: skip
    assert examples[0][6].startswith("I have &lt;b&gt;none&lt;/b&gt;.[U+202E]&lt;script")
    assert examples[1][6] == "(empty)"
    for row in examples:
        (href,) = re.findall("href='(.*?)'", row[3])
        linked = (tmp_path / unquote(href)).read_text()
        assert f"By {row[2]}, attempt 1" in linked
    plan = (tmp_path / unquote(re.findall("href='(.*?)'", examples[6][3])[0])).read_text()
    assert "The plan is invalid" in plan
    assert len(list((tmp_path / "of it" / "here").iterdir())) == 9


def test_without_pages_and_in_several_processes(
    cli: Cli, problems: Path, answers: Path, tmp_path: Path
) -> None:
    assert cli("score", problems, answers, "--html", "one.html").status == 1
    assert cli("score", problems, answers, "--html", "two.html", "-j", "2").status == 1
    page = (tmp_path / "one.html").read_text()
    assert page == (tmp_path / "two.html").read_text()
    assert "<a href=" not in page
    assert "goal not satisfied: (at blue study) does not hold" in page


def test_several_domains_and_answers_without_models(cli: Cli, tmp_path: Path) -> None:
    files = [domain_folder(name) / "examples.jsonl" for name in ("blocksworld", "ferry")]
    ids = [json.loads(file.read_text().splitlines()[0])["id"] for file in files]
    rows = [{"id": name, "answer": f"(fly {name})"} for name in ids]
    rows.append({"id": "other", "answer": ""})
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    done = cli("score", *files, "a.jsonl", "--html", "p.html", "--by", "domain")
    assert done.status == 2
    assert "By domain" in done.out
    assert "By size" not in done.out
    page = (tmp_path / "p.html").read_text()
    assert "Scores of 1 model in blocksworld, ferry" in page
    assert [row[1] for row in table(page, "By domain")] == ["blocksworld", "ferry"]
    assert len(table(page, "By size")) == 2
    assert "Models compared" not in page
    assert "rows that are not answers</th><td>1<" in page


def test_without_the_extras_the_page_says_what_is_missing(
    problems: Path, answers: Path, tmp_path: Path
) -> None:
    code = (
        "import sys, importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'scipy' else find(name, *a)\n"
        "sys.modules['matplotlib'] = sys.modules['matplotlib.figure'] = None\n"
        "from pddl_pipeline.cli.main import main; sys.exit(main())"
    )
    line = [sys.executable, "-c", code, "score", problems, answers, "--html", "p.html"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    page = (tmp_path / "p.html").read_text()
    assert "Plots require matplotlib" in page
    assert len(table(page, "Examples of each error")) == 9


def test_the_first_answers_are_stored_and_long_ones_are_cut(
    cli: Cli, problems: Path, tmp_path: Path
) -> None:
    """A megabyte of text, and many answers to one instance, leave the page small."""
    rows = [{"id": "q0", "answer": "<i>" * 400_000}] + [{"id": "q0", "answer": "no"}] * 50
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    done = cli("score", problems, "a.jsonl", "--html", "p.html", "--pages", "p")
    assert done.status == 1, done.err
    page = (tmp_path / "p.html").read_text()
    (row,) = table(page, "Examples of each error")
    assert row[4] == "1"
    assert len(page) < 200_000
    (file,) = (tmp_path / "p").iterdir()
    assert file.stat().st_size < 500_000
