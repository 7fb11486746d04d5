"""Tests of the files of a study: tables, a picture, a page; the same page from stored findings."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.comparison import Comparison, Fact, Quantity, decide, share
from pddl_pipeline.papers.reproduction import write_page
from pddl_pipeline.papers.section import Section, read_sections, write_section
from pddl_pipeline.papers.study import Chart, NamedTable, Point, Series, StudyResult
from pddl_pipeline.tables.text_table import TextTable

STUDY = "countdown-figure1"
LINES = Chart(
    "Lines", "size (numbers), n=3", "accuracy (%)",
    (
        Series("ours", (Point(4, 50.0, 40.0, 61.5), Point(5, 20.0, 10.0, 30.0))),
        Series("paper", (Point(4, 52.0), Point(5, 18.0)), from_paper=True),
    ),
)  # fmt: skip
BARS = Chart(
    "Bars", "schedule", "tasks (%)",
    (Series("", (Point("[1, 1, 20, 1]", 90.0), Point("[20, 1, 1, 1]", 84.0))),),
)  # fmt: skip


def section(**changes: object) -> Section:
    parts = {
        "conditions": "3 instances <of> each size",
        "comparisons": (
            Comparison(
                what="share & more",
                paper=(Quantity(84),),
                ours=(share(71, 100),),
                decision=decide(Fact(holds=False, n=100)),
                remark="because",
            ),
        ),
        "tables": (NamedTable("A table", TextTable(("name", "value"), (("x, y", "-"),), 1)),),
        "charts": (LINES, BARS),
        "notes": ("A note.",),
    } | changes
    return Section(
        STUDY, "Figure 1", "2026-11-21T10:00:00+00:00", "2 cores", "pddl-pipeline reproduce x",
        1.5, StudyResult(**parts),  # type: ignore[arg-type]
    )  # fmt: skip


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files of a study, its picture included."""
    folder = tmp_path_factory.mktemp("written")
    write_section(section(), folder)
    return folder


def test_what_was_written_is_read_again(written: Path) -> None:
    ((again, picture),) = read_sections(written)
    assert again == section()
    assert picture == (written / STUDY / f"{STUDY}.png").read_bytes()


def test_the_picture_has_300_dots_an_inch_and_is_always_the_same(
    written: Path, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    write_section(section(), tmp_path)
    for form in ("svg", "pdf", "png"):
        one, other = (folder / STUDY / f"{STUDY}.{form}" for folder in (written, tmp_path))
        assert one.read_bytes() == other.read_bytes()
    with pytest.importorskip("PIL.Image").open(one) as picture:
        assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.1)
        picture.verify()
    # An old picture does not stay.
    write_section(section(charts=()), tmp_path)
    assert not [*tmp_path.rglob(f"{STUDY}.*")]


def test_tables_are_csv(tmp_path: Path) -> None:
    files = write_section(section(charts=()), tmp_path)
    assert [file.name for file in files] == ["comparison.csv", "table1.csv"]
    with files[1].open(newline="") as stream:
        assert list(csv.reader(stream)) == [["name", "value"], ["x, y", ""]]
    with files[0].open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert rows == [
        {"what": "share & more", "paper": "84", "ours": "71 of 100 (61.5 to 79.0 %)",
         "verdict": "differs", "by": "exact, n=100", "why": "because"},
    ]  # fmt: skip


def test_the_page_stands_alone_and_holds_every_study(written: Path) -> None:
    pytest.importorskip("matplotlib")
    page = write_page(written).read_text()
    texts = ("3 instances &lt;of&gt; each size", "share &amp; more", "data:image/png;base64,")
    assert [page.count(text) for text in (*texts, "<h3 ", "http")] == [1, 1, 1, 1, 0]


def test_findings_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    write_section(section(charts=()), tmp_path)
    file = tmp_path / STUDY / "findings.json"
    file.write_text(file.read_text()[:-20])
    with pytest.raises(InputError, match=rf"{re.escape(str(file))}.*cannot be read"):
        write_page(tmp_path)
