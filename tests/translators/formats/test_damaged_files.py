"""Files that are truncated, damaged or misnamed are never read in part."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from pyarrow import parquet

from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.translators.given_pddl import given_instance

if TYPE_CHECKING:
    from command_line import Cli


def test_a_circle_of_blocks_in_pddl_is_not_recognised() -> None:
    problem = """(define (problem p) (:domain blocksworld) (:objects a b c)
      (:init (handempty) (ontable a) (on b a) (on a b) (ontable c) (clear c)) (:goal (on c a)))"""
    domain = (domain_folder("blocksworld") / "domain.pddl").read_text()
    instance = given_instance("p", domain, problem, {})
    assert (instance.domain, instance.record.known) == ("blocksworld", None)


def damaged_table() -> bytes:
    """Return a table of several groups that keeps its index at the end, but not a page."""
    file = io.BytesIO()
    table = pa.table({"target": range(5000), "nums": [[i, 1] for i in range(5000)]})
    parquet.write_table(table, file, row_group_size=100)
    whole = file.getvalue()
    middle = len(whole) // 3
    return whole[:middle] + b"\xff" * 900 + whole[middle + 900 :]


def table_of_dates() -> bytes:
    file = io.BytesIO()
    dates = pa.array([2**62], pa.timestamp("us"))
    parquet.write_table(pa.table({"target": dates, "nums": [[1, 2]]}), file)
    return file.getvalue()


@pytest.mark.parametrize("content", [damaged_table, table_of_dates])
def test_a_table_that_cannot_be_read(
    cli: Cli, tmp_path: Path, content: Callable[[], bytes]
) -> None:
    (tmp_path / "x.parquet").write_bytes(content())
    done = cli("translate", "x.parquet", "-o", "out")
    assert done.status == 2
    assert "error: x.parquet: not readable as Parquet: " in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["x.parquet"]


@pytest.mark.parametrize("damage", ["cut at a header", "cut in a header", "changed header"])
def test_damaged_archive_is_not_taken_for_a_short_one(
    cli: Cli, tmp_path: Path, damage: str
) -> None:
    with tarfile.open(tmp_path / "x.tar", "w") as archive:
        for number in range(1, 6):
            archive.add(domain_folder("blocksworld") / "p01.pddl", f"p{number}.pddl")
        place = archive.getmembers()[3].offset
    whole = (tmp_path / "x.tar").read_bytes()
    assert cli("translate", "x.tar", "-o", "whole").out == "5 problems in whole\n"
    damaged = {
        "cut at a header": whole[:place],
        "cut in a header": whole[: place + 100],
        "changed header": whole[:place] + b"?" + whole[place + 1 :],
    }
    (tmp_path / "x.tar").write_bytes(damaged[damage])
    done = cli("translate", "x.tar", "-o", "out")
    assert (done.status, done.out) == (2, "")
    assert done.err.endswith("error: x.tar: the archive is cut off or damaged\n")
