"""Files that are truncated, damaged or misnamed are never read in part."""

from __future__ import annotations

import io
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
