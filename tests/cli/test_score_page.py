"""``score --compare`` and ``--html``: the tables, the page, where its links lead, and its size."""

from __future__ import annotations

import gzip
import json
import re
import sys
from base64 import b64decode
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from command_line import check_mistake
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
PAGE = {HOSTILE: "111111", "y": "00p0ue", "z": "-uu0p1"}


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    """Return a folder with six problems of a domain that is not one of the project's."""
    folder = tmp_path / "problems"
    folder.mkdir()
    (folder / "domain.pddl").write_text((GRIPPER / "domain.pddl").read_text())
    for number in range(6):
        (folder / f"q{number}.pddl").write_text((GRIPPER / "p01.pddl").read_text())
    return folder


def answers(problems: Path, models: dict[str, str]) -> Path:
    """Write answers of the kinds of TEXTS to the problems in turn; - is none."""
    rows = [
        {"id": f"q{number}", "answer": TEXTS[sign], "model": model}
        for model, signs in models.items()
        for number, sign in enumerate(signs)
        if sign != "-"
    ]
    file = problems.with_name("a.jsonl")
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return file


def table(page: str, title: str) -> list[list[str]]:
    """Return the cells of the rows of a table, as HTML."""
    section = page.split(f"<h2>{title}")[1].split("</details>", maxsplit=1)[0]
    rows = re.findall(r"<tr>(.*?)</tr>", section.split("<tbody>")[1], re.DOTALL)
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]


def test_the_tables_mark_few_instances_and_name_pairs_apart(cli: Cli, problems: Path) -> None:
    file = answers(problems, {"x": "111---", "y": "---000", "z": "00u111"})
    done = cli("score", problems, file, "--compare")
    assert done.status == 1
    first, second = (line.split() for line in done.out.splitlines() if "exact McNemar" in line)
    assert first[:8] == ["x", "z", "3", "of", "6", "100.00", "0.00", "100.00"]
    assert second[:8] == ["y", "z", "3", "of", "6", "0.00", "100.00", "-100.00"]
    assert (first[-2:], first.count("(n<5)")) == (["0.2500", "0.5000"], 1)
    assert done.out.endswith(
        "x and y: not compared, they share no answered instance (3 and 3 answered)\n"
    )
    counts = re.findall(r"^([xyz]) +(\d) +(\d) +(\d) +(\d) +(\d)$", done.out, re.MULTILINE)
    assert counts == [("x", *"30000"), ("y", *"33003"), ("z", *"63102")]


def test_one_model_is_an_error_after_its_tables(cli: Cli, problems: Path) -> None:
    done = cli("score", problems, answers(problems, {"x": "10"}), "--compare")
    assert (done.status, "\nx " in done.out) == (2, True)
    assert "--compare: found answers of 1 model, expected two or more" in done.err


def test_without_scipy_the_command_says_what_to_install(
    cli: Cli, problems: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = answers(problems, {"x": "10", "y": "11"})
    monkeypatch.setitem(sys.modules, "scipy", None)
    done = cli("score", problems, file, "--compare", "-o", "s.jsonl")
    check_mistake(done, "--compare requires SciPy; fix: pip install ")
    assert "[statistics]" in done.err
    assert not (tmp_path / "s.jsonl").exists()


def test_the_page_has_every_table_and_links_its_examples(
    cli: Cli, problems: Path, tmp_path: Path
) -> None:
    line = ("score", problems, answers(problems, PAGE))
    done = cli(*line, "--html", "page.html", "--pages", "of it/here")
    assert done.status == 1, done.err
    assert "shared" not in done.out  # the comparison is on the page only
    page = (tmp_path / "page.html").read_text()
    assert (page.count("<script>"), page.count("\u202e")) == (1, 0)
    assert "x&lt;script&gt;\\u202e" in page
    assert [row[5:7] for row in table(page, "By model")] == [
        ["100.00", "61.0 to 100.0"], ["0.00", "0.0 to 39.0"], ["20.00", "3.6 to 62.4"],
    ]  # fmt: skip
    assert [row[1] for row in table(page, "By size")] == ["6"] * 3
    assert [row[2] for row in table(page, "Models compared")] == ["6", "5 of 6", "5 of 6"]
    stages = table(page, "Wrong answers by their first error")
    assert [row[3:] for row in stages] == [["0", "0", "0"], ["2", "0", "4"], ["2", "0", "2"]]
    # Two examples of each model and error at most: y has three of goal.
    examples = [
        (model, error, *link)
        for model, _, error, cell, *_ in table(page, "Errors")
        for link in re.findall("href='(.*?)'>(.*?)<", cell)
    ]
    assert [(model, error, name) for model, error, _, name in examples] == [
        ("y", "goal", "q0"), ("y", "goal", "q1"),
        ("y", "unreadable", "q4"), ("y", "unreadable", "q5"), ("y", "precondition", "q2"),
        ("z", "unreadable", "q1"), ("z", "unreadable", "q2"),
        ("z", "goal", "q3"), ("z", "precondition", "q4"),
    ]  # fmt: skip
    for model, error, href, _ in examples:
        linked = (tmp_path / unquote(href)).read_text()
        assert f"By {model}, attempt 1" in linked
        assert ("The plan is invalid" in linked) == (error in {"precondition", "goal"})
    assert len(list((tmp_path / "of it" / "here").iterdir())) == 9


def test_without_pages_and_in_several_processes(cli: Cli, problems: Path, tmp_path: Path) -> None:
    line = ("score", problems, answers(problems, PAGE))
    assert cli(*line, "--html", "one.html").status == 1
    assert cli(*line, "--html", "two.html", "-j", "2").status == 1
    page = (tmp_path / "one.html").read_text()
    assert page == (tmp_path / "two.html").read_text()
    assert "<a href=" not in page
    packed = page.split("id='packed'>")[1].split("<")[0]
    entry = json.loads(gzip.decompress(b64decode(packed)).splitlines()[6])
    assert (entry["id"], entry["errors"]) == ("q0", "goal")
    assert entry["why"] == "goal not satisfied: (at blue study) does not hold"


def test_several_domains_and_answers_without_models(cli: Cli, tmp_path: Path) -> None:
    files = [domain_folder(name) / "examples.jsonl" for name in ("blocksworld", "ferry")]
    ids = [json.loads(file.read_text().splitlines()[0])["id"] for file in files]
    texts = [json.dumps({"id": name, "answer": f"(fly {name})"}) for name in (*ids, "other")]
    (tmp_path / "a.jsonl").write_text("\n".join(texts))
    done = cli("score", *files, "a.jsonl", "--html", "p.html", "--by", "domain")
    assert (done.status, "By domain" in done.out, "By size" in done.out) == (2, True, False)
    page = (tmp_path / "p.html").read_text()
    assert "Scores of 1 model in blocksworld, ferry" in page
    assert [row[1] for row in table(page, "By domain")] == ["blocksworld", "ferry"]
    assert len(table(page, "By size")) == 2
    assert "Models compared" not in page
    assert "rows that are not answers</th><td>1<" in page


def test_the_first_answers_are_stored_and_long_ones_are_cut(
    cli: Cli, problems: Path, tmp_path: Path
) -> None:
    """A megabyte of text, and many answers to one instance, leave the page small."""
    rows = [{"id": "q0", "answer": "<i>" * 400_000}] + [{"id": "q0", "answer": "no"}] * 50
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    done = cli("score", problems, "a.jsonl", "--html", "p.html", "--pages", "p")
    assert done.status == 1, done.err
    assert len((tmp_path / "p.html").read_text()) < 200_000
    assert [file.stat().st_size < 500_000 for file in (tmp_path / "p").iterdir()] == [True]
