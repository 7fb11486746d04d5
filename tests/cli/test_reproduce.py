"""``pddl-pipeline reproduce`` as users run it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from command_line import Cli

SMALL = ("--size", "2-3", "--count", "2")


def test_without_a_name_it_lists_the_studies_of_every_paper(cli: Cli) -> None:
    done = cli("reproduce")
    assert done.status == 0
    for paper in ("countdown", "autotos", "simplan", "cats", "tutorial"):
        assert f"\n  {paper}-" in done.out


def test_a_study_prints_its_comparison_and_leaves_its_files(cli: Cli, tmp_path: Path) -> None:
    done = cli("reproduce", "countdown-figure1", *SMALL, "-o", "out")
    assert done.status == 0
    assert "2 instances of each size" in done.out
    page = (tmp_path / "out" / "reproduction.html").read_text()
    assert "pddl-pipeline reproduce countdown-figure1 -o out --count 2 --size 2-3" in page
    assert (tmp_path / "out" / "countdown-figure1" / "table1.csv").is_file()


def test_sizes_are_ranges_and_numbers(cli: Cli, tmp_path: Path) -> None:
    sizes = ("--size", "4,2-3,3", "--count", "1")
    assert cli("reproduce", "countdown-figure1", *sizes, "-o", "out").status == 0
    lines = (tmp_path / "out" / "countdown-figure1" / "table1.csv").read_text().splitlines()
    counted = [line.split(",")[0] for line in lines[1:] if line.split(",")[2] != "0"]
    assert counted == ["2", "3", "4"]
    page = (tmp_path / "out" / "reproduction.html").read_text()
    assert "--size 2-4" in page
