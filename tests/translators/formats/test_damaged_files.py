"""Files that are truncated, damaged or misnamed are never read in part."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from pyarrow import parquet

from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import Cli

BLOCKS = "(define (problem p) (:domain blocksworld) (:objects a b c)\n(:init "


def test_a_circle_of_blocks_in_pddl_is_none_of_ours(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "p1.pddl").write_text(
        f"{BLOCKS}(handempty) (ontable a) (on b a) (on a b) (ontable c) (clear c))"
        " (:goal (on c a)))"
    )
    domain = domain_folder("blocksworld") / "domain.pddl"
    done = cli("translate", "p1.pddl", "-o", "out", "--domain", domain)
    assert done.status == 0
    record = json.loads((tmp_path / "out" / "manifest.jsonl").read_text())
    assert record["domain"] == "blocksworld"


def test_truncated_parquet_of_several_groups(cli: Cli, tmp_path: Path) -> None:
    table = pa.table({"target": range(5000), "nums": [[i, 1] for i in range(5000)]})
    parquet.write_table(table, tmp_path / "x.parquet", row_group_size=100)
    whole = (tmp_path / "x.parquet").read_bytes()
    # The end with the index is kept; pages in the middle are overwritten.
    middle = len(whole) // 3
    (tmp_path / "x.parquet").write_bytes(whole[:middle] + b"\xff" * 900 + whole[middle + 900 :])
    done = cli("translate", "x.parquet", "-o", "out")
    assert done.status == 2
    assert "x.parquet" in done.err
    assert "Traceback" not in done.err
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


def test_dates_in_parquet_are_refused(cli: Cli, tmp_path: Path) -> None:
    dates = pa.array([2**62], pa.timestamp("us"))
    parquet.write_table(pa.table({"target": dates, "nums": [[1, 2]]}), tmp_path / "x.parquet")
    done = cli("translate", "x.parquet", "-o", "out")
    assert done.status == 2
    assert "error: x.parquet: not readable as Parquet: " in done.err
